// A visitor's link in a real browser: two taps on a phone, a picture of its card, its end, and what the list shows after it.

import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const phone = { viewport: { width: 360, height: 780 } }
let house: DashboardHouse

beforeAll(async () => {
  house = await dashboardHouse()
  await house.addGate('Courtyard gate')
  await house.beat()
})
afterAll(() => house.stop())

const inSpace = (part: string) => `/spaces/${house.space.spaceId}/${part}`
const tap = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click()

async function expectNoSideways(page: Page): Promise<void> {
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
}

it('is made by two taps, opens its gate, and leaves the list after its end', async () => {
  const page = await house.open(browser, { name: 'Mihai Radu' }, inSpace('gates'), phone)
  await tap(page, 'Visitor’s link for Courtyard gate')
  await page.getByRole('dialog').getByText('A link for a limited time.').waitFor()
  await expectAccessible(page)
  await expectNoSideways(page)
  await tap(page, 'Make the link')
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  await expectAccessible(page)
  await expectNoSideways(page)
  const link = (await page.locator('.link-sheet-link').textContent()) ?? ''

  const saving = page.waitForEvent('download')
  await tap(page, 'Save picture')
  const picture = await readFile(await (await saving).path())
  expect(picture.subarray(1, 4).toString()).toBe('PNG')
  expect(picture.readUInt32BE(16), 'its width').toBe(720)
  await page.keyboard.press('Escape')

  const visitor = await browser.open(house.base)
  await visitor.page.goto(new URL(link).pathname)
  await visitor.page.getByRole('button', { name: 'Open Courtyard gate' }).waitFor()

  await page.goto(inSpace('members'))
  await page.getByRole('link', { name: /^Visitor, / }).waitFor()
  const schedules = JSON.stringify([
    { type: 'always', expiresAt: '2026-01-01T00:00', timezone: 'Europe/Bucharest' },
  ])
  await house.database.knex('accesses').update({ schedules })
  await page.reload()
  await page.getByText('Nobody found').waitFor()
  await tap(page, 'Show all')
  await page.getByRole('link', { name: /^Visitor, / }).waitFor()
})

it('is printed as its card alone', async () => {
  const page = await house.open(browser, { name: 'Ana Pop' }, inSpace('members'), {
    viewport: { width: 1280, height: 900 },
  })
  await tap(page, 'Visitor’s link')
  await page.getByLabel('Name', { exact: true }).fill('Plumber')
  await tap(page, 'Make the link')
  await page.getByRole('img', { name: 'The link as a QR code' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  const sheet = page.locator('.print-sheet')
  for (const text of ['Casa Lalelelor', 'Plumber', 'It opens: Courtyard gate.', 'Look at the gate first.'])
    expect(await sheet.getByText(text).first().isVisible(), text).toBe(true)
  for (const name of ['Print', 'Copy the link', 'Save picture'])
    expect(await page.getByRole('button', { name }).isVisible(), name).toBe(false)
  expect(await page.getByRole('heading', { level: 1 }).isVisible(), 'the page below').toBe(false)
})
