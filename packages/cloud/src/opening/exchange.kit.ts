// A Space with its exchange in memory, for tests: gates, guests, and a gateway that the test controls.

import { callProfile } from '@callgate/contract/call/callProfile'
import type { Verdict } from '@callgate/contract/call/verdict'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import type { Schedule } from '@callgate/contract/rest/schedule'
import type { Report } from '@callgate/contract/wire/messages'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime, moment } from '@callgate/world/world'
import { noteDrift } from '../calibration/profileDoubts.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { newLink } from '../member/memberLinks.ts'
import { createSeal, type Seal } from '../secrets/sealing.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { playedBoot, playedEndpoint } from './gatewayEndpoint.kit.ts'
import type { Actor, Press } from './presses.ts'

export const always: Schedule = { type: 'always', timezone: 'Europe/Bucharest' }

export type Guest = Extract<Actor, { actorType: 'guest' }> & {
  readonly gateId: string
  readonly token: string
}

const ended = (more: Partial<Verdict> = {}) =>
  ({
    phase: 'ended',
    sinceClaimMs: 100,
    verdict: { ...exampleVerdict, ...more },
    evidence: null,
  }) as const satisfies Report
const failed = { status: 'failed', opened: 'no' } as const

/** Reports of a gateway on an opening that has ended. */
export const said = {
  completed: ended(),
  assumed: ended({ confidence: 'assumed' }),
  busy: ended({ ...failed, reason: 'busy' }),
  simError: ended({ ...failed, reason: 'sim_error', confidence: 'certain' }),
  refused: ended({ ...failed, reason: 'network_rejected', confidence: 'likely' }),
  unclear: ended({ status: 'failed', reason: 'ended_too_early', opened: 'unknown' }),
  notDialled: { phase: 'not_dialled', sinceClaimMs: 100 },
} as const satisfies Record<string, Report>

/** The beat that is sent where a test gives no values of its own. */
export const playedBeat = {
  journalId: 'J'.repeat(22),
  toReport: [],
  figures: { signalDbm: -71, supplyMv: 4_020, registration: 'home' },
  body: '{"online":true}',
}

/** A database that has refused a write so often does not only work slowly. */
const mostRepeats = 10

/**
 * Lets the pause pass after which the exchange repeats a write: on a busy machine Postgres refuses one that takes longer than its
 * limits, and no time passes by itself here.
 */
export async function afterRepeats({ advance, lines, monotonicMs }: FakeWorld): Promise<void> {
  for (let repeated = 0; repeated < mostRepeats; repeated++) {
    const refused = lines.findLast(({ message }) => message === 'an opening could not be ended')
    const leftMs = refused ? refused.atMs + Number(refused.fields['pauseMs']) - monotonicMs() : 0
    if (leftMs <= 0) return
    // The clock of the line is a little faster than the timer.
    await advance(leftMs + 1)
  }
}

interface Furnished {
  readonly world: FakeWorld
  readonly knex: Database['knex']
  readonly seal: Seal
  readonly spaceId: string
}

/** Adds gates, members and accesses to the Space, and reads openings and accesses from the database. */
function gatesAndGuests({ knex, seal, spaceId, world }: Furnished) {
  const createdAt = isoTime(world.nowMs())
  let gates = 0

  async function addGate(more: { name?: string; location?: string } = {}) {
    gates += 1
    const id = newId(world, 'gate')
    const phoneNumber = `+4072200${String(gates).padStart(4, '0')}`
    const profile = JSON.stringify(callProfile({ mode: 'reject' }))
    const row = { id, spaceId, phoneNumber, name: 'North', location: '', isActive: true, createdAt, ...more }
    await knex('gates').insert({ ...row, callProfile: profile })
    return id
  }

  /** An access for the member `of`, or for a new one. */
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

  async function opening(openingId: string): Promise<OpeningRow> {
    const found = await knex<OpeningRow>('openings').where({ id: openingId }).first()
    if (!found) throw new Error('no such opening')
    return found
  }

  const access = ({ accessId }: Guest) => knex('accesses').where({ id: accessId }).first()
  return { addGate, addGuest, opening, access }
}

/** The Space's only gateway: it claims and reports as a test tells it to. */
export function playedGateway(exchange: Exchange, world: FakeWorld, gatewayId: string) {
  const by = { gatewayId, bootId: playedBoot }
  let reports = 0
  return {
    claim: (openingId: string) =>
      exchange.claim({ ...by, nonce: 'N'.repeat(22), openingId, sinceBootMs: world.sinceBootMs() }),
    report(openingId: string, what: Report) {
      reports += 1
      const sent = { seq: reports, body: JSON.stringify(what), signature: 's' }
      return exchange.report({ ...by, ...sent, openingId, report: what })
    },
  }
}

async function addSpaceAndGateway({ knex, spaceId, world }: Omit<Furnished, 'seal'>): Promise<string> {
  const createdAt = isoTime(world.nowMs())
  const gatewayId = newId(world, 'gw')
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await knex('spaces').insert({ id: spaceId, name: 'A', plan: 'free', ...zone, createdAt })
  const keys = { publicKey: 'k', passwordHash: 'p' }
  const row = { id: gatewayId, spaceId, name: 'Pi', bootId: 'A'.repeat(22), ...keys, createdAt }
  await knex('gateways').insert(row)
  return gatewayId
}

export type ExchangeRig = Awaited<ReturnType<typeof exchangeRig>>

/** One Space on the free plan, which is enough for guests. `given`: an existing database with the tables; `known`: its seal. */
export async function exchangeRig(given?: Database, known?: Seal) {
  const world = fakeWorld(1)
  const database = given ?? (await testDatabase(world))
  const { knex } = database
  const seal = known ?? createSeal(world, new Map([[1, world.randomBytes(32)]]))
  const spaceId = newId(world, 'space')
  const gatewayId = await addSpaceAndGateway({ world, knex, spaceId })
  const hints: string[] = []
  /** The hints, each with its gateway. */
  const hinted: string[] = []
  const online: string[] = [gatewayId]
  /** Those of them whose modem does not work. */
  const unready = new Set<string>()
  const hint = (to: string, openingId: string) => {
    hints.push(openingId)
    hinted.push(`${to} ${openingId}`)
  }
  const ableToCall = () => online.filter(id => !unready.has(id))
  const endpoint = { ...playedEndpoint(() => online, hint), ableToCall }
  const exchange = createExchange({ world, database, endpoint, noteDrift })
  const furnished = gatesAndGuests({ world, knex, seal, spaceId })
  const { claim, report } = playedGateway(exchange, world, gatewayId)

  async function press({ gateId, token: _, ...actor }: Guest, more: Partial<Press> = {}): Promise<string> {
    const pressed = await exchange.press({ spaceId, gateId, actor, since: moment(world), ...more })
    if (!pressed) throw new Error('no such gate')
    return pressed.openingId
  }

  /** Presses, gets the grant, and ends as the report says. */
  async function run(guest: Guest, what: Report): Promise<string> {
    const openingId = await press(guest)
    await claim(openingId)
    await report(openingId, what)
    return openingId
  }

  async function close() {
    exchange.stop()
    await database.close()
  }

  const { heard } = exchange.heartbeat
  const does = { seal, ...furnished, press, claim, report, run, close }
  return {
    world,
    database,
    exchange,
    heard,
    noteDrift,
    endpoint,
    online,
    hints,
    hinted,
    unready,
    spaceId,
    gatewayId,
    ...does,
  }
}
