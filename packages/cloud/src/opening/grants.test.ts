import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, said } from './exchange.kit.ts'
import { playedBoot } from './gatewayDoor.kit.ts'

let rig: ExchangeRig
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

it('a claim that comes after its gateway has given it up is not granted, and that of another gateway is', async () => {
  const other = newId(rig.world, 'gw')
  const row = await rig.database.knex('gateways').where({ id: rig.gatewayId }).first()
  await rig.database.knex('gateways').insert({ ...row, id: other, bootId: playedBoot })
  rig.online.push(other)
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  expect(await rig.report(openingId, said.notDialled)).toMatchObject({ result: 'applied' })
  expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'expired' })
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated', gatewayId: null, usageHeld: 0 })
  const by = { gatewayId: other, bootId: playedBoot, nonce: 'M'.repeat(22), sinceBootMs: 0 }
  expect(await rig.exchange.claim({ ...by, openingId })).toMatchObject({ granted: true })
})

it('a stored number of a refused range is not called: neither by a claim nor by a press', async () => {
  const { knex } = rig.database
  const gateId = await rig.addGate()
  const openingId = await rig.press(await rig.addGuest(gateId))
  const premium = { phoneNumber: '+4990012345678' }
  await knex('gates').where({ id: gateId }).update(premium)
  await knex('openings').where({ id: openingId }).update(premium)
  expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'refused' })
  expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'number_not_allowed' })
})
