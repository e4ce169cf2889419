// Records what the database server's clock showed by this process's own clock, so that ages stay right where that clock is set.

import { claimFreshMs } from '@callgate/contract/wire/timing'

/** A time of the server, and the reading of a clock that is never set; both in milliseconds. */
interface Reading {
  readonly serverMs: number
  readonly ownMs: number
}

/** A time by the own clock during which the server's clock was ahead of it by `aheadMs`. */
interface Stretch {
  readonly aheadMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** The server's clock over the last minutes, the newest stretch last. */
export type ServerTimes = readonly Stretch[]

/** A smaller difference comes from the network, or from a clock that runs a little fast. */
const likeMs = 100

/**
 * Adds a reading, and drops stretches that ended more than `keptMs` before it. Where the server's clock was set, that may have
 * happened at any moment since the last reading, so both stretches cover that time.
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
 * All possible times since the server's clock showed `atMs`, as of the newest reading. Before the first reading, the clock counts
 * as unset. An end is dated by the grant plus what the gateway has counted since. Where the clock was set in between, it never
 * showed that date, so each stretch is extended to now, and by `laterMs` beyond.
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
 * The least time since the server's clock showed `atMs`; undefined where it is unknown. The gateway counts from the moment it
 * sent its claim, but the grant is dated by the arrival of the claim. So an end may be dated too late by the travel time of a
 * claim.
 */
export function leastAgoMs(times: ServerTimes, atMs: number): number | undefined {
  const all = agosMs(times, atMs, claimFreshMs + likeMs)
  return all.length > 0 ? Math.min(...all) : undefined
}

/** The greatest time since the server's clock showed `atMs`; undefined where it is unknown. */
export function mostAgoMs(times: ServerTimes, atMs: number): number | undefined {
  const all = agosMs(times, atMs, likeMs)
  return all.length > 0 ? Math.max(...all) : undefined
}
