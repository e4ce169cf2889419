// The time limits of the exchange, each named once, in milliseconds; docs/exchange.md gives the reasons.

/** From the acceptance of an opening to its grant. */
export const grantWithinMs = 12_000
/** The age of a claim, by the gateway's own clocks, up to which it may still lead to a dial. */
export const claimFreshMs = 6_000
/** From one hint to the next, until the opening is claimed; then the next gateway is asked as well. */
export const hintEveryMs = 2_000
/** From the acceptance to the end of the HTTP request. */
export const answerWithinMs = 50_000
/** From the acceptance to the opening's end in the cloud. */
export const terminalWithinMs = 90_000
/** From a restart of the cloud to the end of the openings that are overdue. */
export const terminalAfterRestartMs = 5_000
/** From the acceptance, or a restart of the cloud, to the release of the phone number; by the clock that moved least. */
export const lockedAtMostMs = 100_000
/**
 * How long the call of one Space keeps its number from another Space: from the grant of that call, and from the first press
 * of the other one that was refused.
 */
export const foreignHeldAtMostMs = 60_000
/** In how many of its calls to one number a Space may do so in an hour. */
export const foreignRefusalsPerHour = 10
/** The longest time between two beats; the shortest is a fiftieth less, so that gateways do not send beats in step. */
export const beatEveryMs = 10_000
/** From one beat to the next at first, while the cloud has not taken up the boot. */
export const firstBeatsEveryMs = 2_000
/** How long the nonce of a challenge to a boot can be answered: longer than any usable uplink takes. */
export const challengeWithinMs = 30_000
export const offlineAfterMs = 30_000
/** The age of the beat in a task, by the gateway's own clocks, up to which the task is accepted. */
export const taskFreshMs = 60_000
/** How long a task waits at the gateway while openings wait or run. */
export const taskWaitsMs = 45_000
/** The pause between two sendings of a task, until the gateway has reported its end. */
export const taskEveryMs = 5_000
/** The time from the request to the end of a task in the cloud, by its kind. */
export const taskEndsWithinMs = { ussd: 150_000, sms: 270_000, update: 150_000 } as const
/** How long the gateway waits for the module's answer to a message (SMS). */
export const smsAnswerWithinMs = 120_000
