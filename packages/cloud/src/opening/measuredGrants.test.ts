import { callProfile } from '@callgate/contract/call/callProfile'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, type Guest, playedBeat, said } from './exchange.kit.ts'
import { playedBoot } from './gatewayEndpoint.kit.ts'

const learned = { learned: true, discriminating: true, reactMinMs: 1_500, reactMaxMs: 9_000 } as const
const profile = callProfile({ mode: 'reject', ...learned })

let rig: ExchangeRig
let guest: Guest
let seq = 0

beforeEach(async () => {
  rig = await exchangeRig()
  const gateId = await rig.addGate()
  guest = await rig.addGuest(gateId)
  const { gatewayId } = rig
  const learnedFrom = { at: '2026-01-01T00:00:00.000Z', gatewayId, modem: 'SIM800C', operator: 'Orange RO' }
  const measured = { callProfile: JSON.stringify(profile), learnedFrom: JSON.stringify(learnedFrom) }
  await rig.database.knex('gates').where({ id: gateId }).update(measured)
})
afterEach(() => rig.close())

/** A beat of the gateway that names its modem and its network. */
async function beat(model: string | null, operator: string | null, gatewayId = rig.gatewayId) {
  seq += 1
  const modem = { state: 'ready', model, operator, registration: 'home', signalDbm: -71, voltageMv: null }
  const body = JSON.stringify({ online: true, modem })
  const sent = { ...playedBeat, gatewayId, bootId: playedBoot, seq, isOnline: true, body }
  expect(await rig.exchange.heartbeat.beat(sent)).toMatchObject({ kind: 'current' })
}

async function granted(gatewayId = rig.gatewayId) {
  const openingId = await rig.press(guest)
  const by = { gatewayId, bootId: playedBoot, nonce: 'N'.repeat(22), openingId }
  const grant = await rig.exchange.claim({ ...by, sinceBootMs: rig.world.sinceBootMs() })
  const kept = JSON.parse((await rig.opening(openingId)).grantedProfile ?? 'null')
  await rig.exchange.report({
    gatewayId,
    bootId: playedBoot,
    openingId,
    seq: seq + 1_000,
    body: '{}',
    signature: 's',
    report: said.simError,
  })
  return { grant, kept }
}

it('A3: grants a measured profile as measured only to the gateway, modem and network that measured it', async () => {
  await beat('SIM800C', 'Orange RO')
  expect(await granted()).toMatchObject({ grant: { callProfile: profile }, kept: profile })
  const unmeasured = { ...profile, learned: false }
  // The new modem is not yet in the row of the gateway: such a change is written down within a minute.
  await beat('SIM7600E', 'Orange RO')
  expect(await granted()).toMatchObject({ grant: { callProfile: unmeasured }, kept: unmeasured })
  await beat('SIM800C', 'Vodafone RO')
  expect(await granted()).toMatchObject({ grant: { callProfile: unmeasured } })
  await beat('SIM800C', 'Orange RO')
  expect(await granted()).toMatchObject({ grant: { callProfile: profile } })
})

it('A3: grants it as not measured where the modem is unknown, and to another gateway with the same modem', async () => {
  const unmeasured = { ...profile, learned: false }
  expect(await granted()).toMatchObject({ grant: { callProfile: unmeasured } })
  const other = newId(rig.world, 'gw')
  const row = await rig.database.knex('gateways').where({ id: rig.gatewayId }).first()
  await rig.database.knex('gateways').insert({ ...row, id: other, bootId: playedBoot })
  rig.online.push(other)
  await beat('SIM800C', 'Orange RO', other)
  expect(await granted(other)).toMatchObject({ grant: { callProfile: unmeasured } })
})
