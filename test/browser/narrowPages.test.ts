// Pages and dialogs of the dashboard on the narrowest phone, in a real browser: no wider than the window, in readable colours.

import type { Member } from '@callgate/contract/rest/member'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, password } from './dashboardHouse.ts'

const browser = useBrowser()
const narrowest = { viewport: { width: 280, height: 700 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
  await house.space.addKey({ name: 'Reception tablet' })
  await house.addGate('Courtyard gate')
  await house.beat()
})
afterAll(() => house.stop())

async function expectNarrow(page: Page): Promise<void> {
  await expectAccessible(page)
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

/** A page of a user who signed in a while ago: protected actions ask for a confirmation. */
const open = (part: string) =>
  house.open(browser, { name: 'Mihai Radu', isUnconfirmed: true }, part, {
    ...narrowest,
    provokes: [/403/, /ERR_INTERNET_DISCONNECTED/],
  })
const inSpace = (part: string) => open(`/spaces/${house.space.spaceId}/${part}`)
const press = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: true }).last().click()

it('shows a key, makes another one, and asks before one is revoked', async () => {
  const page = await inSpace('settings/keys')
  await page.getByRole('row', { name: /^Reception tablet svc_live_/ }).waitFor()
  await expectNarrow(page)
  await press(page, 'Create key')
  await page.getByLabel('Name').fill('Desk')
  await page.getByLabel('See gates').check()
  await page.getByLabel('Open gates').check()
  await press(page, 'Create key')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await expectNarrow(page)
  await press(page, 'Confirm')
  await page.getByText('Desk is ready').waitFor()
  await expectNarrow(page)
  await page.getByLabel('I have stored it').check()
  await press(page, 'Done')
  await press(page, 'What to do with Desk')
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByText('It could: See gates, Open gates.').waitFor()
  await expectNarrow(page)
})

it('makes a sandbox, and marks its pages', async () => {
  const page = await inSpace('settings/keys')
  await press(page, 'Make a sandbox')
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await expectNarrow(page)
  await press(page, 'Make a sandbox')
  await page.getByText('Nobody is called, and no mail is sent.').waitFor()
  await expectNarrow(page)
  await page.getByRole('link', { name: 'Gates' }).last().click()
  await page.getByText('Nobody is called, and no mail is sent.').waitFor()
  await expectNarrow(page)
})

it('adds a webhook, and shows its deliveries', async () => {
  const page = await inSpace('settings/webhooks')
  await page.getByText('No webhook yet').waitFor()
  const parts = page.getByLabel('Parts of the settings')
  expect(await parts.inputValue()).toBe('webhooks')
  await parts.selectOption({ label: 'Plan' })
  await page.getByText('Access by API').waitFor()
  await parts.selectOption({ label: 'Webhooks' })
  await page.getByText('No webhook yet').waitFor()
  await expectNarrow(page)
  await press(page, 'Add webhook')
  await page.getByLabel('Address').fill(`https://desk.example.com/${'a'.repeat(80)}`)
  await press(page, 'Add')
  await page.getByLabel('Your password', { exact: true }).fill(password)
  await press(page, 'Confirm')
  await page.getByText('This is the only time that the secret is shown.').waitFor()
  await expectNarrow(page)
  await page.getByLabel('I have stored it').check()
  await press(page, 'Done')
  await page.getByText('Every event').waitFor()
  await expectNarrow(page)
  await press(page, 'What to do with desk.example.com')
  await page.getByRole('menuitem', { name: 'Send a test' }).click()
  await page.getByText('webhook.test').waitFor()
  await expectNarrow(page)
})

it('asks before a gateway gets a new password, shows it, and leads to another gateway', async () => {
  const page = await inSpace(`gateways/${house.space.gatewayId}`)
  await press(page, 'Give it a new password')
  await page.getByText('The password that it has now stops working.').waitFor()
  await expectNarrow(page)
  await press(page, 'Make the password')
  await page.getByLabel('Your password').fill(password)
  await press(page, 'Confirm')
  await page.getByLabel('Line of the configuration').waitFor()
  await expectNarrow(page)
  await page.getByLabel('I have stored the password').check()
  await press(page, 'Done')
  await press(page, 'Replace it by another gateway')
  await page.getByText('This one is shut out when the new one is confirmed').waitFor()
  await expectNarrow(page)
  await press(page, 'Make a code')
  await page.getByRole('img', { name: /as a QR code/ }).waitFor()
  await expectNarrow(page)
  await press(page, 'Withdraw the code')
  await page.getByText('nothing is left open').waitFor()
  await expectNarrow(page)
  await press(page, 'Done')
  await page.goto(`/enrol#7H2KQM-3XW9TB-R4VN80.${'k'.repeat(43)}`)
  await page.getByLabel('The command').waitFor()
  await expectNarrow(page)
})

it('shows an alert above the gates, the first steps, a member without a network, the hours of a new one, and an account', async () => {
  const seenAt = new Date(Date.now() - 400_000).toISOString()
  const { gatewayId: targetId, spaceId } = house.space
  const incident = { id: 'inc_narrow', spaceId, kind: 'sim_card', targetId, figure: 1 }
  await house.database.knex('incidents').insert({ ...incident, seenAt, openedAt: seenAt, openTold: seenAt })
  const page = await inSpace('gates')
  await page
    .getByRole('region', { name: 'Open alerts' })
    .getByText('The SIM card of Attic needs you.')
    .waitFor()
  await expectNarrow(page)
  await page.goto(`/spaces/${spaceId}/gates/first-steps`)
  await page.getByText(/\d of 6 done\./).waitFor()
  await expectNarrow(page)
  const { member } = await house.call<{ member: Member }>('POST', '/members', {
    name: 'Elena Stan',
    accesses: [],
  })
  await page.goto(`/spaces/${spaceId}/members/${member.id}`)
  await press(page, 'Person')
  await page.getByLabel('Phone').fill('0733')
  await page.context().setOffline(true)
  await page.getByText('No network: nothing can be saved.').waitFor()
  await expectNarrow(page)
  await page.context().setOffline(false)
  await press(page, 'Save')
  await page.getByText('Saved.').first().waitFor()
  await expectNarrow(page)
  await page.goto(`/spaces/${spaceId}/members/new`)
  // It is the only gate, so the member has it: the preset gives its hours, and its card shows them.
  await press(page, 'Weekdays')
  await expectNarrow(page)
  await press(page, 'Hours of Courtyard gate')
  await page.getByRole('region', { name: 'The next times' }).getByRole('listitem').nth(8).waitFor()
  await expectNarrow(page)
  await page.goto('/account')
  await page.getByText('This one').waitFor()
  await expectNarrow(page)
})
