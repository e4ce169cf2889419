// The alerts in the dashboard, in a real browser: at the top of other pages, on their own, live, and who is told of them.

import { recordEvents } from '@callgate/cloud/event/events'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { type Opening, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, type GivenUser } from './dashboardHouse.ts'

const browser = useBrowser()
const world = realWorld({ logLevel: 'silent' })
const desktop = { viewport: { width: 1280, height: 800 } }
const narrow = { viewport: { width: 280, height: 640 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())
beforeEach(() => house.database.knex('incidents').delete())

const pathOf = (part: string) => `/spaces/${house.space.spaceId}${part}`

const signedIn = (user: GivenUser, path: string, options: Opening = desktop) =>
  house.open(browser, user, path, options)

const minuteMs = 60_000

/** An incident that began so many minutes ago, and the event that tells of it. */
async function begin(kind: string, targetId: string, minutes: number): Promise<string> {
  const { database } = house
  const { spaceId } = house.space
  const nowMs = world.nowMs()
  const id = newId(world, 'inc')
  const at = isoTime(nowMs - minutes * minuteMs)
  const told = { openTold: at, figure: 1 }
  await database.write(async tx => {
    await tx('incidents').insert({ id, spaceId, kind, targetId, seenAt: at, openedAt: at, ...told })
    await recordEvents(tx, spaceId, [{ kind: 'incident.opened', targetId: id, atMs: nowMs }])
  })
  return id
}

async function addGateway(name: string): Promise<string> {
  const { spaceId } = house.space
  const id = newId(world, 'gw')
  const row = { id, spaceId, name, publicKey: id, passwordHash: 'p', createdAt: isoTime(world.nowMs()) }
  await house.database.knex('gateways').insert(row)
  return id
}

/** The incident is over. It lasted so many minutes, however long the test has taken since it began. */
async function end(id: string, minutes = 6): Promise<void> {
  const { database } = house
  const nowMs = world.nowMs()
  await database.write(async tx => {
    const { seenAt } = await tx('incidents').where({ id }).first('seenAt')
    const closedAt = isoTime(Date.parse(seenAt) + minutes * minuteMs)
    await tx('incidents').where({ id }).update({ closedAt, closeTold: closedAt })
    await recordEvents(tx, house.space.spaceId, [{ kind: 'incident.closed', targetId: id, atMs: nowMs }])
  })
}

/** The page is no wider than its window. */
async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

const open = (page: Page) => page.getByRole('region', { name: 'What goes on' })

it('shows an alert at the top of the gates as it begins, leads to the gateway, and takes it away as it ends', async () => {
  await house.addGate('Courtyard gate')
  const page = await signedIn({ name: 'Mihai Radu' }, pathOf('/gates'))
  await page.getByRole('heading', { name: 'Courtyard gate' }).waitFor()
  expect(await open(page).count()).toBe(0)
  const id = await begin('gateway_offline', house.space.gatewayId, 6)
  await open(page).getByText('Attic is offline.').waitFor()
  await open(page).getByText('look at the lights on it').waitFor()
  await page.getByText('An alert goes on').first().waitFor({ state: 'attached' })
  await expectAccessible(page)
  await open(page).getByRole('link', { name: 'Look at it Attic is offline' }).click()
  await page.getByRole('heading', { level: 2, name: 'Attic', exact: true }).waitFor()
  // This page says itself what is wrong with its gateway.
  expect(await open(page).count()).toBe(0)
  await end(id)
  const other = await begin('gateway_offline', await addGateway('Yard cabinet'), 8)
  await open(page).getByText('Yard cabinet is offline.').waitFor()
  await end(other)
  await open(page).waitFor({ state: 'detached' })
})

it('shows the first of many, and all of them on a page of their own, beside what is over', async () => {
  const gate = await house.addGate('Delivery gate')
  const { gatewayId, spaceId } = house.space
  await begin('mail_failing', spaceId, 40)
  await begin('gate_not_reacting', gate.id, 30)
  await begin('signal_low', gatewayId, 20)
  await begin('supply_low', gatewayId, 10)
  const past = await begin('gateway_offline', gatewayId, 134)
  const page = await signedIn({ name: 'Ana Pop', role: 'admin' }, pathOf('/gates'))
  await page.getByRole('link', { name: 'And 2 more alerts' }).click()
  await page.getByText('5 things need a look.').waitFor()
  await end(past, 134)
  await page.getByText('4 things need a look.').waitFor()
  const row = page.getByRole('row', { name: 'Attic was offline' })
  await row.getByText('2 h 14 min').waitFor()
  await expectAccessible(page)
  for (const said of ['Mails do not arrive.', 'Delivery gate does not react.', 'The supply of Attic is low.'])
    await open(page).getByText(said).waitFor()
})

it('says so where nothing is and was wrong, in a window of 280 pixels and in Romanian too', async () => {
  const page = await signedIn({ name: 'Ion Marin', language: 'ro' }, pathOf('/alerts'), narrow)
  await page.getByText('Nicio alertă nu este deschisă.').first().waitFor()
  await page.getByText('Nimic în ultimele 90 de zile.').waitFor()
  await expectAccessible(page)
  const id = await begin('gateway_offline', house.space.gatewayId, 61)
  await page.getByText('Attic este offline.').waitFor()
  await expectNoSideways(page)
  await end(id, 61)
  await page.getByText('Attic a fost offline').waitFor()
  await page.getByText('1 h 1 min').waitFor()
  await expectNoSideways(page)
  await expectAccessible(page)
})

const choice = async (email: string) => {
  const { knex } = house.database
  const row = await knex('userRoles').join('users', 'users.id', 'userId').where({ email }).first('getsAlerts')
  return Boolean(row.getsAlerts)
}

it('lets an owner say who is told, and an admin say it for themselves', async () => {
  const { knex } = house.database
  const { email } = await house.addUser('Ana Marin', { role: 'admin' })
  const owner = await signedIn({ name: 'Vlad Owner' }, pathOf('/settings/alerts'))
  const box = owner.getByRole('switch', { name: 'Tell Ana Marin by mail' })
  await box.waitFor()
  expect(await box.isChecked()).toBe(true)
  await box.focus()
  await owner.keyboard.press('Space')
  await expect.poll(() => choice(email)).toBe(false)
  await expect.poll(() => box.isChecked()).toBe(false)
  await expectAccessible(owner)
  const entry = await knex('activity').where({ action: 'user.alerts_changed' }).first('details')
  expect(JSON.parse(entry.details)).toMatchObject({ changes: { getsAlerts: { from: true, to: false } } })

  const admin = await signedIn({ name: 'Ema Admin', role: 'admin' }, pathOf('/settings/alerts'), narrow)
  await admin.getByText('Only you and the owners of the Space can change this.').waitFor()
  expect(await admin.getByRole('switch').count()).toBe(1)
  await admin.getByRole('switch', { name: 'Tell me by mail' }).focus()
  await admin.keyboard.press('Space')
  const { email: own } = await knex('users').where({ name: 'Ema Admin' }).first('email')
  await expect.poll(() => choice(own)).toBe(false)
  await expectNoSideways(admin)
  await expectAccessible(admin)
  await admin.goto('/account')
  const inAccount = admin.getByRole('switch', { name: 'Casa Lalelelor' })
  await inAccount.waitFor()
  expect(await inAccount.isChecked()).toBe(false)
  await inAccount.focus()
  await admin.keyboard.press('Space')
  await expect.poll(() => choice(own)).toBe(true)
  await expectNoSideways(admin)
})

it('keeps a switch as it was where the change does not arrive, and says so', async () => {
  const page = await signedIn({ name: 'Dan Owner' }, pathOf('/settings/alerts'), {
    ...desktop,
    provokes: [/ERR_FAILED/],
  })
  const box = page.getByRole('switch', { name: 'Tell Dan Owner by mail' })
  await box.waitFor()
  await page.route('**/users/*', route => route.abort())
  await box.focus()
  await page.keyboard.press('Space')
  await page.getByText('It is not known whether this was saved.').waitFor()
  expect(await box.isChecked()).toBe(true)
  await expectAccessible(page)
})
