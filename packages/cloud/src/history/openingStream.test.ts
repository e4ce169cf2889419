import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { type ReadStream, readStream } from '../event/eventStream.kit.ts'
import { type ApiServer, gate, json, serveApi, told } from '../http/server.kit.ts'
import { said } from '../opening/exchange.kit.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { playedBoot, playedEndpoint } from '../opening/gatewayEndpoint.kit.ts'
import { openingHandlers } from '../opening/openings.ts'
import { revokeApiKey } from '../space/apiKeys.ts'
import { openingStreamHandlers } from './openingStream.ts'
import { readQueue } from './queues.ts'

let api: ApiServer
let exchange: Exchange
let gatewayId = ''
let gateId = ''
let seq = 0

beforeEach(async () => {
  api = await serveApi(parts => {
    exchange = createExchange({ noteDrift, ...parts, endpoint: playedEndpoint(() => [gatewayId]) })
    return { ...openingHandlers({ ...parts, exchange, readQueue }), ...openingStreamHandlers(parts) }
  })
  gatewayId = newId(api.world, 'gw')
  const keys = { publicKey: 'k', passwordHash: 'p', createdAt: isoTime(api.world.nowMs()) }
  const row = { id: gatewayId, spaceId: api.spaceId, name: 'Pi', bootId: playedBoot, ...keys }
  await api.database.knex('gateways').insert(row)
  const created = await api.send('POST', '/api/v1/gates', json(gate))
  gateId = (created.json['gate'] as { id: string }).id
})
afterEach(async () => {
  exchange.stop()
  await api.stop()
})

async function press(): Promise<string> {
  const headers = { Prefer: 'respond-async' }
  const { json } = await api.send('POST', `/api/v1/gates/${gateId}/open`, { headers })
  return String(json['openingId'])
}

const by = () => ({ gatewayId, bootId: playedBoot })
const claim = (openingId: string) =>
  exchange.claim({ ...by(), nonce: 'N'.repeat(22), openingId, sinceBootMs: api.world.sinceBootMs() })
const report = (openingId: string, what: Parameters<Exchange['report']>[0]['report']) => {
  seq += 1
  return exchange.report({
    ...by(),
    seq,
    openingId,
    report: what,
    body: JSON.stringify(what),
    signature: 's',
  })
}
const ringing = { phase: 'ringing', sinceClaimMs: 50 } as const

const streamOf = (openingId: string, headers: Record<string, string> = {}, key = api.key) =>
  readStream(`${api.base}/api/v1/openings/${openingId}/events`, {
    Authorization: `Bearer ${key}`,
    ...headers,
  })

const stepsOf = (stream: ReadStream) => stream.events().map(({ data, event }) => `${event} ${data['step']}`)
const idsOf = (stream: ReadStream) => stream.events().map(({ id }) => id)
const ended = (stream: ReadStream) => stream.until(({ hasEnded }) => hasEnded())

describe('the stream of an opening', () => {
  it('sends each step as it is committed, and ends with the opening', async () => {
    const openingId = await press()
    const stream = await streamOf(openingId)
    expect(stream.status).toBe(200)
    expect(Object.fromEntries(stream.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      ratelimit: expect.stringMatching(/^"default";r=119/),
    })
    expect(stream.headers.get('content-encoding')).toBeNull()
    await stream.until(read => read.events().length === 1)
    for (const [step, act] of [
      ['calling', () => claim(openingId)],
      ['ringing', () => report(openingId, ringing)],
      ['taken', () => report(openingId, said.completed)],
    ] as const) {
      await act()
      await stream.until(read => stepsOf(read).includes(`step ${step}`))
    }
    await ended(stream)
    expect(stepsOf(stream)).toEqual(['asked', 'calling', 'ringing', 'taken', 'ended'].map(s => `step ${s}`))
    const at = expect.stringMatching(/^2026-01-05T08:00:00\.\d{3}Z$/)
    expect(stream.events()[0]?.data).toEqual({ openingId, step: 'asked', at })
    expect(stream.text()).toMatch(/^retry: 2000\n\n/)
  })

  it('sends a joined press each step of the call', async () => {
    const leader = await press()
    const before = await press()
    await claim(leader)
    await report(leader, ringing)
    const after = await press()
    const streams = [await streamOf(before), await streamOf(after)]
    await report(leader, said.busy)
    for (const stream of streams) {
      await ended(stream)
      expect(stepsOf(stream)).toEqual(['asked', 'calling', 'ringing', 'ended'].map(s => `step ${s}`))
    }
  })

  it("continues after the reader's last event, and is empty after the last one", async () => {
    const openingId = await press()
    await claim(openingId)
    const first = await streamOf(openingId)
    await first.until(read => read.events().length === 2)
    first.leave()
    await report(openingId, said.completed)
    const again = await streamOf(openingId, { 'Last-Event-ID': String(idsOf(first).at(-1)) })
    await ended(again)
    expect(stepsOf(again)).toEqual(['step taken', 'step ended'])
    const over = await streamOf(openingId, { 'Last-Event-ID': String(idsOf(again).at(-1)) })
    expect([over.status, over.text()]).toEqual([204, ''])
  })

  it('sends the newest step to a reader who has missed events', async () => {
    const openingId = await press()
    for (const id of ['99999', 'x', '-1', '9'.repeat(40)]) {
      const stream = await streamOf(openingId, { 'Last-Event-ID': id })
      await stream.until(read => read.events().length === 1)
      expect(stepsOf(stream), id).toEqual(['reset asked'])
      stream.leave()
    }
    await claim(openingId)
    await report(openingId, said.busy)
    await api.database.knex('events').delete()
    const forgotten = await streamOf(openingId, { 'Last-Event-ID': '3' })
    await ended(forgotten)
    expect(stepsOf(forgotten)).toEqual(['reset ended'])
  })

  it('has a comment every 15 s while nothing happens', async () => {
    const openingId = await press()
    await claim(openingId)
    const stream = await streamOf(openingId)
    for (const comments of [1, 2]) {
      await api.world.advance(15_000)
      await stream.until(read => read.text().split('\n:\n').length - 1 === comments)
    }
    stream.leave()
  })

  it('is not found for another Space, and not allowed without the scope', async () => {
    const openingId = await press()
    const { key } = await api.newKey(['gates:open'])
    const path = `/api/v1/openings/${openingId}/events`
    const refused = await api.send('GET', path, { headers: { Authorization: `Bearer ${key}` } })
    expect(told(refused)).toBe('403 insufficient_scope')
    expect(told(await api.send('GET', '/api/v1/openings/open_x/events'))).toBe('404 not_found')
    const head = await api.send('HEAD', path)
    expect([head.status, head.text, head.headers.get('content-type')]).toEqual([
      200,
      '',
      'text/event-stream; charset=utf-8',
    ])
  })

  it('ends within 5 s when its key is revoked', async () => {
    const openingId = await press()
    await claim(openingId)
    const { apiKeyId, key } = await api.newKey()
    const [stream, other] = [await streamOf(openingId, {}, key), await streamOf(openingId)]
    await api.world.advance(9_000)
    expect(stream.hasEnded()).toBe(false)
    await revokeApiKey(api, { apiKeyId, actor: 'operator' })
    await api.world.advance(4_000)
    await ended(stream)
    expect(other.hasEnded()).toBe(false)
    other.leave()
  })

  it('is opened at most 20 times at once for a key, and again when one is closed', async () => {
    const openingId = await press()
    const streams: ReadStream[] = []
    for (let made = 0; made < 20; made++) streams.push(await streamOf(openingId))
    const refused = await streamOf(openingId)
    await ended(refused)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10'])
    expect(refused.text()).toContain('rate_limited')
    streams[0]?.leave()
    let again = await streamOf(openingId)
    while (again.status === 429) again = await streamOf(openingId)
    expect(again.status).toBe(200)
    for (const stream of [...streams, again]) stream.leave()
  })
})
