import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { openingReadHandlers } from '../history/openingReads.ts'
import { readQueue } from '../history/queues.ts'
import {
  type ApiServer,
  gate,
  json,
  listen,
  sendTo,
  serveApi,
  type TestServerParts,
  told,
} from '../http/server.kit.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { playedEndpoint } from './gatewayEndpoint.kit.ts'
import { openingHandlers } from './openings.ts'

let api: ApiServer
let exchange: Exchange
let online: string[]
let path = ''

const openingsOf = (parts: TestServerParts) => {
  exchange = createExchange({ noteDrift, ...parts, endpoint: playedEndpoint(() => online) })
  return {
    ...openingHandlers({ ...parts, exchange, readQueue }),
    ...openingReadHandlers({ ...parts, gateways: exchange.gateways }),
  }
}

beforeEach(async () => {
  online = ['gw']
  api = await serveApi(openingsOf)
  const created = await api.send('POST', '/api/v1/gates', json(gate))
  path = `/api/v1/gates/${(created.json['gate'] as { id: string }).id}/open`
})
afterEach(async () => {
  exchange.stop()
  await api.stop()
})

const open = (headers: Record<string, string> = {}) => api.send('POST', path, { headers })

/** Waits, in real time, until the server has inserted `count` openings. The fake clock does not move. */
async function untilPressed(count = 1): Promise<string[]> {
  for (;;) {
    const ids: string[] = await api.database.knex('openings').orderBy('id').pluck('id')
    if (ids.length >= count) return ids
    await new Promise(resolve => setImmediate(resolve))
  }
}

describe('the answer to a press', () => {
  it('reports at once that no gateway is online, whatever Prefer asks for', async () => {
    online = []
    for (const headers of [{}, { Prefer: 'respond-async' }, { Prefer: 'wait=5' }]) {
      const answer = await open(headers)
      expect(told(answer)).toBe('502 open_failed')
      expect(answer.json.error).toMatchObject({ reason: 'gateway_offline', safeToRetry: true })
    }
  })

  it('comes at once for respond-async, with the location of the opening', async () => {
    const answer = await open({ Prefer: 'respond-async' })
    const [openingId] = await untilPressed()
    expect([answer.status, answer.json]).toEqual([202, { opened: false, openingId }])
    expect(answer.headers.get('location')).toBe(`/api/v1/openings/${openingId}`)
    expect(answer.headers.get('preference-applied')).toBe('respond-async')
    const followed = await api.send('GET', `/api/v1/openings/${openingId}`)
    expect(followed.json['opening']).toMatchObject({ id: openingId, status: 'initiated', duration: null })
  })

  it('names the length of the queue to a press that waits for the call of another gate', async () => {
    const first = await open({ Prefer: 'respond-async' })
    expect(first.json).not.toHaveProperty('queue')
    const other = { ...gate, phoneNumber: '+40722123999' }
    const created = await api.send('POST', '/api/v1/gates', json(other))
    const { id } = created.json['gate'] as { id: string }
    await api.world.advance(1_000)
    const second = await api.send('POST', `/api/v1/gates/${id}/open`, {
      headers: { Prefer: 'respond-async' },
    })
    const queue = { ahead: 1, aboutS: 12, inTime: false }
    expect([second.status, second.json]).toEqual([
      202,
      { opened: false, openingId: expect.any(String), queue },
    ])
    const followed = await api.send('GET', second.headers.get('location') ?? '')
    expect(followed.json['evidence']).toMatchObject({ queue })
    const alone = await api.send('GET', first.headers.get('location') ?? '')
    expect(alone.json['evidence']).not.toHaveProperty('queue')
  })

  it('comes when the wait is over while the call still runs', async () => {
    const answer = open({ Prefer: 'wait=3' })
    const [openingId] = await untilPressed()
    await api.world.advance(2_999)
    const isEarly = await Promise.race([
      answer.then(() => true),
      new Promise(done => setImmediate(done, false)),
    ])
    expect(isEarly).toBe(false)
    await api.world.advance(1)
    expect([(await answer).status, (await answer).json]).toEqual([200, { opened: false, openingId }])
    expect((await answer).headers.get('preference-applied')).toBe('wait=3')
  })

  it('is the failure as soon as the call has failed', async () => {
    const answer = open()
    await untilPressed()
    await api.world.advance(12_000)
    expect(told(await answer)).toBe('502 open_failed')
    expect((await answer).headers.get('preference-applied')).toBeNull()
  })

  it('is 404 for a gate that does not exist', async () => {
    const answer = await api.send('POST', '/api/v1/gates/none/open', { headers: { 'Idempotency-Key': 'a' } })
    expect(told(answer)).toBe('404 not_found')
    expect(await api.database.knex('keptAnswers')).toEqual([])
  })
})

/** A twin is the same request with the same key, sent again while the first one runs. */
describe('a press with an Idempotency-Key', () => {
  const once = { 'Idempotency-Key': 'once' }

  it('calls once: a twin waits for the answer to the first request, and one after the end gets the same answer', async () => {
    const first = open(once)
    await untilPressed()
    const twin = open(once)
    await api.world.advance(12_000)
    const answers = [await first, await twin, await open(once)]
    expect(new Set(answers.map(answer => answer.text)).size).toBe(1)
    expect(answers.map(told)).toEqual(Array(3).fill('502 open_failed'))
    expect(answers.map(answer => answer.headers.get('idempotency-replayed'))).toEqual([null, 'true', 'true'])
    expect(await untilPressed()).toHaveLength(1)
    expect((await open({ 'Idempotency-Key': 'other', Prefer: 'respond-async' })).status).toBe(202)
    expect(await untilPressed(2)).toHaveLength(2)
  })

  it('answers 409 to a twin whose wait ends before the first request', async () => {
    const first = open(once)
    await untilPressed()
    expect(told(await open({ ...once, Prefer: 'respond-async' }))).toBe('409 conflict')
    await api.world.advance(12_000)
    expect((await first).status).toBe(502)
  })

  it('repeats a 202', async () => {
    const first = await open({ ...once, Prefer: 'respond-async' })
    const again = await open(once)
    expect([again.status, again.text]).toEqual([202, first.text])
    expect(again.headers.get('location')).toBe(first.headers.get('location'))
    expect(await untilPressed()).toHaveLength(1)
  })

  it('finds an opening that an earlier process recorded, and waits for its end', async () => {
    const [{ id: apiKeyId }] = await api.database.knex('apiKeys').select('id')
    const lost = open(once).catch(() => {})
    const [openingId = ''] = await untilPressed()
    const row = { askerId: apiKeyId, openingId, sealedAnswer: null }
    expect(await api.database.knex('keptAnswers')).toMatchObject([row])
    const former = exchange
    const other = await listen(api, openingsOf(api))
    const replay = sendTo(other.base, api.key, 'POST', path, { headers: once })
    expect(await (await replay).json).toEqual({ opened: false, openingId })
    expect((await replay).headers.get('idempotency-replayed')).toBe('true')
    expect(await untilPressed()).toEqual([openingId])
    expect(await api.database.knex('keptAnswers').pluck('sealedAnswer')).not.toContain(null)
    former.stop()
    await lost
    await other.close()
  })
})

it('lists the openings of its Space, newest first, by offset or by cursor', async () => {
  const { knex } = api.database
  const { gateId, spaceId } = (await knex('gates').first('id as gateId', 'spaceId')) as {
    gateId: string
    spaceId: string
  }
  const row = (number: number) => ({
    id: newId(api.world, 'open'),
    spaceId,
    gateId,
    gateName: `Gate ${number}`,
    phoneNumber: '+40722123456',
    status: 'failed',
    reason: 'gateway_offline',
    calledAt: isoTime(api.world.nowMs() + number * 1000),
    completedAt: isoTime(api.world.nowMs() + number * 1000 + 2_500),
    grantBefore: isoTime(api.world.nowMs()),
    actorType: 'owner',
    actorName: 'api:Desk',
  })
  await knex('openings').insert([1, 2, 3, 4, 5].map(row))
  const list = async (query: string) => {
    const { json } = await api.send('GET', `/api/v1/openings?${query}`)
    const openings = json['openings'] as { gateName: string }[]
    return { names: openings.map(({ gateName }) => gateName), pagination: json['pagination'] }
  }
  expect(await list('limit=2&offset=1')).toEqual({
    names: ['Gate 4', 'Gate 3'],
    pagination: { limit: 2, offset: 1 },
  })
  const first = await list('limit=3&cursor=')
  const { nextCursor } = first.pagination as { nextCursor: string }
  expect(first.names).toEqual(['Gate 5', 'Gate 4', 'Gate 3'])
  expect(await list(`limit=3&cursor=${nextCursor}`)).toEqual({
    names: ['Gate 2', 'Gate 1'],
    pagination: { limit: 3, nextCursor: null },
  })
  const { json } = await api.send('GET', '/api/v1/openings?limit=1')
  expect(json['openings']).toMatchObject([
    {
      duration: 2,
      errorMessage: expect.any(String),
      openedBy: { type: 'owner', name: 'api:Desk', email: null },
    },
  ])
})
