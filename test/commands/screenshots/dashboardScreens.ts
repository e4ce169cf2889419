// The dashboard for its pictures: the demo with the names for the pictures, and signed-in browsers.

import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Studio } from './guestScreens.ts'

/** The widths of the pictures, in pixels. */
export const desktop = { viewport: { width: 1280, height: 900 } } as const
export const phone = { viewport: { width: 390, height: 844 } } as const

export interface DashboardStudio extends Studio {
  /** The path of a page in the demo's Space. */
  path(page: string): string
  /** Opens a page of the Space as the owner, shows it to `then`, and closes it. */
  visit(path: string, then: (page: Page) => Promise<unknown>, options?: BrowserContextOptions): Promise<void>
}

/** Signs in once; each page is a browser of its own. */
export async function dashboardStudio(studio: Studio): Promise<DashboardStudio> {
  const { browser, demo, scale } = studio
  const { baseUrl, dashboard } = demo.ready
  const base = { baseURL: baseUrl, locale: 'en-GB', timezoneId: 'Europe/Bucharest', deviceScaleFactor: scale }
  const first = await browser.newContext(base)
  const page = await first.newPage()
  await page.goto('/')
  await page.getByLabel('E-mail').fill(dashboard.email)
  await page.getByLabel('Password', { exact: true }).fill(dashboard.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(/\/spaces\//)
  const [, space = ''] = new URL(page.url()).pathname.match(/^(\/spaces\/[^/]+)\//) ?? []
  const storageState = await first.storageState()
  await first.close()
  const path = (name: string) => `${space}/${name}`
  return {
    ...studio,
    path,
    async visit(name, then, options = desktop) {
      const context = await browser.newContext({ ...base, reducedMotion: 'reduce', storageState, ...options })
      const shown = await context.newPage()
      await shown.goto(path(name))
      await then(shown)
      await context.close()
    },
  }
}

/** The first steps of the demo's Space, whose gates have not been opened yet. */
export async function shootFirstSteps({ shoot, visit }: DashboardStudio): Promise<void> {
  await visit('gates/first-steps', async page => {
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page
      .getByRole('listitem')
      .filter({ has: page.getByRole('heading') })
      .nth(5)
      .waitFor()
    await shoot('dash-onboarding-1280', page)
  })
}
