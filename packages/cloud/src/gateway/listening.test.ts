import { signingKey } from '@callgate/contract/wire/signature'
import type { MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { testDatabase } from '../database/postgres.kit.ts'
import { createExchange } from '../opening/exchange.ts'
import { GatewayWire } from './gatewayWire.ts'

it('knows who is online after it has listened for as long as a beat may take, also over a short outage', async () => {
  const world = fakeWorld(1)
  const database = await testDatabase(world)
  let handlers: MqttHandlers | undefined
  let isUp = false
  const wire = new GatewayWire({
    world,
    database,
    signing: () => ({ keys: [signingKey(new Uint8Array(32))], number: 0 }),
    connect(given) {
      handlers = given
      return { isConnected: () => isUp, publish: () => false, close: async () => {} }
    },
  })
  const exchange = createExchange({ world, database, door: wire })
  wire.start(exchange)
  const goUp = () => {
    isUp = true
    handlers?.onConnect()
  }
  const goDown = () => {
    isUp = false
    handlers?.onDisconnect()
  }
  expect(wire.knowsOnline()).toBe(false)
  goUp()
  await world.advance(9_000)
  expect(wire.knowsOnline()).toBe(false)
  // It has missed beats, so it begins again.
  goDown()
  goUp()
  await world.advance(10_000)
  expect(wire.knowsOnline()).toBe(false)
  await world.advance(1)
  expect(wire.knowsOnline()).toBe(true)
  goDown()
  expect(wire.knowsOnline()).toBe(false)
  await world.advance(19_000)
  goUp()
  expect(wire.knowsOnline()).toBe(true)
  goDown()
  await world.advance(21_000)
  goUp()
  expect(wire.knowsOnline()).toBe(false)
  await world.advance(10_001)
  expect(wire.knowsOnline()).toBe(true)
  exchange.stop()
  await database.close()
})
