// Rate limits: how many requests each of a key's three buckets accepts (specification, section 8).

import type { RateClass } from './operation.ts'

interface RateLimit {
  readonly name: string
  readonly requests: number
  readonly windowS: number
}

/** The name of each bucket in the headers, and how many requests it accepts in any `windowS` seconds. */
export const rateLimits = {
  read: { name: 'default', requests: 120, windowS: 60 },
  write: { name: 'write', requests: 30, windowS: 60 },
  open: { name: 'open', requests: 10, windowS: 60 },
} as const satisfies Record<RateClass, RateLimit>

/**
 * How many reads a user of the dashboard may make, in all sessions together. A page needs up to ten reads. The limit allows
 * thirty pages a minute and the further reads that events cause.
 */
export const userReads = { name: 'default', requests: 400, windowS: 60 } as const satisfies RateLimit
