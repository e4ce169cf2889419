// Compares the answers to clients with the records, and gives the checker the facts of a gate.

import { claimFreshMs, grantWithinMs, terminalWithinMs } from '@callgate/contract/wire/timing'
import { openingOf } from '../../checker/attribution.ts'
import { graceMs } from '../../checker/callChecks.ts'
import { checkFacts } from '../../checker/checker.ts'
import type { Facts } from '../../checker/facts.ts'
import { factsOf, type Pressed, type TrialObservation } from './trialFacts.ts'

/** The longest stall that the cloud does not notice, in milliseconds. A press may wait that long before it is read. */
const unnoticedMs = 1_000

/** The content of an answer to a press. */
export interface Answer {
  readonly openingId: string | undefined
  /** `opened`, `running`, or the reason why it was not opened. */
  readonly outcome: string | undefined
}

/** One press, repeated by its client until it was answered. */
export interface Press {
  readonly apiKeyId: string
  /** When its client sent it and repeated it; milliseconds by the wall clock. */
  readonly sentAtMs: readonly number[]
  readonly answered: Answer
  /** The later answer to the same Idempotency-Key, after the trial. */
  readonly replayed: Answer
}

/** What happened at one gate, and to other numbers. */
export interface SeenAtGate extends TrialObservation {
  readonly presses: readonly Press[]
  /** The time from the end of the fault to the end of the last opening, in milliseconds. */
  readonly endedAfterMs: number
}

/**
 * Each press has an Idempotency-Key and an API key of its own. Its age counts from the row; the age by its client's clock is
 * checked apart.
 */
function pressedBy({ presses, rows }: SeenAtGate): Pressed {
  return {
    presses: presses.length,
    accepted: presses.flatMap(({ answered: { openingId }, sentAtMs: [sentMs = 0] }) => {
      const row = rows.find(({ id }) => id === openingId)
      return openingId === undefined
        ? []
        : [{ openingId, pressedMs: row ? Date.parse(row.calledAt) : sentMs }]
    }),
    keyed: rows.flatMap(({ apiKeyId, id }) => (apiKeyId === null ? [] : [{ key: apiKeyId, openingId: id }])),
  }
}

/**
 * Checks the age of a press by its client's clock, because the record does not know how long the press waited in the socket of a
 * stalled cloud. A client that repeats its request still wants the gate.
 */
function checkAge(facts: Facts, { answered, sentAtMs }: Press): string[] {
  const row = facts.rows.find(({ id }) => id === answered.openingId)
  if (!row || row.grantedMs === null) return []
  const sentBefore = (ms: number) => Math.max(...sentAtMs.filter(atMs => atMs <= ms))
  const waitedMs = row.grantedMs - sentBefore(row.grantedMs)
  const lateDials = facts.dials.flatMap(dial => {
    const dueMs = sentBefore(dial.atMs) + unnoticedMs + grantWithinMs + claimFreshMs
    if (openingOf(facts, dial) !== row || dial.atMs <= dueMs + graceMs(facts, dial, dueMs)) return []
    return [`P2: ${row.id} was dialled ${dial.atMs - sentBefore(dial.atMs)} ms after its client pressed`]
  })
  return [
    ...(waitedMs > grantWithinMs + unnoticedMs + facts.marginMs
      ? [`P2: ${row.id} was granted ${waitedMs} ms after its client pressed`]
      : []),
    ...lateDials,
  ]
}

/** Checks that a press has exactly one opening, and that every answer names it with its true outcome. */
function checkPress({ rows }: SeenAtGate, { answered, apiKeyId, replayed }: Press): string[] {
  const own = rows.filter(row => row.apiKeyId === apiKeyId)
  const [row] = own
  if (!row) return ['A1: a press was answered, and has no opening']
  const isNamed = answered.openingId === row.id && replayed.openingId === row.id
  const truth = row.status === 'completed' ? 'opened' : row.reason
  // An early answer, before a late report of the gateway brought the end.
  const isEarly = answered.outcome === 'running' || answered.outcome === 'no_report'
  return [
    ...(isNamed
      ? []
      : [`P1: ${row.id} was answered as ${answered.openingId}, then as ${replayed.openingId}`]),
    ...(answered.outcome === replayed.outcome
      ? []
      : [`P1: ${row.id} was answered ${answered.outcome}, then ${replayed.outcome}`]),
    ...(isEarly || answered.outcome === truth
      ? []
      : [`A3: ${row.id} ended as ${truth}, and was answered ${answered.outcome}`]),
  ]
}

/**
 * The allowed results of a press at a cloud that no fault touches: the gate opens, or the modem is in a call for all of its time.
 */
const bystanders = new Set(['opened', 'running', 'modem_busy'])

/** A write of the other cloud holds the Space: the press has not begun, and may be repeated. */
const isHeldUp = (why: string) => why.startsWith('503 ') && why.includes('nothing was done')

/**
 * Checks the press at a cloud that no fault touches: it is answered at once, and opens. Where the other cloud may stand still in a
 * transaction of the Space, the press may be refused as not begun before.
 */
export const checkBystander = (told: {
  readonly failures: readonly string[]
  readonly mayHoldSpace: boolean
  readonly presses: readonly Press[]
}) => [
  ...told.failures
    .filter(why => !(told.mayHoldSpace && isHeldUp(why)))
    .map(why => `lost: the cloud that was not touched refused a press: ${why}`),
  ...told.presses.flatMap(({ answered: { outcome } }) =>
    bystanders.has(outcome ?? '') ? [] : [`lost: ${outcome} at the cloud that was not touched`],
  ),
]

/** All violations, in words. */
export function checkTrial(seen: SeenAtGate): string[] {
  const { endedAfterMs, presses, rows } = seen
  const facts = factsOf(seen, pressedBy(seen))
  const nobodys = rows.filter(row => !presses.some(({ apiKeyId }) => apiKeyId === row.apiKeyId))
  // No journal is lost here, so a gateway that is back reports every call.
  const unreported = rows.filter(row => row.joinedOpeningId === null && row.reason === 'no_report')
  return [
    ...presses.flatMap(press => [...checkPress(seen, press), ...checkAge(facts, press)]),
    ...nobodys.map(({ id }) => `A1: nobody pressed for ${id}`),
    ...(endedAfterMs > terminalWithinMs ? [`A2: not ended until ${endedAfterMs} ms after recovery`] : []),
    ...unreported.map(({ id }) => `A3: the gateway of ${id} is back, and its report is not`),
    ...checkFacts(facts),
  ]
}
