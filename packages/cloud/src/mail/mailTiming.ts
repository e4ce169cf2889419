// The times of the mailer: how often it looks, how long an attempt may take, and when the next one comes.

export const mailTiming = {
  /** How often the mailer looks at the outbox. `callgate mail retry` is another process and cannot notify it. */
  pollMs: 5_000,
  /** How long the mailer waits after the transport itself has failed. */
  pauseMs: 60_000,
  /** The limit of one attempt: less than the life of a claim (outbox.ts). */
  sendWithinMs: 180_000,
  stopWithinMs: 5_000,
  firstRetryMs: 60_000,
  longestRetryMs: 4 * 60 * 60 * 1000,
  /** With the delays below: the last attempt comes about 24 h after the first. */
  attempts: 14,
} as const

/**
 * Milliseconds from the failed attempt number `attempts` to the next: doubling from one minute to four hours, and up to
 * a tenth more or less by `jitter`, 0…255.
 */
export function retryDelayMs(attempts: number, jitter: number): number {
  const delayMs = Math.min(mailTiming.firstRetryMs * 2 ** (attempts - 1), mailTiming.longestRetryMs)
  return Math.round(delayMs * (0.9 + (0.2 * jitter) / 255))
}
