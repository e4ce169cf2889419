import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { readQueue } from '../history/queues.ts'
import { createExchange } from '../opening/exchange.ts'
import { playedEndpoint } from '../opening/gatewayEndpoint.kit.ts'
import { openingHandlers } from '../opening/openings.ts'
import { type ApiServer, gate, json, listen, sendTo, serveApi, told } from './server.kit.ts'

let api: ApiServer
beforeEach(async () => {
  api = await serveApi()
})
afterEach(() => api.stop())

const rateOf = ({ headers }: { headers: Headers }) => [
  headers.get('ratelimit-policy'),
  headers.get('ratelimit'),
]

describe('the rate of a key', () => {
  it('has three buckets, and is in the headers of every answer', async () => {
    expect(rateOf(await api.send('GET', '/api/v1/gates'))).toEqual([
      '"default";q=120;w=60',
      '"default";r=119;t=60',
    ])
    await api.world.advance(18_000)
    expect(rateOf(await api.send('GET', '/api/v1/gates?bad=1'))[1]).toBe('"default";r=118;t=42')
    expect(rateOf(await api.send('GET', '/api/v1/gates/none'))[1]).toBe('"default";r=117;t=42')
    expect(rateOf(await api.send('POST', '/api/v1/gates'))).toEqual([
      '"write";q=30;w=60',
      '"write";r=29;t=60',
    ])
    expect(rateOf(await api.send('POST', '/api/v1/gates/none/open'))).toEqual([
      '"open";q=10;w=60',
      '"open";r=9;t=60',
    ])
  })

  it('does not count what the key may not do, nor bad keys and paths', async () => {
    const { key } = await api.newKey(['gates:write'])
    const refused = await sendTo(api.base, key, 'GET', '/api/v1/gates')
    expect(told(refused)).toBe('403 insufficient_scope')
    expect(rateOf(refused)[1]).toBe('"default";r=120;t=0')
    expect(rateOf(await sendTo(api.base, 'bad', 'GET', '/api/v1/gates'))).toEqual([null, null])
    await api.send('GET', '/api/v1/nothing')
    expect(rateOf(await api.send('GET', '/api/v1/gates'))[1]).toBe('"default";r=119;t=60')
  })

  it('refuses the eleventh opening of a minute, and says exactly when the next is allowed', async () => {
    const open = () => api.send('POST', '/api/v1/gates/none/open')
    await open()
    await api.world.advance(10_400)
    for (let count = 1; count < 10; count++) expect((await open()).status).toBe(404)
    const refused = await open()
    expect(told(refused)).toBe('429 rate_limited')
    expect(refused.json.error?.message).toBe(
      'An API key may make at most 10 openings in any 60 s. Another is taken in 50 s.',
    )
    expect(refused.headers.get('retry-after')).toBe('50')
    expect(rateOf(refused)[1]).toBe('"open";r=0;t=50')
    expect((await api.send('POST', '/api/v1/gates', json({}))).status).toBe(400)
    const { key } = await api.newKey()
    expect((await sendTo(api.base, key, 'POST', '/api/v1/gates/none/open')).status).toBe(404)
    await api.world.advance(49_000)
    expect((await open()).status).toBe(429)
    await api.world.advance(1_000)
    expect((await open()).status).toBe(404)
    expect((await open()).status).toBe(429)
  })
})

it('of openings is kept over a restart', async () => {
  const { json: created } = await api.send('POST', '/api/v1/gates', json(gate))
  const { id } = created['gate'] as { id: string }
  const path = `/api/v1/gates/${id}/open`
  const exchange = createExchange({ noteDrift, ...api, endpoint: playedEndpoint() })
  const serveAgain = () => listen(api, openingHandlers({ ...api, exchange, readQueue }))
  const before = await serveAgain()
  for (let count = 0; count < 6; count++)
    expect(told(await sendTo(before.base, api.key, 'POST', path))).toBe('502 open_failed')
  await before.close()
  await api.world.advance(20_000)

  const after = await serveAgain()
  const open = (key = api.key) => sendTo(after.base, key, 'POST', path)
  // All at once, so that they all wait for the database.
  const statuses = (await Promise.all([1, 2, 3, 4, 5].map(() => open()))).map(({ status }) => status)
  expect(statuses.sort()).toEqual([429, 502, 502, 502, 502])
  expect((await open()).headers.get('retry-after')).toBe('40')
  expect((await open((await api.newKey()).key)).status).toBe(502)
  await api.world.advance(39_999)
  expect((await open()).status).toBe(429)
  await api.world.advance(1)
  expect((await open()).status).toBe(502)
  await after.close()
  exchange.stop()
})

it('answers bad keys slower and slower, never otherwise, and good ones at once', async () => {
  const bad = () => sendTo(api.base, 'bad', 'GET', '/api/v1/gates')
  for (let count = 0; count < 20; count++) expect((await bad()).status).toBe(401)
  for (const waitMs of [250, 500]) {
    const before = api.world.monotonicMs()
    const slow = bad()
    while (api.world.nextTimerMs() === undefined) await new Promise(resolve => setImmediate(resolve))
    expect((await api.send('GET', '/api/v1/gates')).status).toBe(200)
    expect(api.world.fireNext()).toBe(true)
    expect((await slow).status).toBe(401)
    expect(Math.floor(api.world.monotonicMs() - before)).toBe(waitMs)
  }
  await api.world.advance(60_000)
  expect((await bad()).status).toBe(401)
})
