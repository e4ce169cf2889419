// Every page of the dashboard, and the guest's page, on a slow phone: nothing jumps while it arrives, and a finger hits everything.

import { putCalibration } from '@callgate/cloud/calibration/calibration.kit'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import type { Member } from '@callgate/contract/rest/member'
import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { beat, openDashboard, type Records, serveRecords } from './records.ts'

/** A phone of the middle class on a slow network: 1.6 Mbit/s, and a processor of a quarter of the speed. */
const slow = { latency: 150, downloadThroughput: 200_000, uploadThroughput: 90_000, offline: false }
const slowdown = 4
/** The sum of all shifts that no press has caused; the limit of a good page is 0.1. */
const most = 0.05

const browser = useBrowser()
let records: Records
let member: Member

beforeAll(async () => {
  records = await serveRecords()
  const { cloud, gateIds, tenant, world } = records
  const { gatewayId, spaceId } = tenant
  const seenAt = '2026-03-20T11:58:00.000Z'
  const incident = { id: 'inc_shift', spaceId, kind: 'gateway_offline', targetId: records.yardId, figure: 1 }
  const { knex } = cloud.database
  await knex('incidents').insert({ ...incident, seenAt, openedAt: seenAt, openTold: seenAt })
  await putCalibration(
    { database: cloud.database, world },
    { spaceId, gateId: gateIds.delivery, gatewayId },
    [2_000, 3_000, 2_500],
  )
  const made = await fetch(`${cloud.base}/api/v1/members`, {
    method: 'POST',
    headers: { authorization: `Bearer ${tenant.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Ana Pop', accesses: [{ gateId: gateIds.courtyard }] }),
  })
  member = ((await made.json()) as { member: Member }).member
})
afterAll(() => records.cloud.stop())

interface Shift {
  readonly value: number
  /** What moved, and from where to where. */
  readonly of: readonly string[]
}

/** Notes each shift, with the elements that moved. */
const noteShifts = `{
  globalThis.shifts = []
  const place = ({ height, y }) => Math.round(y) + '+' + Math.round(height)
  const nameOf = node => node?.nodeType === 1
    ? node.tagName.toLowerCase() + '.' + node.className + ' ' + node.textContent.slice(0, 30) : String(node?.textContent).slice(0, 30)
  new PerformanceObserver(list => {
    for (const { hadRecentInput, sources, value } of list.getEntries())
      if (!hadRecentInput) shifts.push({ value, of: sources.map(({ currentRect, node, previousRect }) =>
        nameOf(node) + ' from ' + place(previousRect) + ' to ' + place(currentRect)) })
  }).observe({ type: 'layout-shift', buffered: true })
}`

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', slow)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  await page.addInitScript(noteShifts)
}

/** Waits until every request has been answered for a while, except for the stream of events, which does not end. */
async function visit(page: Page, path: string): Promise<readonly Shift[]> {
  const open = new Set<Request>()
  let changedAtMs = Date.now()
  const noted = () => {
    changedAtMs = Date.now()
  }
  page.on('request', request => {
    if (new URL(request.url()).pathname.endsWith('/events')) return
    open.add(request)
    noted()
  })
  const ended = (request: Request) => {
    open.delete(request)
    noted()
  }
  page.on('requestfinished', ended).on('requestfailed', ended)
  await page.goto(path)
  await expect.poll(() => open.size === 0 && Date.now() - changedAtMs > 1_500, { timeout: 60_000 }).toBe(true)
  await page.locator('.skeleton').first().waitFor({ state: 'detached' })
  return (await page.evaluate('shifts')) as readonly Shift[]
}

const sum = (shifts: readonly Shift[]) => shifts.reduce((total, { value }) => total + value, 0)
const told = (shifts: readonly Shift[]) =>
  shifts.map(({ of, value }) => [value.toFixed(3), ...of].join('\n  ')).join('\n')

const pathOf = (page: keyof typeof dashboardPaths) =>
  dashboardPaths[page]
    .replace(':spaceId', records.tenant.spaceId)
    .replace(':gateId', page === 'calibration' ? records.gateIds.delivery : records.gateIds.courtyard)
    .replace(':gatewayId', records.tenant.gatewayId)
    .replace(':memberId', member.id)

/** Below this, a finger misses. A link within a text is as high as its line. */
const leastTarget = 44

/**
 * The targets of a touch that are too low or too narrow: neither the part itself nor a label of it is large enough, with what takes
 * a touch around each of them.
 */
const smallTargets = `{
  const sizeOf = one => {
    const { height, width } = one.getBoundingClientRect()
    const { bottom, content, left, right, top } = getComputedStyle(one, '::after')
    const around = inset => content === 'none' ? 0 : Math.max(0, -parseFloat(inset) || 0)
    return [width + around(left) + around(right), height + around(top) + around(bottom)]
  }
  const isSmall = one => Math.min(...sizeOf(one)) < ${leastTarget}
  const nameOf = one => one.className + ' ' + (one.ariaLabel ?? one.textContent).slice(0, 40) + ': ' + sizeOf(one)
  ;[...document.querySelectorAll('a:not(.skip), button, input, select, textarea')]
    .filter(one => one.checkVisibility({ visibilityProperty: true }) && getComputedStyle(one).display !== 'inline')
    .filter(one => [one, ...(one.labels ?? [])].every(isSmall))
    .map(nameOf)
}`

const pages = Object.keys(dashboardPaths) as (keyof typeof dashboardPaths)[]

it.each(pages)(
  'moves nothing on the page %s while it arrives, and has no target too small for a finger',
  async name => {
    await beat(records)
    const { page } = await openDashboard(browser, records, { viewport: { width: 390, height: 844 } })
    await slowDown(page)
    const shifts = await visit(page, pathOf(name))
    expect(sum(shifts), told(shifts)).toBeLessThan(most)
    expect(await page.evaluate(smallTargets)).toEqual([])
  },
)

it('moves nothing on the page of a guest while it arrives, and has no target too small for a finger', async () => {
  const { page } = await browser.open(records.cloud.base)
  await slowDown(page)
  const shifts = await visit(page, new URL(member.accesses[0]?.accessUrl ?? '').pathname)
  expect(sum(shifts), told(shifts)).toBeLessThan(most)
  expect(await page.evaluate(smallTargets)).toEqual([])
})
