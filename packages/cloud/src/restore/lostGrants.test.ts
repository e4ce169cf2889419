import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, type Guest, playedBeat, said } from '../opening/exchange.kit.ts'
import { createExchange } from '../opening/exchange.ts'
import { playedBoot } from '../opening/gatewayEndpoint.kit.ts'
import { numbersHeldMs } from './restores.ts'

let rig: ExchangeRig
let guest: Guest
let seq: number
beforeEach(async () => {
  rig = await exchangeRig()
  guest = await rig.addGuest(await rig.addGate())
  seq = 0
})
afterEach(() => rig.close())

/** A beat with all facts, `agoMs` after the grant of `openingId`. */
function beat(openingId: string, { agoMs = 5_000, exchange = rig.exchange } = {}) {
  seq += 1
  const lastGrant = { openingId, sinceBootMs: 90_000_000 - agoMs }
  const trusts = { number: 0, keyIds: ['a'.repeat(16)] }
  const facts = { facts: seq, trusts, lastGrant, sinceBootMs: 90_000_000 }
  const body = JSON.stringify({ online: true, connectionId: 'c', modem: {}, ...facts })
  const by = { gatewayId: rig.gatewayId, bootId: playedBoot, seq, isOnline: true }
  return exchange.heartbeat.beat({ ...playedBeat, ...by, body })
}
const unknownId = (of = 5) => newId(fakeWorld(of), 'open')
/** The reason with which a press at any gate of the Space ends now; undefined while it runs. */
const pressed = async (by = guest) => (await rig.opening(await rig.press(by))).reason ?? undefined
const told = () => rig.world.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)

it('P5: makes no call in a Space whose gateway had a grant that the data has lost, until that call is over', async () => {
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  const waiting = await rig.press(await rig.addGuest(await rig.addGate()))
  // The data as before that press, and no record of the press outside it.
  await rig.database.knex('openings').where({ id: openingId }).delete()
  expect(await beat(openingId)).toMatchObject({ kind: 'current' })
  expect(told()).toMatchObject([{ openingId, spaceId: rig.spaceId, agoMs: 5_000, pressesAreHeld: true }])
  expect(await rig.opening(waiting)).toMatchObject({ reason: 'outcome_unknown', safeToRetry: 0 })
  expect(await rig.claim(waiting)).toMatchObject({ granted: false })
  const other = await rig.addGuest(await rig.addGate())
  expect(await pressed(other)).toBe('interrupted')
  await rig.world.advance(numbersHeldMs / 2)
  // Setting the wall clock does not end the hold.
  rig.world.jumpWallClock(86_400_000)
  expect(await pressed(other)).toBe('interrupted')
  await rig.world.advance(numbersHeldMs / 2 - 1)
  expect(await pressed(other)).toBe('interrupted')
  await rig.world.advance(1)
  expect(await pressed(other)).toBeUndefined()
})

it('no longer claims to know the outcome of an opening whose grant is lost', async () => {
  const openingId = await rig.run(guest, said.busy)
  expect(await rig.opening(openingId)).toMatchObject({ opened: 'no' })
  const ungranted = { gatewayId: null, bootId: null, grantNonce: null, grantedAt: null, grantSignature: null }
  const asInterrupted = { ...ungranted, reason: 'interrupted', confidence: 'certain', safeToRetry: true }
  await rig.database.knex('openings').where({ id: openingId }).update(asInterrupted)
  await beat(openingId)
  expect(await rig.opening(openingId)).toMatchObject({
    reason: 'outcome_unknown',
    opened: 'unknown',
    confidence: 'unknown',
    safeToRetry: 0,
  })
})

it('advances the event numbers of the Space, and of no other Space', async () => {
  const { knex } = rig.database
  const other = newId(fakeWorld(8), 'space')
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await knex('spaces').insert({ id: other, name: 'B', plan: 'free', ...zone, createdAt: isoTime(0) })
  await knex('eventCounters').insert({ spaceId: other, lastSeq: 7 })
  await rig.run(guest, said.completed)
  await beat(unknownId())
  const counters = await knex('eventCounters').orderBy('lastSeq')
  expect(counters).toMatchObject([{ spaceId: other, lastSeq: 7 }, { spaceId: rig.spaceId }])
  expect(counters[1].lastSeq).toBeGreaterThan(1_000_000_000)
})

it('ignores a grant that the data has, and one of more than a day ago', async () => {
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  await beat(openingId)
  await beat(unknownId(), { agoMs: 86_400_001 })
  // A grant cannot be later than the beat that reports it.
  await beat(unknownId(), { agoMs: -1 })
  await rig.report(openingId, said.completed)
  await beat(openingId)
  expect(told()).toEqual([])
  await rig.world.advance(60_000)
  expect(await pressed()).toBeUndefined()
})

it('holds a Space at most once an hour, whatever a stolen gateway reports', async () => {
  await beat(unknownId(1))
  await beat(unknownId(1))
  await rig.world.advance(numbersHeldMs)
  for (let of = 2; of < 6; of++) await beat(unknownId(of))
  expect(told()).toHaveLength(5)
  expect(await pressed()).toBeUndefined()
  await rig.world.advance(3_600_000)
  await beat(unknownId(7))
  expect(await pressed()).toBe('interrupted')
})

it('ends the waiting openings at the next beat where the database has not taken the ends', async () => {
  // Nothing else of the next beat is written down.
  await beat(unknownId(), { agoMs: 86_400_001 })
  const waiting = await rig.press(guest)
  const { knex } = rig.database
  await knex.schema.renameTable('eventCounters', 'away')
  await expect(beat(unknownId())).rejects.toThrow()
  await knex.schema.renameTable('away', 'eventCounters')
  expect(await rig.opening(waiting)).toMatchObject({ status: 'initiated' })
  await beat(unknownId())
  expect(await rig.opening(waiting)).toMatchObject({ reason: 'outcome_unknown' })
})

it('checks again after a restart of the cloud, by the row of the gateway', async () => {
  await beat(unknownId())
  rig.exchange.stop()
  const exchange = createExchange(rig)
  const known = seq
  seq += 1
  const body = JSON.stringify({
    online: true,
    connectionId: 'c',
    modem: {},
    facts: known,
    sinceBootMs: 90_010_000,
  })
  const by = { gatewayId: rig.gatewayId, bootId: playedBoot, seq, isOnline: true }
  await exchange.heartbeat.beat({ ...playedBeat, ...by, body })
  expect(told()).toMatchObject([{ agoMs: 5_000 }, { agoMs: 15_000 }])
  exchange.stop()
})
