// A browser for the tests of a file: a page that reports an error, asks a foreign origin, or breaks its policy fails its test.

import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions, Page, Request } from 'playwright-core'
import { afterEach, expect } from 'vitest'
import { sharedChromium } from './chromium.ts'

export interface Phone {
  readonly page: Page
  readonly context: BrowserContext
  /** The errors so far, such as `console: …`. */
  readonly troubles: readonly string[]
}

export interface Opening extends BrowserContextOptions {
  /** Errors that this test provokes: matching troubles are no failure. */
  readonly provokes?: readonly RegExp[]
}

export interface TestBrowser {
  /**
   * A new browser with no cookie, and a page of 390 × 844. It is closed after the test. Paths are relative to `base`, the only
   * origin that it may use.
   */
  open(base: string, opening?: Opening): Promise<Phone>
}

interface Watched extends Phone {
  readonly provokes: readonly RegExp[]
}

/** Writes violations of the policy to the console, even where the policy only reports them. */
const sayViolations = `document.addEventListener('securitypolicyviolation', event =>
  console.error('policy violated: ' + event.effectiveDirective + ' ' + event.blockedURI))`

/** Leaving a page cancels its requests. */
const isLeft = (request: Request) => request.failure()?.errorText === 'net::ERR_ABORTED'

function watch(context: BrowserContext, base: string, troubles: string[]): void {
  context.on('console', message => {
    if (message.type() === 'error') troubles.push(`console: ${message.text()}`)
  })
  context.on('weberror', error => troubles.push(`script: ${error.error().message}`))
  context.on('request', request => {
    const url = new URL(request.url())
    if (!['data:', 'blob:'].includes(url.protocol) && url.origin !== base)
      troubles.push(`asked somebody else: ${url.href}`)
  })
  context.on('requestfailed', request => {
    if (!isLeft(request)) troubles.push(`failed: ${request.failure()?.errorText} ${request.url()}`)
  })
  context.on('response', response => {
    if (response.status() >= 500) troubles.push(`answered: ${response.status()} ${response.url()}`)
  })
}

/** Saves the pages of a failed test, and names the folder. */
async function keepScreens(phones: readonly Watched[]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'callgate-screens-'))
  for (const [place, { page }] of phones.entries())
    await page.screenshot({ path: join(folder, `${place + 1}.png`) }).catch(() => {})
  process.stderr.write(`Screenshots of the failed test: ${folder}\n`)
}

/**
 * A browser for the tests of the file that calls this, with the real clock. Nothing moves by itself, because reduced motion is
 * requested unless `opening` says otherwise.
 */
export function useBrowser(): TestBrowser {
  let phones: Watched[] = []
  afterEach(async ({ task }) => {
    const opened = phones
    phones = []
    const found = opened.flatMap(({ provokes, troubles }) =>
      troubles.filter(trouble => !provokes.some(provoked => provoked.test(trouble))),
    )
    if (found.length > 0 || task.result?.state === 'fail') await keepScreens(opened)
    await Promise.all(opened.map(({ context }) => context.close()))
    expect(found, 'troubles in the browser').toEqual([])
  })

  return {
    async open(base, { provokes = [], ...options } = {}) {
      const browser = await sharedChromium()
      const context = await browser.newContext({
        baseURL: base,
        viewport: { width: 390, height: 844 },
        reducedMotion: 'reduce',
        locale: 'en-GB',
        timezoneId: 'Europe/Bucharest',
        ...options,
      })
      context.setDefaultTimeout(60_000)
      const troubles: string[] = []
      watch(context, base, troubles)
      if (options.javaScriptEnabled !== false) await context.addInitScript(sayViolations)
      const page = await context.newPage()
      phones.push({ context, page, troubles, provokes })
      return { context, page, troubles }
    },
  }
}
