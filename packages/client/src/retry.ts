// Retries: which failures are tried again, and after how long. Pure.

import { passingReasons } from '@callgate/contract/call/passingReasons'
import type { Failure } from './types.ts'

export interface Pace {
  /** The wait before the second try is up to this; it doubles from try to try, up to `longestMs`. */
  readonly firstMs: number
  readonly longestMs: number
}

export const pace: Pace = { firstMs: 500, longestMs: 15_000 }

/**
 * After its press a gate is opened now or never: whoever pressed may have gone. So no try of an opening begins later, since
 * it could be the first that reaches the service.
 */
export const pressWithinMs = 15_000

/** Before a gate is called again: a busy number, for one, needs about 10 seconds. */
export const betweenOpeningsMs = 10_000

/**
 * Whether the same request may be sent again. Every request of the client is harmless to repeat: GET and DELETE by what
 * they do, POST and PATCH by their Idempotency-Key. `open_failed` is an outcome, kept for the key: to ask again would
 * only hear it again.
 */
export function isWorthAnotherTry({ code, status }: Failure): boolean {
  if (code === 'network_error' || code === 'rate_limited') return true
  if (code === 'open_failed' || code === 'deadline_exceeded' || code === 'aborted') return false
  return status !== null && status >= 500
}

/** The same for an opening: one that came too often was refused, and is not made when whoever pressed may have gone. */
export function isWorthAnotherPress(failure: Failure): boolean {
  return failure.code !== 'rate_limited' && isWorthAnotherTry(failure)
}

/** Whether the gate may be called again: only where the service said that it is safe, and where it can help. */
export function isWorthAnotherOpening({ code, reason, safeToRetry }: Failure): boolean {
  return code === 'open_failed' && safeToRetry && passingReasons.some(passing => passing === reason)
}

/**
 * Milliseconds before try number `attempt` + 1: exponential, with jitter of a half, so that many clients do not come
 * back together; never sooner than the service said. `random` is from 0 up to 1.
 */
export function waitMs(attempt: number, retryAfterMs: number | null, random: number): number {
  const fullMs = Math.min(pace.longestMs, pace.firstMs * 2 ** (attempt - 1))
  const backoffMs = fullMs * (0.5 + random / 2)
  return retryAfterMs === null ? backoffMs : retryAfterMs + backoffMs * 0.1
}
