// Replies to requests for a link: its page, or why there is none now.

import type { Language } from '@callgate/contract/rest/member'
import type { Moment, World } from '@callgate/world/world'
import type { Context } from 'koa'
import { addressGroup } from '../core/connectionLimiter.ts'
import type { LimitStatus } from '../core/limiter.ts'
import { spaceTimeMs } from '../core/spaceTime.ts'
import { type Database, databaseTrouble } from '../database/database.ts'
import { receivedAt } from '../http/stalls.ts'
import type { Limits } from '../limit/limits.ts'
import { findMemberByToken } from '../member/memberLinks.ts'
import type { RestoreLockout } from '../restore/restores.ts'
import { fill } from '../text/fill.ts'
import { readGuestSpace } from './guestRows.ts'
import { chooseLanguage } from './language.ts'
import { messagePage } from './page.ts'
import { texts } from './texts/texts.ts'
import type { Answering, Reply } from './visit.ts'
import { type Visited, visitLimits } from './visitLimits.ts'

function tooOften(ctx: Context, language: Language, { nextMs }: LimitStatus): Reply {
  const seconds = Math.ceil(nextMs / 1000)
  const [headline, body] = texts[language].tooOften
  const said = [headline, fill(body, { seconds })] as const
  const page = messagePage(language, said, ctx.method === 'POST' ? {} : { againS: seconds })
  return { status: 429, page, headers: { 'Retry-After': String(seconds) } }
}

/** Replies to a request with the token of a link in its path: with the answer of `answering` where the link is alive. */
export function linkReplies(parts: {
  readonly world: World
  readonly limits: Limits
  readonly database: Database
  readonly lockout?: RestoreLockout
}): (ctx: Context, answering: Answering, what?: Visited) => Promise<Reply> {
  const { database, lockout, world } = parts
  const limits = visitLimits(parts.limits)

  async function behindLink(
    ctx: Context,
    since: Moment,
    answering: Answering,
    what: Visited,
  ): Promise<Reply | undefined> {
    const token = String(ctx.params.token)
    const member = await findMemberByToken(database.knex, token)
    if (!member?.isActive) return undefined
    const space = await readGuestSpace(database.knex, member)
    const { contactName, contactPhone, language: spaceLanguage, name: spaceName, timezone } = space
    const language = chooseLanguage(ctx, member.preferredLanguage, spaceLanguage)
    // A press has a limit of its own: a guest who loads the page too often can still open the gate.
    const visit = ctx.method === 'POST' ? undefined : await limits.of(member.id, what)
    if (visit?.isTaken === false) return tooOften(ctx, language, visit)
    const home = `/g/${token}`
    const realMs = world.nowMs()
    const contact = { contactName, contactPhone }
    const setting = {
      language,
      text: texts[language],
      home,
      spaceName,
      timezone,
      contact,
      nowMs: spaceTimeMs(space, realMs),
      realMs,
    }
    return answering({ ctx, member, isLockedDown: space.lockDownAt !== null, since, ...setting })
  }

  return async (ctx, answering, what = 'page') => {
    const since = receivedAt(world, ctx.req)
    const shut = await lockout?.shut()
    if (shut) {
      const language = chooseLanguage(ctx, null, undefined)
      const page = messagePage(language, texts[language].notNow)
      return { status: 503, page, headers: { 'Retry-After': String(shut.againInS) } }
    }
    const reply = await behindLink(ctx, since, answering, what)
    if (reply) return reply
    const language = chooseLanguage(ctx, null, undefined)
    // Only requests for unknown links count: guests can share an address with many others, also with one who guesses links.
    const fromAddress = await limits.from(addressGroup(ctx.ip))
    if (!fromAddress.isTaken) return tooOften(ctx, language, fromAddress)
    return { status: 404, page: messagePage(language, texts[language].deadLink, { icon: 'linkOff' }) }
  }
}

/** The reply to a fault. The fault is logged without the path, which contains the token. */
export function faultReply(world: World, ctx: Context, error: unknown): Reply {
  const trouble = databaseTrouble(error)
  const requestId = ctx.response.get('X-Request-Id')
  const stack = error instanceof Error ? error.stack : String(error)
  world.log.error('a guest page failed', {
    requestId,
    method: ctx.method,
    ...(trouble ? { trouble } : { stack }),
  })
  const language = chooseLanguage(ctx, null, undefined)
  const page = messagePage(language, texts[language].fault)
  return trouble
    ? { status: 503, page, headers: { 'Retry-After': trouble === 'busy' ? '1' : '60' } }
    : { status: 500, page }
}
