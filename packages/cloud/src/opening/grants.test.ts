import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { mostPerHour } from '../heartbeat/gatewayLimits.ts'
import { type ExchangeRig, exchangeRig, said } from './exchange.kit.ts'
import { playedBoot } from './gatewayEndpoint.kit.ts'

let rig: ExchangeRig
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

it('does not grant a claim that its gateway has given up, and grants the claim of another gateway', async () => {
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

it('answers with the very grant that it has signed and written down, so that it is signed once', async () => {
  const signed: unknown[] = []
  const { sign } = rig.endpoint
  rig.endpoint.sign = (grant, claim) => {
    signed.push(grant)
    return sign(grant, claim)
  }
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  const [grant] = [await rig.claim(openingId), await rig.claim(openingId)]
  expect(signed).toHaveLength(1)
  expect(grant).toBe(signed[0])
})

it('does not call a stored number of a refused range', async () => {
  const { knex } = rig.database
  const gateId = await rig.addGate()
  const openingId = await rig.press(await rig.addGuest(gateId))
  const premium = { phoneNumber: '+4990012345678' }
  await knex('gates').where({ id: gateId }).update(premium)
  await knex('openings').where({ id: openingId }).update(premium)
  expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'refused' })
  expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'number_not_allowed' })
})

it('cuts off a gateway with too many refused claims, and records it', async () => {
  const { exchange, gatewayId } = rig
  const claim = (bootId: string) => {
    const openingId = newId(rig.world, 'open')
    return exchange.claim({ gatewayId, bootId, openingId, nonce: 'M'.repeat(22), sinceBootMs: 0 })
  }
  for (let one = 0; one < mostPerHour.claims; one += 2) {
    expect(await claim(playedBoot)).toMatchObject({ granted: false, reason: 'refused' })
    expect(await claim('Z'.repeat(22))).toMatchObject({ challenge: expect.any(String) })
  }
  expect(exchange.heartbeat.limits.isCutOff(gatewayId)).toBe(false)
  await claim(playedBoot)
  expect(exchange.heartbeat.limits.isCutOff(gatewayId)).toBe(true)
  const [entry] = await rig.database.knex('activity').where({ action: 'gateway.cut_off' })
  expect(JSON.parse(entry?.details ?? '{}').tooMany).toBe('claims')
})
