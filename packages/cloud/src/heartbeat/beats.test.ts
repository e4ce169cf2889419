import { afterEach, beforeEach, expect, it } from 'vitest'
import { markRestored } from '../backup/markRestored.ts'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { type ExchangeRig, exchangeRig, playedBeat } from '../opening/exchange.kit.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import type { VerifiedBeat } from './beats.ts'
import { mostSuperseded } from './gatewayBoots.ts'
import { mostPerHour } from './gatewayLimits.ts'

let rig: ExchangeRig
let seq = 0
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

/** The kit's gateway begins with the boot A. */
const boot = (letter: string) => letter.repeat(22)
const current = () => ({ kind: 'current', spaceId: rig.spaceId })

function beat(bootId: string, more: Partial<VerifiedBeat> = {}, exchange: Exchange = rig.exchange) {
  const isOnline = more.isOnline ?? true
  const of = { ...playedBeat, gatewayId: rig.gatewayId, isOnline, body: JSON.stringify({ online: isOnline }) }
  seq += 1
  return exchange.heartbeat.beat({ ...of, bootId, seq, ...more })
}
async function challenged(bootId: string): Promise<string> {
  const said = await beat(bootId)
  return said.kind === 'challenge' ? said.nonce : `not challenged, but ${said.kind}`
}
const start = async (bootId: string) => beat(bootId, { nonce: await challenged(bootId) })

it('G2: a boot that has not answered its challenge is not taken up, however often its beat comes', async () => {
  const nonce = await challenged(boot('B'))
  expect(await challenged(boot('B'))).toBe(nonce)
  expect(await beat(boot('B'), { nonce: boot('M') })).toEqual({ kind: 'challenge', nonce })
  expect(await beat(boot('A'))).toEqual(current())
  expect(await beat(boot('B'), { nonce })).toEqual(current())
  expect(await beat(boot('A'))).toEqual({ kind: 'refused' })
})

it('a goodbye answers no challenge', async () => {
  const nonce = await challenged(boot('B'))
  expect(await beat(boot('B'), { nonce, isOnline: false })).toEqual({ kind: 'refused' })
  expect(await beat(boot('A'))).toEqual(current())
})

it('an answer that comes after another boot was taken up is challenged again', async () => {
  const late = await challenged(boot('B'))
  expect(await start(boot('C'))).toEqual(current())
  const said = await beat(boot('B'), { nonce: late })
  expect(said).toMatchObject({ kind: 'challenge' })
  expect(said).not.toMatchObject({ nonce: late })
  expect(await beat(boot('C'))).toEqual(current())
})

it('a challenge can be answered for 30 s', async () => {
  const nonce = await challenged(boot('B'))
  await rig.world.advance(30_000)
  expect(await beat(boot('B'), { nonce })).toMatchObject({ kind: 'challenge' })
})

it('after a restart the cloud does not challenge the serving boot, and has forgotten its challenges to others', async () => {
  const nonce = await challenged(boot('B'))
  const { database, endpoint, world } = rig
  const next = createExchange({ noteDrift, world, database, endpoint })
  expect(await beat(boot('A'), {}, next)).toEqual(current())
  expect(await beat(boot('B'), { nonce }, next)).toMatchObject({ kind: 'challenge' })
  next.stop()
})

it('keeps the last 64 superseded boots in the order of their starts, whatever the wall clock shows', async () => {
  const starts = Array.from({ length: mostSuperseded + 10 }, (_, number) => `${number}`.padStart(22, 'x'))
  for (const bootId of starts) {
    rig.world.jumpWallClock(-60_000)
    expect(await start(bootId)).toEqual(current())
  }
  const kept = await rig.database.knex('supersededBoots').orderBy('number').pluck('bootId')
  expect(kept).toEqual(starts.slice(-mostSuperseded - 1, -1))
  for (const bootId of kept) expect(await beat(bootId)).toEqual({ kind: 'refused' })
  // A forgotten boot is refused as well when its beat says that it was taken up. Only its first beats do not say so, and somebody
  // may have recorded them.
  expect(await beat(boot('A'), { wasTakenUp: true })).toEqual({ kind: 'refused' })
  expect(await beat(boot('A'))).toMatchObject({ kind: 'challenge' })
})

/** An exchange on the same data that counts its transactions, and rolls them back while `isBroken` returns true. */
function watched(isBroken: () => boolean = () => false) {
  const { database, endpoint, world } = rig
  const count = { writes: 0 }
  const write: typeof database.write = (work, options) => {
    count.writes += 1
    return database.write(async tx => {
      const done = await work(tx)
      if (isBroken()) throw new Error('the disk is full')
      return done
    }, options)
  }
  return { count, exchange: createExchange({ noteDrift, world, database: { ...database, write }, endpoint }) }
}
const cutEntries = () => rig.database.knex('activity').where({ action: 'gateway.cut_off' })

it('a beat that is not newer than the last one begins no transaction', async () => {
  const { count, exchange } = watched()
  const old = { kind: 'old', spaceId: rig.spaceId }
  expect(await beat(boot('A'), { seq: 7, body: '"7"' }, exchange)).toEqual(current())
  const { writes } = count
  for (const of of [7, 6, 1]) expect(await beat(boot('A'), { seq: of, body: '"old"' }, exchange)).toEqual(old)
  expect(await beat(boot('A'), { seq: 6, isOnline: false }, exchange)).toEqual(old)
  expect(count.writes).toBe(writes)
  expect(await beat(boot('A'), { seq: 8, body: '"8"' }, exchange)).toEqual(current())
  expect(await rig.database.knex('gateways').pluck('lastBeat')).toEqual(['"8"'])
  exchange.stop()
})

it('a beat whose transaction failed is accepted when it comes again', async () => {
  let isBroken = true
  const { exchange } = watched(() => isBroken)
  await expect(beat(boot('A'), { seq: 7 }, exchange)).rejects.toThrow('full')
  isBroken = false
  expect(await beat(boot('A'), { seq: 7 }, exchange)).toEqual(current())
  exchange.stop()
})

it('cuts off a gateway that sends too many beats, and records it once', async () => {
  const { gatewayId } = rig
  for (let one = 0; one < mostPerHour.beats; one++) await beat(boot('A'))
  expect(rig.exchange.heartbeat.limits.isCutOff(gatewayId)).toBe(false)
  // As many as are handled at once.
  await Promise.all(Array.from({ length: 64 }, () => beat(boot('A'))))
  expect(rig.exchange.heartbeat.limits.isCutOff(gatewayId)).toBe(true)
  const [entry, ...others] = await cutEntries()
  expect([JSON.parse(entry?.details ?? '{}').tooMany, others]).toEqual(['beats', []])
})

it('a transaction that is rolled back cuts off no gateway', async () => {
  let isBroken = false
  const { exchange } = watched(() => isBroken)
  const startIn = async (bootId: string) => {
    const said = await beat(bootId, {}, exchange)
    return beat(bootId, { nonce: said.kind === 'challenge' ? said.nonce : '' }, exchange)
  }
  const starts = Array.from({ length: mostPerHour.boots }, (_, number) => `${number}`.padStart(22, 'x'))
  for (const bootId of starts) expect(await startIn(bootId)).toEqual(current())
  const said = await beat(boot('Y'), {}, exchange)
  const nonce = said.kind === 'challenge' ? said.nonce : ''
  isBroken = true
  await expect(beat(boot('Y'), { nonce }, exchange)).rejects.toThrow('full')
  isBroken = false
  expect(exchange.heartbeat.limits.isCutOff(rig.gatewayId)).toBe(false)
  expect(rig.world.lines.filter(({ message }) => message.startsWith('a gateway is cut off'))).toEqual([])
  expect(await startIn(boot('Z'))).toEqual(current())
  expect(exchange.heartbeat.limits.isCutOff(rig.gatewayId)).toBe(true)
  expect(await cutEntries()).toHaveLength(1)
  exchange.stop()
})

it('G2: after a restore no boot is current: a running boot is challenged, and the last one to start serves', async () => {
  expect(await start(boot('B'))).toEqual(current())
  await rig.database.write(tx => markRestored(tx, rig.world, '2026-01-01T00:00:00.000Z'))
  for (const bootId of [boot('B'), boot('X')])
    expect(await beat(bootId, { wasTakenUp: true })).toMatchObject({ kind: 'challenge' })
  expect(await start(boot('C'))).toEqual(current())
  for (const bootId of [boot('A'), boot('B'), boot('X')])
    expect(await beat(bootId, { wasTakenUp: true })).toEqual({ kind: 'refused' })
  expect(await beat(boot('C'), { wasTakenUp: true })).toEqual(current())
})

it('writes events only where the visible state of the gateway changes, which includes its silence', async () => {
  const modem = { state: 'ready', registration: 'home', operator: 'A', signalDbm: -70 }
  const body = (more: object = {}, online = true) => JSON.stringify({ online, modem: { ...modem, ...more } })
  const kinds = async () =>
    rig.database.knex('events').where({ targetId: rig.gatewayId }).orderBy('seq').pluck('kind')
  await beat(boot('A'), { body: body() })
  for (const signalDbm of [-80, -90]) {
    await rig.world.advance(10_000)
    await beat(boot('A'), { body: body({ signalDbm }) })
  }
  expect(await kinds()).toEqual(['gateway.online'])
  await beat(boot('A'), { body: body({ registration: 'searching' }) })
  await beat(boot('A'), { isOnline: false, body: body({}, false) })
  await beat(boot('A'), { body: body() })
  await rig.world.advance(31_000)
  const all = ['online', 'changed', 'offline', 'online', 'offline'].map(kind => `gateway.${kind}`)
  expect(await kinds()).toEqual(all)
  await rig.world.advance(60_000)
  expect(await kinds()).toEqual(all)
  // After a restart it is unknown when the gateway was heard.
  await beat(boot('A'), { body: body() })
  rig.exchange.stop()
  const again = createExchange(rig)
  await again.start()
  await rig.world.advance(31_000)
  expect(await kinds()).toEqual([...all, 'gateway.online', 'gateway.offline'])
  again.stop()
})

it('reports the silence of a gateway later where the database refuses it at first', async () => {
  let isBroken = false
  const { exchange } = watched(() => isBroken)
  await beat(boot('A'), {}, exchange)
  isBroken = true
  await rig.world.advance(31_000)
  isBroken = false
  await rig.world.advance(10_000)
  const kinds = await rig.database
    .knex('events')
    .where({ targetId: rig.gatewayId })
    .orderBy('seq')
    .pluck('kind')
  expect(kinds).toEqual(['gateway.online', 'gateway.offline'])
  exchange.stop()
})
