import { createServer, type Server } from 'node:http'
import { Router } from '@koa/router'
import Koa from 'koa'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ReadStream, readStream } from '../event/eventStream.kit.ts'
import { createEventStreams, type EventStreams } from '../event/eventStreams.ts'
import { answerErrors } from '../http/answerError.ts'
import { limitsInMemory } from '../limit/limits.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { serveGuestEvents } from './guestEvents.ts'

let rig: ExchangeRig
let guest: Guest
let server: Server
let streams: EventStreams
let base = ''

beforeEach(async () => {
  rig = await exchangeRig()
  guest = await rig.addGuest(await rig.addGate())
  const router = new Router()
  streams = createEventStreams(rig)
  serveGuestEvents(router, { ...rig, limits: limitsInMemory(rig.world), streams })
  server = createServer(new Koa().use(answerErrors(rig.world)).use(router.routes()).callback())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  await rig.close()
})

const streamOf = (openingId: string, token = guest.token, headers: Record<string, string> = {}) =>
  readStream(`${base}/g/${token}/openings/${openingId}/events`, headers)
const stepsOf = (stream: ReadStream) => stream.events().map(({ data }) => data['step'])
const ended = (stream: ReadStream) => stream.until(({ hasEnded }) => hasEnded())

describe('the stream of a guest', () => {
  it('sends the steps of a press until it has ended, and 204 after that', async () => {
    const openingId = await rig.press(guest)
    const stream = await streamOf(openingId)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow, noarchive',
    })
    await rig.claim(openingId)
    await rig.report(openingId, said.completed)
    await ended(stream)
    expect(stepsOf(stream)).toEqual(['asked', 'calling', 'taken', 'ended'])
    const last = String(stream.events().at(-1)?.id)
    expect((await streamOf(openingId, guest.token, { 'Last-Event-ID': last })).status).toBe(204)
  })

  it('is not found for a dead link and for the press of another guest', async () => {
    const openingId = await rig.press(guest)
    const other = await rig.addGuest(await rig.addGate())
    for (const token of [other.token, 'x'.repeat(32), 'x']) {
      const stream = await streamOf(openingId, token)
      await ended(stream)
      expect([stream.status, stream.text().includes(openingId)]).toEqual([404, false])
    }
  })

  it.each([
    ['deactivated', { isActive: false, linkHash: null, linkSealed: null }],
    ['given another link', { linkHash: 'another' }],
  ])('ends within 5 s when the member is %s', async (_, columns) => {
    const openingId = await rig.press(guest)
    await rig.claim(openingId)
    const stream = await streamOf(openingId)
    await rig.world.advance(6_000)
    expect(stream.hasEnded()).toBe(false)
    await rig.database.knex('members').where({ id: guest.memberId }).update(columns)
    await rig.world.advance(4_000)
    await ended(stream)
    expect(stepsOf(stream)).toEqual(['asked', 'calling'])
  })

  it('is opened at most 4 times at once for a link, and 60 times a minute', async () => {
    const openingId = await rig.press(guest)
    const open: ReadStream[] = []
    for (let made = 0; made < 4; made++) open.push(await streamOf(openingId))
    for (let made = 4; made < 61; made++) {
      const refused = await streamOf(openingId)
      expect(refused.status).toBe(429)
      expect(refused.headers.get('Retry-After')).toBe(made < 60 ? '10' : '60')
      await ended(refused)
    }
    for (const stream of open) stream.leave()
  })

  it('ends when the cloud stops, and does not log the token', async () => {
    const stream = await streamOf(await rig.press(guest))
    streams.stop()
    await ended(stream)
    expect(JSON.stringify(rig.world.lines)).not.toContain(guest.token)
  })
})
