// security.txt: the contact for a finder of a vulnerability, at the address of RFC 9116.

import { isoTime, type World } from '@callgate/world/world'
import type { Router } from '@koa/router'

const path = '/.well-known/security.txt'

const dayMs = 24 * 60 * 60 * 1000
/** It is computed for each request, so a running service never shows an expired one. RFC 9116 advises less than a year. */
const validForMs = 180 * dayMs

/** The file. It names its own address only where that begins with https, as required. */
function securityTxt(contact: string, appUrl: string, nowMs: number): string {
  const expiresAt = isoTime(nowMs - (nowMs % dayMs) + validForMs)
  const canonical = appUrl.startsWith('https:') ? [`Canonical: ${appUrl}${path}`] : []
  return [`Contact: ${contact}`, `Expires: ${expiresAt}`, ...canonical, ''].join('\n')
}

/** Adds the file to `router`. `contact` is an address as a URI. */
export function serveSecurityTxt(
  router: Router,
  { appUrl, contact, world }: { readonly appUrl: string; readonly contact: string; readonly world: World },
): void {
  router.get(path, ctx => {
    ctx.type = 'text/plain; charset=utf-8'
    ctx.body = securityTxt(contact, appUrl, world.nowMs())
  })
}
