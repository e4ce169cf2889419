// What a guest sends: a press of a gate, and the pick of a language.

import type { World } from '@callgate/world/world'
import { limiter } from '../core/limits.ts'
import type { Database } from '../database/database.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { GateList } from './gateList.ts'
import { saveLanguage } from './guestRows.ts'
import { isLanguage } from './language.ts'
import type { PressForms } from './pressForms.ts'
import { isForeign, readForm } from './readForm.ts'
import type { Answering } from './visit.ts'
import type { Visitors } from './visitors.ts'

/** For each link, at most this many presses in any minute, and as many picks of a language. */
const linkLimit = { most: 10, windowMs: 60_000 } as const

/** What a press with a form makes; undefined where there is no such gate. */
export type Pressed = { readonly openingId: string } | undefined

/** Answers a form that presses a gate. Each form presses once; sent again, it leads to the same opening. */
export function pressing(parts: {
  readonly world: World
  readonly exchange: Pick<Exchange, 'press'>
  readonly forms: PressForms<Pressed>
  readonly visitors: Visitors
  readonly list: GateList
}): Answering {
  const { exchange, forms, list, visitors, world } = parts
  const presses = limiter(linkLimit)

  return async visit => {
    const { ctx, home, member, since } = visit
    if (isForeign(ctx)) return list.refuse(visit, 403)
    const form = await readForm(ctx)
    const nonce = form.get('nonce') ?? ''
    const accessId = form.get('access') ?? ''
    const gateId = String(ctx.params.gateId)
    const visitor = visitors.known(ctx)
    const isValid =
      visitor !== undefined && forms.isValid({ visitor, memberId: member.id, gateId, accessId }, nonce)
    if (!isValid) return list.refuse(visit, 409)
    let pressed = forms.pressed(nonce)
    if (!pressed) {
      const standing = presses.take(member.id, world.monotonicMs())
      if (!standing.isTaken) return list.refuseForNow(visit, standing.nextMs)
      const { email, id: memberId, name, spaceId } = member
      const actor = { actorType: 'guest', actorName: name, actorEmail: email, memberId, accessId } as const
      pressed = forms.press(nonce, () => exchange.press({ spaceId, gateId, actor, since }))
    }
    const opening = await pressed
    return opening && { seeOther: `${home}/openings/${opening.openingId}` }
  }
}

/** Answers a form that picks the language of the member. */
export function pickingLanguage(parts: {
  readonly world: World
  readonly database: Database
  readonly list: GateList
}): Answering {
  const { database, list, world } = parts
  const picks = limiter(linkLimit)

  return async visit => {
    const { ctx, home, member } = visit
    if (isForeign(ctx)) return list.refuse(visit, 403)
    const language = (await readForm(ctx)).get('language')
    const standing = picks.take(member.id, world.monotonicMs())
    if (!standing.isTaken) return list.refuseForNow(visit, standing.nextMs)
    if (isLanguage(language)) await saveLanguage(database, member, language)
    return { seeOther: home }
  }
}
