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
  await rig.database.knex('gateways').insert({ ...row, id: other, bootId: null })
  rig.online.push(other)
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  expect(await rig.report(openingId, said.notDialled)).toMatchObject({ result: 'applied' })
  expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'expired' })
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated', gatewayId: null, usageHeld: 0 })
  const by = { gatewayId: other, bootId: playedBoot, nonce: 'M'.repeat(22), sinceBootMs: 0 }
  expect(await rig.exchange.claim({ ...by, openingId })).toMatchObject({ granted: true })
})
