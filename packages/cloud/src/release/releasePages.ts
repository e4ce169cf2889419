// What gateways fetch: the list of the published releases, and each of them, whole or a range of it.

import { createReadStream } from 'node:fs'
import { type ReleaseList, releaseName, releasesPath } from '@callgate/contract/release/releaseList'
import type { Router } from '@koa/router'
import type { Middleware } from 'koa'
import { addressGroup } from '../core/connectionLimiter.ts'
import { answerProblem } from '../http/answerError.ts'
import type { Limits } from '../limit/limits.ts'
import { listReleases } from './releaseShelf.ts'

/** The first and the last byte of a range as RFC 9110, section 14.1.2, writes it; undefined for any form but one range with a first byte. */
export function rangeIn(header: string, bytes: number): { first: number; last: number } | undefined {
  const [, first, last] = /^bytes=(\d{1,12})-(\d{0,12})$/.exec(header.trim()) ?? []
  if (first === undefined) return undefined
  return { first: Number(first), last: Math.min(last ? Number(last) : bytes - 1, bytes - 1) }
}

/** A release with a Node comes in 160 pieces. Whoever is refused waits, and goes on where it was. */
const perAddress = { most: 300, windowMs: 60_000 }

/** Adds the releases in `folder`. Anybody may fetch them: they hold no secret, and gateways believe only their signature. */
export function serveReleases(router: Router, folder: string, limits: Limits): void {
  const limiter = limits.limiter('releases', perAddress)
  const admit: Middleware = async (ctx, next) => {
    const { isTaken, nextMs } = await limiter.take(addressGroup(ctx.ip))
    if (isTaken) return next()
    const headers = { 'Retry-After': String(Math.ceil(nextMs / 1000)) }
    const message = `At most ${perAddress.most} requests for releases come from one network in a minute.`
    answerProblem(ctx, { problem: 'rate_limited', message, headers })
  }
  router.get(releasesPath, admit, async ctx => {
    const releases = await listReleases(folder)
    const list: ReleaseList = {
      releases: releases.map(({ architecture, bytes, version }) => ({ version, architecture, bytes })),
    }
    ctx.set('Cache-Control', 'no-store')
    ctx.body = list
  })
  router.get(`${releasesPath}/:name`, admit, async ctx => {
    const name = String(ctx['params'].name)
    const release = (await listReleases(folder)).find(one => releaseName(one) === name)
    if (!release)
      return answerProblem(ctx, { problem: 'not_found', message: 'There is no release of this name.' })
    const { bytes, path } = release
    ctx.set({
      'Cache-Control': 'no-store',
      'Accept-Ranges': 'bytes',
      'Content-Type': 'application/octet-stream',
    })
    const range = rangeIn(ctx.get('Range'), bytes)
    if (range && range.first > range.last) {
      ctx.status = 416
      ctx.set('Content-Range', `bytes */${bytes}`)
      return
    }
    const { first, last } = range ?? { first: 0, last: bytes - 1 }
    ctx.status = range ? 206 : 200
    if (range) ctx.set('Content-Range', `bytes ${first}-${last}/${bytes}`)
    ctx.length = last - first + 1
    ctx.body = createReadStream(path, { start: first, end: last })
  })
}
