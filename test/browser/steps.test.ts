// Typed text in the dashboard, in a real browser: the back button, a link or closing does not lose it.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { type Opening, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 800 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

const pathOf = (part: string) => `/spaces/${house.space.spaceId}/${part}`

/** A page of a signed-in owner. */
const signedIn = (path: string, options: Opening = desktop) =>
  house.open(browser, { name: 'Mihai Radu' }, path, options)

it('asks before typed text is lost, by the back button, a link or closing', async () => {
  const gate = await house.addGate('Courtyard gate')
  const page = await signedIn(pathOf('gates'))
  await page.getByRole('link', { name: 'Courtyard gate' }).click()
  const question = page.getByRole('dialog', { name: 'Discard what you typed?' })
  async function press(name: string) {
    await question.getByRole('button', { name, exact: true }).click()
    // A key that is pressed earlier would go to the question.
    await question.waitFor({ state: 'hidden' })
  }

  // The form of a gate, in a dialog.
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Courtyard gate' })
  await form.getByLabel('Note').fill('Behind the garages')
  await page.goBack()
  await expectAccessible(page)
  await press('Keep typing')
  await page.keyboard.press('Escape')
  await press('Keep typing')
  expect(await form.getByLabel('Note').inputValue()).toBe('Behind the garages')
  expect(new URL(page.url()).pathname).toBe(pathOf(`gates/${gate.id}`))
  await page.goBack()
  await press('Discard')
  await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()

  // The settings of the Space, with a bar to save them. Saved text causes no question.
  await page.getByRole('link', { name: 'Settings' }).click()
  const name = page.getByLabel('Name', { exact: true }).first()
  await name.fill('Casa Verde')
  await page.getByRole('link', { name: 'Members' }).click()
  await press('Keep typing')
  expect(await name.inputValue()).toBe('Casa Verde')
  await page.getByRole('button', { name: 'Save' }).click()
  // While it saves, its button has another name.
  await page
    .getByRole('region', { name: 'There are changes that are not saved.' })
    .waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()

  // A new member: an untouched form causes no question.
  await page.getByRole('link', { name: 'Members' }).click()
  await page.getByRole('link', { name: 'Add member' }).first().click()
  await page.getByRole('link', { name: 'History' }).click()
  await page.goBack()
  await page.getByLabel('Name').fill('Ana Pop')
  const asked = page.waitForEvent('dialog')
  await page.close({ runBeforeUnload: true })
  const closing = await asked
  expect(closing.type()).toBe('beforeunload')
  await closing.dismiss()
  await page.goBack()
  await press('Discard')
  await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor()
})
