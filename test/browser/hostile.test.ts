// Every page of the dashboard in a narrow window, and with hostile texts in every field.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const world = realWorld({ logLevel: 'silent' })
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

/** Escapes from a text, an attribute in either quotes, a title, a script, a template, a link, and a cell of a spreadsheet. */
const hostile = [
  '=1<script>window.hit=1</script>',
  '"><img src=x onerror=window.hit=1>',
  "'><svg/onload=window.hit=1>",
  '</title></textarea></style></script><script>window.hit=1</script>',
  '{{window.hit=1}}#{window.hit=1}',
  'javascript:window.hit=1//\u202e',
].join(' ')

/** The texts from people and machines, by table. */
const fields = {
  spaces: ['name', 'contactName'],
  gates: ['name', 'location'],
  members: ['name', 'note'],
  users: ['name'],
  gateways: ['name'],
  apiKeys: ['name'],
  sessions: ['browser'],
  openings: ['gateName', 'actorName'],
} as const

/** A gate that was opened once, a member with its link and hours, and a user who was invited. */
async function furnish() {
  const gate = await house.addGate('Barrier', 'opens')
  await house.beat()
  await house.call('POST', `/gates/${gate.id}/open`)
  const schedules = [{ type: 'always', timezone: 'Europe/Bucharest' }]
  const member = { name: 'Ana', phone: '+40722000111', accesses: [{ gateId: gate.id, schedules }] }
  const made = await house.call<{ member: { id: string } }>('POST', '/members', member)
  return { gateId: gate.id, memberId: made.member.id }
}

async function writeEverywhere(): Promise<void> {
  const { knex } = house.database
  for (const [table, columns] of Object.entries(fields)) {
    const given = Object.fromEntries(columns.map(column => [column, hostile]))
    expect(await knex(table).update(given), table).toBeGreaterThan(0)
  }
}

/** An open alert, and an ended one. */
async function alarm(): Promise<void> {
  const { gatewayId: targetId, spaceId } = house.space
  const at = '2026-03-20T12:00:00.000Z'
  const row = {
    spaceId,
    kind: 'gateway_offline',
    targetId,
    seenAt: at,
    openedAt: at,
    openTold: at,
    figure: 1,
  }
  const closedAt = '2026-03-20T13:01:00.000Z'
  const [begun, over] = [newId(world, 'inc'), newId(world, 'inc')]
  await house.database.knex('incidents').insert({ ...row, id: begun })
  await house.database.knex('incidents').insert({ ...row, id: over, closedAt, closeTold: closedAt })
}

/** The address of each page, with its ids. */
const addresses = (ids: Readonly<Record<string, string>>) =>
  Object.values(dashboardPaths).map(path => path.replace(/:(\w+)/g, (_, name) => ids[name] ?? ''))

it('is accessible on every page and fits 280 pixels, in Romanian', async () => {
  const made = await furnish()
  await alarm()
  const ids = { spaceId: house.space.spaceId, gatewayId: house.space.gatewayId, ...made }
  const { context, page } = await browser.open(house.base, { viewport: { width: 280, height: 700 } })
  const signIn = async () => house.signIn(context, await house.addUser('Mihai Radu', { language: 'ro' }))
  for (const [place, address] of addresses(ids).entries()) {
    // This many pages at once are too many reads for one user.
    if (place % 6 === 0) await signIn()
    await page.goto(address)
    await expectAccessible(page)
    const wider = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(wider, address).toBeLessThanOrEqual(0)
  }
})

it('shows hostile texts unchanged on every page, including those of the address, and runs nothing', async () => {
  const { gateId, memberId } = await furnish()
  const desktop = { width: 1280, height: 800 }
  // No id has this form.
  const { context, page } = await browser.open(house.base, { viewport: desktop, provokes: [/400/] })
  await house.signIn(context, await house.addUser('Mihai Radu'))
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await writeEverywhere()
  const ids = { spaceId: house.space.spaceId, gatewayId: house.space.gatewayId, gateId, memberId }
  for (const [place, path] of Object.values(dashboardPaths).entries()) {
    // This many pages at once are too many reads for one user.
    if (place % 6 === 5) await house.signIn(context, await house.addUser(hostile))
    const asked = encodeURIComponent(hostile)
    const address = path.replace(/:(\w+)/g, (_, name) => ids[name as keyof typeof ids])
    await page.goto(`${address}?search=${asked}&gateId=${asked}&class=${asked}&token=${asked}#${asked}`)
    await page.locator('main h1').first().waitFor()
    await page.locator('main .skeleton').first().waitFor({ state: 'detached' })
    const shown = await page.evaluate('document.body.innerText + document.title')
    expect(await page.evaluate('window.hit'), address).toBeUndefined()
    if (address.startsWith('/spaces')) expect(shown, address).toContain('onerror=window.hit=1')
  }
})
