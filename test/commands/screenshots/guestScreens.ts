// The pictures of the guest's page: each state, as a guest of the demo sees it on a phone.

import { join } from 'node:path'
import type { Member } from '@callgate/contract/rest/member'
import Database from 'better-sqlite3'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import type { DemoProcess } from '../../processes/endToEnd/demoProcess.ts'

/** The settings of a part of the pictures. */
export interface Studio {
  readonly browser: Browser
  readonly demo: DemoProcess
  /** Pixels of the picture for one pixel of the page. */
  readonly scale: number
  shoot(name: string, page: Page): Promise<void>
}

/** The demo's gates under other names, by how their modules answer a call. */
const names = {
  reject_busy: { name: 'Courtyard gate', location: 'Strada Lalelelor 14' },
  answer_release_2s: { name: 'Yard barrier', location: 'Strada Lalelelor 14, rear' },
  busy_before_alert: { name: 'Underground parking', location: 'Level −1' },
  ring_forever: { name: 'Delivery gate', location: 'Strada Lalelelor 14' },
} as const
type FarEnd = keyof typeof names

const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 740 },
  locale: 'en-GB',
  timezoneId: 'Europe/Bucharest',
}

/** From the first to the last hour in the pictures. */
const evenings = [
  { type: 'weekdays', timeWindows: [{ from: '18:00', to: '22:00' }] },
  { type: 'custom', daysOfWeek: [6], timeWindows: [{ from: '08:00', to: '14:00' }] },
]

class Guests {
  readonly #studio: Studio

  constructor(studio: Studio) {
    this.#studio = studio
  }

  gateId(farEnd: FarEnd): string {
    const gate = this.#studio.demo.ready.gates.find(one => one.farEnd === farEnd)
    if (!gate) throw new Error(`the demo has no gate that is ${farEnd}`)
    return gate.id
  }

  /** The names in the pictures; the REST API has no operation for those of the Space, its contact and its owner. */
  async furnish(): Promise<void> {
    const { demo } = this.#studio
    const database = new Database(join(demo.dataFolder, 'callgate.sqlite'))
    database
      .prepare('update spaces set name = ?, contactName = ?, contactPhone = ?')
      .run('Casa Lalelelor', 'Mihai Radu', '+40 21 555 0100')
    database.prepare('update users set name = ?').run('Mihai Radu')
    database.close()
    for (const [farEnd, named] of Object.entries(names))
      await demo.call('PATCH', `/api/v1/gates/${this.gateId(farEnd as FarEnd)}`, named)
  }

  /** A new guest's link, as a path. */
  async link(...accesses: readonly object[]): Promise<string> {
    const { body } = await this.#studio.demo.call('POST', '/api/v1/members', {
      name: 'Ana Ionescu',
      accesses,
    })
    return new URL((body as { member: Member }).member.accesses[0]?.accessUrl ?? '').pathname
  }

  async context(more: BrowserContextOptions = {}): Promise<BrowserContext> {
    const { browser, demo, scale } = this.#studio
    const { baseUrl: baseURL } = demo.ready
    return browser.newContext({ ...phone, baseURL, deviceScaleFactor: scale, ...more })
  }

  /** Opens a link on a phone of its own, passes it to `then`, and closes it. */
  async visit(
    link: string,
    then: (page: Page, context: BrowserContext) => Promise<unknown>,
    more: BrowserContextOptions = {},
  ) {
    const context = await this.context(more)
    const page = await context.newPage()
    await page.goto(link)
    await then(page, context)
    await context.close()
  }
}

const dark = { colorScheme: 'dark' } as const
const disc = (page: Page) => page.locator('.disc')
const headline = (page: Page, name: string | RegExp, timeout = 60_000) =>
  page.getByRole('heading', { name }).waitFor({ timeout })
const ringing = (page: Page) => page.getByText('Ringing', { exact: true }).waitFor({ timeout: 30_000 })
/** Long enough for fades and fills. */
const still = (page: Page) => page.waitForTimeout(600)

/** Waits until the gate may be called again: an earlier press would place no call. */
const rest = (page: Page) => page.waitForTimeout(12_000)

/** The state before a press, and one press with its end, in one colour scheme. */
async function shootPress(
  guests: Guests,
  { shoot }: Studio,
  link: string,
  more: BrowserContextOptions,
  suffix: string,
) {
  await guests.visit(
    link,
    async page => {
      await shoot(`guest-ready${suffix}`, page)
      await disc(page).click()
      await ringing(page)
      await still(page)
      await shoot(`guest-ringing${suffix}`, page)
      await headline(page, 'The gate took the call')
      await still(page)
      await shoot(`guest-opened${suffix}`, page)
      await rest(page)
    },
    more,
  )
}

/** The modem loses its supply while the gate rings. It takes a minute to come back, so this is the last call. */
async function shootUnknown(guests: Guests, { demo, shoot }: Studio, link: string) {
  await guests.visit(link, async page => {
    await disc(page).click()
    await ringing(page)
    await fetch(`${demo.ready.simulatorUrl}/unplug`, { method: 'POST' })
    await headline(page, 'Look at the gate', 120_000)
    await still(page)
    await shoot('guest-unknown', page)
    await page.emulateMedia(dark)
    await shoot('guest-unknown-dark', page)
  })
}

/** The openings that give the gate's usual time: three are the guest's, two somebody else's. */
async function openBefore(guests: Guests, link: string): Promise<void> {
  const other = await guests.link({ gateId: guests.gateId('reject_busy') })
  for (const one of [other, other, link, link, link])
    await guests.visit(one, async page => {
      await disc(page).click()
      await headline(page, 'The gate took the call')
      await rest(page)
    })
}

async function shootEnds(guests: Guests, { demo, shoot }: Studio): Promise<void> {
  const busy = await guests.link({ gateId: guests.gateId('busy_before_alert') })
  await guests.visit(busy, async page => {
    await disc(page).click()
    await headline(page, /line is busy/)
    await still(page)
    await shoot('guest-busy', page)
  })
  const silentId = guests.gateId('ring_forever')
  // For an uncalibrated gate, the result of unanswered ringing is unknown.
  await demo.call('PATCH', `/api/v1/gates/${silentId}/profile`, { mode: 'reject' })
  const silent = await guests.link({ gateId: silentId })
  await guests.visit(silent, async page => {
    await disc(page).click()
    await headline(page, 'The gate did not react')
    await page.waitForTimeout(3_000)
    await shoot('guest-failed', page)
  })
}

async function shootDoors(guests: Guests, { shoot }: Studio): Promise<void> {
  const several = await guests.link(
    { gateId: guests.gateId('reject_busy') },
    { gateId: guests.gateId('answer_release_2s') },
    { gateId: guests.gateId('busy_before_alert') },
    {
      gateId: guests.gateId('ring_forever'),
      schedules: [{ type: 'custom', daysOfWeek: [1], timeWindows: [{ from: '07:00', to: '07:01' }] }],
    },
  )
  await guests.visit(several, page => shoot('guest-several', page))
  const outside = await guests.link({ gateId: guests.gateId('reject_busy'), schedules: evenings })
  await guests.visit(outside, page => shoot('guest-outside', page))
  await guests.visit('/g/dead', page => shoot('guest-dead', page))
}

async function shootNetwork(guests: Guests, { shoot }: Studio, link: string): Promise<void> {
  await guests.visit(link, async (page, context) => {
    await context.setOffline(true)
    await headline(page, 'Nothing was sent')
    await shoot('guest-offline', page)
  })
  await guests.visit(link, async (page, context) => {
    await disc(page).click()
    await page.getByText('Calling', { exact: true }).waitFor()
    await context.setOffline(true)
    await headline(page, 'The connection was lost')
    await page.waitForTimeout(5_000)
    await shoot('guest-lost', page)
    await context.setOffline(false)
    await headline(page, 'The gate took the call')
    await rest(page)
  })
}

/** Gives the demo the names in the pictures. */
export const furnish = (studio: Studio) => new Guests(studio).furnish()

/** Takes every picture of the guest's page. */
export async function shootGuest(studio: Studio): Promise<void> {
  const guests = new Guests(studio)
  const gateId = guests.gateId('reject_busy')
  const untilTen = [
    { type: 'custom', daysOfWeek: [0, 1, 2, 3, 4, 5, 6], timeWindows: [{ from: '00:00', to: '22:00' }] },
  ]
  const link = await guests.link({ gateId, maxUsage: 10, schedules: untilTen })
  await openBefore(guests, link)
  await shootPress(guests, studio, link, {}, '')
  await shootPress(guests, studio, link, dark, '-dark')
  await shootNetwork(guests, studio, link)
  await shootDoors(guests, studio)
  await shootEnds(guests, studio)
  const ukrainian = await guests.link({ gateId, maxUsage: 10, schedules: untilTen })
  await guests.visit(ukrainian, page => studio.shoot('guest-ready-uk', page), { locale: 'uk-UA' })
  await shootUnknown(guests, studio, await guests.link({ gateId }))
}
