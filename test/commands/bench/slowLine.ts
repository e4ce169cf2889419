// The dashboard over a slow line on a slow phone: the time until a user can sign in, and until the next visit shows the gates.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserContext, Page } from 'playwright-core'
import { startChromium } from '../../browser/chromium.ts'
import type { DemoProcess } from '../../processes/endToEnd/demoProcess.ts'
import { openLine } from './line.ts'

/** A slow phone network, and a processor with a quarter of this machine's speed. */
export const slow = {
  bitsPerSecond: 9e6,
  roundTripMs: 170,
  slowdown: 4,
  atMostMs: { signIn: 3_000, next: 1_500 },
} as const

export interface SlowLineBench {
  /** Milliseconds from the start of the navigation, one for each round. */
  readonly signInMs: readonly number[]
  readonly signInBaselineMs: readonly number[]
  readonly nextMs: readonly number[]
  readonly nextBaselineMs: readonly number[]
  /** The bytes of the first visit over the line. */
  readonly firstBytes: number
}

/** The element that a person waits for: a field or a button of the form, and a gate. */
const signInForm = '[type="password"]'
const firstGate = '.gate-cards h2'

/** Opens an address in a new slow page, and returns when the element was painted. */
async function visit(context: BrowserContext, address: string, element: string): Promise<[Page, number]> {
  const page = await context.newPage()
  await page.addInitScript(`{
    const look = () => requestAnimationFrame(() => {
      if (!document.querySelector(${JSON.stringify(element)})) return look()
      requestAnimationFrame(() => console.info('shown after ' + performance.now()))
    })
    look()
  }`)
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slow.slowdown })
  const [said] = await Promise.all([
    page.waitForEvent('console', { predicate: message => message.text().startsWith('shown after ') }),
    page.goto(address, { waitUntil: 'commit' }),
  ])
  return [page, Number(said.text().split(' ').at(-1))]
}

/** The bytes that the page has loaded over the line, with their headers. */
const loadedBytes = async (page: Page) =>
  (await page.evaluate(`performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
    .reduce((sum, { transferSize }) => sum + transferSize, 0)`)) as number

/** The baseline: pages without a script, one as heavy as the dashboard's first visit, and an empty one. */
async function serveBare(bytes: number) {
  const parts = '<form><input type="password"></form><div class="gate-cards"><h2>Gate</h2></div>'
  const server = createServer(({ url }, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end(
      `<!doctype html><title>Bare</title><!--${url === '/heavy' ? 'x'.repeat(bytes) : ''}-->${parts}`,
    )
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { port: (server.address() as AddressInfo).port, close: () => server.close() }
}

/** Visits the demo's dashboard `rounds` times, each time first with an empty cache and then with a warm one. */
export async function measureSlowLine(demo: DemoProcess, rounds: number): Promise<SlowLineBench> {
  const { baseUrl, dashboard } = demo.ready
  const browser = await startChromium()
  const line = await openLine(Number(new URL(baseUrl).port), slow)
  const signInMs: number[] = []
  const nextMs: number[] = []
  const baselines: [number[], number[]] = [[], []]
  let firstBytes = 0
  try {
    for (let round = 0; round < rounds; round++) {
      const context = await browser.newContext({ baseURL: `http://127.0.0.1:${line.port}`, locale: 'en-GB' })
      const [first, shownAfterMs] = await visit(context, '/', signInForm)
      signInMs.push(shownAfterMs)
      firstBytes = await loadedBytes(first)
      await first.getByLabel('E-mail').fill(dashboard.email)
      await first.getByLabel('Password', { exact: true }).fill(dashboard.password)
      await first.getByRole('button', { name: 'Sign in', exact: true }).click()
      await first.locator(firstGate).first().waitFor({ timeout: 60_000 })
      await first.close()
      line.dropConnections()
      const [next, nextAfterMs] = await visit(context, '/', firstGate)
      nextMs.push(nextAfterMs)
      await next.close()
      await context.close()
      line.dropConnections()
    }
    const bare = await serveBare(firstBytes)
    const bareLine = await openLine(bare.port, slow)
    for (let round = 0; round < rounds; round++)
      for (const [place, path] of ['heavy', 'empty'].entries()) {
        const context = await browser.newContext({ baseURL: `http://127.0.0.1:${bareLine.port}` })
        baselines[place]?.push((await visit(context, `/${path}`, 'h2'))[1])
        await context.close()
        bareLine.dropConnections()
      }
    bareLine.close()
    bare.close()
  } finally {
    line.close()
    await browser.close()
  }
  return { signInMs, nextMs, signInBaselineMs: baselines[0], nextBaselineMs: baselines[1], firstBytes }
}
