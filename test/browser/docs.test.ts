// The documentation in a real browser: the rail, the menu of a phone, the search, the examples, and a page that does not move.

import { pageNames } from '@callgate/cloud/docs/docPages'
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

/** Every page, from the rail, and those that a search or a wrong address ends on. */
const textPages = [
  ...['/docs', ...pageNames.filter(name => name !== 'start').map(name => `/docs/${name}`)],
  ...['/docs/search?q=gate', '/docs/search?q=zzz', '/docs/none'],
]
/** The reference's library tries eval, and does without. */
const library = { provokes: [/script-src eval/] }

describe.each([
  ['a desk', desk],
  ['a phone', phone],
])('on %s', (_name, size) => {
  it.each(textPages)('%s is accessible, and moves neither down nor sideways', async path => {
    const { page } = await open(size, path, { provokes: path === '/docs/none' ? [/404/] : [] })
    expect(await shiftOf(page)).toBeLessThan(mostShift)
    expect(await sidewaysOf(page)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })

  it.each(['/docs', '/docs/reference'])('%s asks at once for the fonts of its text and code', async path => {
    const { page } = await open(size, path, library)
    const links = await page.locator('link[rel=preload][as=font]').all()
    const fonts = await Promise.all(links.map(async link => String(await link.getAttribute('href'))))
    expect(fonts.map(font => /inter-latin-wght|jetbrains-mono/.exec(font)?.[0])).toEqual([
      'inter-latin-wght',
      'jetbrains-mono',
    ])
    const style = await (await page.request.get('/docs/frame.css')).text()
    for (const font of fonts) {
      expect(style).toContain(`url(${font})`)
      expect((await page.request.get(font)).headers()['content-type']).toBe('font/woff2')
    }
  })

  it('the reference is accessible, and does not move while it is filled', async () => {
    const { page } = await open(size, '/docs/reference', library)
    await page.locator('#reference .endpoints').first().waitFor({ state: 'attached' })
    expect(await shiftOf(page)).toBeLessThan(mostShift)
    expect(await sidewaysOf(page)).toBeLessThanOrEqual(0)
    await expectAccessible(page)
  })
})

it('shows an operation of the reference accessibly on a phone', async () => {
  const { page } = await open(phone, '/docs/reference#tag/Openings/openGate', library)
  await page.getByRole('heading', { name: 'Open a gate', exact: true }).waitFor()
  await page.locator('#reference .code-snippet pre').first().waitFor()
  expect(await sidewaysOf(page)).toBeLessThanOrEqual(0)
  await expectAccessible(page)
})

it('has no button that sends a request, one colour for every method, and whole answers in our words', async () => {
  const { page } = await open(phone, '/docs/reference#tag/Openings/openGate', library)
  const operation = page.locator('[id$="/openGate"]')
  await operation.locator('.code-snippet pre').first().waitFor()
  expect(await operation.getByText('Answers', { exact: true }).isVisible()).toBe(true)
  const theirs = page.getByText(/Test Request|Auth Required|Path Parameters/).filter({ visible: true })
  expect(await theirs.count()).toBe(0)
  expect(await page.locator('#reference input[type=password]').filter({ visible: true }).count()).toBe(0)
  const colours = `[...document.querySelectorAll('#rail details small, #reference .request-method')].map(one => getComputedStyle(one).color)`
  expect(new Set(await page.evaluate<string[]>(colours)).size).toBeLessThanOrEqual(2)
  const cut = `[...document.querySelectorAll('#reference .markdown-summary')].filter(one => one.scrollWidth > one.clientWidth || getComputedStyle(one).overflow !== 'visible').length`
  expect(await page.evaluate(cut)).toBe(0)
})

it('shows every line of an example as a whole on a phone, and copies it as it is', async () => {
  const permissions = ['clipboard-read', 'clipboard-write']
  const { page } = await open(phone, '/docs/webhooks', { permissions })
  const sideways = `[...document.querySelectorAll('pre')].filter(one => one.scrollWidth > one.clientWidth).length`
  expect(await page.evaluate(sideways)).toBe(0)
  const example = page.locator('.code', { hasText: 'curl "$BASE_URL/api/v1/webhooks"' })
  await example.getByRole('button', { name: 'Copy' }).click()
  const copied = await page.evaluate<string>('navigator.clipboard.readText()')
  expect(copied).toBe(await example.locator('pre').first().textContent())
  expect(copied).toMatch(/^curl .+ \\\n {2}-H /)
})

it('rings a schema that an address leads to only after a key', async () => {
  const { page } = await open(desk, '/docs/reference#schemas/Gate', library)
  const focused = page.locator('[id$="schemas/Gate"]:focus-visible')
  const ring = () => page.evaluate('getComputedStyle(document.activeElement).outlineStyle')
  await focused.waitFor()
  expect(await ring()).toBe('none')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Shift+Tab')
  await focused.waitFor()
  expect(await ring()).toBe('solid')
})

it('shows one answer to the examples of every language, below them', async () => {
  const { page } = await open(desk, '/docs')
  const tabs = page.locator('.tabs:has(+ .answer)').first()
  const gap = `([...document.querySelectorAll('.answer')].map(answer => answer.getBoundingClientRect().top
    - answer.previousElementSibling.getBoundingClientRect().bottom))`
  for (const language of ['Python', 'TypeScript', 'curl']) {
    await tabs.getByText(language, { exact: true }).click()
    expect(await page.getByText('"mode": "sandbox"').isVisible()).toBe(true)
    expect(new Set(await page.evaluate<number[]>(gap))).toEqual(new Set([0]))
  }
})

it('shows the examples of the reference on the ground of the page, in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const { page } = await open(desk, '/docs/reference#tag/Openings/openGate', { ...library, colorScheme })
    await page.locator('.dark-mode pre').first().waitFor()
    const schemes = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.dark-mode')].map(one => getComputedStyle(one).colorScheme)`,
    )
    expect(new Set(schemes)).toEqual(new Set([colorScheme]))
  }
})

it('shows every cell of a table on a phone, with the name of its column', async () => {
  const { page } = await open(phone, '/docs/opening')
  const cut = `[...document.querySelectorAll('table')].filter(one => one.scrollWidth > innerWidth - 32).length`
  expect(await page.evaluate(cut)).toBe(0)
  const named = `[...document.querySelectorAll('td')].find(one => one.textContent.startsWith('The gate took the call.'))`
  expect(await page.evaluate(`getComputedStyle(${named}, '::before').content`)).toBe('"Means"')
})

it('leads by a key to the search, from each kind of page, and leaves the keys of a field alone', async () => {
  for (const [size, path] of [
    [desk, '/docs/opening'],
    [desk, '/docs/reference'],
    [phone, '/docs'],
  ] as const) {
    const { page } = await open(size, path, library)
    const field = page.getByRole('searchbox', { name: 'Search the documentation' })
    await page.keyboard.press('/')
    await field.waitFor()
    await page.keyboard.type('a/b')
    expect(await field.inputValue()).toBe('a/b')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('webhook')
    expect(await field.inputValue()).toBe('webhook')
  }
})

it('marks in the list of sections what is read, and leads to each', async () => {
  const { page } = await open(desk, '/docs/opening')
  const contents = page.getByRole('navigation', { name: 'On this page' })
  await contents.getByRole('link', { name: 'Waiting less' }).click()
  await contents.locator('[data-here]').getByText('Waiting less').waitFor()
  expect(await contents.locator('[data-here]').count()).toBe(1)
  expect(new URL(page.url()).hash).toBe('#waiting-less')
})

it('leads from its one menu to an operation of the reference, and marks what is read', async () => {
  const { page } = await open(phone, '/docs/reference', library)
  const rail = page.getByRole('navigation', { name: 'Documentation' })
  await page.locator('#reference .endpoints').first().waitFor({ state: 'attached' })
  expect(await page.getByRole('button', { name: /menu/i }).count()).toBe(1)
  await page.getByRole('button', { name: 'Menu' }).click()
  await rail.getByText('Openings', { exact: true }).click()
  await rail.getByRole('link', { name: 'Open a gate POST' }).click()
  await page.getByRole('heading', { name: 'Open a gate', exact: true }).waitFor()
  expect(await rail.isVisible()).toBe(false)
  // Once the parts above have their height.
  await page.waitForFunction(`document.activeElement.closest('section')?.getBoundingClientRect().top < 200`)
  const scrolled = await page.evaluate('scrollY')
  await page.getByRole('button', { name: 'Menu' }).click()
  expect(await page.evaluate('scrollY')).toBe(scrolled)
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
  await page.locator('.tabs').first().getByRole('button', { name: 'Copy' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toMatch(/^import os\n.*space\["mode"\]\)\n$/s)
  const later = await context.newPage()
  await later.goto('/docs/opening')
  await later.getByText('client.open_gate').waitFor()
})
