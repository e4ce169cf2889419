// Checks of two Spaces with one number: one call at a time, and no Space keeps the other one from its gate.

import { foreignHeldAtMostMs, foreignRefusalsPerHour } from '@callgate/contract/wire/timing'
import { overlapMs } from './attribution.ts'
import type { Facts, Opening } from './facts.ts'

/** The share by which the clock of a database may run too fast or too slow in a house. */
const wrongRate = 0.08

const isBetween = (atMs: number, fromMs: number, toMs: number) => fromMs < atMs && atMs < toMs

/** The granted openings of the number, in the order of their grants. */
const grantsOf = ({ rows }: Facts, { phoneNumber }: Opening) =>
  rows
    .flatMap(row =>
      row.phoneNumber === phoneNumber && row.grantedMs !== null ? [{ ...row, grantedMs: row.grantedMs }] : [],
    )
    .sort((a, b) => a.grantedMs - b.grantedMs)

/** The presses that placed no call because another Space called the number, with their times. */
const refusalsOf = ({ ends, rows }: Facts, { phoneNumber }: Opening) =>
  rows.flatMap(row => {
    const atMs = ends.get(row.id)
    const isOwn = row.reason === 'number_in_use' && row.joinedOpeningId === null
    return isOwn && atMs !== undefined && row.phoneNumber === phoneNumber ? [{ row, atMs }] : []
  })

/** The first refusal of the Space since its last grant, up to `atMs`. */
function refusedSinceMs(facts: Facts, of: Opening, atMs: number): number | undefined {
  const granted = grantsOf(facts, of).filter(
    ({ grantedMs, spaceId }) => spaceId === of.spaceId && grantedMs < atMs,
  )
  const fromMs = granted.at(-1)?.grantedMs ?? Number.NEGATIVE_INFINITY
  const refused = refusalsOf(facts, of).filter(
    one => one.row.spaceId === of.spaceId && isBetween(one.atMs, fromMs, atMs),
  )
  return refused.length > 0 ? Math.min(...refused.map(one => one.atMs)) : undefined
}

/**
 * The number of calls of the Space to the number during which others were refused. A grant and a refusal by it may share one
 * commit, and so one time.
 */
function refusingCallsOf(facts: Facts, of: Opening): number {
  const grants = grantsOf(facts, of)
  const refused = refusalsOf(facts, of).filter(({ row }) => row.spaceId !== of.spaceId)
  return grants.filter(({ grantedMs, spaceId }, place) => {
    const toMs = grants[place + 1]?.grantedMs ?? Number.POSITIVE_INFINITY
    return spaceId === of.spaceId && refused.some(({ atMs }) => grantedMs <= atMs && atMs < toMs)
  }).length
}

/** Whether the wall clock by which the minute counts was set in that time. */
const isSet = ({ clockSetMs }: Facts, fromMs: number, toMs: number) =>
  clockSetMs.some(atMs => fromMs <= atMs && atMs <= toMs)

/** Whether another Space took the number before the grant of `next`, while the holder's call still counted. */
const isOverridden = (facts: Facts, holder: Opening, next: Opening) =>
  grantsOf(facts, holder).some(
    grant =>
      grant.spaceId !== holder.spaceId &&
      isBetween(grant.grantedMs, holder.grantedMs ?? 0, next.grantedMs ?? 0) &&
      mayCallBeside(facts, holder, grant),
  )

/**
 * Whether these openings of two Spaces may both be called at once. Any of these allows it: the one that was granted first has had
 * its minute; the Space of the other one has waited for a minute; the first Space has made others wait too often; the wall clock
 * was set in that time; the first one was already overridden for one of these reasons. A grant may reach its gateway after a
 * later grant has reached another, so the order of the calls says nothing.
 */
export function mayCallBeside(facts: Facts, one: Opening, other: Opening): boolean {
  if (one.spaceId === other.spaceId || one.grantedMs === null || other.grantedMs === null) return false
  const [holder, next] = one.grantedMs <= other.grantedMs ? [one, other] : [other, one]
  const grantedMs = Math.max(one.grantedMs, other.grantedMs)
  const sinceMs = Math.min(
    one.grantedMs,
    other.grantedMs,
    refusedSinceMs(facts, next, grantedMs) ?? grantedMs,
  )
  return (
    grantedMs - sinceMs >= foreignHeldAtMostMs * (1 - wrongRate) ||
    refusingCallsOf(facts, holder) >= foreignRefusalsPerHour ||
    isSet(facts, sinceMs, grantedMs) ||
    isOverridden(facts, holder, next)
  )
}

/**
 * Promise L2: a press is refused because of another Space only during the minute of that Space's call, and for at most a minute
 * from the first refused press. The wall clock does not count the stalls of the cloud's machine.
 */
function delayedAMinute(facts: Facts): string[] {
  return facts.rows.flatMap(of => {
    const refused = refusalsOf(facts, of).find(({ row }) => row.id === of.id)
    if (!refused) return []
    const { atMs } = refused
    const isLonger = (fromMs: number) =>
      atMs - fromMs - overlapMs(facts.stood, fromMs, atMs) > foreignHeldAtMostMs * (1 + wrongRate) &&
      !isSet(facts, fromMs, atMs)
    const holder = grantsOf(facts, of).findLast(({ grantedMs }) => grantedMs <= atMs)
    const sinceMs = refusedSinceMs(facts, of, atMs) ?? atMs
    return [
      ...(!holder || holder.spaceId === of.spaceId
        ? [`L2: ${of.id} was refused, and no other Space called`]
        : []),
      ...(holder && isLonger(holder.grantedMs)
        ? [`L2: ${of.id} was refused for a call of ${atMs - holder.grantedMs} ms before`]
        : []),
      ...(isLonger(sinceMs)
        ? [`L2: ${of.id} was refused ${atMs - sinceMs} ms after the first press that was`]
        : []),
    ]
  })
}

/**
 * Promise L2: the calls of a Space to one number cause refusals for others only a few times in an hour. A run may lie in two
 * hours.
 */
function refusesSeldom(facts: Facts): string[] {
  const firsts = new Map(facts.rows.map(row => [`${row.spaceId} ${row.phoneNumber}`, row]))
  return [...firsts.values()].flatMap(row => {
    const calls = refusingCallsOf(facts, row)
    return calls > 2 * foreignRefusalsPerHour && facts.clockSetMs.length === 0
      ? [`L2: ${calls} calls of ${row.spaceId} refused others`]
      : []
  })
}

export const spaceChecks = [delayedAMinute, refusesSeldom]
