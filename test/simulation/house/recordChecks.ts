// Checks of the records of a simulation: nothing lost, ended in time, true, allowed, and counted.

import { terminalWithinMs } from '@callgate/contract/wire/timing'
import { openingOf, overlapMs, pressedMs } from './attribution.ts'
import type { Span } from './spans.ts'
import type { Call, Gateway, Row, Truth } from './truth.ts'

/** Promise P3: no grant after a change that forbids it was committed. */
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

/** Promise A1: every accepted opening is still recorded, and there are not more records than presses. */
function nothingLost({ accepted, presses, rows }: Truth): string[] {
  return [
    ...accepted
      .filter(({ openingId }) => !rows.some(row => row.id === openingId))
      .map(({ openingId }) => `A1: ${openingId} was accepted and is gone`),
    ...(rows.length > presses ? [`A1: ${rows.length} records for ${presses} presses`] : []),
  ]
}

/** The time that the cloud needs after a restart to end overdue openings. */
const backWithinMs = 5_000
/** A timer is up to 1 ms late, and after a restart the age of an opening comes from two times in whole milliseconds. */
const lateAtMostMs = 3

/**
 * When an opening must have ended at the latest: in time, or soon after the cloud is back. Time in which the cloud's machine
 * stood still does not count, nor what the clock of the database lost: the age of what another cloud has left is measured by it. After a restart with another wall clock the cloud cannot know the age of an opening.
 */
function endsByMs({ away, clockSetMs, databaseSlow, drift, stood }: Truth, fromMs: number): number {
  const lostMs = databaseSlow.reduce(
    (sum, span) => sum + span.share * overlapMs([span], fromMs, fromMs + terminalWithinMs),
    0,
  )
  const spans = [
    ...away.map(span => ({ ...span, isAway: true })),
    ...stood.map(span => ({ ...span, isAway: false })),
  ]
  return spans
    .sort((a, b) => a.fromMs - b.fromMs)
    .reduce(
      (byMs, span) => {
        if (!span.isAway)
          return span.fromMs <= byMs ? byMs + Math.max(0, span.toMs - Math.max(span.fromMs, fromMs)) : byMs
        const isSet = clockSetMs.some(atMs => atMs >= fromMs && atMs <= span.toMs)
        const backMs = span.toMs + (isSet ? terminalWithinMs : backWithinMs)
        return span.fromMs <= byMs + lateAtMostMs && byMs < backMs ? backMs : byMs
      },
      fromMs + terminalWithinMs * (1 + drift) + lostMs,
    )
}

/** Promise A2. The time of the end is that of the commit, not the one in the record. */
function ended(truth: Truth): string[] {
  return truth.rows.flatMap(row => {
    const { id, joinedOpeningId, status } = row
    if (status === 'initiated' || status === 'connected') return [`A2: ${id} is still ${status}`]
    const fromMs = pressedMs(truth, row)
    const endMs = truth.ends.get(id) ?? Number.POSITIVE_INFINITY
    // It ends as the call that it joined, whose time may have begun before a fault that it did not meet itself.
    const leader = truth.rows.find(other => other.id === joinedOpeningId)
    const byMs = Math.max(
      ...[row, ...(leader ? [leader] : [])].map(one => endsByMs(truth, pressedMs(truth, one))),
    )
    return endMs >= byMs + lateAtMostMs ? [`A2: ${id} ended ${endMs - fromMs} ms after its press`] : []
  })
}

/**
 * Promise G2: a gateway has one daemon at a time here, so the cloud must not refuse the one that runs, whatever messages
 * of older boots still come.
 */
function neverRefused({ gateways }: Truth): string[] {
  return gateways.flatMap(({ name, refusals }) =>
    refusals.map(({ atMs, why }) => `G2: the cloud refused the daemon of ${name} at ${atMs} ms: ${why}`),
  )
}

function reported({ gateways }: Truth): string[] {
  return gateways.flatMap(({ isReady, name, unreported }) => [
    ...unreported.map(id => `A3: ${name} has not reported ${id}`),
    ...(isReady ? [] : [`A3: ${name} is not back`]),
  ])
}

/** From an ATD to the soonest reaction of a gate, as the verdict counts it. */
const soonestReactionMs = 4_000

/**
 * Whether the line lost what the modem said in this call while the gateway's machine stood still with its clocks, and by
 * these clocks the call ended before a gate can have reacted. No program on that machine can know of it; the page of the
 * promises says so.
 */
function wasDeaf({ gateways }: Truth, { atMs: writtenMs, endedAtMs, gatewayId, readMs }: Call): boolean {
  if (endedAtMs === undefined) return false
  const { lostReplies = [], stood = [] } = gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  const isWithin = (atMs: number, { fromMs, toMs }: Span) => fromMs <= atMs && atMs <= toMs
  const isLost = lostReplies.some(
    atMs => isWithin(atMs, { fromMs: readMs, toMs: endedAtMs }) && stood.some(span => isWithin(atMs, span)),
  )
  const ownMs = endedAtMs - writtenMs - overlapMs(stood, writtenMs, endedAtMs)
  return isLost && ownMs < soonestReactionMs
}

function recordedTruly(truth: Truth): string[] {
  return truth.rows.flatMap(row => {
    if (row.joinedOpeningId !== null) return []
    const isSure = row.confidence === 'certain' || row.confidence === 'likely'
    const moving = truth.calls.filter(call => call.relayFired && openingOf(truth, call)?.id === row.id)
    const hasMoved = moving.length > 0
    const isHeard = hasMoved && !moving.every(call => wasDeaf(truth, call))
    if (isHeard && row.safeToRetry === 1)
      return [`A3: ${row.id} is recorded as safe to retry, and the gate moved`]
    if (!isSure) return []
    if (isHeard && row.opened === 'no') return [`A3: ${row.id} is recorded as not opened, and the gate moved`]
    return row.status === 'completed' && !hasMoved
      ? [`A3: ${row.id} is recorded as opened, and the gate did not move`]
      : []
  })
}

/**
 * Whether a report that was sent at `atMs` may have been missing on the disk when the daemon started again. The daemon sends
 * a report before it is written, and before a failed write is tried again.
 */
function mayBeLost({ badDisk, starts }: Gateway, atMs: number): boolean {
  const isBad = badDisk.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)
  return starts.some(
    start => start.atMs >= atMs && (start.leftover !== 'kept' || isBad || start.diedMs === atMs),
  )
}

/** Promise A3: a record says what the gateway reported, unless the report was lost with a journal. */
function recordedAsReported(truth: Truth): string[] {
  return truth.rows.flatMap(({ bootId, gatewayId, id, joinedOpeningId, reason, status }) => {
    if (gatewayId === null || joinedOpeningId !== null) return []
    // When a later boot reports that it did not dial, it means its own claim.
    const ends = truth.sent.filter(
      ({ phase, ...message }) =>
        message.gatewayId === gatewayId &&
        message.openingId === id &&
        (phase === 'ended' || (phase === 'not_dialled' && message.bootId === bootId)),
    )
    const words = ends.map(end => end.reason ?? end.phase)
    if (words.includes(reason ?? undefined)) return []
    if (status === 'completed') return [`A3: ${id} is recorded as ${reason}, which no gateway has reported`]
    const by = truth.gateways.find(gateway => gateway.gatewayId === gatewayId)
    return ends.every(({ atMs }) => by && mayBeLost(by, atMs))
      ? []
      : [`A3: ${id} is recorded as ${reason}, and its gateway reported ${words.join(', ')}`]
  })
}

/** Promise A6: the rules of `callgate verify` find no wrong counter and no impossible opening. */
const passesVerify = ({ findings }: Truth) =>
  findings.map(({ id, rule, what }) => `A6: ${rule}: ${id}: ${what}`)

/** Promise L1: no guest has more calls than the first cap of the access, and each call that left the modem is a use. */
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
  neverRefused,
  reported,
  recordedTruly,
  recordedAsReported,
  passesVerify,
  cappedCalls,
]
