import { newId } from '@callgate/world/ids'
import { followMeasures } from '@callgate/world/measures'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { additionsOf, axisOf, columnsOf, type KeptFigures, withAdditions } from '../core/beatHistory.ts'
import type { Database } from '../database/database.ts'
import type { GatewayRow } from '../gateway/gatewayRows.ts'
import { type ExchangeRig, exchangeRig, playedBeat } from '../opening/exchange.kit.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { alone } from '../replica/replica.ts'
import type { VerifiedBeat } from './beats.ts'
import { beatsAside } from './beatsAside.ts'
import { recentBeats } from './recentBeats.ts'

let rig: ExchangeRig
let seq = 0
const open: Exchange[] = []
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(async () => {
  for (const exchange of open.splice(0)) exchange.stop()
  await rig.close()
})

const bootId = 'A'.repeat(22)
const modem = { state: 'ready', registration: 'home', operator: 'A', signalDbm: -70 }

function beat(more: Partial<VerifiedBeat> & { modem?: object } = {}, exchange = rig.exchange) {
  const { isOnline = true, modem: changed = {}, ...rest } = more
  const body = JSON.stringify({ online: isOnline, connectionId: 'C', modem: { ...modem, ...changed } })
  seq += 1
  return exchange.heartbeat.beat({
    ...playedBeat,
    gatewayId: rig.gatewayId,
    bootId,
    seq,
    isOnline,
    body,
    ...rest,
  })
}

/** Sends a beat every 10 s. */
async function beatFor(seconds: number, exchange = rig.exchange): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 10) {
    await rig.world.advance(10_000)
    expect(await beat({}, exchange)).toMatchObject({ kind: 'current' })
  }
}

async function row(): Promise<GatewayRow> {
  const found = await rig.database.knex<GatewayRow>('gateways').first()
  if (!found) throw new Error('no gateway')
  return found
}
const kinds = () =>
  rig.database.knex('events').where({ targetId: rig.gatewayId }).orderBy('seq').pluck('kind')
const now = () => isoTime(rig.world.nowMs())

/** Kills the cloud, and starts it again on the same data. */
async function killed(): Promise<Exchange> {
  rig.exchange.stop()
  const exchange = createExchange(rig)
  open.push(exchange)
  await exchange.start()
  return exchange
}

/** An exchange that counts its transactions, and makes them fail while `isBroken` returns true. */
function watched(isBroken: () => boolean = () => false) {
  const count = { writes: 0 }
  const write: Database['write'] = (work, options) => {
    count.writes += 1
    return rig.database.write(async tx => {
      const done = await work(tx)
      if (isBroken()) throw new Error('the disk is full')
      return done
    }, options)
  }
  const exchange = createExchange({ ...rig, database: { ...rig.database, write } })
  open.push(exchange)
  return { count, exchange }
}

async function onlineMs(exchange = rig.exchange): Promise<number> {
  const axis = axisOf({ stepS: 3_600, stretches: 24 }, rig.world.nowMs())
  const kept: KeptFigures[] = await rig.database.knex('beatFigures').where({ stepS: 3_600 })
  const { onlineS } = columnsOf(
    withAdditions(kept, exchange.heartbeat.heard.additions(rig.gatewayId), axis),
    axis,
  )
  return onlineS.reduce<number>((sum, one) => sum + (one ?? 0), 0) * 1_000
}

it('writes beats without a change each five minutes, and shows each of them at once', async () => {
  const { count, exchange } = watched()
  await beat({}, exchange)
  const before = count.writes
  for (let minute = 0; minute < 20; minute++) {
    await beatFor(60, exchange)
    expect(exchange.heartbeat.heard.now({ ...(await row()) }).lastBeatAt).toBe(now())
    expect(rig.world.nowMs() - Date.parse((await row()).lastBeatAt ?? '')).toBeLessThanOrEqual(301_000)
    expect(await onlineMs(exchange)).toBe((minute + 1) * 60_000)
  }
  expect(count.writes - before).toBeGreaterThanOrEqual(3)
  expect(count.writes - before).toBeLessThanOrEqual(4)
})

it('writes a change at once: of the modem, of the journal, and a goodbye', async () => {
  await beat()
  await beatFor(20)
  for (const change of [
    { modem: { registration: 'searching' } },
    { modem: { trouble: 'brownout' } },
    { journalId: 'K'.repeat(22) },
    { isOnline: false },
  ]) {
    await beat()
    await rig.world.advance(1_000)
    await beat(change)
    expect(await row(), JSON.stringify(change)).toMatchObject({ lastBeatAt: now() })
  }
  expect((await row()).lastBeat).toContain('"online":false')
})

it('writes nothing at once for other openings to report, none of which is lost: two beats of each opening', async () => {
  const { count, exchange } = watched()
  await beat({}, exchange)
  await rig.world.advance(10_000)
  await beat({}, exchange)
  const before = count.writes
  for (const toReport of [['open_a'], ['open_b'], []]) {
    await rig.world.advance(1_000)
    expect(await beat({ toReport }, exchange)).toMatchObject({ kind: 'current' })
  }
  expect(count.writes).toBe(before)
})

it('writes a beat over another connection soon, because the gateway has come back', async () => {
  await beat()
  await beatFor(20)
  const body = JSON.stringify({ online: true, connectionId: 'D', modem })
  await beat({ body })
  await rig.world.advance(1_000)
  expect((await row()).lastBeat).toBe(body)
})

it('A3: a kill of the cloud lets no gateway come online again, and loses no time online', async () => {
  await beat()
  const since = now()
  await beatFor(50)
  const exchange = await killed()
  await rig.world.advance(4_000)
  await beat({}, exchange)
  expect(exchange.heartbeat.heard.now({ ...(await row()) })).toMatchObject({
    onlineSince: since,
    lastBeatAt: now(),
  })
  expect(await kinds()).toEqual(['gateway.online'])
  expect(await onlineMs(exchange)).toBe(54_000)
})

it('keeps a gateway online that takes half a minute to reconnect to a cloud that was down for another half', async () => {
  await beat()
  await beatFor(50)
  rig.exchange.stop()
  await rig.world.advance(29_000)
  const exchange = await killed()
  await rig.world.advance(29_000)
  await beat({}, exchange)
  expect(await kinds()).toEqual(['gateway.online'])
})

it('reports a silence once, also when the cloud is killed after it', async () => {
  await beat()
  await beatFor(20)
  const lastHeardAt = now()
  await rig.world.advance(31_000)
  expect(await kinds()).toEqual(['gateway.online', 'gateway.offline'])
  expect(await row()).toMatchObject({ lastBeatAt: lastHeardAt, onlineSince: null })
  const exchange = await killed()
  await rig.world.advance(40_000)
  expect(await kinds()).toHaveLength(2)
  await beat({}, exchange)
  expect(await kinds()).toEqual(['gateway.online', 'gateway.offline', 'gateway.online'])
})

it('reports the silence of a gateway that was online when the cloud was killed, and does not come back', async () => {
  await beat()
  await beatFor(50)
  await killed()
  await rig.world.advance(31_000)
  expect(await kinds()).toEqual(['gateway.online', 'gateway.offline'])
})

it('P3: refuses the next beat of a gateway that another process has revoked', async () => {
  await beat()
  await beatFor(20)
  await rig.database.knex('gateways').update({ revokedAt: now() })
  expect(await beat()).toEqual({ kind: 'refused' })
})

it('A2: a restarted cloud ends what the journal of a boot has lost at its first beat, and what it loses later', async () => {
  const gateId = await rig.addGate()
  const openingId = await rig.press(await rig.addGuest(gateId))
  await rig.claim(openingId)
  const other = 'B'.repeat(22)
  const said = await beat({ bootId: other })
  const nonce = said.kind === 'challenge' ? said.nonce : ''
  await beat({ bootId: other, nonce, toReport: [openingId] })
  const exchange = await killed()
  expect(await beat({ bootId: other, toReport: [openingId] }, exchange)).toMatchObject({ kind: 'current' })
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated' })
  await beat({ bootId: other, toReport: [] }, exchange)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'outcome_unknown' })
})

it('A2: ends the grants of an older boot at the first beat that a restarted cloud hears', async () => {
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  await rig.claim(openingId)
  const other = 'B'.repeat(22)
  await rig.database.knex('gateways').update({ bootId: other })
  const exchange = await killed()
  await beat({ bootId: other }, exchange)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'outcome_unknown' })
})

it('loses nothing while the disk is full', async () => {
  let isBroken = false
  const { exchange } = watched(() => isBroken)
  await beat({}, exchange)
  isBroken = true
  await beatFor(600, exchange)
  expect(await onlineMs(exchange)).toBe(600_000)
  isBroken = false
  await rig.world.advance(2_000)
  expect(exchange.heartbeat.heard.additions(rig.gatewayId)).toEqual([])
  expect(await onlineMs(exchange)).toBe(600_000)
})

it('loses only the one gateway of a batch that the database refuses, and counts it', async () => {
  let refused = 0
  const unfollow = followMeasures(({ kind }) => {
    if (kind === 'refused_beats') refused += 1
  })
  await beat()
  const { world } = rig
  const replica = alone(world)
  const recent = recentBeats({
    world,
    database: rig.database,
    replica,
    aside: beatsAside({ world, replica }),
  })
  const last = {
    spaceId: rig.spaceId,
    bootId,
    seq: 9,
    journalId: 'J'.repeat(22),
    toReport: [],
    heard: { atMs: world.nowMs() + 1, isOnline: true },
    onlineSince: now(),
    body: '{"online":true}',
  }
  const said = additionsOf(undefined, world.nowMs(), { signalDbm: -50, supplyMv: null, registration: 'home' })
  const gone = newId(world, 'gw')
  recent.note(gone, last, said, true)
  recent.note(rig.gatewayId, last, said, true)
  await world.advance(2_000)
  expect((await row()).lastBeat).toBe(last.body)
  expect([refused, recent.additions(gone), recent.additions(rig.gatewayId)]).toEqual([1, [], []])
  const lines = world.lines.filter(({ message }) => message.includes('refused the beats'))
  expect(lines.map(({ fields }) => fields.gatewayId)).toEqual([gone])
  await world.advance(120_000)
  expect(refused).toBe(1)
  recent.stop()
  unfollow()
})

it('shows what another cloud has written since this one last heard the gateway', async () => {
  await beat()
  const { heard } = rig.exchange.heartbeat
  const writtenBy = async (ms: number) => {
    const lastBeatAt = isoTime(rig.world.nowMs() + ms)
    await rig.database
      .knex('gateways')
      .update({ lastBeatAt, lastBeat: '{"online":true,"modem":{"signalDbm":-99}}' })
    return heard.now(await row())
  }
  expect((await writtenBy(-1)).lastBeat).toContain('-70')
  const seen = await writtenBy(60_000)
  expect([seen.lastBeat, seen.heard?.atMs]).toEqual([
    expect.stringContaining('-99'),
    rig.world.nowMs() + 60_000,
  ])
})
