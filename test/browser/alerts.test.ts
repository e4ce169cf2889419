// The alerts in the dashboard, in a real browser: on other pages, on their own page, live, and the choice of mails.

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

/** An incident that began the given number of minutes ago, with its event. */
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

/** The incident is over. It lasted the given minutes, however long the test has taken since it began. */
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

const open = (page: Page) => page.getByRole('region', { name: 'What goes on' })

it('shows an alert above the gates as it begins, leads to the gateway, and removes it as it ends', async () => {
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
  // This page has its own warning about its gateway.
  expect(await open(page).count()).toBe(0)
  await end(id)
  const other = await begin('gateway_offline', await addGateway('Yard cabinet'), 8)
  await open(page).getByText('Yard cabinet is offline.').waitFor()
  await end(other)
  await open(page).waitFor({ state: 'detached' })
})
