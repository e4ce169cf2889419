// The ground truth of a run, collected from rows, journals, the wire and the logs of the simulators.

import type { SpaceEvent } from '@callgate/cloud/event/events'
import { openingRules } from '@callgate/cloud/verify/rules'
import type { Finding } from '@callgate/cloud/verify/verify'
import { readUpTopic } from '@callgate/contract/wire/topics'
import type { Call, Facts, GatewayFacts, Opening, SentMessage, Span } from '../../checker/facts.ts'
import { type BackgroundFacts, backgroundFactsOf } from './backgroundFacts.ts'
import type { Forbidden } from './changes.ts'
import type { WrittenDial } from './chip.ts'
import type { SlowSpan } from './driftingClock.ts'
import type { GatewaySide, Refusal, Start } from './gatewaySide.ts'
import type { House } from './house.ts'
import type { Prepared } from './installer.ts'

export interface Row extends Opening {
  readonly gateId: string
  readonly completedAt: string | null
  readonly apiKeyId: string | null
  readonly userId: string | null
  readonly sessionId: string | null
  readonly accessId: string | null
  readonly usageHeld: number
}

export type Dial = WrittenDial & { readonly gatewayId: string }

export interface Gateway extends GatewayFacts {
  readonly name: string
  readonly isReady: boolean
  /** The openings whose end it has not reported yet. */
  readonly unreported: readonly string[]
  readonly starts: readonly Start[]
  readonly refusals: readonly Refusal[]
  /** How many messages (SMS) it had sent on the day before, as its disk may still record. */
  readonly sentBefore: number
}

/** Notes taken during the run of the seed. */
export interface SeedRecord
  extends Pick<
    Facts,
    'accepted' | 'clockSetMs' | 'cloudBegunMs' | 'databaseSetBackMs' | 'drift' | 'keyed' | 'presses'
  > {
  readonly forbidden: readonly Forbidden[]
  /** When the press of a test call may have been prepared. */
  readonly prepared: readonly Prepared[]
  /** The caps of the guests' accesses at the beginning. */
  readonly caps: readonly (number | null)[]
  /** When the cloud was dead, stopped, or locked out of its database, in the order of time. */
  readonly away: readonly Span[]
  /** When writes of the cloud waited for the connection of its database, which others used. */
  readonly databaseWaits?: readonly Span[]
  /** When the clock of a database that several clouds share ran too slow. */
  readonly databaseSlow: readonly SlowSpan[]
  /** How long the transaction of an end may take where statements are slow, in milliseconds; 0 where it is left out. */
  readonly endTakesMs?: number
}

/** All facts that the checks use, as plain data. Times are monotonic milliseconds of the simulation. */
export interface Truth extends Facts, Omit<SeedRecord, 'caps' | keyof Facts>, BackgroundFacts {
  readonly rows: readonly Row[]
  readonly dials: readonly Dial[]
  readonly gateways: readonly Gateway[]
  /** The events of all Spaces, by their numbers. */
  readonly events: readonly (Pick<SpaceEvent, 'seq' | 'at' | 'kind' | 'targetId'> & {
    readonly spaceId: string
  })[]
  /** The findings of the rules of `callgate verify`. */
  readonly findings: readonly Finding[]
  readonly caps: readonly { readonly accessId: string; readonly cap: number | null }[]
}

/** Everything is recorded at its time. Gates have faults, so what a verdict only assumes may be wrong. */
export const simulated = { marginMs: 0, gatesTellAll: false } as const

/** The openings of a running gateway whose end is not acknowledged, or not yet in the journal. */
export function unreportedBy(gateway: GatewaySide): readonly string[] {
  const journal = gateway.life().isDead() ? undefined : gateway.journal()
  return [
    ...(journal?.unacknowledged().map(({ openingId }) => openingId) ?? []),
    ...(journal?.unfinished() ?? []),
  ]
}

/** How soon after its end the modem is asked why a call has ended. */
const toldWithinMs = 3_000
const tellsEnd = /^(?:NO CARRIER|NO ANSWER|BUSY)|^\+CEER: .*\d/m

const tellsRinging = /^\+CLCC: \d+,0,3/m

function callsOf({ chip, gatewayId, simulator }: GatewaySide): Call[] {
  const said = simulator.wireLog().filter(({ direction }) => direction === 'fromModem')
  const told = said.filter(({ text }) => tellsEnd.test(text))
  const ringing = said.filter(({ text }) => tellsRinging.test(text))
  const isUntold = (endedMs: number | undefined, outcome: string) =>
    endedMs !== undefined &&
    outcome === 'network_ended' &&
    !told.some(({ atMs }) => atMs >= endedMs && atMs <= endedMs + toldWithinMs)
  return simulator
    .state()
    .calls.map(({ atMs: readMs, callId, endedAtMs, outcome, phoneNumber, relayFired }) => {
      const written = chip.dials
        .filter(dial => dial.phoneNumber === phoneNumber && dial.atMs <= readMs)
        .at(-1)
      const ended = endedAtMs === undefined ? {} : { endedAtMs }
      const { atMs = readMs, isSleptOver = false } = written ?? {}
      const isEndUntold = isUntold(endedAtMs, outcome)
      const untilMs = endedAtMs ?? Number.POSITIVE_INFINITY
      const isRingingUntold = !ringing.some(one => one.atMs >= readMs && one.atMs <= untilMs)
      const dialled = { readMs, atMs, isSleptOver, isEndUntold, isRingingUntold }
      return { callId, phoneNumber, relayFired, outcome, gatewayId, ...dialled, ...ended }
    })
}

function messagesIn({ published }: House['broker']): SentMessage[] {
  return published.flatMap(({ atMs, payload, topic }) => {
    const place = readUpTopic(topic)
    if (!place || place.kind === 'beat' || place.kind === 'told') return []
    const { bootId, body, nonce, openingId } = JSON.parse(payload)
    const { phase, verdict } = JSON.parse(body)
    return [
      {
        kind: place.kind,
        atMs,
        gatewayId: place.gatewayId,
        openingId,
        bootId,
        nonce,
        phase,
        reason: verdict?.reason,
        opened: verdict?.opened,
      },
    ]
  })
}

async function findingsIn({ rows, ruleWords }: House): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const { name, sql } of openingRules(ruleWords))
    for (const found of await rows<Omit<Finding, 'rule'>>(sql)) findings.push({ ...found, rule: name })
  return findings
}

export async function truthOf(house: House, record: SeedRecord): Promise<Truth> {
  const { broker, gateways, ids, world } = house
  const rows = await house.rows<Omit<Row, 'begunMs' | 'grantedMs'>>('select * from openings')
  const times = await house.times()
  return {
    ...record,
    ...simulated,
    atMs: world.monotonicMs(),
    stood: house.cloudMachine.stood(),
    rows: rows.map(row => {
      const { begunMs, grantedMs } = times.get(row.id) ?? {}
      return { ...row, begunMs: begunMs ?? 0, grantedMs: grantedMs ?? null }
    }),
    events: await house.rows<SpaceEvent & { spaceId: string }>('select * from events order by seq'),
    ends: new Map([...times].flatMap(([id, { endedMs }]) => (endedMs === null ? [] : [[id, endedMs]]))),
    calls: gateways.flatMap(callsOf),
    dials: gateways.flatMap(({ chip, gatewayId }) => chip.dials.map(dial => ({ ...dial, gatewayId }))),
    sent: messagesIn(broker),
    gateways: gateways.map(gateway => ({
      gatewayId: gateway.gatewayId,
      spaceId: gateway.gatewayId === ids.other?.gatewayId ? ids.other.spaceId : ids.spaceId,
      name: gateway.life().name,
      isReady: gateway.isReady(),
      unreported: unreportedBy(gateway),
      couldNotHangUp: gateway.couldNotHangUp(),
      starts: gateway.starts,
      badDisk: gateway.badDisk,
      refusals: gateway.refusals(),
      stood: gateway.machine.stood(),
      modemStood: [],
      lostReplies: gateway.chip.lostReplies,
      reportsCalls: gateway.reportsCalls,
      sentBefore: gateway.sentBefore(),
      violations: gateway.simulator.state().violationLog,
    })),
    ...(await backgroundFactsOf(house)),
    findings: await findingsIn(house),
    caps: ids.guests.map(({ accessId }, place) => ({ accessId, cap: record.caps[place] ?? null })),
  }
}
