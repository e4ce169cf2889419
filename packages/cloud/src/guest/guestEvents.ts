// The stream of one opening for the guest who pressed it: each step as it happens, while the link is alive.

import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Router } from '@koa/router'
import type { Context } from 'koa'
import { addressGroup } from '../core/connectionLimiter.ts'
import type { LimitStatus } from '../core/limiter.ts'
import type { Database } from '../database/database.ts'
import type { EventStream, EventStreams, StreamReader } from '../event/eventStreams.ts'
import { openingStream } from '../history/openingStream.ts'
import { answerProblem, unavailable } from '../http/answerError.ts'
import type { Limits } from '../limit/limits.ts'
import { findMemberByToken, linkHashOf } from '../member/memberLinks.ts'
import type { RestoreLockout } from '../restore/restores.ts'
import { findGuestOpening } from './guestRows.ts'

interface GuestEventsParts {
  readonly limits: Limits
  readonly database: Database
  readonly streams: EventStreams
  /** Whether guests are locked out now; without it, they never are. */
  readonly lockout?: RestoreLockout
}

/** Two devices of a guest, each with two pages. */
const streamsOfLink = 4
/** A page reconnects at once when its connection is lost, and then every few seconds. */
const linkLimit = { most: 60, windowMs: 60_000 } as const
/** For unknown links: many guests can share an address. */
const addressLimit = { most: 600, windowMs: 60_000 } as const

const nothing: Problem = { problem: 'not_found', message: 'There is nothing at this address.' }

function tooOften({ nextMs }: LimitStatus): Problem {
  const seconds = Math.ceil(nextMs / 1000)
  const message = `There were too many requests. Another is taken in ${seconds} s.`
  return { problem: 'rate_limited', message, headers: { 'Retry-After': String(seconds) } }
}

interface Answer {
  readonly reader: StreamReader
  readonly stream: EventStream
}

/**
 * Serves `GET /g/<token>/openings/<id>/events`: the steps of an opening that the link's member pressed. The events are those of
 * `openingStream`: `step` and `reset`, with `{openingId, step, at}`; ids for `Last-Event-ID`; 204 when no further event will
 * follow; a comment every 15 s. The stream ends with the opening, and within 5 s when the link is dead. Any status but 200 and
 * 204 means that there is no stream, and the page polls every few seconds instead: 404 for a dead link and for openings of
 * others, 429 beyond 4 streams of a link at once or 60 a minute, 503 while guests are locked out.
 */
export function serveGuestEvents(
  router: Router,
  { limits, database, lockout, streams }: GuestEventsParts,
): void {
  const links = limits.limiter('streams of a link', linkLimit)
  const addresses = limits.limiter('streams of no link', addressLimit)

  async function findStream(ctx: Context): Promise<Answer | Problem> {
    const token = String(ctx['params'].token)
    const member = await findMemberByToken(database.knex, token)
    if (!member?.isActive) {
      const fromAddress = await addresses.take(addressGroup(ctx.ip))
      return fromAddress.isTaken ? nothing : tooOften(fromAddress)
    }
    const visit = await links.take(member.id)
    if (!visit.isTaken) return tooOften(visit)
    const opening = await findGuestOpening(database.knex, member, String(ctx['params'].openingId))
    if (!opening) return nothing
    const reader: StreamReader = {
      // The hash of the token: resetting a link ends the streams of the old link, and no others.
      credential: `link ${linkHashOf(token)}`,
      most: streamsOfLink,
      mayStill: async () => (await findMemberByToken(database.knex, token))?.isActive === true,
    }
    return { reader, stream: openingStream(database, opening, ctx.get('Last-Event-ID')) }
  }

  router.get('/g/:token/openings/:openingId/events', async ctx => {
    ctx.set('Referrer-Policy', 'no-referrer')
    ctx.set('X-Robots-Tag', 'noindex, nofollow, noarchive')
    const shut = await lockout?.shut()
    if (shut) return answerProblem(ctx, unavailable(shut.againInS))
    const found = await findStream(ctx)
    if (isProblem(found)) return answerProblem(ctx, found)
    const full = await streams.open(ctx, found.reader, found.stream)
    if (full) answerProblem(ctx, full)
  })
}
