// Visitors: the browsers that show a guest's page, distinguished by a random cookie that says nothing about the guest.

import type { World } from '@callgate/world/world'
import type { Context } from 'koa'

export interface Visitors {
  /** The browser's cookie; undefined where it has none, or one that is not ours. */
  known(ctx: Context): string | undefined
  /** The browser's cookie; a new one where it has none. */
  of(ctx: Context): string
}

/** As long as browsers keep a cookie: 400 days (RFC 6265bis). */
export const keptS = 400 * 24 * 60 * 60

/** Browsers accept the prefix `__Host-` only from an address with https. */
export function createVisitors(world: World, isSecure: boolean): Visitors {
  const cookieName = isSecure ? '__Host-guest' : 'guest'

  function known(ctx: Context): string | undefined {
    const value = ctx.cookies.get(cookieName)
    return value !== undefined && /^[\w-]{22}$/.test(value) ? value : undefined
  }

  function give(ctx: Context): string {
    const visitor = Buffer.from(world.randomBytes(16)).toString('base64url')
    const secure = isSecure ? '; Secure' : ''
    ctx.append(
      'Set-Cookie',
      `${cookieName}=${visitor}; Path=/; Max-Age=${keptS}; HttpOnly; SameSite=Lax${secure}`,
    )
    return visitor
  }

  return { known, of: ctx => known(ctx) ?? give(ctx) }
}
