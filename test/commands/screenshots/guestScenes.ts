// The scenes of the guest's page: before a press, each step and end of a call, and what a network can do to it.

import type { Member } from '@callgate/contract/rest/member'
import type { Page } from 'playwright-core'
import { ended, type NumberKind, numberOf } from '../../api/scriptedGateway.ts'
import { verdicts } from '../../browser/guestHouse.ts'
import { callOf, nowText, type Records } from '../../browser/records.ts'
import { givePhotos } from './photos.ts'
import type { Scene } from './scenes.ts'

const everyEvening = [{ type: 'weekdays', timeWindows: [{ from: '18:00', to: '22:00' }] }]
const untilTen = [
  { type: 'custom', daysOfWeek: [0, 1, 2, 3, 4, 5, 6], timeWindows: [{ from: '00:00', to: '22:00' }] },
]
const lastMonth = [{ type: 'one-shot', expiresAt: '2026-02-28T16:00:00Z' }]
/** How long a press may take to be a call, in milliseconds. */
const mostMs = 10_000

const disc = (page: Page) => page.locator('.disc')

/** Each press has a gate and a guest of its own, because the clock stands: no gate would ever be free again. */
class GuestPages {
  readonly #records: Records
  #gates = 0
  readonly #open: string[] = []
  /** The link of the newest guest, behind the address of the scene. */
  #link = ''

  constructor(records: Records) {
    this.#records = records
  }

  /** With a key of its own, because a key may make only so many calls in a minute. */
  async #call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
    const { key } = await this.#records.tenant.addKey()
    return callOf<Answer>(this.#records, method, path, body, key)
  }

  async #gate(name: string, kind: NumberKind): Promise<string> {
    this.#gates += 1
    const body = { name, location: 'Strada Lalelelor 14', phoneNumber: numberOf(kind, 100 + this.#gates) }
    const { gate } = await this.#call<{ gate: { id: string } }>('POST', '/gates', body)
    await this.#call('PATCH', `/gates/${gate.id}/profile`, { mode: 'reject' })
    this.#open.push(gate.id)
    return gate.id
  }

  /** Switches the gates of the newest guest off, because a plan has room for some only. */
  async leave(): Promise<void> {
    this.#setClock()
    for (const gateId of this.#open.splice(0)) await this.#call('DELETE', `/gates/${gateId}`)
  }

  /** So many seconds after the present of the pictures. */
  #setClock(seconds = 0): void {
    this.#records.world.setClock(new Date(Date.parse(nowText) + 1000 * seconds).toISOString())
  }

  /** A guest with these gates: their names, how calls to them end, and more of the access. */
  async guest(...gates: readonly (readonly [name: string, kind?: NumberKind, more?: object])[]) {
    const contact = { contactName: 'Mihai Radu', contactPhone: '+40 21 555 0100' }
    const { cloud, tenant } = this.#records
    await cloud.database.knex('spaces').where({ id: tenant.spaceId }).update(contact)
    const accesses = []
    for (const [name, kind = 'neverReports', more = {}] of gates)
      accesses.push({ gateId: await this.#gate(name, kind), ...more })
    const body = { name: 'Ana Ionescu', accesses }
    const { member } = await this.#call<{ member: Member }>('POST', '/members', body)
    this.#link = new URL(member.accesses[0]?.accessUrl ?? '').pathname
  }

  /** Each of the guest's gates has a photo. */
  async openWithPhotos(page: Page): Promise<void> {
    await givePhotos(this.#records, page, this.#records.tenant.spaceId, this.#open)
    await this.open(page)
    await page
      .locator('.photo img')
      .nth(this.#open.length - 1)
      .waitFor()
  }

  async open(page: Page): Promise<void> {
    await page.goto(this.#link)
    await page.locator('h1').first().waitFor()
  }

  /** Presses, and waits until the gate is called. */
  async press(page: Page): Promise<string> {
    const { gateway } = this.#records.cloud
    const calls = gateway.calls.length
    await this.open(page)
    await disc(page).click()
    for (let waited = 0; gateway.calls.length === calls; waited += 20) {
      if (waited > mostMs) throw new Error('the press placed no call')
      await page.waitForTimeout(20)
    }
    return gateway.calls.at(-1) ?? ''
  }

  /** The page reads from the cloud how old the call is, and counts no further: each run shows the same seconds. */
  async #readAgain(page: Page, atS: number): Promise<void> {
    await page.waitForURL(/\/openings\//)
    this.#setClock(atS)
    await page.addInitScript('performance.now = () => 0')
    await page.reload()
    await page.locator('.ring').first().waitFor()
  }

  async call(page: Page): Promise<void> {
    await this.press(page)
    await this.#readAgain(page, 2.3)
  }

  async ring(page: Page): Promise<void> {
    const id = await this.press(page)
    this.#setClock(4)
    await this.#records.cloud.gateway.report(id, { phase: 'ringing', sinceClaimMs: 4_000 })
    await this.#readAgain(page, 6.7)
  }

  async end(page: Page, how: 'opened' | keyof typeof verdicts): Promise<void> {
    const id = await this.press(page)
    this.#setClock(8)
    const report = ended(true, 9_000)
    if (report.phase !== 'ended') throw new Error('it is no end')
    const verdict = { ...report.verdict, ...(how === 'opened' ? {} : verdicts[how]) }
    await this.#records.cloud.gateway.report(id, { ...report, verdict })
    await page.waitForTimeout(2_500)
  }
}

export function guestScenes(records: Records): readonly Scene[] {
  const pages = new GuestPages(records)
  const usual = () => pages.guest(['Courtyard gate', 'neverReports', { maxUsage: 10, schedules: untilTen }])
  const scene = (name: string, act: NonNullable<Scene['act']>, put: () => Promise<void> = usual): Scene => ({
    name,
    path: '/g/dead',
    isSignedOut: true,
    isOnPhone: true,
    languages: ['en', 'ro', 'uk'],
    put,
    act,
    undo: () => pages.leave(),
  })
  const open = (page: Page) => pages.open(page)
  const several = () =>
    pages.guest(
      ['Courtyard gate'],
      ['Yard barrier'],
      ['Underground parking'],
      ['Delivery gate', 'neverReports', { schedules: everyEvening }],
    )
  return [
    scene('ready', open),
    scene('calling', page => pages.call(page)),
    scene('ringing', page => pages.ring(page)),
    scene('opened', page => pages.end(page, 'opened')),
    scene('unknown', page => pages.end(page, 'unknown')),
    scene('failed', page => pages.end(page, 'no_reaction')),
    scene(
      'busy',
      async page => {
        await pages.press(page)
        await page.waitForTimeout(2_500)
      },
      () => pages.guest(['Underground parking', 'busy']),
    ),
    scene('several', open, several),
    scene('photo', page => pages.openWithPhotos(page)),
    scene('photos', page => pages.openWithPhotos(page), several),
    scene('outside', open, () =>
      pages.guest(['Courtyard gate', 'neverReports', { schedules: everyEvening }]),
    ),
    scene('ended', open, () => pages.guest(['Courtyard gate', 'neverReports', { schedules: lastMonth }])),
    scene('offline', async page => {
      await pages.open(page)
      await page.context().setOffline(true)
      await page.waitForTimeout(500)
    }),
    scene('lost', async page => {
      await pages.press(page)
      await page.context().setOffline(true)
      await page.waitForTimeout(5_000)
    }),
    { name: 'dead', path: '/g/dead', isSignedOut: true, isOnPhone: true, languages: ['en', 'ro', 'uk'] },
  ]
}
