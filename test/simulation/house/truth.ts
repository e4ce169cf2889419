// The ground truth of a run, collected from rows, journals, the wire and the logs of the simulators.

import type { SpaceEvent } from '@callgate/cloud/event/events'
import { openingRules } from '@callgate/cloud/verify/rules'
import type { Finding } from '@callgate/cloud/verify/verify'
import { readUpTopic } from '@callgate/contract/wire/topics'
import type { SimulatorState } from '@callgate/simulator/simulatorState'
import type { Forbidden } from './changes.ts'
import type { WrittenDial } from './chip.ts'
import type { SlowSpan } from './driftingClock.ts'
import type { GatewaySide, Refusal, Start } from './gatewaySide.ts'
import type { House } from './house.ts'
import type { Prepared } from './installer.ts'
import { type OfficeFacts, officeFactsOf } from './officeFacts.ts'
import type { Span } from './spans.ts'

export interface Row {
  readonly id: string
  readonly spaceId: string
  readonly gateId: string
  readonly status: string
  readonly reason: string | null
  readonly opened: string | null
  readonly confidence: string | null
  readonly phoneNumber: string
  readonly completedAt: string | null
  readonly grantNonce: string | null
  readonly gatewayId: string | null
  readonly bootId: string | null
  readonly apiKeyId: string | null
  readonly userId: string | null
  readonly sessionId: string | null
  readonly accessId: string | null
  readonly joinedOpeningId: string | null
  readonly usageHeld: number
  /** 1 where another press may place another call at once. */
  readonly safeToRetry: number | null
  /** When the row was committed, and when it was granted, by the simulation's clock and not by the cloud's wall clock. */
  readonly begunMs: number
  readonly grantedMs: number | null
}

/** An ATD that the modem read; `atMs` is when the gateway wrote it. */
export type Call = Pick<
  SimulatorState['calls'][number],
  'callId' | 'phoneNumber' | 'relayFired' | 'outcome' | 'endedAtMs'
> & {
  readonly gatewayId: string
  readonly atMs: number
  readonly readMs: number
  readonly isSleptOver: boolean
}

export type Dial = WrittenDial & { readonly gatewayId: string }

/** A claim or a report, as its gateway sent it. */
export interface SentMessage {
  readonly kind: 'claim' | 'report'
  readonly atMs: number
  readonly gatewayId: string
  readonly openingId: string | undefined
  readonly bootId: string | undefined
  readonly nonce: string | undefined
  /** Only of a report. */
  readonly phase: string | undefined
  /** Only of a verdict. */
  readonly reason: string | undefined
  readonly opened: string | undefined
}

export interface Gateway {
  readonly gatewayId: string
  readonly spaceId: string
  readonly name: string
  readonly isReady: boolean
  /** The openings whose end it has not reported yet. */
  readonly unreported: readonly string[]
  /** When it could not hang up: it was dead or stopped, or its modem had a fault. */
  readonly couldNotHangUp: readonly Span[]
  readonly starts: readonly Start[]
  readonly badDisk: readonly Span[]
  readonly refusals: readonly Refusal[]
  /** When its machine stood still. */
  readonly stood: readonly Span[]
  /** When the serial line lost what the modem said. */
  readonly lostReplies: readonly number[]
  /** How many messages (SMS) it had sent in the day before, as its disk may still tell. */
  readonly sentBefore: number
  readonly violations: readonly { readonly atMs: number; readonly violation: string }[]
}

/** Notes that were taken while the seed ran. */
export interface SeedRecord {
  /** How many presses the cloud received. */
  readonly presses: number
  /** The openings that a client got an answer for, and when the cloud received the press, monotonic milliseconds. */
  readonly accepted: readonly { readonly openingId: string; readonly pressedMs: number }[]
  readonly forbidden: readonly Forbidden[]
  /** When the press of a test call may have been prepared. */
  readonly prepared: readonly Prepared[]
  /** The openings that were made for each Idempotency-Key, also those whose transaction was rolled back. */
  readonly keyed: readonly { readonly key: string; readonly openingId: string }[]
  /** The caps of the guests' accesses at the beginning. */
  readonly caps: readonly (number | null)[]
  /** When the cloud was dead, stopped, or locked out of its database, in the order of time. */
  readonly away: readonly Span[]
  /** When the cloud's wall clock was set to another time. */
  readonly clockSetMs: readonly number[]
  /** When the clock of a database that several clouds share was set back. */
  readonly databaseSetBackMs: readonly number[]
  /** By which share the clock of a machine was too fast or too slow at most. */
  readonly drift: number
  /** When the clock of a database that several clouds share ran too slow. */
  readonly databaseSlow: readonly SlowSpan[]
  /** Of several clouds: since when the one that took the press of each opening had run without a standstill, by its id. */
  readonly cloudBegunMs?: ReadonlyMap<string, number>
}

/** All that the checks use, as plain data. Times are monotonic milliseconds of the simulation. */
export interface Truth extends Omit<SeedRecord, 'caps'>, OfficeFacts {
  /** Now. */
  readonly atMs: number
  /** When the cloud's machine stood still. */
  readonly stood: readonly Span[]
  readonly rows: readonly Row[]
  /** The events of all Spaces, by their numbers. */
  readonly events: readonly (Pick<SpaceEvent, 'seq' | 'at' | 'kind' | 'targetId'> & {
    readonly spaceId: string
  })[]
  /** When each opening first ended, by its id. */
  readonly ends: ReadonlyMap<string, number>
  readonly calls: readonly Call[]
  readonly dials: readonly Dial[]
  readonly sent: readonly SentMessage[]
  readonly gateways: readonly Gateway[]
  /** The findings of the rules of `callgate verify`. */
  readonly findings: readonly Finding[]
  readonly caps: readonly { readonly accessId: string; readonly cap: number | null }[]
}

/** The openings of a running gateway whose end is not acknowledged, or not yet in the journal. */
export function unreportedBy(gateway: GatewaySide): readonly string[] {
  const journal = gateway.life().isDead() ? undefined : gateway.journal()
  return [
    ...(journal?.unacknowledged().map(({ openingId }) => openingId) ?? []),
    ...(journal?.unfinished() ?? []),
  ]
}

function callsOf({ chip, gatewayId, simulator }: GatewaySide): Call[] {
  return simulator
    .state()
    .calls.map(({ atMs: readMs, callId, endedAtMs, outcome, phoneNumber, relayFired }) => {
      const written = chip.dials
        .filter(dial => dial.phoneNumber === phoneNumber && dial.atMs <= readMs)
        .at(-1)
      const ended = endedAtMs === undefined ? {} : { endedAtMs }
      const { atMs = readMs, isSleptOver = false } = written ?? {}
      return { callId, phoneNumber, relayFired, outcome, gatewayId, readMs, atMs, isSleptOver, ...ended }
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
      lostReplies: gateway.chip.lostReplies,
      sentBefore: gateway.sentBefore(),
      violations: gateway.simulator.state().violationLog,
    })),
    ...(await officeFactsOf(house)),
    findings: await findingsIn(house),
    caps: ids.guests.map(({ accessId }, place) => ({ accessId, cap: record.caps[place] ?? null })),
  }
}
