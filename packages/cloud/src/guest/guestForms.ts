// The forms of a guest: a press of a gate, and the choice of a language.

import { isoTime, type World } from '@callgate/world/world'
import { decideAccess } from '../core/accessDecision.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { recordObservation } from '../history/observations.ts'
import { readUsualSeconds } from '../history/usualSeconds.ts'
import type { Limits } from '../limit/limits.ts'
import { noteLinkUse } from '../member/linkUses.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { GateList } from './gateList.ts'
import { confirmPage } from './gatesView.ts'
import { findGuestGate, findGuestOpening, saveLanguage } from './guestRows.ts'
import { isLanguage } from './language.ts'
import { unsurePage } from './openingView.ts'
import type { FormPlace, KeepPress, PressForms } from './pressForms.ts'
import { isForeign, readForm } from './readForm.ts'
import type { Answering, Visit } from './visit.ts'
import type { Visitors } from './visitors.ts'

/** The limit for each link in any minute: on presses, and on choices of a language. */
const linkLimit = { most: 10, windowMs: 60_000 } as const

/** How late a press may arrive after the guest has pressed, milliseconds. */
const pressWithinMs = 15_000
/** How long the confirmation page may press: without a script nobody knows when it was pressed. */
const confirmWithinMs = 60_000

/** Milliseconds that the browser counted from the page to the press; undefined where it did not count. */
function countedMs(form: ReadonlyMap<string, string>): number | undefined {
  const after = form.get('after') ?? ''
  return /^\d{1,9}$/.test(after) ? Number(after) : undefined
}

/**
 * Whether a press comes too late. The browser measures from the page to the press, and the cloud from the page to the request:
 * the difference was spent on the way.
 */
function isLate(form: ReadonlyMap<string, string>, ageMs: number): boolean {
  const counted = countedMs(form)
  return counted === undefined ? ageMs > confirmWithinMs : ageMs - counted > pressWithinMs
}

/**
 * Answers a form for a gate. `ask` leads to a page that asks for a confirmation; `press` presses. Each form presses once; sent
 * again, it leads to the same opening.
 */
export function pressing(parts: {
  readonly world: World
  readonly limits: Limits
  readonly exchange: Pick<Exchange, 'press'>
  readonly forms: PressForms
  readonly visitors: Visitors
  readonly list: GateList
}): Answering {
  const { limits, exchange, forms, list, visitors, world } = parts
  const presses = limits.limiter('presses of a link', linkLimit)

  function press(
    { member, since }: Visit,
    { accessId, gateId, visitor }: FormPlace,
    stood: string | undefined,
    keep: KeepPress,
  ) {
    const { email, id: memberId, name, spaceId } = member
    const actor = { actorType: 'guest', actorName: name, actorEmail: email, memberId, accessId } as const
    return exchange.press({
      spaceId,
      gateId,
      actor,
      since,
      async inTransaction(tx, openingId) {
        await keep(tx, openingId)
        const at = isoTime(timeIn(tx, world))
        await noteLinkUse(tx, member, visitor, at)
        const before = stood === undefined ? undefined : await findGuestOpening(tx, member, stood)
        if (before?.opened !== 'unknown') return
        const seen = { actorType: 'guest', seen: 'still', seenAt: at } as const
        await recordObservation(tx, { spaceId, openingId: before.id }, seen)
      },
    })
  }

  return async visit => {
    const { ctx, home, member } = visit
    if (isForeign(ctx)) return list.refuse(visit, 'foreign')
    const form = await readForm(ctx)
    const nonce = form.get('press') ?? form.get('ask') ?? ''
    const visitor = visitors.known(ctx)
    if (visitor === undefined) return list.refuse(visit, 'expired')
    const accessId = form.get('access') ?? ''
    const place = { visitor, memberId: member.id, gateId: String(ctx.params.gateId), accessId }
    const ageMs = await forms.ageMs(place, nonce)
    if (ageMs === undefined) return list.refuse(visit, 'expired')
    const stood = form.get('stood')
    if (!form.has('press')) {
      const after = stood === undefined ? '' : `?${new URLSearchParams({ stood })}`
      return { seeOther: `${home}/gates/${place.gateId}${after}` }
    }
    const known = await forms.pressed(nonce)
    let opening = known?.opening
    if (!known) {
      if (isLate(form, ageMs)) return list.refuse(visit, 'late')
      const status = await presses.take(member.id)
      if (!status.isTaken) return list.refuseForNow(visit, status.nextMs)
      opening = await forms.press(nonce, keep => press(visit, place, stood, keep))
    }
    return opening && { seeOther: `${home}/openings/${opening.openingId}` }
  }
}

/** Answers with the confirmation page, for a gate that the guest may open now. It presses nothing. */
export function confirming(parts: {
  readonly database: Database
  readonly forms: Pick<PressForms, 'issuer'>
  readonly visitors: Visitors
}): Answering {
  const { database, forms, visitors } = parts
  return async visit => {
    const { ctx, home, isLockedDown, member, nowMs } = visit
    const gate = await findGuestGate(database.knex, member, String(ctx.params.gateId))
    if (!gate || isLockedDown || decideAccess(gate, nowMs).refusal) return { seeOther: home }
    const { accessId, gateId } = gate
    const nonce = (await forms.issuer())({ visitor: visitors.of(ctx), memberId: member.id, gateId, accessId })
    const usualS = await readUsualSeconds(database.knex, member.spaceId, gateId)
    const { stood } = ctx.query
    const more = typeof stood === 'string' ? { stood } : {}
    return { status: 200, page: confirmPage(visit, { gate, nonce, usualS, ...more }) }
  }
}

/** Answers with the outcome of a press, by the nonce of its form. It presses nothing. */
export function findingPress({
  forms,
  list,
}: {
  readonly forms: PressForms
  readonly list: GateList
}): Answering {
  return async visit => {
    const nonce = String(visit.ctx.params.nonce)
    const opening = (await forms.pressed(nonce))?.opening
    if (opening) return { seeOther: `${visit.home}/openings/${opening.openingId}` }
    if (await forms.isRemembered(nonce)) return list.refuse(visit, 'unsent')
    return { status: 404, page: unsurePage(visit) }
  }
}

/** Answers a form that chooses the language of the member. */
export function pickingLanguage(parts: {
  readonly limits: Limits
  readonly database: Database
  readonly list: GateList
}): Answering {
  const { limits, database, list } = parts
  const picks = limits.limiter('languages of a link', linkLimit)

  return async visit => {
    const { ctx, home, member } = visit
    if (isForeign(ctx)) return list.refuse(visit, 'foreign')
    const form = await readForm(ctx)
    const language = form.get('language')
    const at = form.get('at') ?? ''
    const status = await picks.take(member.id)
    if (!status.isTaken) return list.refuseForNow(visit, status.nextMs)
    if (isLanguage(language)) await saveLanguage(database, member, language)
    return { seeOther: /^\/openings\/\w{1,40}$/.test(at) ? home + at : home }
  }
}
