// The API of one of several clouds, whose wall clock is wrong.

import { createServer } from 'node:http'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createApi } from './api.ts'
import { createEventStreams } from './event/eventStreams.ts'
import { limitsInMemory } from './limit/limits.ts'
import { type ExchangeRig, exchangeRig, playedBeat } from './opening/exchange.kit.ts'
import { playedKey } from './opening/gatewayEndpoint.kit.ts'
import { createApiKey } from './space/apiKeys.ts'
import { newSeal } from './space/space.kit.ts'

let rig: ExchangeRig
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

it.each([25, -26])('shows a gateway by the clock of the database, with its own %i h off', async hours => {
  const { database, exchange, gatewayId, spaceId } = rig
  const body = { online: true, modem: { state: 'ready' }, toReport: [], version: '9.0.0', uptimeS: 60 }
  const text = JSON.stringify({ ...body, queueLength: 0 })
  const of = { ...playedBeat, gatewayId, bootId: 'A'.repeat(22), seq: 1, isOnline: true }
  await exchange.heartbeat.beat({ ...of, body: text })
  await database.knex('spaces').where('id', spaceId).update({ plan: 'pro' })
  const given = { spaceId, name: 'Desk', gateIds: null, expiresAt: null, actor: 'operator' } as const
  const made = await createApiKey(rig, { ...given, scopes: ['gates:read'] })
  const world = { ...rig.world, nowMs: () => rig.world.nowMs() + hours * 3_600_000 }
  const streams = createEventStreams({ world, database })
  const app = createApi({
    world,
    database,
    seal: newSeal(rig.world),
    exchange,
    streams,
    limits: limitsInMemory(world),
    appUrl: 'http://localhost',
    login: () => ({ mqttUrl: 'mqtt://localhost:1883', cloudKeys: [], hasOwnBroker: false }),
    signing: () => ({ keys: [playedKey], number: 0 }),
  })
  const server = createServer(app.callback())
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const headers = { authorization: `Bearer ${made?.key}` }
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/gateways/${gatewayId}`, { headers })
  expect(await answer.json()).toMatchObject({ gateway: { now: { state: 'online' } } })
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  streams.stop()
})
