// People of a walk in a browser: an owner, and a guest. They press what the pages show.

import type { Browser, BrowserContext, Page } from 'playwright-core'
import { startChromium } from '../browser/chromium.ts'

export interface Person {
  readonly page: Page
  /** How often the person has pressed something or filled in a field. */
  readonly presses: () => number
  close(): Promise<void>
}

export interface People {
  /** Somebody with a browser of their own. */
  person(): Promise<Person>
  close(): Promise<void>
}

const patienceMs = 60_000

/** Counts presses and fields, as pages of this context tell them. */
async function counted(context: BrowserContext): Promise<() => number> {
  let presses = 0
  await context.exposeFunction('walkPressed', () => {
    presses++
  })
  await context.addInitScript(
    `for (const kind of ['click', 'change']) addEventListener(kind, event => event.isTrusted && walkPressed(), true)`,
  )
  return () => presses
}

/** A browser of people for whom the names lead to these addresses. */
export async function startPeople(names: Readonly<Record<string, string>>): Promise<People> {
  const rules = Object.entries(names).map(([name, address]) => `MAP ${name} ${address}`)
  const browser: Browser = await startChromium([`--host-resolver-rules=${rules.join(',')}`])
  return {
    async person() {
      const context = await browser.newContext({
        ignoreHTTPSErrors: true,
        viewport: { width: 390, height: 844 },
        locale: 'en-GB',
        timezoneId: 'Europe/Bucharest',
      })
      context.setDefaultTimeout(patienceMs)
      const presses = await counted(context)
      return { page: await context.newPage(), presses, close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

/** The owner follows the link that `callgate setup` has printed. */
export async function choosePassword(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('a walk along the lake')
  await press(page, 'Create the account')
  await page.waitForURL(/\/spaces\/space_\w+\/gates$/)
}

/** Adds a gateway. Returns the line for a machine without the package. */
export async function addGateway(page: Page): Promise<string> {
  await page.getByRole('link', { name: 'Gateways' }).click()
  await page.getByRole('button', { name: 'Add gateway' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Gate house')
  await press(page, 'Make a code')
  return dialog.getByLabel('Or where the package is not installed yet:').inputValue()
}

/** Compares the digits with those that the gateway shows, and admits it. */
export async function admitGateway(page: Page): Promise<void> {
  await page.getByRole('dialog').locator('.enrol-fingerprint').waitFor({ timeout: 600_000 })
  await press(page, 'They are the same: admit it')
}

export async function seeOnline(page: Page): Promise<void> {
  await page.getByRole('dialog').getByText('It is connected.').waitFor()
  await press(page, 'Done')
}

export async function addGate(page: Page, name: string, phone: string): Promise<void> {
  await page.getByRole('link', { name: 'Gates' }).first().click()
  await page.getByRole('button', { name: 'Add gate' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByLabel('Number').fill(phone)
  await dialog.getByRole('button', { name: 'Add gate' }).click()
  await page.getByRole('heading', { name }).first().waitFor()
}

/** Presses "Test call" at a gate, and waits until it has opened. */
export async function testCall(page: Page, name: string): Promise<void> {
  await page.getByRole('heading', { name }).first().click()
  await press(page, 'Test call')
  await press(page, 'Call now')
  await page.getByText('Probably opened').first().waitFor()
}

/** Adds a member, whose first access is proposed by the page. Returns the magic link. */
export async function addMember(page: Page, name: string): Promise<string> {
  await page.getByRole('link', { name: 'Members' }).first().click()
  await page.getByRole('link', { name: 'Add member' }).first().click()
  await page.getByLabel('Name').first().fill(name)
  await press(page, 'Add member')
  await press(page, 'QR')
  return (await page.locator('.link-sheet-link').textContent()) ?? ''
}

/** A guest opens the magic link and presses the gate. */
export async function openAsGuest(page: Page, link: string, gate: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('button', { name: `Open ${gate}`, exact: true }).click()
  await page.waitForURL(/\/openings\//)
  await page.getByRole('heading', { name: /^The gate (took the call|was called)$/ }).waitFor()
}
