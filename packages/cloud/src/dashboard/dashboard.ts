// The dashboard as the cloud serves it: one HTML file at each address of its pages, and the assets that it loads.

import { appRoutes } from '@callgate/contract/app/appRoutes'
import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { pushPaths } from '@callgate/contract/app/pushMessage'
import { fullVersion } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import type { Router } from '@koa/router'
import type { Context } from 'koa'
import { answerProblem } from '../http/answerError.ts'
import { visitorOf } from '../http/visitor.ts'
import { type DashboardFiles, readDashboardFiles, readPushWorker } from './dashboardFiles.ts'

/** Everything is our own, nothing is inline, and no text becomes code or HTML in the browser (Trusted Types). */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  // Makes one address: that of the service worker.
  'trusted-types callgate-push',
].join('; ')

const pageHeaders = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'no-store',
} as const

/** Loads the first answer that the program needs together with the page: on a slow line that saves a round trip. */
const askSession = `<${appRoutes.getSession.path}>; rel=preload; as=fetch; crossorigin`

/** The pages of mailed links, and of the link in a QR code, do not need it. */
const ofMails: readonly string[] = [
  dashboardPaths.invitation,
  dashboardPaths.enrol,
  dashboardPaths.passwordForgotten,
  dashboardPaths.passwordReset,
]

/** What its service worker may do: read from our own address. */
const workerHeaders = {
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'no-cache',
} as const

/** On the home screen of an iPhone, which sends pushes to such pages only. */
const manifest = JSON.stringify({
  name: 'Callgate',
  id: '/',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#F4F5F2',
  theme_color: '#F4F5F2',
  icons: [192, 512].map(size => ({
    src: `/g/icon-${size}.png`,
    sizes: `${size}x${size}`,
    type: 'image/png',
  })),
})

const notBuilt = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Callgate</title>
<h1>The dashboard is not built</h1>
<p>Build it with <code>npx -y pnpm@10.34.9 build:web</code>, then start the cloud again. The API works without it.</p>
</html>
`

/** The version of the cloud, which its pages show at their foot. */
const maker = `<meta name="generator" content="Callgate ${fullVersion}" />`

/** A year. The name of an asset contains a hash of its content, so another content has another name. */
const assetCaching = 'public, max-age=31536000, immutable'

function sendAsset(ctx: Context, files: DashboardFiles | undefined): void {
  const asset = files?.assets.get(String(ctx['params'].name))
  if (!asset) {
    answerProblem(ctx, { problem: 'not_found', message: 'There is nothing at this address.' })
    return
  }
  // Our order: browsers name gzip first, and mean that they take any.
  const accepted = (['br', 'gzip'] as const).find(form => asset[form] && ctx.acceptsEncodings(form) === form)
  const packed = accepted && asset[accepted]
  ctx.set({ 'Cache-Control': assetCaching, Vary: 'Accept-Encoding', 'Content-Type': asset.type })
  if (accepted) ctx.set('Content-Encoding', accepted)
  ctx.status = 200
  ctx.body = packed ?? asset.plain
}

/**
 * Adds the dashboard's pages and assets to `router`, and returns what reads its files. They are read at the first request, so they
 * cost neither start nor memory where nobody needs them. `folders` replaces the usual places.
 */
export function serveDashboard(
  router: Router,
  parts: { readonly world: World; readonly appUrl: string; readonly folders?: readonly URL[] },
): () => Promise<DashboardFiles | undefined> {
  const isSecure = parts.appUrl.startsWith('https:')
  let reading: Promise<DashboardFiles | undefined> | undefined
  const files = () => {
    reading ??= readDashboardFiles(parts.folders).then(read => {
      if (!read) parts.world.log.warn('the dashboard is not built', { command: 'pnpm build:web' })
      return read && { ...read, html: read.html.replace('</head>', `${maker}</head>`) }
    })
    return reading
  }
  for (const path of Object.values(dashboardPaths))
    router.get(path, async ctx => {
      const read = await files()
      ctx.set(pageHeaders)
      if (!ofMails.includes(path) && visitorOf(ctx, isSecure).sessionToken) ctx.set('Link', askSession)
      ctx.status = read ? 200 : 503
      ctx.type = 'text/html'
      ctx.body = read?.html ?? notBuilt
    })
  router.get(pushPaths.worker, async ctx => {
    ctx.set(workerHeaders)
    ctx.body = await readPushWorker()
  })
  router.get(pushPaths.manifest, async ctx => {
    ctx.set('Cache-Control', 'no-cache')
    ctx.type = 'application/manifest+json'
    ctx.body = manifest
  })
  router.get('/assets/:name', async ctx => sendAsset(ctx, await files()))
  return files
}
