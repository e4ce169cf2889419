// Rate limits: how many requests each of a key's three buckets takes (specification, section 8).

import type { RateClass } from './operation.ts'

/** What the headers call each bucket, and how many requests it takes in any `windowS` seconds. */
export const rateLimits = {
  read: { name: 'default', requests: 120, windowS: 60 },
  write: { name: 'write', requests: 30, windowS: 60 },
  open: { name: 'open', requests: 10, windowS: 60 },
} as const satisfies Record<RateClass, { name: string; requests: number; windowS: number }>
