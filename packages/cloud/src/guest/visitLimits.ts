// Limits requests for the guests' pages: by link and by address.

import type { LimitStatus } from '../core/limiter.ts'
import type { Limits } from '../limit/limits.ts'

/** The page of an opening reloads every 2 s, on more than one device at a time. */
const linkLimit = { most: 120, windowMs: 60_000 } as const
/** A browser keeps a photo, so a link needs each once. They must not use up the pages. */
const photoLimit = { most: 240, windowMs: 60_000 } as const
/** For unknown links. Valid links have limits of their own, because many guests can share an address. */
const addressLimit = { most: 600, windowMs: 60_000 } as const

/** What a request behind a link asks for. */
export type Visited = 'page' | 'photo'

export interface VisitLimits {
  /** Counts a request from an address for an unknown link. */
  from(address: string): LimitStatus | Promise<LimitStatus>
  /** Counts a request for a page or a photo behind a member's link. */
  of(memberId: string, what: Visited): LimitStatus | Promise<LimitStatus>
}

export function visitLimits(limits: Limits): VisitLimits {
  const links = {
    page: limits.limiter('pages of a link', linkLimit),
    photo: limits.limiter('photos of a link', photoLimit),
  }
  const addresses = limits.limiter('pages of no link', addressLimit)
  return {
    from: address => addresses.take(address),
    of: (memberId, what) => links[what].take(memberId),
  }
}
