// Live updates of the dashboard, in a real browser: one stream for all its tabs, which is passed on and connected again.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Phone, useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse, password } from './dashboardHouse.ts'

const browser = useBrowser()
let house: DashboardHouse
beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

const shows = (page: Page, name: string) => page.getByRole('heading', { name }).waitFor()

it('updates all tabs by one stream, and the next tab continues when the first is closed', async () => {
  const { context, page } = await browser.open(house.base, { viewport: { width: 1280, height: 800 } })
  const gate = await house.addGate('North gate')
  const rename = (name: string) => house.call('PATCH', `/gates/${gate.id}`, { name })
  const streams: string[] = []
  context.on('request', request => {
    if (request.url().endsWith('/events')) streams.push(request.headers()['last-event-id'] ?? 'new')
  })
  await house.signIn(context, await house.addUser('Olga Marin'))
  const path = `/spaces/${house.space.spaceId}/gates`
  await page.goto(path)
  await shows(page, 'North gate')
  const second = await context.newPage()
  await second.goto(path)
  await shows(second, 'North gate')
  await rename('Renamed gate')
  await Promise.all([shows(page, 'Renamed gate'), shows(second, 'Renamed gate')])
  // It begins after the event that the session has named.
  expect(streams).toEqual([expect.stringMatching(/^\d+$/)])
  await page.close()
  await expect.poll(() => streams).toHaveLength(2)
  expect(Number(streams[1])).toBeGreaterThan(Number(streams[0]))
  await rename('Last gate')
  await shows(second, 'Last gate')
})

it('ends with the session, and the page asks to sign in again without any action', async () => {
  const { context, page } = await browser.open(house.base, { provokes: [/401/] })
  const user = await house.addUser('Ion Marin', { role: 'admin' })
  await house.signIn(context, user)
  await page.goto(`/spaces/${house.space.spaceId}/gates`)
  await shows(page, 'Last gate')
  await house.database.knex('sessions').where({ id: user.sessionId }).delete()
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await house.addGate('After it')
  await shows(page, 'After it')
})

/** Presses a new gate on a prepared page, and observes the progress of the call. */
async function pressed({ context, page }: Phone, name: string): Promise<void> {
  await house.addGate(name, 'neverReports', 60_000)
  await house.signIn(context, await house.addUser('Ana Marin'))
  await house.beat()
  await page.goto(`/spaces/${house.space.spaceId}/gates`)
  const gate = page
    .getByRole('listitem')
    .filter({ has: page.getByRole('heading', { name }) })
    .locator('button.open')
  await gate.click()
  await gate.filter({ hasText: 'Calling' }).waitFor()
  await house.report('ringing')
  await gate.filter({ hasText: 'Ringing' }).waitFor()
  await house.report('opened')
  await gate.filter({ hasText: 'Opening' }).waitFor()
}

it('shows the steps of a press by the stream, without polling', async () => {
  const phone = await browser.open(house.base)
  await phone.context.addInitScript(`
    const every = setInterval
    setInterval = (run, ms) => (ms < 1000 ? every(run, ms) : 0)
  `)
  await pressed(phone, 'Told gate')
})

it('polls the steps of a press while there is no stream', async () => {
  const phone = await browser.open(house.base, { provokes: [/ERR_FAILED/] })
  await phone.context.route('**/events', route => route.abort())
  await pressed(phone, 'Asked gate')
})
