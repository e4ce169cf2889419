import { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import Koa, { type Context } from 'koa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { answerErrors, answerProblem } from '../http/answerError.ts'
import { createHttpServer } from '../http/server.ts'
import { newSpace } from '../space/space.kit.ts'
import { readStream } from './eventStream.kit.ts'
import { createEventStreams, type EventStream, type EventStreams, type StreamReader } from './eventStreams.ts'
import { recordEvents } from './events.ts'

let world: FakeWorld
let database: Database
let spaceId = ''
let streams: EventStreams

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ database, world })
  streams = createEventStreams({ database, world }, { perAddress: 3, total: 4 })
})
afterEach(() => database.close())

const all: EventStream = {
  get spaceId() {
    return spaceId
  },
  begin: async () => ({
    messages: [],
    isOver: false,
    next: ({ seq, targetId }) => ({
      message: { id: seq, event: 'change', data: { targetId } },
      isOver: false,
    }),
  }),
}
const forAll: StreamReader = { credential: 'all', most: 100, mayStill: async () => true }

const change = (targetId: string) =>
  database.write(tx => recordEvents(tx, spaceId, [{ kind: 'gate.updated', targetId, atMs: world.nowMs() }]))

/** Serves a stream to anybody; the path names the credential. */
async function serve(rules = {}, stream = all) {
  const app = new Koa().use(answerErrors(world)).use(async ctx => {
    const full = await streams.open(ctx, { ...forAll, credential: ctx.path, most: 2 }, stream)
    if (full) answerProblem(ctx, full)
  })
  const server = createHttpServer(world, app.callback(), { rules })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    base: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

/** A request whose client reads nothing. */
function unread(): Context {
  const socket = new Duplex({ read() {}, write() {} })
  Object.assign(socket, { setNoDelay() {} })
  const req = new IncomingMessage(socket as Socket)
  req.method = 'GET'
  req.url = '/'
  const res = new ServerResponse(req)
  res.assignSocket(socket as Socket)
  return new Koa().createContext(req, res) as unknown as Context
}

describe('a stream', () => {
  it('A7: is cut when its client leaves more than 64 KiB unread', async () => {
    const ctx = unread()
    expect(await streams.open(ctx, forAll, all)).toBeUndefined()
    for (let sent = 0; sent < 60; sent++) await change('x'.repeat(1_000))
    await world.advance(0)
    await settle(10)
    expect(ctx.res.destroyed).toBe(false)
    for (let sent = 0; sent < 10; sent++) await change('x'.repeat(1_000))
    await world.advance(0)
    await settle(10)
    expect(ctx.res.destroyed).toBe(true)
    // Its place is free again.
    for (let opened = 0; opened < 3; opened++)
      expect(await streams.open(unread(), forAll, all)).toBeUndefined()
  })

  it('is refused beyond the limits of its credential, its address and the process', async () => {
    const server = await serve()
    const open = [await readStream(`${server.base}/a`, {}), await readStream(`${server.base}/a`, {})]
    const refusal = async (path: string) => {
      const stream = await readStream(server.base + path, {})
      await stream.until(({ hasEnded }) => hasEnded())
      return `${stream.status} ${stream.headers.get('retry-after')} ${/"message":"([^.]*)/.exec(stream.text())?.[1]}`
    }
    expect(await refusal('/a')).toBe('429 10 This credential has as many event streams as it may have')
    open.push(await readStream(`${server.base}/b`, {}))
    expect(await refusal('/c')).toBe('429 10 Your address has as many event streams as one may have')
    // A stream of another address.
    await streams.open(unread(), { ...forAll, credential: 'other' }, all)
    expect(await refusal('/c')).toMatch(/^429 10 /)
    for (const stream of open) stream.leave()
    await server.close()
  })

  it('ends after an hour, and when its credential cannot be checked', async () => {
    const server = await serve()
    const stream = await readStream(`${server.base}/a`, {})
    await world.advance(3_599_000)
    expect(stream.hasEnded()).toBe(false)
    await world.advance(2_000)
    await stream.until(({ hasEnded }) => hasEnded())
    const ctx = unread()
    const failing = { ...forAll, mayStill: () => Promise.reject(new Error('no database')) }
    await streams.open(ctx, failing, all)
    await world.advance(4_000)
    expect(ctx.res.writableEnded).toBe(true)
    await server.close()
  })

  it('frees its place when it could not begin', async () => {
    const failing: EventStream = { spaceId, begin: () => Promise.reject(new Error('planned')) }
    const server = await serve({}, failing)
    for (let asked = 0; asked < 5; asked++) {
      const stream = await readStream(`${server.base}/a`, {})
      await stream.until(({ hasEnded }) => hasEnded())
      expect(stream.status).toBe(500)
    }
    await server.close()
  })

  it('is closed for a request when there is no place for another connection', async () => {
    const server = await serve({ limits: { perAddress: 2, total: 2, promptMs: 0 } })
    const streams = [await readStream(`${server.base}/a`, {}), await readStream(`${server.base}/b`, {})]
    const next = await readStream(`${server.base}/c`, {})
    expect(next.status).toBe(200)
    await streams[0]?.until(({ hasEnded }) => hasEnded())
    expect(streams[1]?.hasEnded()).toBe(false)
    for (const stream of [...streams, next]) stream.leave()
    await server.close()
  })

  it('loses and repeats none of the events that are committed while it begins', async () => {
    const server = await serve()
    const asked = readStream(`${server.base}/a`, {})
    for (let made = 0; made < 30; made++) {
      await change(`gate_${made}`)
      await settle(1)
    }
    const stream = await asked
    await change('gate_last')
    await stream.until(({ text }) => text().includes('gate_last'))
    const ids = stream.events().map(({ id }) => id)
    expect(ids).toEqual(ids.map((_, place) => (ids[0] ?? 0) + place))
    stream.leave()
    await server.close()
  })
})
