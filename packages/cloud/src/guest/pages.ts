// The guest's pages on HTTP: what a link shows, and the one press that each form is good for.

import type { Language } from '@callgate/contract/rest/member'
import { type Moment, moment, type World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import { addressGroup } from '../core/connectionBounds.ts'
import { limiter, type Standing } from '../core/limits.ts'
import { endingOf, type OpeningRow } from '../core/opening.ts'
import { accessRefusal } from '../core/permit.ts'
import { type Database, databaseTrouble } from '../database/database.ts'
import { findMemberByToken, type LinkedMember } from '../member/memberLinks.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { Shutter } from '../opening/restores.ts'
import { fill } from '../text/fill.ts'
import type { Html } from '../text/html.ts'
import {
  findGuestOpening,
  type GuestGate,
  listGuestGates,
  readGuestSpace,
  readSchedulesOf,
  saveLanguage,
  toGuestGate,
} from './guestRows.ts'
import { chooseLanguage, isLanguage, nextAllowed } from './language.ts'
import { outcomeOf, outcomeOfReason } from './outcome.ts'
import { createPressForms } from './pressForms.ts'
import { isForeign, readForm } from './readForm.ts'
import { texts } from './texts/texts.ts'
import {
  contentSecurityPolicy,
  type GateEntry,
  gatesPage,
  messagePage,
  openingPage,
  type Setting,
  type Stand,
} from './views.ts'
import { visitLimits } from './visitLimits.ts'

export interface GuestParts {
  readonly world: World
  readonly database: Database
  readonly exchange: Pick<Exchange, 'press'>
  /** The address of the pages, without a trailing slash. */
  readonly appUrl: string
  /** Whether guests are let in at all; they are where there is none. */
  readonly shutter?: Shutter
}

/** A request whose link is alive. */
interface Visit extends Setting {
  readonly ctx: Context
  readonly member: LinkedMember
  /** When the request came in. */
  readonly since: Moment
}

type Reply =
  | { readonly status: number; readonly page: Html; readonly headers?: Record<string, string> }
  | { readonly seeOther: string }

/** Undefined for what is not behind this link: it is answered like a dead link, so that nothing can be probed. */
type Answering = (visit: Visit) => Promise<Reply | undefined>

/** For each link: of presses, and of language picks, at most so many in any minute. */
const linkLimit = { most: 10, windowMs: 60_000 } as const
/** Gates that are decided on in one turn of the event loop. */
const gatesInTurn = 5

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'Cache-Control': 'no-store',
} as const

function guestPages({ appUrl, database, exchange, world }: GuestParts) {
  const { knex } = database
  const forms = createPressForms<{ readonly openingId: string } | undefined>(world)
  const presses = limiter(linkLimit)
  const picks = limiter(linkLimit)
  const isSecure = appUrl.startsWith('https:')
  const cookieName = isSecure ? '__Host-guest' : 'guest'

  function cookieOf(ctx: Context): string | undefined {
    const value = ctx.cookies.get(cookieName)
    return value !== undefined && /^[\w-]{22}$/.test(value) ? value : undefined
  }

  /** The browser's cookie; a new one where it has none. It says nothing of who visits. */
  function visitorOf(ctx: Context): string {
    const known = cookieOf(ctx)
    if (known !== undefined) return known
    const visitor = Buffer.from(world.randomBytes(16)).toString('base64url')
    const secure = isSecure ? '; Secure' : ''
    ctx.append('Set-Cookie', `${cookieName}=${visitor}; Path=/; HttpOnly; SameSite=Lax${secure}`)
    return visitor
  }

  function entryOf({ language, member }: Visit, gate: GuestGate, visitor: string): GateEntry {
    const { accessId, gateId, gateName, location, schedules } = gate
    const nowMs = world.nowMs()
    const denied = accessRefusal(gate, nowMs)
    const press = denied
      ? { denied: outcomeOfReason(denied), next: nextAllowed(schedules, nowMs, language) }
      : { nonce: forms.issue({ visitor, memberId: member.id, gateId, accessId }) }
    return { accessId, gateId, gateName, location, press }
  }

  async function showGates(visit: Visit, more: { status?: number; notice?: string } = {}): Promise<Reply> {
    const visitor = visitorOf(visit.ctx)
    const { spaceId } = visit.member
    await world.turn(spaceId)
    const gates = await listGuestGates(knex, visit.member)
    const entries: GateEntry[] = []
    for (const [place, gate] of gates.entries()) {
      // Each may have 200 windows to read; everything else has its turn in between.
      if (place % gatesInTurn === 0) await world.turn(spaceId)
      entries.push(entryOf(visit, toGuestGate(gate), visitor))
    }
    // Whoever stands before a gate sees first what opens now; the order of use stays among these and among the others.
    const sorted = entries.toSorted((a, b) => Number('denied' in a.press) - Number('denied' in b.press))
    return { status: more.status ?? 200, page: gatesPage(visit, sorted, more.notice) }
  }

  /** Nothing was pressed, and the guest is given a new form. */
  async function refuse(visit: Visit, status: 403 | 409): Promise<Reply> {
    return showGates(visit, { status, notice: visit.text.again })
  }

  async function refuseForNow(visit: Visit, nextMs: number): Promise<Reply> {
    const seconds = Math.ceil(nextMs / 1000)
    const notice = fill(visit.text.tooMany, { seconds })
    const shown = await showGates(visit, { status: 429, notice })
    return { ...shown, headers: { 'Retry-After': String(seconds) } }
  }

  async function press(visit: Visit): Promise<Reply | undefined> {
    const { ctx, home, member, since } = visit
    if (isForeign(ctx)) return refuse(visit, 403)
    const form = await readForm(ctx)
    const nonce = form.get('nonce') ?? ''
    const accessId = form.get('access') ?? ''
    const gateId = String(ctx.params.gateId)
    const visitor = cookieOf(ctx)
    const isValid =
      visitor !== undefined && forms.isValid({ visitor, memberId: member.id, gateId, accessId }, nonce)
    if (!isValid) return refuse(visit, 409)
    let pressed = forms.pressed(nonce)
    if (!pressed) {
      const standing = presses.take(member.id, world.monotonicMs())
      if (!standing.isTaken) return refuseForNow(visit, standing.nextMs)
      const { email, id: memberId, name, spaceId } = member
      const actor = { actorType: 'guest', actorName: name, actorEmail: email, memberId, accessId } as const
      pressed = forms.press(nonce, () => exchange.press({ spaceId, gateId, actor, since }))
    }
    const opening = await pressed
    return opening && { seeOther: `${home}/openings/${opening.openingId}` }
  }

  async function standOf({ language, member }: Visit, row: OpeningRow): Promise<Stand> {
    const ending = endingOf(row)
    if (!ending && row.status === 'connected') return { step: 'ringing' }
    if (!ending) return { step: row.joinedOpeningId === null ? 'calling' : 'joined' }
    const outcome = outcomeOf(ending)
    const isOutside = outcome === 'outside' && row.accessId !== null
    const schedules = isOutside ? await readSchedulesOf(knex, member, row.accessId) : []
    return { outcome, next: nextAllowed(schedules, world.nowMs(), language) }
  }

  async function showOpening(visit: Visit): Promise<Reply | undefined> {
    const row = await findGuestOpening(knex, visit.member, String(visit.ctx.params.openingId))
    return row && { status: 200, page: openingPage(visit, row, await standOf(visit, row)) }
  }

  async function pickLanguage(visit: Visit): Promise<Reply> {
    const { ctx, home, member } = visit
    if (isForeign(ctx)) return refuse(visit, 403)
    const language = (await readForm(ctx)).get('language')
    const standing = picks.take(member.id, world.monotonicMs())
    if (!standing.isTaken) return refuseForNow(visit, standing.nextMs)
    if (isLanguage(language)) await saveLanguage(database, member, language)
    return { seeOther: home }
  }

  return { showGates, showOpening, press, pickLanguage }
}

/**
 * Serves what stands behind the magic links: GET shows, only POST presses. Whatever fails is answered here: the path
 * holds the token, and must reach no log.
 */
export function serveGuestPages(router: Router, parts: GuestParts): void {
  const { database, world } = parts
  const limits = visitLimits(world)

  function tooOften(ctx: Context, language: Language, { nextMs }: Standing): Reply {
    const seconds = Math.ceil(nextMs / 1000)
    const refreshAfterS = ctx.method === 'POST' ? undefined : seconds
    const page = messagePage(language, fill(texts[language].tooOften, { seconds }), refreshAfterS)
    return { status: 429, page, headers: { 'Retry-After': String(seconds) } }
  }

  async function replyTo(ctx: Context, answer: Answering): Promise<Reply> {
    const since = moment(world)
    const shutForS = await parts.shutter?.shutForS()
    if (shutForS !== undefined) {
      const language = chooseLanguage(ctx, null, undefined)
      const page = messagePage(language, texts[language].notNow)
      return { status: 503, page, headers: { 'Retry-After': String(shutForS) } }
    }
    const token = String(ctx.params.token)
    const member = await findMemberByToken(database.knex, token)
    if (member?.isActive) {
      const { language: spaceLanguage, ...contact } = await readGuestSpace(database.knex, member)
      const language = chooseLanguage(ctx, member.preferredLanguage, spaceLanguage)
      // A press has its own limit: whoever looks at the page too often can still open the gate.
      const visit = ctx.method === 'POST' ? undefined : limits.of(member.id)
      if (visit?.isTaken === false) return tooOften(ctx, language, visit)
      const home = `/g/${token}`
      const reply = await answer({ ctx, member, since, language, text: texts[language], home, contact })
      if (reply) return reply
    }
    const language = chooseLanguage(ctx, null, undefined)
    // Only what leads nowhere: guests may share an address with many others, and with whoever guesses links.
    const fromAddress = limits.from(addressGroup(ctx.ip))
    if (!fromAddress.isTaken) return tooOften(ctx, language, fromAddress)
    return { status: 404, page: messagePage(language, texts[language].deadLink) }
  }

  function replyToFault(ctx: Context, error: unknown): Reply {
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

  function serve(answer: Answering): Middleware {
    return async ctx => {
      ctx.set(headers)
      // A page that nobody looks at yet would carry a form that is too old when somebody does.
      if (ctx.get('Sec-Purpose').includes('prefetch')) {
        ctx.status = 403
        ctx.body = ''
        return
      }
      const reply = await replyTo(ctx, answer).catch((error: unknown) => replyToFault(ctx, error))
      if ('seeOther' in reply) {
        ctx.status = 303
        ctx.set('Location', reply.seeOther)
        ctx.body = ''
        return
      }
      ctx.status = reply.status
      ctx.set(reply.headers ?? {})
      ctx.type = 'text/html; charset=utf-8'
      ctx.body = reply.page.text
    }
  }

  const pages = guestPages(parts)
  router.get(
    '/g/:token',
    serve(visit => pages.showGates(visit)),
  )
  router.get('/g/:token/openings/:openingId', serve(pages.showOpening))
  router.post('/g/:token/gates/:gateId', serve(pages.press))
  router.post('/g/:token/language', serve(pages.pickLanguage))
  // A link that was copied with more than belongs to it: whoever has it is a guest, and reads no JSON.
  router.all(
    '/g{/*rest}',
    serve(async () => undefined),
  )
}
