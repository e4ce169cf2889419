// Kept beats over the wire: a cloud that does not own a gateway verifies its beats when something needs them.

import { callProfile } from '@callgate/contract/call/callProfile'
import type { Beat } from '@callgate/contract/wire/messages'
import { verifyingKey } from '@callgate/contract/wire/signature'
import { settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime, moment } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { createEventFeed } from '../event/eventFeed.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { SharedReplica } from '../replica/replica.ts'
import { random, strangerKey, type WireRig, wireRig } from './gatewayWire.kit.ts'

let rig: WireRig
let exchange: Exchange
let owns: boolean
let verified: number
let seq: number

function countingKey(publicKey: string) {
  const key = verifyingKey(publicKey)
  if (!key) return undefined
  const verify = (bytes: Uint8Array, signature: Uint8Array) => {
    verified += 1
    return key.verify(bytes, signature)
  }
  return { ...key, verify }
}

beforeEach(async () => {
  owns = true
  verified = 0
  seq = 0
  rig = await wireRig(countingKey)
  const { database, gatewayId, header, wire, world } = rig
  await database.knex('gateways').where({ id: gatewayId }).update({ bootId: header.bootId })
  const replica = new SharedReplica({ world, database, isListening: () => true })
  await replica.renew()
  Object.assign(replica, { owns: () => owns })
  const several = { replica, feed: createEventFeed({ world, database }) }
  exchange = createExchange({ noteDrift, world, database, endpoint: wire, several })
  wire.start(exchange)
  // The owner has written down the first beat, and another cloud owns the gateway from then on.
  await beat({ facts: 1 })
  owns = false
  await beat()
  verified = 0
})
afterEach(async () => {
  exchange.stop()
  await rig.close()
})

const trusts = { number: 0, keyIds: ['a'.repeat(16)] }

/** The next beat of the gateway, with its clock. */
async function beat(more: Partial<Beat> = {}, by?: typeof strangerKey): Promise<void> {
  seq += 1
  const payload = rig.beat(
    { facts: 1, trusts, sinceBootMs: Math.floor(rig.world.sinceBootMs()), ...more },
    seq,
  )
  const { body } = JSON.parse(payload)
  await rig.say('beat', by ? rig.sealed({ type: 'beat', bootId: rig.header.bootId, seq, body }, by) : payload)
  // The database takes more turns.
  await settle(40)
}

/** Lets this many beats come, one every ten seconds. */
async function beats(count: number, by?: typeof strangerKey): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    await rig.world.advance(10_000)
    await beat({}, by)
  }
}

const online = () => exchange.gateways.online(rig.spaceId)
const rowOf = () => rig.database.knex('gateways').where({ id: rig.gatewayId }).first()
const events = () =>
  rig.database.knex('events').where('kind', 'like', 'gateway.%').orderBy('seq').pluck('kind')

it('verifies no beat that says nothing new, until a press needs the last ones', async () => {
  await beats(12)
  expect(verified).toBe(0)
  expect(await online()).toEqual([rig.gatewayId])
  expect(verified).toBe(4)
  await beats(1)
  expect(verified).toBe(5)
})

it('P2: knows the clock of the gateway at a press by the beats that came before it', async () => {
  await beats(12)
  await rig.world.advance(5_000)
  const pressedAt = moment(rig.world)
  await rig.world.advance(1)
  expect(await online()).toEqual([rig.gatewayId])
  const clock = rig.wire.clocks(rig.spaceId, pressedAt).get(rig.gatewayId)
  expect(clock?.bootId).toBe(rig.header.bootId)
  expect(Math.abs((clock?.atPressMs ?? 0) - pressedAt.sinceBootMs)).toBeLessThan(2)
})

it('P2: knows no clock by a beat that came after the press', async () => {
  await rig.world.advance(95_000)
  const pressedAt = moment(rig.world)
  await rig.world.advance(1)
  await beat({ sinceBootMs: Math.floor(rig.world.sinceBootMs()) + 60_000 })
  expect(await online()).toEqual([rig.gatewayId])
  expect(rig.wire.clocks(rig.spaceId, pressedAt).size).toBe(0)
})

it('does not count a gateway as online by beats that another key has signed', async () => {
  await beats(4, strangerKey)
  expect(await online()).toEqual([])
  expect(rig.world.lines.filter(({ message }) => message === 'a message was dropped')).not.toEqual([])
})

it('hears a goodbye at once, after the beats before it', async () => {
  await beats(2)
  seq += 1
  await rig.say('beat', rig.beat({ online: false }, seq))
  await settle(40)
  expect(rig.wire.online(rig.spaceId)).toEqual([])
  expect(verified).toBe(3)
})

it('reads the facts of the gateway at once where they are others', async () => {
  await beats(2)
  await beat({ facts: seq + 1, can: ['ussd'] })
  expect(rig.wire.currentBoot(rig.gatewayId)?.can).toEqual(['ussd'])
})

it('does not count a gateway any more that was revoked after its beats came', async () => {
  await beats(3)
  await rig.database
    .knex('gateways')
    .where({ id: rig.gatewayId })
    .update({ revokedAt: isoTime(rig.world.nowMs()) })
  expect(await online()).toEqual([])
})

it('counts a gateway as connected whose beats it keeps', async () => {
  await beats(6)
  expect(rig.wire.onlineCount()).toBe(1)
  await rig.world.advance(30_000)
  expect(rig.wire.onlineCount()).toBe(0)
})

it('shows a gateway by what its owner has written, heard when its last beat came, and verifies it to show it', async () => {
  await beats(6)
  const heardMs = rig.world.nowMs()
  await rig.world.advance(3_000)
  const { heard } = exchange.heartbeat
  expect(heard.now(await rowOf())).toMatchObject({ heard: { isOnline: true, atMs: heardMs } })
  await beat({ queueLength: 7 })
  await heard.catchUp(rig.spaceId)
  const { lastBeat } = heard.now(await rowOf())
  expect(JSON.parse(lastBeat)).toMatchObject({ queueLength: 7 })
})

it('reports the silence of a gateway whose last beats it has kept, once it owns the gateway', async () => {
  await beats(6)
  const heardAt = isoTime(rig.world.nowMs())
  await rig.world.advance(15_000)
  owns = true
  await rig.world.advance(15_000)
  expect(await events()).toEqual(['gateway.online'])
  await rig.world.advance(1_000)
  expect(await events()).toEqual(['gateway.online', 'gateway.offline'])
  expect(await rowOf()).toMatchObject({ lastBeatAt: heardAt, onlineSince: null })
})

it('writes down a change that it has kept, once it owns the gateway', async () => {
  await beats(3)
  const modem = {
    state: 'no_network',
    trouble: null,
    registration: 'none',
    model: null,
    operator: null,
  } as const
  await beat({ modem: { ...modem, signalDbm: null, voltageMv: null } })
  expect(await events()).toEqual(['gateway.online'])
  owns = true
  await rig.world.advance(10_000)
  await beat({ modem: { ...modem, signalDbm: null, voltageMv: null } })
  expect(await events()).toEqual(['gateway.online', 'gateway.changed'])
})

it('verifies the beats of a Space before it applies a report, which other gateways may make safe to retry', async () => {
  await beats(12)
  const openingId = newId(rig.world, 'open')
  const report = { phase: 'not_dialled', sinceClaimMs: 1 } as const
  const by = { gatewayId: rig.gatewayId, bootId: rig.header.bootId, seq: 1, signature: 's' }
  await exchange.report({ ...by, openingId, report, body: JSON.stringify(report) })
  expect(rig.wire.online(rig.spaceId)).toEqual([rig.gatewayId])
})

/** A gate, and a key that may open it. */
async function furnishGate() {
  const { database, spaceId, world } = rig
  const [gateId, apiKeyId] = [newId(world, 'gate'), newId(world, 'key')]
  const of = { spaceId, createdAt: isoTime(world.nowMs()) }
  await database.knex('spaces').where({ id: spaceId }).update({ plan: 'pro' })
  const gate = { id: gateId, phoneNumber: '+40722000001', name: 'North', location: '', isActive: true }
  const profile = JSON.stringify(callProfile({ mode: 'reject' }))
  await database.knex('gates').insert({ ...gate, ...of, callProfile: profile })
  const key = { id: apiKeyId, name: 'door', keyHash: 'h', shownPrefix: 's' }
  await database.knex('apiKeys').insert({ ...key, ...of, scopes: JSON.stringify(['gates:open']) })
  const actor = { actorType: 'owner', actorName: 'api:door', actorEmail: null, apiKeyId } as const
  return { spaceId, gateId, actor }
}

/** Presses, and claims the call when the clock of the gateway shows `ms` more. */
async function claimAfter(ms: number, place: Awaited<ReturnType<typeof furnishGate>>) {
  const since = moment(rig.world)
  await rig.world.advance(1)
  const openingId = (await exchange.press({ ...place, since }))?.openingId ?? ''
  // A gateway that is not there would end it, and the claim would be refused for that.
  expect(await rig.database.knex('openings').where({ id: openingId }).pluck('status')).toEqual(['initiated'])
  const claim = { gatewayId: rig.gatewayId, bootId: rig.header.bootId, nonce: random('N'), openingId }
  return exchange.claim({ ...claim, sinceBootMs: Math.floor(since.sinceBootMs) + ms })
}

it('P2: does not grant a call that has grown old by the clock of its gateway, which only kept beats tell', async () => {
  const place = await furnishGate()
  await beats(12)
  await rig.world.advance(5_000)
  expect(await claimAfter(13_000, place)).toEqual({ granted: false, reason: 'expired' })
})

it('grants a call to a gateway whose beats were only kept', async () => {
  const place = await furnishGate()
  await beats(12)
  await rig.world.advance(5_000)
  expect(await claimAfter(1_000, place)).toMatchObject({ granted: true })
})
