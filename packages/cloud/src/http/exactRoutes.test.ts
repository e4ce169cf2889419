import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { Router } from '@koa/router'
import Koa, { type Middleware } from 'koa'
import { describe, expect, it } from 'vitest'
import { dispatch } from './exactRoutes.ts'

/** A router whose layers record their calls. */
function routerOf(calls: string[]): Router {
  const router = new Router({ sensitive: true })
  const note = (name: string) => async (ctx: Koa.Context, next: Koa.Next) => {
    calls.push(`${name} ${ctx['_matchedRoute']} ${JSON.stringify(ctx['params'])}`)
    await next()
    calls.push(`${name} after`)
  }
  router.register('/gates', ['GET'], [note('compress'), note('list')])
  router.register('/gates', ['POST'], [note('create')])
  router.register('/gates/new', ['GET'], [note('new')])
  router.register('/gates/:gateId', ['GET'], [note('get')])
  router.register('/docs', ['GET'], [note('docs')])
  return router
}

async function callsOf(of: (router: Router) => Middleware, method: string, url: string): Promise<string[]> {
  const calls: string[] = []
  const request = Object.assign(new IncomingMessage(new Socket()), { method, url })
  const ctx = new Koa().createContext(request, new ServerResponse(request))
  await of(routerOf(calls))(ctx, async () => {
    const methods = (ctx.matched ?? []).flatMap((layer: { methods: string[] }) => layer.methods)
    calls.push(`nothing more, of ${methods.join()}`)
  })
  return calls
}

describe('the dispatch of requests', () => {
  it.each([
    ['GET', '/gates'],
    ['GET', '/gates?limit=5'],
    ['HEAD', '/gates'],
    ['POST', '/gates'],
    ['DELETE', '/gates'],
    ['GET', '/gates/'],
    ['GET', '/Gates'],
    ['GET', '/%67ates'],
    ['GET', '/gates/gate_1'],
    // Two routes match.
    ['GET', '/gates/new'],
    ['GET', '/docs'],
    ['GET', '/nothing'],
    ['GET', '/constructor'],
  ])('calls the same layers for %s %s as the router', async (method, url) => {
    const calls = await callsOf(dispatch, method, url)
    expect(calls).toEqual(await callsOf(router => router.routes() as unknown as Middleware, method, url))
    expect(calls.length).toBeGreaterThan(0)
  })

  it('finds a path without parameters without trying the patterns', async () => {
    const calls: string[] = []
    const router = routerOf(calls)
    const serve = dispatch(router)
    router.match = () => {
      throw new Error('the patterns were tried')
    }
    const request = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/gates' })
    await serve(new Koa().createContext(request, new ServerResponse(request)), async () => {})
    expect(calls).toHaveLength(4)
  })
})
