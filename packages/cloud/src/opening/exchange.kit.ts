// A Space with its exchange in memory, for tests: gates, guests and one gateway that says what a test tells it to.

import { callProfile } from '@callgate/contract/call/callProfile'
import type { Verdict } from '@callgate/contract/call/verdict'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { Report } from '@callgate/contract/wire/messages'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime, moment } from '@callgate/world/world'
import type { OpeningRow } from '../core/opening.ts'
import { migrate, openDatabase } from '../database/database.ts'
import { newLink } from '../member/memberLinks.ts'
import { createSeal } from '../secrets/sealing.ts'
import { type Actor, createExchange, type Press } from './exchange.ts'
import { playedBoot, playedDoor } from './gatewayDoor.kit.ts'

export const always: Schedule = { type: 'always', timezone: 'Europe/Bucharest' }

export type Guest = Extract<Actor, { actorType: 'guest' }> & {
  readonly gateId: string
  readonly token: string
}

const ended = (more: Partial<Verdict> = {}): Report => ({
  phase: 'ended',
  sinceClaimMs: 100,
  verdict: { ...exampleVerdict, ...more },
  evidence: null,
})
const failed = { status: 'failed', opened: 'no' } as const

/** What a gateway may say at the end. */
export const said = {
  completed: ended(),
  busy: ended({ ...failed, reason: 'busy' }),
  simError: ended({ ...failed, reason: 'sim_error', confidence: 'certain' }),
  unclear: ended({ status: 'failed', reason: 'ended_too_early', opened: 'unknown' }),
  notDialled: { phase: 'not_dialled', sinceClaimMs: 100 },
} as const satisfies Record<string, Report>

export type ExchangeRig = Awaited<ReturnType<typeof exchangeRig>>

/** One Space on the free plan, since guests need none. */
export async function exchangeRig() {
  const world = fakeWorld(1)
  const database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  const { knex } = database
  const seal = createSeal(world, new Map([[1, world.randomBytes(32)]]))
  const createdAt = isoTime(world.nowMs())
  const spaceId = newId(world, 'space')
  const gatewayId = newId(world, 'gw')
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await knex('spaces').insert({ id: spaceId, name: 'A', plan: 'free', ...zone, createdAt })
  const keys = { publicKey: 'k', passwordHash: 'p' }
  await knex('gateways').insert({
    id: gatewayId,
    spaceId,
    name: 'Pi',
    bootId: 'A'.repeat(22),
    ...keys,
    createdAt,
  })
  const hints: string[] = []
  const online: string[] = [gatewayId]
  const door = playedDoor(
    () => online,
    (_, openingId) => hints.push(openingId),
  )
  const exchange = createExchange({ world, database, door })
  const count = { gates: 0, reports: 0 }

  async function addGate(more: { name?: string; location?: string } = {}) {
    count.gates += 1
    const id = newId(world, 'gate')
    const phoneNumber = `+4072200${String(count.gates).padStart(4, '0')}`
    const profile = JSON.stringify(callProfile({ mode: 'reject' }))
    const row = { id, spaceId, phoneNumber, name: 'North', location: '', isActive: true, createdAt, ...more }
    await knex('gates').insert({ ...row, callProfile: profile })
    return id
  }

  /** An access for a member that is given, or a new one. */
  async function addGuest(
    gateId: string,
    more: { schedules?: Schedule[]; maxUsage?: number; of?: Guest; preferredLanguage?: string } = {},
  ): Promise<Guest> {
    const { maxUsage = null, of, preferredLanguage = null, schedules = [always] } = more
    const memberId = of?.memberId ?? newId(world, 'member')
    const link = newLink(world, seal, { spaceId, id: memberId })
    const token = of?.token ?? seal.unseal(link.linkSealed, `${spaceId}|${memberId}`) ?? ''
    const named = { name: 'Ana', email: 'ana@example.com' }
    if (!of)
      await knex('members').insert({ id: memberId, spaceId, ...named, preferredLanguage, createdAt, ...link })
    const accessId = newId(world, 'access')
    const cap = { schedules: JSON.stringify(schedules), maxUsage }
    await knex('accesses').insert({ id: accessId, spaceId, memberId, gateId, ...cap, createdAt })
    const actor = { actorType: 'guest', actorName: named.name, actorEmail: named.email } as const
    return { ...actor, memberId, accessId, gateId, token }
  }

  async function press({ gateId, token: _, ...actor }: Guest, more: Partial<Press> = {}): Promise<string> {
    const pressed = await exchange.press({ spaceId, gateId, actor, since: moment(world), ...more })
    if (!pressed) throw new Error('no such gate')
    return pressed.openingId
  }

  const by = { gatewayId, bootId: playedBoot }
  const claim = (openingId: string) =>
    exchange.claim({ ...by, nonce: 'N'.repeat(22), openingId, sinceBootMs: world.sinceBootMs() })

  function report(openingId: string, what: Report) {
    count.reports += 1
    const sent = { seq: count.reports, body: JSON.stringify(what), signature: 's' }
    return exchange.report({ ...by, ...sent, openingId, report: what })
  }

  /** Presses, is granted, and ends as the gateway says. */
  async function run(guest: Guest, what: Report): Promise<string> {
    const openingId = await press(guest)
    await claim(openingId)
    await report(openingId, what)
    return openingId
  }

  async function opening(openingId: string): Promise<OpeningRow> {
    const found = await knex<OpeningRow>('openings').where({ id: openingId }).first()
    if (!found) throw new Error('no such opening')
    return found
  }

  const access = ({ accessId }: Guest) => knex('accesses').where({ id: accessId }).first()

  async function close() {
    exchange.stop()
    await database.close()
  }

  const does = { seal, addGate, addGuest, press, claim, report, run, opening, access, close }
  return { world, database, exchange, door, online, hints, spaceId, gatewayId, ...does }
}
