// A gateway that was enrolled by a code opens a gate through a real Mosquitto with TLS, whose accounts the cloud manages, even
// after the broker has lost them all.

import { revokeGateway } from '@callgate/cloud/gateway/gateways'
import { expect, it, vi } from 'vitest'
import { slowness } from '../slowness.ts'
import { withoutMosquitto } from './mosquitto.ts'
import { enrolGateway, patient, startOwnBroker, world } from './ownBroker.ts'

const bundle = new URL('../../../packages/gateway/dist/gateway.mjs', import.meta.url).pathname

it('enrols a gateway, opens a gate, gets its accounts back after a loss, and cuts a revoked gateway', async ({
  skip,
}) => {
  if (withoutMosquitto !== undefined) return skip(withoutMosquitto)
  const house = await startOwnBroker()
  const { broker, database, press } = house
  const gateway = await enrolGateway(house, [process.execPath, bundle])
  // A press within 5 s of the last call joins that call, so the relay shows whether there was another.
  const opens = (relayCount: number) =>
    vi.waitFor(
      async () => {
        expect(await press()).toMatchObject({ status: 200, body: { opened: true } })
        expect(gateway.relays()).toEqual([relayCount])
      },
      { timeout: 90_000, interval: 1_000 },
    )
  await opens(1)

  // A broker that lost its disk: it starts with the two accounts of the cloud alone.
  await broker.stop()
  await house.forget()
  await broker.start()
  await opens(2)

  const { gatewayId } = gateway
  await revokeGateway({ database, world }, { gatewayId, actor: 'operator' })
  // The broker cuts it, unless the daemon ends first: a beat in between brings it the cloud's signed message.
  const isOver = new RegExp(
    `Client ${gatewayId} (been disconnected by administrative action|closed its connection)`,
  )
  await vi.waitFor(() => expect(broker.log()).toMatch(isOver), { ...patient, timeout: 5_000 * slowness() })
  const refused = { status: 502, body: { error: { reason: 'gateway_offline' } } }
  await vi.waitFor(async () => expect(await press()).toMatchObject(refused), {
    ...patient,
    interval: 1_000,
  })
  expect(gateway.relays()).toEqual([2])
})
