// What the clock of the database's server showed, by this process's own clock: so an age holds also where that clock was set.

import { claimFreshMs } from '@callgate/contract/wire/timing'

/** A time of the server, and when it was read by a clock that is never set; milliseconds both. */
interface Reading {
  readonly serverMs: number
  readonly ownMs: number
}

/** For so long by the own clock the server's clock was ahead of it by `aheadMs`. */
interface Stretch {
  readonly aheadMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** The server's clock over the last minutes; the newest stretch is the last one. */
export type ServerTimes = readonly Stretch[]

/** A smaller difference is the network's, or a clock that is a little fast. */
const likeMs = 100

/**
 * The times with one more reading; what ended more than `keptMs` before it is dropped. Where the server's clock was set, it
 * may have been at any moment since the last reading.
 */
export function withReading(times: ServerTimes, { ownMs, serverMs }: Reading, keptMs: number): ServerTimes {
  const aheadMs = serverMs - ownMs
  const kept = times.filter(({ toMs }) => toMs >= ownMs - keptMs)
  const last = kept.at(-1)
  const now = { aheadMs, fromMs: last?.toMs ?? ownMs, toMs: ownMs }
  if (!last) return [now]
  const until = { ...last, toMs: ownMs }
  return Math.abs(last.aheadMs - aheadMs) < likeMs
    ? [...kept.slice(0, -1), until]
    : [...kept.slice(0, -1), until, now]
}

/**
 * How long ago the server's clock may have shown `atMs`, by the newest reading. It counts as having gone before the first
 * reading as it did then. An end is dated by the grant and what the gateway has counted since: where the clock was set in
 * between, it never showed that time, so each clock counts on to now, and `laterMs` further.
 */
function agosMs(times: ServerTimes, atMs: number, laterMs: number): readonly number[] {
  const newest = times.at(-1)
  if (!newest) return []
  const byServerMs = newest.toMs + newest.aheadMs - atMs
  const known = times
    .filter(({ aheadMs, fromMs }, place) => {
      const ownMs = atMs - aheadMs
      return (place === 0 || fromMs - likeMs <= ownMs) && ownMs <= newest.toMs + laterMs
    })
    .map(({ aheadMs }) => Math.max(0, newest.toMs + aheadMs - atMs))
  return byServerMs < 0 ? known : [byServerMs, ...known]
}

/**
 * How long ago, at least, the server's clock showed `atMs`; undefined where nobody knows. The gateway counts from when it sent
 * its claim, and the grant is dated by when the claim came: so an end may be dated later than it is by the way of a claim.
 */
export function leastAgoMs(times: ServerTimes, atMs: number): number | undefined {
  const all = agosMs(times, atMs, claimFreshMs + likeMs)
  return all.length > 0 ? Math.min(...all) : undefined
}

/** The same, at most. */
export function mostAgoMs(times: ServerTimes, atMs: number): number | undefined {
  const all = agosMs(times, atMs, likeMs)
  return all.length > 0 ? Math.max(...all) : undefined
}
