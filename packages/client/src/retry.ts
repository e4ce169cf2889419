// Retries: which failures are retried, and after which delay. Pure.

import type { Failure } from './types.ts'

export interface Pace {
  /** The longest pause before the second try. It doubles with each try, up to `longestMs`. */
  readonly firstMs: number
  readonly longestMs: number
}

export const pace: Pace = { firstMs: 500, longestMs: 15_000 }

/**
 * A gate is opened soon after its press or not at all, because the person may have left later. So no try of an opening begins
 * after this time: it could be the first one that reaches the service.
 */
export const pressWithinMs = 15_000

/** The pause before a gate is called again: a busy number needs about 10 seconds, for example. */
export const betweenOpeningsMs = 10_000

/**
 * Whether the same request may be sent again. Every request of the client is harmless to repeat: GET and DELETE by
 * nature, POST and PATCH by their Idempotency-Key. `open_failed` is an outcome that the service keeps for the key: the
 * same request would get the same answer.
 */
export function isWorthAnotherTry({ code, status }: Failure): boolean {
  if (code === 'network_error' || code === 'rate_limited') return true
  if (code === 'open_failed' || code === 'deadline_exceeded' || code === 'aborted') return false
  return status !== null && status >= 500
}

/** The same for an opening. It is not retried after its rate limit, because the person may have left by then. */
export function isWorthAnotherPress(failure: Failure): boolean {
  return failure.code !== 'rate_limited' && isWorthAnotherTry(failure)
}

/** Whether the gate may be called again: only when the service says that nothing moved and that it can help. */
export function isWorthAnotherOpening({ code, safeToRetry }: Failure): boolean {
  return code === 'open_failed' && safeToRetry
}

/**
 * Milliseconds before try number `attempt` + 1. They grow exponentially, with a jitter of one half, so that many clients
 * do not come back together. The try is never sooner than the service said. `random` is from 0 up to 1.
 */
export function waitMs(attempt: number, retryAfterMs: number | null, random: number): number {
  const fullMs = Math.min(pace.longestMs, pace.firstMs * 2 ** (attempt - 1))
  const backoffMs = fullMs * (0.5 + random / 2)
  return retryAfterMs === null ? backoffMs : retryAfterMs + backoffMs * 0.1
}
