// The limits of a gateway where several clouds handle its messages.

import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { addGateway } from '../gateway/gateways.ts'
import { newSpace } from '../space/space.kit.ts'
import { type GatewayLimits, gatewayLimits, mostPerHour } from './gatewayLimits.ts'

let world: FakeWorld
let database: Database
let gatewayId: string
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  const spaceId = await newSpace({ database, world })
  const given = { spaceId, name: 'Pi', publicKey: 'k'.repeat(43), actor: 'operator' }
  const added = await addGateway({ database, world }, given)
  gatewayId = added.ok ? added.gateway.gatewayId : ''
})
afterEach(() => database.close())

const charge = async (limits: GatewayLimits) =>
  (await database.write(tx => limits.charge(tx, gatewayId, { boots: 1 })))()
const cuts = () => database.knex('activity').where({ action: 'gateway.cut_off' })

it('are counted by each cloud, which hears all messages of the gateway; the first one above a limit cuts it off for all', async () => {
  const [one, two] = [gatewayLimits(world), gatewayLimits(world)]
  for (let boot = 0; boot < mostPerHour.boots; boot++)
    for (const limits of [one, two]) expect(limits.spend(gatewayId, { boots: 1 })).toBe(true)
  expect([one.isCutOff(gatewayId), two.isCutOff(gatewayId)]).toEqual([false, false])
  await charge(one)
  expect([one.isCutOff(gatewayId), two.isCutOff(gatewayId)]).toEqual([true, false])
  const { cutOffUntil } = await database.knex('gateways').where({ id: gatewayId }).first()
  expect(Date.parse(cutOffUntil)).toBeGreaterThan(world.nowMs())
  // The other cloud finds the same at the next message. There is still one entry in the activity, with one end.
  await world.advance(1_000)
  await charge(two)
  expect(two.isCutOff(gatewayId)).toBe(true)
  expect(await cuts()).toHaveLength(1)
  expect((await database.knex('gateways').where({ id: gatewayId }).first()).cutOffUntil).toBe(cutOffUntil)
})

it('begin at zero in a cloud that has restarted', async () => {
  const one = gatewayLimits(world)
  for (let boot = 0; boot < mostPerHour.boots; boot++) one.spend(gatewayId, { boots: 1 })
  const restarted = gatewayLimits(world)
  await charge(restarted)
  expect(restarted.isCutOff(gatewayId)).toBe(false)
  await charge(one)
  expect(one.isCutOff(gatewayId)).toBe(true)
})
