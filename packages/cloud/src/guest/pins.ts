// The gates that a guest has pinned, kept in a cookie of this browser: they come first, in the order in which they were pinned.

import type { Context } from 'koa'
import { isForeign, readForm } from './readForm.ts'
import type { Answering } from './visit.ts'
import { keptS } from './visitors.ts'

/** More would make the cookie long. The last ones stay. */
const mostPins = 20
const gateId = /^gate_[0-9a-z]{26}$/

export interface Pins {
  /** The ids of the pinned gates, of all links that this browser has used. */
  of(ctx: Context): readonly string[]
  /** Answers the form that pins a gate, or takes its pin away. Nothing is stored by the cloud. */
  readonly pinning: Answering
}

/** Browsers accept the prefix `__Host-` only from an address with https. */
export function createPins(isSecure: boolean): Pins {
  const cookieName = isSecure ? '__Host-pins' : 'pins'
  const of = (ctx: Context) => (ctx.cookies.get(cookieName) ?? '').split('.').filter(id => gateId.test(id))
  return {
    of,
    async pinning({ ctx, home }) {
      const form = await readForm(ctx)
      const [pinned, taken] = [form.get('pin') ?? '', form.get('unpin') ?? '']
      if (!isForeign(ctx)) {
        const others = of(ctx).filter(id => id !== pinned && id !== taken)
        const pins = gateId.test(pinned) ? [...others, pinned] : others
        const secure = isSecure ? '; Secure' : ''
        const value = pins.slice(-mostPins).join('.')
        ctx.append(
          'Set-Cookie',
          `${cookieName}=${value}; Path=/; Max-Age=${keptS}; HttpOnly; SameSite=Lax${secure}`,
        )
      }
      return { seeOther: home }
    },
  }
}
