// The scenes of the guest's page: before a press, each step and end of a call, and what a network can do to it.

import type { Member } from '@callgate/contract/rest/member'
import { isoTime } from '@callgate/world/world'
import type { Page } from 'playwright-core'
import type { CallEnd } from '../../api/scriptedCalls.ts'
import { numberOf } from '../../api/scriptedGateway.ts'
import { callOf, measure, type Records, report } from '../../browser/records.ts'
import { givePhotos } from './photos.ts'
import type { Scene } from './scenes.ts'

const everyEvening = [{ type: 'weekdays', timeWindows: [{ from: '18:00', to: '22:00' }] }]
const untilTen = [
  { type: 'custom', daysOfWeek: [0, 1, 2, 3, 4, 5, 6], timeWindows: [{ from: '00:00', to: '22:00' }] },
]
const lastMonth = [{ type: 'one-shot', expiresAt: '2026-02-28T16:00:00Z' }]
/** From a press to the ringing, in milliseconds. */
const ringsAfterMs = 5_100

/** The step of a call that the page shows. */
const lit = (page: Page, step: number) => page.locator(`main.live[data-lit="${step}"]`).waitFor()

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

  async #gate(name: string): Promise<string> {
    this.#gates += 1
    const phoneNumber = numberOf('neverReports', 100 + this.#gates)
    const body = { name, location: 'Strada Lalelelor 14', phoneNumber }
    const { gate } = await this.#call<{ gate: { id: string } }>('POST', '/gates', body)
    await measure(this.#records, gate.id)
    this.#open.push(gate.id)
    return gate.id
  }

  /** Switches the gates of the newest guest off, because a plan has room for some only. */
  async leave(): Promise<void> {
    for (const gateId of this.#open.splice(0)) await this.#call('DELETE', `/gates/${gateId}`)
  }

  /** A guest with these gates: their names, and more of the access. */
  async guest(...gates: readonly (readonly [name: string, more?: object])[]) {
    const contact = { contactName: 'Mihai Radu', contactPhone: '+40 21 555 0100' }
    const { cloud, tenant } = this.#records
    await cloud.database.knex('spaces').where({ id: tenant.spaceId }).update(contact)
    const accesses = []
    for (const [name, more = {}] of gates) accesses.push({ gateId: await this.#gate(name), ...more })
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
  async press(page: Page): Promise<void> {
    await this.open(page)
    await page.locator('.disc').click()
    await lit(page, 2)
  }

  async ring(page: Page): Promise<void> {
    await this.press(page)
    const {
      cloud: { gateway },
      world,
    } = this.#records
    await page.clock.fastForward(ringsAfterMs)
    world.setClock(isoTime(world.nowMs() + ringsAfterMs))
    await gateway.report(gateway.calls.at(-1) ?? '', { phase: 'ringing', sinceClaimMs: ringsAfterMs })
    await lit(page, 3)
    await page.clock.fastForward(1_200)
  }

  async end(page: Page, how: CallEnd): Promise<void> {
    await this.press(page)
    await report(this.#records, how)
    await page.locator('main:not(.live)').waitFor()
  }
}

export function guestScenes(records: Records): readonly Scene[] {
  const pages = new GuestPages(records)
  const usual = () => pages.guest(['Courtyard gate', { maxUsage: 10, schedules: untilTen }])
  const scene = (name: string, act: NonNullable<Scene['act']>, put: () => Promise<void> = usual): Scene => ({
    name,
    path: '/g/dead',
    isSignedOut: true,
    isOnPhone: true,
    languages: ['en', 'ro', 'uk'],
    hasStillClock: true,
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
      ['Delivery gate', { schedules: everyEvening }],
    )
  return [
    scene('ready', open),
    scene('calling', async page => {
      await pages.press(page)
      await page.clock.fastForward(2_000)
    }),
    scene('ringing', page => pages.ring(page)),
    scene('opened', page => pages.end(page, 'opened')),
    scene('unknown', page => pages.end(page, 'tooEarly')),
    scene('failed', page => pages.end(page, 'noReaction')),
    scene(
      'busy',
      page => pages.end(page, 'busy'),
      () => pages.guest(['Underground parking']),
    ),
    scene('several', open, several),
    scene('photo', page => pages.openWithPhotos(page)),
    scene('photos', page => pages.openWithPhotos(page), several),
    scene('outside', open, () => pages.guest(['Courtyard gate', { schedules: everyEvening }])),
    scene('ended', open, () => pages.guest(['Courtyard gate', { schedules: lastMonth }])),
    scene('offline', async page => {
      await pages.open(page)
      await page.context().setOffline(true)
      await page.locator('main.cover').waitFor()
    }),
    scene('lost', async page => {
      await pages.press(page)
      await page.context().setOffline(true)
      await page.clock.fastForward(5_000)
      await page.locator('main.cover').waitFor()
    }),
    { name: 'dead', path: '/g/dead', isSignedOut: true, isOnPhone: true, languages: ['en', 'ro', 'uk'] },
  ]
}
