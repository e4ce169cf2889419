// The documentation in a real browser: the rail, the menu of a phone, the search, the examples, and a page that does not move.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible } from './accessibility.ts'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
const desk = { viewport: { width: 1280, height: 800 } }
const phone = { viewport: { width: 360, height: 640 } }
/** What the design allows; see https://web.dev/articles/cls for the figure. */
const mostShift = 0.05
const sumShifts = `window.shift = 0
new PerformanceObserver(list => { for (const { value } of list.getEntries()) window.shift += value })
  .observe({ type: 'layout-shift', buffered: true })`

let house: DashboardHouse
beforeAll(async () => {
  house = await dashboardHouse()
})
afterAll(() => house.stop())

async function open(size: typeof desk, path: string, more = {}) {
  const { context, page } = await browser.open(house.base, { ...size, ...more })
  await context.addInitScript(sumShifts)
  await page.goto(path)
  await page.locator('main h1, #main h1').first().waitFor()
  return { context, page }
}
const shiftOf = (page: Page) => page.evaluate<number>('window.shift')
const sidewaysOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

describe.each([
  ['a desk', desk],
  ['a phone', phone],
])('on %s', (_name, size) => {
  it.each(['/docs', '/docs/opening', '/docs/search?q=gate'])(
    '%s is accessible, and moves neither down nor sideways',
    async path => {
      const { page } = await open(size, path)
      expect(await shiftOf(page)).toBeLessThan(mostShift)
      expect(await sidewaysOf(page)).toBeLessThanOrEqual(0)
      await expectAccessible(page)
    },
  )

  it.each(['/docs', '/docs/reference'])('%s asks at once for the font of its letters', async path => {
    const { page } = await open(size, path, { provokes: [/script-src eval/] })
    const font = await page.locator('link[rel=preload][as=font]').getAttribute('href')
    expect(await (await page.request.get('/docs/frame.css')).text()).toContain(`url(${font})`)
    expect((await page.request.get(String(font))).headers()['content-type']).toBe('font/woff2')
  })

  it('the reference does not move while it is filled', async () => {
    // The library would like to, and does without.
    const { page } = await open(size, '/docs/reference', { provokes: [/script-src eval/] })
    await page.getByText('/api/v1/gates', { exact: true }).first().waitFor({ state: 'attached' })
    expect(await shiftOf(page)).toBeLessThan(mostShift)
  })
})

it('leads from its one menu to an operation of the reference, and marks what is read', async () => {
  const { page } = await open(phone, '/docs/reference', { provokes: [/script-src eval/] })
  const rail = page.getByRole('navigation', { name: 'Documentation' })
  await page.getByText('/api/v1/gates', { exact: true }).first().waitFor({ state: 'attached' })
  expect(await page.getByRole('button', { name: /menu/i }).count()).toBe(1)
  await page.getByRole('button', { name: 'Menu' }).click()
  await rail.getByText('Openings', { exact: true }).click()
  await rail.getByRole('link', { name: 'Open a gate POST' }).click()
  await page.getByRole('heading', { name: /^Open a gate: ring its number once/ }).waitFor()
  expect(await rail.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await rail.locator('[data-here]').getByText('Open a gate').waitFor()
})

it('opens its menu on a phone without a script, searches, and leads to what was found', async () => {
  const { page } = await open(phone, '/docs', { javaScriptEnabled: false })
  const rail = page.getByRole('navigation', { name: 'Documentation' })
  expect(await rail.isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await rail.getByRole('link').count()).toBeGreaterThan(10)
  await page.getByRole('searchbox').fill('webhook secret')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: '“webhook secret”' }).waitFor()
  await page.locator('main a[href^="/docs/webhooks"]').first().click()
  expect(new URL(page.url()).pathname).toBe('/docs/webhooks')
})

it('shows every example in the language that was chosen last, and copies it', async () => {
  const { context, page } = await open(desk, '/docs', { permissions: ['clipboard-read', 'clipboard-write'] })
  await page.getByText('Python', { exact: true }).first().click()
  await page.getByText('client.get_self()').waitFor()
  expect(await page.getByText('client.open_gate').isVisible()).toBe(true)
  expect(await page.getByText('curl -X POST').isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^import os\n.*space\["mode"\]\)\n$/s)
  const later = await context.newPage()
  await later.goto('/docs/opening')
  await later.getByText('client.open_gate').waitFor()
})
