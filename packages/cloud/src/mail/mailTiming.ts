// The times of the mailer: how often it checks the outbox, how long an attempt may take, and when the next one is due.

export const mailTiming = {
  /** How often the mailer checks the outbox. `callgate mail retry` is another process and cannot notify it. */
  pollMs: 5_000,
  /** How long the mailer waits after the transport itself has failed. */
  pauseMs: 60_000,
  /** The limit of one attempt: less than the life of a claim (outbox.ts). */
  sendWithinMs: 180_000,
  stopWithinMs: 5_000,
  firstRetryMs: 60_000,
  longestRetryMs: 4 * 60 * 60 * 1000,
  /** With the delays below, the last attempt is made about 24 h after the first. */
  attempts: 14,
} as const

/**
 * The delay after the failed attempt number `attempts`, in milliseconds: doubling from one minute to four hours, plus or minus up
 * to a tenth by `jitter`, 0…255.
 */
export function retryDelayMs(attempts: number, jitter: number): number {
  const delayMs = Math.min(mailTiming.firstRetryMs * 2 ** (attempts - 1), mailTiming.longestRetryMs)
  return Math.round(delayMs * (0.9 + (0.2 * jitter) / 255))
}
