import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, said } from './exchange.kit.ts'

let rig: ExchangeRig
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

it('a claim that comes after its gateway has given it up is not granted, and that of another boot is', async () => {
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  expect(await rig.report(openingId, said.notDialled)).toMatchObject({ result: 'applied' })
  expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'expired' })
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated', gatewayId: null, usageHeld: 0 })
  const later = { gatewayId: rig.gatewayId, bootId: 'B'.repeat(22), nonce: 'M'.repeat(22), openingId }
  expect(await rig.exchange.claim(later)).toMatchObject({ granted: true })
})
