// The settings in the dashboard, in a real browser: a key is made, shown once and revoked; the Space is changed by two;
// users are invited, changed and removed.

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
  // The key that every Space of the tests begins with.
  await house.database.knex('apiKeys').where({ spaceId: house.space.spaceId }).delete()
})
afterAll(() => house.stop())

const pathOf = (part = '') => `/spaces/${house.space.spaceId}/settings${part}`

/** A page of somebody who is signed in since a while: what needs a confirmation asks for it. */
const signedIn = (user: GivenUser, path: string, options: Opening = desktop) =>
  house.open(browser, { ...user, isUnconfirmed: true }, path, options)

/** The page is no wider than its window. */
async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

const says = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor()

const readGates = async (key: string) =>
  (await fetch(`${house.base}/api/v1/gates`, { headers: { authorization: `Bearer ${key}` } })).status

it('makes a key that opens gates after asking who is there, shows it once, and revokes it', async () => {
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

it('keeps the form when no answer comes, and says what is not known, in Romanian too', async () => {
  const page = await signedIn({ name: 'Ana Pop', role: 'admin', language: 'ro' }, pathOf('/keys'), {
    ...desktop,
    provokes: [/failed: net::ERR_FAILED/, /console: Failed to load/, /503/],
  })
  await page.getByRole('button', { name: 'Creează o cheie' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Nume').fill('Raport')
  await dialog.getByLabel('Citește deschiderile').check()
  await page.route('**/api-keys', route => route.abort())
  await dialog.getByRole('button', { name: 'Creează o cheie' }).click()
  await dialog.getByText('nu se știe dacă s-a creat o cheie').waitFor()
  expect(await dialog.getByLabel('Nume').inputValue()).toBe('Raport')
  await page.unroute('**/api-keys')
  await page.route('**/api-keys', route => route.fulfill({ status: 503, body: '{}' }))
  await page.reload()
  await says(page, 'Cheile API: nu s-a putut citi')
  await expectAccessible(page)
  await page.unroute('**/api-keys')
  await page.getByRole('button', { name: 'Citește din nou' }).click()
  await page.getByRole('alert').filter({ hasText: 'nu s-a putut citi' }).waitFor({ state: 'detached' })
})

it('changes the Space, and loses nobody’s change', async () => {
  const page = await signedIn({ name: 'Mihai Radu' }, pathOf(), { ...desktop, provokes: [/412/] })
  const name = page.getByLabel('Name', { exact: true })
  await name.fill('See www.example.com')
  await page.getByLabel('Contact name').fill('Ana Pop')
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'Leave out :// and www.')
  await says(page, 'Fill in both, or neither.')
  await name.fill('Casa Lalelelor 14')
  await page.getByLabel('Contact phone').fill('+40 21 555 0100')
  await page.getByLabel('The usual countries').uncheck()
  await page.getByLabel('Add a country').selectOption({ label: 'Japan' })
  const keep = page.getByLabel('Keep who opened and who changed what for')
  expect(await keep.inputValue()).toBe('P12M')
  await keep.selectOption({ label: '90 days' })
  await expectAccessible(page)
  const place = { id: house.space.spaceId }
  await house.database.knex('spaces').where(place).update({ name: 'Casa Mare', timezone: 'Europe/Vienna' })
  await page.getByRole('button', { name: 'Save' }).click()
  await says(page, 'Somebody changed the Space meanwhile.')
  await says(page, 'Somebody else has set this to “Casa Mare”.')
  expect(await name.inputValue()).toBe('Casa Lalelelor 14')
  expect(await page.getByLabel('Time zone').inputValue()).toBe('Europe/Vienna')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('banner').getByText('Casa Lalelelor 14').waitFor()
  const saved = await house.database.knex('spaces').where(place).first()
  expect(saved).toMatchObject({
    name: 'Casa Lalelelor 14',
    contactName: 'Ana Pop',
    timezone: 'Europe/Vienna',
  })
  await page.getByRole('button', { name: 'Remove Japan' }).waitFor()
  expect(await house.database.knex('identityKeeping').pluck('keeping')).toEqual(['P90D'])
})

it('shows an admin the Space and its plan, and lets them change neither', async () => {
  const page = await signedIn({ name: 'Ana Pop', role: 'admin' }, pathOf(), {})
  await says(page, 'Only an owner changes the Space.')
  expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true)
  await page.setViewportSize({ width: 280, height: 700 })
  await expectNoSideways(page)
  expect(await page.getByRole('link', { name: 'Users' }).count()).toBe(0)
  await page.getByRole('link', { name: 'Plan' }).click()
  await says(page, 'This Space is on Business.')
  await expectNoSideways(page)
  await expectAccessible(page)
  await page.goto(pathOf('/users'))
  await says(page, 'Only owners see this page')
  expect(await page.getByText('@example.com').count()).toBe(0)
})

it('invites a person, gives a user another role and a member, and removes them', async () => {
  await house.call('POST', '/members', { name: 'Ion Popescu' })
  await house.addUser('Elena Stan', { role: 'admin' })
  const owners = { spaceId: house.space.spaceId, role: 'owner' }
  await house.database.knex('userRoles').where(owners).delete()
  const page = await signedIn({ name: 'Ioana Dinu' }, pathOf('/users'), {
    ...desktop,
    provokes: [/409/, /403/],
  })
  const dialog = page.getByRole('dialog')
  const press = (name: string) => dialog.getByRole('button', { name, exact: true }).click()
  const row = (name: string) => page.getByRole('listitem').filter({ hasText: name })
  const choose = async (name: string, what: string) => {
    await page.getByRole('button', { name: `What to do with ${name}` }).click()
    await page.getByRole('menuitem', { name: what }).click()
  }
  await page.getByRole('button', { name: 'What to do with Ioana Dinu' }).click()
  await says(page, 'This is the only owner')
  expect(await page.getByRole('menuitem', { name: 'Remove' }).count()).toBe(0)
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Invite' }).click()
  await dialog.getByLabel('E-mail').fill('ana at example')
  await press('Invite')
  await dialog.getByText('Type an e-mail address').waitFor()
  await dialog.getByLabel('Name').fill('Ana Pop')
  await dialog.getByLabel('E-mail').fill((await row('Elena Stan').getByText('@').textContent()) ?? '')
  await press('Invite')
  await dialog.getByText('This person is a user of the Space already.').waitFor()
  await expectAccessible(page)
  await dialog.getByLabel('E-mail').fill('ana@example.com')
  await press('Invite')
  await row('ana@example.com').getByText('works until').waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Take back Ana Pop' }).click()
  await press('Take back')
  await row('ana@example.com').waitFor({ state: 'detached' })

  await choose('Elena Stan', 'Link to a member')
  await dialog.getByLabel('Ion Popescu').check()
  await expectAccessible(page)
  await press('Link')
  await row('Elena Stan').getByRole('link', { name: 'Ion Popescu' }).waitFor()
  await choose('Elena Stan', 'Make owner')
  await press('Change role')
  await dialog.getByLabel('Your password', { exact: true }).fill(password)
  await press('Confirm')
  await row('Elena Stan').getByText('Owner').waitFor()
  await page.setViewportSize({ width: 280, height: 700 })
  await expectNoSideways(page)
  await choose('Elena Stan', 'Remove')
  await dialog.getByText('The link of the member Ion Popescu stays').waitFor()
  await press('Remove')
  await row('Elena Stan').waitFor({ state: 'detached' })
})
