// The settings in the dashboard, in a real browser: a key is made, shown once and revoked; two people change the Space; users are
// invited, changed and removed.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { type Opening, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, type GivenUser, password } from './dashboardHouse.ts'

const browser = useBrowser()
const desktop = { viewport: { width: 1280, height: 800 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
  // The key with which every Space of the tests begins.
  await house.database.knex('apiKeys').where({ spaceId: house.space.spaceId }).delete()
})
afterAll(() => house.stop())

const pathOf = (part = '') => `/spaces/${house.space.spaceId}/settings${part}`

/** A page of a user who signed in a while ago: protected actions ask for a confirmation. */
const signedIn = (user: GivenUser, path: string, options: Opening = desktop) =>
  house.open(browser, { ...user, isUnconfirmed: true }, path, options)

/** The page is no wider than its window. */
async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

const readGates = async (key: string) =>
  (await fetch(`${house.base}/api/v1/gates`, { headers: { authorization: `Bearer ${key}` } })).status

it('makes a key that opens gates after a confirmation, shows it once, and revokes it', async () => {
  const page = await signedIn({ name: 'Mihai Radu' }, pathOf('/keys'), { ...desktop, provokes: [/403/] })
  await says(page, 'No key yet')
  await page.getByRole('button', { name: 'Create key' }).click()
  const dialog = page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  await press('Create key')
  await dialog.getByText('Type a name.').waitFor()
  await dialog.getByText('Tick at least one.').waitFor()
  expect(await dialog.getByRole('checkbox', { checked: true }).count()).toBe(0)
  await expectAccessible(page)
  await dialog.getByLabel('Name').fill('Reception tablet')
  await dialog.getByLabel('See gates').check()
  await dialog.getByLabel('Open gates').check()
  await press('Create key')

  await dialog.getByText('Confirm that it is you').waitFor()
  const typed = dialog.getByLabel('Your password', { exact: true })
  await typed.fill('five words and a gate')
  await press('Confirm')
  await dialog.getByText('This is not your password.').waitFor()
  await expectAccessible(page)
  await press('Cancel')
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Reception tablet')
  await press('Create key')
  await typed.fill(password)
  await press('Confirm')

  await dialog.getByText('Reception tablet is ready').waitFor()
  const secret = await dialog.getByLabel('The key').inputValue()
  expect(await readGates(secret)).toBe(200)
  await page.keyboard.press('Escape')
  expect(await dialog.getByRole('button', { name: 'Done' }).isDisabled()).toBe(true)
  await expectAccessible(page)
  await dialog.getByLabel('I have stored it').check()
  await press('Done')
  await dialog.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(secret)

  const row = page.getByRole('row', { name: /^Reception tablet svc_live_/ })
  await row.getByText('gates:open').waitFor()
  await expectAccessible(page)
  await page.setViewportSize({ width: 280, height: 700 })
  await expectNoSideways(page)
  await row.getByRole('button', { name: 'What to do with Reception tablet' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await dialog.getByText('It could: See gates, Open gates.').waitFor()
  await expectNoSideways(page)
  await press('Revoke')
  await row.waitFor({ state: 'detached' })
  expect(await readGates(secret)).toBe(401)
  await page.getByRole('button', { name: 'Show 1 that has ended' }).click()
  await row.getByText(/^revoked \d/).waitFor()
})
