// The guest's pages over HTTP: the pages of a link, and the one press of each form.

import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { Database } from '../database/database.ts'
import { compressed } from '../http/compression.ts'
import { isPicture, sendPicture } from '../http/picture.ts'
import type { Limits } from '../limit/limits.ts'
import type { Exchange } from '../opening/exchange.ts'
import type { RestoreLockout } from '../restore/restores.ts'
import { assets, contentSecurityPolicy, manifestOf } from './assets.ts'
import { createGateList } from './gateList.ts'
import { confirming, findingPress, pickingLanguage, pressing } from './guestForms.ts'
import { chooseLanguage } from './language.ts'
import { faultReply, linkReplies } from './linkReplies.ts'
import { observing, openingProgress } from './openingProgress.ts'
import { noPage, offlinePage } from './page.ts'
import { showingPhoto } from './photos.ts'
import { createPins } from './pins.ts'
import { createPressForms, type PressForms } from './pressForms.ts'
import type { Answering, Reply } from './visit.ts'
import type { Visited } from './visitLimits.ts'
import { createVisitors } from './visitors.ts'

export interface GuestParts {
  readonly world: World
  readonly limits: Limits
  readonly database: Database
  readonly exchange: Pick<Exchange, 'gateways' | 'nowMs' | 'press'>
  /** The forms that replicas share; without them, those of this process. */
  readonly forms?: PressForms
  /** The address of the pages, without a trailing slash. */
  readonly appUrl: string
  /** Whether guests are locked out now; without it, they never are. */
  readonly lockout?: RestoreLockout
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
  if (isPicture(reply)) {
    sendPicture(ctx, reply)
    return
  }
  if ('manifest' in reply) {
    ctx.type = 'application/manifest+json'
    ctx.body = reply.manifest
    return
  }
  ctx.status = reply.status
  ctx.set(reply.headers ?? {})
  ctx.type = 'text/html; charset=utf-8'
  ctx.body = reply.page.text
}

/** Answers a browser at an unknown address. */
export function answerNoPage(ctx: Context): void {
  const language = chooseLanguage(ctx, null, undefined)
  ctx.set(headers)
  sendReply(ctx, { status: 404, page: noPage(language) })
}

/** Serves the files that belong to no link. */
function serveAssets(router: Router): void {
  for (const [path, { body, keep, policy, type }] of Object.entries(assets))
    router.get(path, ctx => {
      ctx.set({ ...headers, 'Content-Security-Policy': policy, 'Cache-Control': keep })
      ctx.type = type
      ctx.body = body
    })
  router.get('/g/offline', compressed, ctx => {
    ctx.set(headers)
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = offlinePage(chooseLanguage(ctx, null, undefined)).text
  })
}

/**
 * Serves the pages behind the magic links: GET shows, only POST presses. Every failure is answered here: the path contains the
 * token, which must not reach a log.
 */
export function serveGuestPages(router: Router, parts: GuestParts): void {
  const { appUrl, world } = parts
  const replyTo = linkReplies(parts)
  const forms = parts.forms ?? createPressForms(world)
  const visitors = createVisitors(world, appUrl.startsWith('https:'))
  const pins = createPins(appUrl.startsWith('https:'))
  const list = createGateList({ ...parts, forms, pins, visitors })

  function serve(answering: Answering, what?: Visited): Middleware {
    return async ctx => {
      ctx.set(headers)
      // A prefetched page would have a form that is too old when the guest sees it.
      if (ctx.get('Sec-Purpose').includes('prefetch')) {
        ctx.status = 403
        ctx.body = ''
        return
      }
      sendReply(
        ctx,
        await replyTo(ctx, answering, what).catch((error: unknown) => faultReply(world, ctx, error)),
      )
    }
  }

  serveAssets(router)
  const show = (path: string, answering: Answering) =>
    router.get(`/g/:token${path}`, compressed, serve(answering))
  show('', list.show)
  show('/manifest.webmanifest', async ({ home, spaceName }) => ({ manifest: manifestOf(home, spaceName) }))
  show('/openings/:openingId', openingProgress({ ...parts, forms, visitors }))
  show('/presses/:nonce', findingPress({ forms, list }))
  show('/gates/:gateId', confirming({ ...parts, forms, visitors }))
  router.get('/g/:token/gates/:gateId/photo/:hash', serve(showingPhoto(parts), 'photo'))
  const take = (path: string, answering: Answering) =>
    router.post(`/g/:token${path}`, compressed, serve(answering))
  take('/gates/:gateId', pressing({ ...parts, forms, visitors, list }))
  take('/openings/:openingId/seen', observing(parts))
  take('/pins', pins.pinning)
  take('/language', pickingLanguage({ ...parts, list }))
  // A link that was copied with extra text: a guest follows it, so the answer is a page and not JSON.
  router.all(
    '/g{/*rest}',
    serve(async () => undefined),
  )
}
