// Checks of the records that need facts of the simulation alone: ended in time, allowed, and counted.

import { terminalWithinMs } from '@callgate/contract/wire/timing'
import { openingOf, overlapMs, pressedMs } from '../../checker/attribution.ts'
import type { Row, Truth } from './truth.ts'

/** Promise P3: no grant comes after the commit of a change that forbids it. */
function noGrantAfter(truth: Truth): string[] {
  return truth.forbidden.flatMap(({ atMs, change, of, untilMs = Number.POSITIVE_INFINITY }) => {
    const conditions = Object.entries(of)
    const isMeant = (row: Row) => conditions.every(([key, value]) => row[key as keyof typeof of] === value)
    return truth.rows
      .filter(row => conditions.length > 0 && isMeant(row))
      .filter(({ grantedMs }) => grantedMs !== null && grantedMs > atMs && grantedMs < untilMs)
      .map(({ id }) => `P3: ${id} was granted after: ${change}`)
  })
}

/** The time that the cloud needs after a restart to end overdue openings. */
const backWithinMs = 5_000
/** A timer is up to 1 ms late, and after a restart the age of an opening comes from two times in whole milliseconds. */
const lateAtMostMs = 3

/**
 * The latest time at which an opening must have ended: in time, or soon after the cloud is back. Three times do not count: stalls
 * of the cloud's machine, waits for the connection of a database that others use, and what the clock of the database lost, by
 * which the age of another cloud's openings is measured. A stall may begin while the end is written.
 * After a restart with another wall clock the cloud cannot know the age of an opening.
 */
function endsByMs(
  { away, clockSetMs, databaseSlow, databaseWaits = [], drift, stood }: Truth,
  fromMs: number,
): number {
  const lostMs = databaseSlow.reduce(
    (sum, span) => sum + span.share * overlapMs([span], fromMs, fromMs + terminalWithinMs),
    0,
  )
  const spans = [
    ...away.map(span => ({ ...span, isAway: true })),
    ...[...stood, ...databaseWaits].map(span => ({ ...span, isAway: false })),
  ]
  return spans
    .sort((a, b) => a.fromMs - b.fromMs)
    .reduce(
      (byMs, span) => {
        if (!span.isAway)
          return span.fromMs <= byMs + lateAtMostMs
            ? byMs + Math.max(0, span.toMs - Math.max(span.fromMs, fromMs))
            : byMs
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
    if (status === 'initiated' || status === 'connected') return []
    const fromMs = pressedMs(truth, row)
    const endMs = truth.ends.get(id) ?? Number.POSITIVE_INFINITY
    // It ends with the call that it joined, which may have begun before a fault that the joiner itself did not meet.
    const leader = truth.rows.find(other => other.id === joinedOpeningId)
    const byMs = Math.max(
      ...[row, ...(leader ? [leader] : [])].map(one => endsByMs(truth, pressedMs(truth, one))),
    )
    return endMs >= byMs + lateAtMostMs + (truth.endTakesMs ?? 0)
      ? [`A2: ${id} ended ${endMs - fromMs} ms after its press`]
      : []
  })
}

/**
 * Promise G2: a gateway has one daemon at a time here, so the cloud must not refuse the running one, whatever messages of older
 * boots still arrive.
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

/** Promise A6: the rules of `callgate verify` find no wrong counter and no impossible opening. */
const passesVerify = ({ findings }: Truth) =>
  findings.map(({ id, rule, what }) => `A6: ${rule}: ${id}: ${what}`)

/** Promise L1: no guest has more calls than the first cap of the access, and each call that left the modem counts as a use. */
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

export const recordChecks = [noGrantAfter, ended, neverRefused, reported, passesVerify, cappedCalls]
