// A cloud that stops during a press, and the requests that are repeated to the next cloud.

import { settle } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { readQueue } from '../history/queues.ts'
import { type ApiServer, gate, json, serveApi, type TestServerParts, told } from '../http/server.kit.ts'
import { type ExchangeRig, exchangeRig, playedGateway, said } from './exchange.kit.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { playedEndpoint } from './gatewayEndpoint.kit.ts'
import { openingHandlers } from './openings.ts'

let api: ApiServer
let exchange: Exchange
let path = ''
let rig: ExchangeRig

beforeEach(async () => {
  api = await serveApi((parts: TestServerParts) => {
    exchange = createExchange({ noteDrift, ...parts, endpoint: playedEndpoint(() => ['gw']) })
    return openingHandlers({ ...parts, exchange, readQueue })
  })
  const created = await api.send('POST', '/api/v1/gates', json(gate))
  path = `/api/v1/gates/${(created.json['gate'] as { id: string }).id}/open`
  rig = await exchangeRig()
})
afterEach(async () => {
  exchange.stop()
  await api.stop()
  await rig.close()
})

const openings = () => api.database.knex('openings')

it('answers a waiting request at once with the id of its opening, whose call may go on', async () => {
  const answer = api.send('POST', path)
  while (exchange.requests.waiting() === 0) await settle(1)
  exchange.stop()
  const [{ id }] = await openings()
  expect([(await answer).status, (await answer).json]).toEqual([200, { opened: false, openingId: id }])
})

it('rejects a press that comes after the stop, and records nothing', async () => {
  exchange.stop()
  const answer = await api.send('POST', path)
  expect([told(answer), answer.headers.get('Retry-After')]).toEqual(['503 internal_error', '1'])
  expect(await openings()).toEqual([])
})

it('lets the next cloud wait for the call that an opening has joined', async () => {
  const { database, endpoint, gatewayId, world } = rig
  const guest = await rig.addGuest(await rig.addGate())
  const leader = await rig.press(guest)
  await rig.claim(leader)
  const joined = await rig.press(guest)
  rig.exchange.stop()
  const next = createExchange({ noteDrift, world, database, endpoint })
  await next.start()
  let isOver = false
  void next.requests.wait(joined, 50_000).then(() => (isOver = true))
  await world.advance(1_000)
  expect(isOver).toBe(false)
  await playedGateway(next, world, gatewayId).report(leader, said.completed)
  await settle()
  expect(isOver).toBe(true)
  expect((await rig.opening(joined)).status).toBe('completed')
  next.stop()
})
