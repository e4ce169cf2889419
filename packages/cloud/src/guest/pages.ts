// The guest's pages on HTTP: what a link shows, and the one press that each form is good for.

import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { Database } from '../database/database.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { Shutter } from '../opening/restores.ts'
import { createGateList } from './gateList.ts'
import { type Pressed, pickingLanguage, pressing } from './guestForms.ts'
import { faultReply, linkReplies } from './linkReplies.ts'
import { openingProgress } from './openingProgress.ts'
import { createPressForms } from './pressForms.ts'
import { contentSecurityPolicy } from './views.ts'
import type { Answering, Reply } from './visit.ts'
import { createVisitors } from './visitors.ts'

export interface GuestParts {
  readonly world: World
  readonly database: Database
  readonly exchange: Pick<Exchange, 'press'>
  /** The address of the pages, without a trailing slash. */
  readonly appUrl: string
  /** Whether guests are let in now; where there is none, they always are. */
  readonly shutter?: Shutter
}

const headers = {
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'Cache-Control': 'no-store',
} as const

function sendReply(ctx: Context, reply: Reply): void {
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

/**
 * Serves the pages behind the magic links: GET shows, only POST presses. Every failure is answered here: the path holds
 * the token, which must not reach a log.
 */
export function serveGuestPages(router: Router, parts: GuestParts): void {
  const { appUrl, world } = parts
  const replyTo = linkReplies(parts)
  const forms = createPressForms<Pressed>(world)
  const visitors = createVisitors(world, appUrl.startsWith('https:'))
  const list = createGateList({ ...parts, forms, visitors })

  function serve(answering: Answering): Middleware {
    return async ctx => {
      ctx.set(headers)
      // A page that is fetched ahead would carry a form that is too old when the guest looks at it.
      if (ctx.get('Sec-Purpose').includes('prefetch')) {
        ctx.status = 403
        ctx.body = ''
        return
      }
      sendReply(ctx, await replyTo(ctx, answering).catch((error: unknown) => faultReply(world, ctx, error)))
    }
  }

  router.get('/g/:token', serve(list.show))
  router.get('/g/:token/openings/:openingId', serve(openingProgress(parts)))
  router.post('/g/:token/gates/:gateId', serve(pressing({ ...parts, forms, visitors, list })))
  router.post('/g/:token/language', serve(pickingLanguage({ ...parts, list })))
  // A link that was copied with more text than belongs to it: a guest follows it, so the answer is a page and no JSON.
  router.all(
    '/g{/*rest}',
    serve(async () => undefined),
  )
}
