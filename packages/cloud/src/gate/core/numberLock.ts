// Decides whether a call of another Space keeps a number. A number takes one call, but no Space may lock the gate of a stranger.

import { foreignHeldAtMostMs, foreignRefusalsPerHour } from '@callgate/contract/wire/timing'
import { coolDownOf, type OpeningRow } from '../../core/opening.ts'

/** The state of a number that was called lately. Times in milliseconds since the epoch. */
export interface NumberLock {
  /** The last granted opening, and its Space. */
  readonly openingId: string
  readonly spaceId: string
  readonly heldSinceMs: number
  /** Whether it has refused a press of another Space. */
  readonly hasRefused: boolean
  /** Since when each Space has been refused, if it was not granted since. */
  readonly waits: Readonly<Record<string, number>>
  /** In how many of its calls each Space has refused others, in one hour since the epoch. */
  readonly refusals: Readonly<Record<string, { readonly hour: number; readonly calls: number }>>
}

export type Holder = Pick<OpeningRow, 'lockedNumber' | 'completedAt' | 'opened' | 'grantedProfile' | 'status'>

/** A request for the number. */
export interface NumberRequest {
  readonly openingId: string
  readonly spaceId: string
  readonly nowMs: number
}

export interface NumberDecision {
  readonly kind: 'take' | 'refuse'
  readonly lock: NumberLock
  /** The number is taken although the call of the other Space may still be running, or the gate may be moving. */
  readonly isOverridden: boolean
}

const hourMs = 3_600_000
/** How long a refused Space that does not press again counts as waiting. */
const waitsKeptMs = 600_000

/** Until when a call keeps its number: to its end, and until the gate has come to rest. */
export function keptUntilMs(holder: Holder | undefined): number {
  if (!holder) return Number.NEGATIVE_INFINITY
  if (holder.lockedNumber !== null || holder.completedAt === null) return Number.POSITIVE_INFINITY
  if (holder.opened === 'no' || holder.grantedProfile === null) return Number.NEGATIVE_INFINITY
  return Date.parse(holder.completedAt) + coolDownOf(holder)
}

const isNear = (aMs: number, bMs: number, withinMs: number) => Math.abs(aMs - bMs) < withinMs

function refusalsOf({ refusals }: NumberLock, spaceId: string, hour: number): number {
  const counted = refusals[spaceId]
  return counted?.hour === hour ? counted.calls : 0
}

/**
 * Decides on a claim whose number another Space has called last. That call counts for a minute from its grant, for a minute from
 * the first press of the asking Space that it or another call has refused, and in few calls an hour. Beyond that the number is
 * free.
 */
export function askForNumber(
  lock: NumberLock,
  holder: Holder | undefined,
  { nowMs, openingId, spaceId }: NumberRequest,
): NumberDecision {
  const hour = Math.floor(nowMs / hourMs)
  const waiting = Object.entries(lock.waits).filter(([, sinceMs]) => isNear(nowMs, sinceMs, waitsKeptMs))
  const refusals = Object.fromEntries(Object.entries(lock.refusals).filter(([, of]) => of.hour === hour))
  const isKept = nowMs < keptUntilMs(holder)
  const since = waiting.find(([id]) => id === spaceId)?.[1] ?? nowMs
  const calls = refusalsOf(lock, lock.spaceId, hour)
  const counts =
    isKept &&
    isNear(nowMs, lock.heldSinceMs, foreignHeldAtMostMs) &&
    isNear(nowMs, since, foreignHeldAtMostMs) &&
    (lock.hasRefused || calls < foreignRefusalsPerHour)
  if (!counts) {
    const waits = Object.fromEntries(waiting.filter(([id]) => id !== spaceId))
    const taken = { openingId, spaceId, heldSinceMs: nowMs, hasRefused: false, waits, refusals }
    return { kind: 'take', lock: taken, isOverridden: isKept }
  }
  const waits = { ...Object.fromEntries(waiting), [spaceId]: since }
  const counted = lock.hasRefused ? refusals : { ...refusals, [lock.spaceId]: { hour, calls: calls + 1 } }
  return {
    kind: 'refuse',
    lock: { ...lock, hasRefused: true, waits, refusals: counted },
    isOverridden: false,
  }
}
