// The visitor: the browser that calls an operation of the dashboard, with its cookies.

import { createHmac, timingSafeEqual } from 'node:crypto'
import { csrfHeader } from '@callgate/contract/app/session'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Context } from 'koa'
import { addressGroup } from '../core/connectionLimiter.ts'

/** The longest life of a session, and so of its cookie. */
export const sessionWithinMs = 7 * 24 * 60 * 60 * 1000
/** How long a browser is recognized after its last sign-in. A mark that was copied from it must not be valid for ever. */
export const deviceWithinMs = 180 * 24 * 60 * 60 * 1000

export interface Visitor {
  /** The network of the browser: addresses that count as one. */
  readonly addressGroup: string
  /** The browser's own description: the whole header, or nothing. */
  readonly userAgent: string
  /** The secret of its session; undefined without one. */
  readonly sessionToken: string | undefined
  /** The mark that the browser got when somebody signed in on it; undefined before. */
  readonly deviceMark: string | undefined
  /** Gives the browser the cookie of a session. */
  keepSession(token: string): void
  /** Removes the cookie of the session. */
  dropSession(): void
  /** Marks it as a browser on which somebody has signed in. */
  keepDevice(mark: string): void
}

/** Browsers accept the prefix `__Host-` only from an address with https. */
const cookieName = (isSecure: boolean, name: string) => (isSecure ? `__Host-${name}` : name)

/** Reads a cookie. A cookie that is longer than ours can be is ignored. */
const cookieOf = (ctx: Context, name: string) => {
  const value = ctx.cookies.get(name)
  return value !== undefined && /^[\w.-]{1,512}$/.test(value) ? value : undefined
}

/** The visitor of a request. `isSecure`: the dashboard is served over https. */
export function visitorOf(ctx: Context, isSecure: boolean): Visitor {
  const [session, device] = [cookieName(isSecure, 'sid'), cookieName(isSecure, 'device')]
  const put = (name: string, value: string, maxAgeS: number) => {
    const secure = isSecure ? '; Secure' : ''
    ctx.append('Set-Cookie', `${name}=${value}; Path=/; Max-Age=${maxAgeS}; HttpOnly; SameSite=Lax${secure}`)
  }
  return {
    addressGroup: addressGroup(ctx.ip),
    userAgent: ctx.get('User-Agent').slice(0, 512),
    sessionToken: cookieOf(ctx, session),
    deviceMark: cookieOf(ctx, device),
    keepSession: token => put(session, token, sessionWithinMs / 1000),
    dropSession: () => put(session, '', 0),
    keepDevice: mark => put(device, mark, deviceWithinMs / 1000),
  }
}

/**
 * The token that proves that a request of a session comes from the dashboard's own script. Other sites can make a browser send
 * the cookie, but can read neither the cookie nor this token. It is derived from the session's secret, so it is stored nowhere.
 */
export function csrfTokenOf(sessionToken: string): string {
  return createHmac('sha256', sessionToken).update('csrf').digest('base64url')
}

const refused = (message: string): Problem => ({ problem: 'csrf_refused', message })

const foreign = refused(
  'The request does not come from the dashboard itself. Open the dashboard at its own address and try again.',
)
const noToken = refused(
  `The header ${csrfHeader} is missing, or belongs to another session. Reload the dashboard and try again.`,
)

/** Whether the page that sent the request is ours, by headers that the browser sets and no script can change. */
function isOwnPage(ctx: Context, appUrl: string): boolean {
  const site = ctx.get('Sec-Fetch-Site')
  const origin = ctx.get('Origin')
  if (site !== '' && site !== 'same-origin') return false
  if (origin === '') return site !== ''
  // Without https nobody can prove a name, so the address that was called counts.
  const own = appUrl.startsWith('https:') ? new URL(appUrl).origin : `http://${ctx.get('Host')}`
  return origin === own
}

/** Why a request with an effect is refused; undefined when it is the dashboard's own. Without a session there is no token. */
export function csrfProblem(
  ctx: Context,
  appUrl: string,
  sessionToken: string | undefined,
): Problem | undefined {
  if (!isOwnPage(ctx, appUrl)) return foreign
  if (sessionToken === undefined) return undefined
  const [given, wanted] = [Buffer.from(ctx.get(csrfHeader)), Buffer.from(csrfTokenOf(sessionToken))]
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? undefined : noToken
}
