// A fast user: thirty pages of the dashboard in a minute, without reaching the limit of reads.

import type { Page, Request } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
let house: DashboardHouse
beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

const gateNames = ['North gate', 'East gate', 'South gate', 'West gate']

/** The reads that the page sends, the number of open ones, and those refused by the rate limit. */
function countReads(page: Page) {
  const reads: string[] = []
  const refused: string[] = []
  const open = new Set<Request>()
  const isRead = (request: Request) => /^\/app\/v1\/(?!.*\/events$)/.test(new URL(request.url()).pathname)
  page.on('request', request => {
    if (!isRead(request)) return
    open.add(request)
    reads.push(new URL(request.url()).pathname)
  })
  page.on('requestfinished', request => open.delete(request))
  page.on('requestfailed', request => open.delete(request))
  page.on('response', answer => answer.status() === 429 && refused.push(answer.url()))
  return { reads, refused, answered: () => expect.poll(() => open.size).toBe(0) }
}

it('shows thirty pages in a minute, and reads for each only what is missing', async () => {
  for (const name of gateNames) await house.addGate(name)
  await house.beat()
  const { context, page } = await browser.open(house.base, { viewport: { width: 1280, height: 800 } })
  await house.signIn(context, await house.addUser('Olga Marin'))
  await page.clock.install()
  const { answered, reads, refused } = countReads(page)
  await page.goto(`/spaces/${house.space.spaceId}/gates`)
  await page.getByRole('heading', { name: 'North gate' }).waitFor()
  const rail = page.getByRole('navigation').first()
  let pages = 0
  async function shown(name: string) {
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await answered()
    pages += 1
    // Only the clock of the page: its stored readings are two seconds older.
    await page.clock.fastForward(2_000)
  }
  while (pages < 30) {
    for (const name of gateNames) {
      await rail.getByRole('link', { name: 'Gates' }).click()
      await shown('Gates')
      await page.getByRole('link', { name }).first().click()
      await shown(name)
    }
    for (const name of ['Members', 'Gateways']) {
      await rail.getByRole('link', { name }).click()
      await shown(name)
    }
  }
  expect(refused).toEqual([])
  // Of 400 allowed. Without sharing, each page would read 7 or 8 things.
  expect(reads.length).toBeLessThan(100)
})
