// When a delivery is tried again, and when a webhook is given up.

const minuteMs = 60_000
const hourMs = 60 * minuteMs

/** The delay after each failed attempt. After the last one the delivery is given up. */
const delaysMs: readonly number[] = [
  5_000,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]
const longestMs = 24 * hourMs

/**
 * The delay after the failed attempt number `attempts`, in milliseconds, plus or minus up to a tenth by `jitter`, 0…255; undefined
 * after the last attempt. An answer that asks for more time gets it, up to a day.
 */
export function retryDelayMs(
  attempts: number,
  jitter: number,
  retryAfterMs: number | undefined,
): number | undefined {
  const delayMs = delaysMs[attempts - 1]
  if (delayMs === undefined) return undefined
  const spread = Math.round(delayMs * (0.9 + (0.2 * jitter) / 255))
  return Math.max(spread, Math.min(retryAfterMs ?? 0, longestMs))
}

/** The time in `Retry-After`, in milliseconds from now: seconds or a date (RFC 9110, 10.2.3). */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1_000
  const atMs = header.endsWith(' GMT') ? Date.parse(header) : Number.NaN
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs)
}

/** From so many failures in a row on, one delivery at a time is tried. */
export const probedFrom = 5
/** A webhook that nothing reaches for so long is switched off. Milliseconds. */
export const failsForMs = 5 * 24 * hourMs

/** How a webhook has answered lately. */
export interface WebhookHealth {
  /** Failed attempts in a row. */
  readonly failures: number
  readonly failingSince: string | null
  /** Whether an attempt has ever reached its address. */
  readonly isReached: boolean
}

/** The end of an attempt. */
export interface AttemptEnd {
  /** When it began. */
  readonly at: string
  readonly isDelivered: boolean
  /** It answered 410: nothing more is wanted there. */
  readonly isGone: boolean
}

/** What an attempt says of its webhook, and why that is switched off. */
export function healthAfter(
  before: WebhookHealth,
  { at, isDelivered, isGone }: AttemptEnd,
): WebhookHealth & { readonly stops: 'gone' | 'failing' | undefined } {
  if (isDelivered) return { failures: 0, failingSince: null, isReached: true, stops: undefined }
  const failingSince = before.failingSince ?? at
  const isOver = Date.parse(at) - Date.parse(failingSince) >= failsForMs
  const stops = isGone ? 'gone' : isOver ? 'failing' : undefined
  return { ...before, failures: before.failures + 1, failingSince, stops }
}
