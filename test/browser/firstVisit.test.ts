// The first visit in figures: what the sign-in page and the first page of a signed-in user transfer, with their fonts.

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useBrowser } from './browser.ts'
import { type DashboardHouse, dashboardHouse } from './dashboardHouse.ts'

const browser = useBrowser()
let house: DashboardHouse
beforeAll(async () => {
  house = await dashboardHouse()
  await house.addGate('Courtyard gate')
  await house.addGate('Yard barrier', 'busy')
})
afterAll(() => house.stop())

interface Load {
  readonly path: string
  /** With its headers, as it was compressed. */
  readonly bytes: number
}

/** What a page transfers, except for the stream of events, which does not end. */
async function watchLoads(page: Page): Promise<readonly Load[]> {
  const network = await page.context().newCDPSession(page)
  await network.send('Network.enable')
  const paths = new Map<string, string>()
  const loads: Load[] = []
  network.on('Network.requestWillBeSent', ({ request, requestId }) =>
    paths.set(requestId, new URL(request.url).pathname),
  )
  network.on('Network.loadingFinished', ({ encodedDataLength: bytes, requestId }) =>
    loads.push({ path: paths.get(requestId) ?? '', bytes }),
  )
  return loads
}

const told = (loads: readonly Load[]) => loads.map(({ bytes, path }) => `${bytes} ${path}`).join('\n')
const sum = (loads: readonly Load[]) => loads.reduce((total, { bytes }) => total + bytes, 0)
const fontsOf = (loads: readonly Load[]) =>
  loads.filter(({ path }) => path.endsWith('.woff2')).map(({ path }) => path.split('/').at(-1)?.[0])

/** Each part has arrived, and the fonts are there. */
async function settled(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle')
  await page.evaluate('document.fonts.ready.then(() => undefined)')
}

it.each([
  ['English', 'en-GB', 'Sign in', ['0'], 107_000],
  ['Romanian', 'ro-RO', 'Intră în cont', ['0', '1'], 111_000],
] as const)('signs in within 10 requests in %s', async (_, locale, title, fonts, most) => {
  const { page } = await browser.open(house.base, { locale, provokes: [/401/] })
  const loads = await watchLoads(page)
  await page.goto('/')
  await page.getByRole('heading', { level: 1, name: title }).waitFor()
  await settled(page)
  expect(sum(loads), told(loads)).toBeLessThan(most)
  expect(sum(loads)).toBeGreaterThan(50_000)
  expect(loads.length, told(loads)).toBeLessThanOrEqual(10)
  expect(fontsOf(loads).sort()).toEqual(fonts)
})

it.each([
  ['English', 'en-GB', 'en', 228_000],
  ['Romanian', 'ro-RO', 'ro', 238_000],
] as const)(
  'shows the gates within 22 requests in %s, and asks each list once',
  async (_, locale, language, most) => {
    await house.beat()
    const { context, page } = await browser.open(house.base, { locale })
    await house.signIn(context, await house.addUser('Olga Marin', { language }))
    const loads = await watchLoads(page)
    const asked: string[] = []
    page.on('request', request => asked.push(new URL(request.url()).pathname))
    await page.goto('/')
    await page.getByRole('heading', { name: 'Courtyard gate' }).waitFor()
    await expect.poll(() => asked.some(path => path.endsWith('/events'))).toBe(true)
    // A change that only the stream tells: by then a reset would have had everything read again.
    const added = `Told gate ${language}`
    await house.addGate(added)
    await page.getByRole('heading', { name: added }).waitFor()
    const first = loads.filter(({ path }, place) => loads.findIndex(other => other.path === path) === place)
    expect(sum(first), told(first)).toBeLessThan(most)
    expect(first.length, told(first)).toBeLessThanOrEqual(22)
    const lists = asked.filter(path => /\/(gateways|incidents|history)$/.test(path))
    expect(lists.length, lists.join('\n')).toBe(3)
    expect(new Set(lists).size).toBe(lists.length)
  },
)
