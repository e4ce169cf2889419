// Rate limits: three buckets per key and per user, never exceeded in any 60 s, and the headers that show the state of a key.

import type { RateClass } from '@callgate/contract/rest/operation'
import type { Problem } from '@callgate/contract/rest/problem'
import { rateLimits, userReads } from '@callgate/contract/rest/rateLimits'
import type { World } from '@callgate/world/world'
import type { LimitStatus } from '../core/limiter.ts'
import type { Earlier, KeyLimiter, LimiterOptions, Limits } from '../limit/limits.ts'

/** The buckets that are counted separately: users have reads of their own, and the other buckets are those of keys. */
export type Bucket = RateClass | 'userRead'

const buckets = { ...rateLimits, userRead: userReads }

/** The words for what each bucket counts. */
const nouns = {
  read: 'reading requests',
  write: 'writing requests',
  open: 'openings',
  userRead: 'reading requests',
} as const satisfies Record<Bucket, string>

/** An opening that a key or a user has requested, with its time (RFC 3339). */
export interface AskedOpening {
  readonly askerId: string
  readonly calledAt: string
}

/** Counts the requests of keys and users. */
export interface RateLimits {
  take(askerId: string, bucket: Bucket): LimitStatus | Promise<LimitStatus>
  /** Reads the state without counting a request. */
  peek(askerId: string, bucket: Bucket): LimitStatus | Promise<LimitStatus>
}

/**
 * Three limits for each key and each user. In a cloud alone they begin empty with the process, except for openings:
 * `openingsSince` reads those of the earlier process, so that a restart does not allow more.
 */
export function createRateLimits(
  { limits, world }: { readonly limits: Limits; readonly world: World },
  openingsSince: (sinceMs: number) => Promise<readonly AskedOpening[]>,
): RateLimits {
  async function earlier(): Promise<readonly Earlier[]> {
    const nowMs = world.nowMs()
    const openings = await openingsSince(nowMs - rateLimits.open.windowS * 1000)
    return openings.map(({ askerId, calledAt }) => ({
      key: askerId,
      agoMs: Math.max(0, nowMs - Date.parse(calledAt)),
    }))
  }
  const counter = (bucket: Bucket, options?: LimiterOptions) => {
    const { requests, windowS } = buckets[bucket]
    return limits.limiter(bucket, { most: requests, windowMs: windowS * 1000 }, options)
  }
  const counters: Readonly<Record<Bucket, KeyLimiter>> = {
    read: counter('read'),
    userRead: counter('userRead'),
    write: counter('write'),
    open: counter('open', { earlier }),
  }
  return {
    take: (askerId, bucket) => counters[bucket].take(askerId),
    peek: (askerId, bucket) => counters[bucket].peek(askerId),
  }
}

/** Whole seconds until one more is allowed. */
function nextS({ nextMs }: LimitStatus): number {
  return Math.ceil(nextMs / 1000)
}

/** `RateLimit-Policy` and `RateLimit` (draft-ietf-httpapi-ratelimit-headers-10); `t` is the time until one more is free. */
export function rateHeaders(bucket: Bucket, status: LimitStatus): Record<string, string> {
  const { name, requests, windowS } = buckets[bucket]
  return {
    'RateLimit-Policy': `"${name}";q=${requests};w=${windowS}`,
    RateLimit: `"${name}";r=${status.remaining};t=${nextS(status)}`,
  }
}

/** `who` begins the sentence: "An API key". */
export function rateProblem(who: string, bucket: Bucket, status: LimitStatus): Problem {
  const { requests, windowS } = buckets[bucket]
  const afterS = nextS(status)
  return {
    problem: 'rate_limited',
    message: `${who} may make at most ${requests} ${nouns[bucket]} in any ${windowS} s. Another is taken in ${afterS} s.`,
    headers: { 'Retry-After': String(afterS) },
  }
}
