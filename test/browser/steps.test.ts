// What is typed in the dashboard is not lost by leaving, and two people who change one thing learn of each other.

import type { Page } from 'playwright-core'
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

/** A page of an owner who is signed in. */
async function signedIn(path: string, options: Opening = desktop): Promise<Page> {
  const { context, page } = await browser.open(house.base, options)
  await house.signIn(context, await house.addUser('Mihai Radu'))
  await page.goto(path)
  return page
}

it('asks before what is typed is lost, by the back button, a link or closing', async () => {
  const gate = await house.addGate('Courtyard gate')
  const page = await signedIn(pathOf('gates'))
  await page.getByRole('link', { name: 'Courtyard gate' }).click()
  const question = page.getByRole('dialog', { name: 'There are changes that are not saved.' })
  const press = (name: string) => question.getByRole('button', { name, exact: true }).click()

  // The form of a gate, in a dialog.
  await page.getByRole('button', { name: 'Edit' }).click()
  const form = page.getByRole('dialog', { name: 'Edit Courtyard gate' })
  await form.getByLabel('Note').fill('Behind the garages')
  await page.goBack()
  await expectAccessible(page)
  await press('Cancel')
  await page.keyboard.press('Escape')
  await press('Cancel')
  expect(await form.getByLabel('Note').inputValue()).toBe('Behind the garages')
  expect(new URL(page.url()).pathname).toBe(pathOf(`gates/${gate.id}`))
  await page.goBack()
  await press('Discard')
  await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()

  // The settings of the Space, with a bar to save them. What is saved asks nothing.
  await page.getByRole('link', { name: 'Settings' }).click()
  const name = page.getByLabel('Name', { exact: true }).first()
  await name.fill('Casa Verde')
  await page.getByRole('link', { name: 'Members' }).click()
  await press('Cancel')
  expect(await name.inputValue()).toBe('Casa Verde')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Save' }).waitFor({ state: 'detached' })
  await page.goBack()
  await page.getByRole('heading', { level: 1, name: 'Gates' }).waitFor()

  // A new member: untouched it asks nothing.
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
