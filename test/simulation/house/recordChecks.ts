// What must hold of records: kept, ended in time, true, allowed and counted.

import { terminalWithinMs } from '@callgate/contract/wire/timing'
import { openingOf, pressedMs } from './attribution.ts'
import type { Gateway, Row, Truth } from './truth.ts'

/** Any grant after the change had been committed. */
function noGrantAfter(truth: Truth): string[] {
  return truth.forbidden.flatMap(({ atMs, change, of }) => {
    const conditions = Object.entries(of)
    const isMeant = (row: Row) => conditions.every(([key, value]) => row[key as keyof typeof of] === value)
    return truth.rows
      .filter(row => conditions.length > 0 && isMeant(row))
      .filter(({ grantedMs }) => grantedMs !== null && grantedMs > atMs)
      .map(({ id }) => `P3: ${id} was granted after: ${change}`)
  })
}

/** What a client was told of is still there, and nothing that nobody has pressed. */
function nothingLost({ accepted, presses, rows }: Truth): string[] {
  return [
    ...accepted
      .filter(({ openingId }) => !rows.some(row => row.id === openingId))
      .map(({ openingId }) => `A1: ${openingId} was accepted and is gone`),
    ...(rows.length > presses ? [`A1: ${rows.length} records for ${presses} presses`] : []),
  ]
}

/** What the cloud needs for all that ought to have ended while it was away. */
const backWithinMs = 5_000

/**
 * When an opening must have ended: in time, or soon after the cloud is back. What its machine has missed counts for nothing;
 * and after a restart with another wall clock nobody knows how old an opening is.
 */
function endsByMs({ away, clockSetMs, stood }: Truth, fromMs: number): number {
  const spans = [
    ...away.map(span => ({ ...span, isAway: true })),
    ...stood.map(span => ({ ...span, isAway: false })),
  ]
  return spans
    .sort((a, b) => a.fromMs - b.fromMs)
    .reduce((byMs, span) => {
      if (!span.isAway)
        return span.fromMs <= byMs ? byMs + Math.max(0, span.toMs - Math.max(span.fromMs, fromMs)) : byMs
      const isSet = clockSetMs.some(atMs => atMs >= fromMs && atMs <= span.toMs)
      const backMs = span.toMs + (isSet ? terminalWithinMs : backWithinMs)
      return span.fromMs <= byMs && byMs < backMs ? backMs : byMs
    }, fromMs + terminalWithinMs)
}

/** When it ended first is what the database saw, not what its record says. */
function ended(truth: Truth): string[] {
  return truth.rows.flatMap(row => {
    const { id, status } = row
    if (status === 'initiated' || status === 'connected') return [`A2: ${id} is still ${status}`]
    const fromMs = pressedMs(truth, row)
    const endMs = truth.ends.get(id) ?? Number.POSITIVE_INFINITY
    return endMs > endsByMs(truth, fromMs) ? [`A2: ${id} ended ${endMs - fromMs} ms after its press`] : []
  })
}

/** One start at a time runs here: the cloud sends none away, whatever it hears of others. */
function neverSentAway({ gateways }: Truth): string[] {
  return gateways.flatMap(({ name, refusals }) =>
    refusals.map(({ atMs, why }) => `G2: ${name} was sent away at ${atMs} ms: ${why}`),
  )
}

function reported({ gateways }: Truth): string[] {
  return gateways.flatMap(({ isReady, left, name }) => [
    ...left.map(id => `A3: ${name} has not reported ${id}`),
    ...(isReady ? [] : [`A3: ${name} is not back`]),
  ])
}

function toldTrue(truth: Truth): string[] {
  return truth.rows.flatMap(row => {
    const isSure = row.confidence === 'certain' || row.confidence === 'likely'
    if (row.joinedOpeningId !== null || !isSure) return []
    const hasMoved = truth.calls.some(call => call.relayFired && openingOf(truth, call)?.id === row.id)
    if (hasMoved && row.opened === 'no') return [`A3: ${row.id} is told as not opened, and the gate moved`]
    return row.status === 'completed' && !hasMoved
      ? [`A3: ${row.id} is told as opened, and the gate did not move`]
      : []
  })
}

/**
 * Whether what was said at `atMs` may not have stood on the disk when the daemon began anew. A report goes out before it is
 * written down, or, where it could not be, before that is tried again.
 */
function mayBeLost({ badDisk, starts }: Gateway, atMs: number): boolean {
  const isBad = badDisk.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)
  return starts.some(
    start => start.atMs >= atMs && (start.leftover !== 'kept' || isBad || start.diedMs === atMs),
  )
}

/** A record says what the gateway has said, unless that was lost with a journal. */
function toldAsReported(truth: Truth): string[] {
  return truth.rows.flatMap(({ bootId, gatewayId, id, joinedOpeningId, reason, status }) => {
    if (gatewayId === null || joinedOpeningId !== null) return []
    // A later boot that has not dialled speaks of a claim of its own.
    const ends = truth.said.filter(
      ({ phase, ...said }) =>
        said.gatewayId === gatewayId &&
        said.openingId === id &&
        (phase === 'ended' || (phase === 'not_dialled' && said.bootId === bootId)),
    )
    const words = ends.map(end => end.reason ?? end.phase)
    if (words.includes(reason ?? undefined)) return []
    if (status === 'completed') return [`A3: ${id} is told as ${reason}, which nobody has said`]
    const by = truth.gateways.find(gateway => gateway.gatewayId === gatewayId)
    return ends.every(({ atMs }) => by && mayBeLost(by, atMs))
      ? []
      : [`A3: ${id} is told as ${reason}, and its gateway said ${words.join(', ')}`]
  })
}

/** What the product's own rules find: counters that a recount does not give, and openings that no press and no report makes. */
const heldByRules = ({ findings }: Truth) =>
  findings.map(({ id, rule, what }) => `A6: ${rule}: ${id}: ${what}`)

/** No guest had more calls than the cap that the access began with; and each call that left the modem is a use. */
function cappedCalls(truth: Truth): string[] {
  return [
    ...truth.caps.flatMap(({ accessId, cap }) => {
      const count = truth.calls.filter(call => openingOf(truth, call)?.accessId === accessId).length
      return cap !== null && count > cap ? [`L1: ${accessId} had ${count} calls of at most ${cap}`] : []
    }),
    ...truth.calls.flatMap(call => {
      const opening = openingOf(truth, call)
      return opening?.accessId && !opening.usageHeld && call.outcome !== 'refused'
        ? [`L1: ${opening.id} called, and its use was given back`]
        : []
    }),
  ]
}

export const recordChecks = [
  noGrantAfter,
  nothingLost,
  ended,
  neverSentAway,
  reported,
  toldTrue,
  toldAsReported,
  heldByRules,
  cappedCalls,
]
