import type { Beat } from '@callgate/contract/wire/messages'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { readViewRows, toGatewayView } from '../gateway/gatewayViews.ts'
import { type ExchangeRig, exchangeRig, playedBeat } from '../opening/exchange.kit.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { playedBoot } from '../opening/gatewayEndpoint.kit.ts'

let rig: ExchangeRig
let exchange: Exchange
let seq: number
beforeEach(async () => {
  rig = await exchangeRig()
  exchange = rig.exchange
  seq = 0
})
afterEach(() => rig.close())

const trusts = { number: 0, keyIds: ['a'.repeat(16)] }
const modem = {
  state: 'ready',
  model: 'SIM800L',
  operator: 'Orange',
  registration: 'home',
  signalDbm: -71,
  voltageMv: 4_020,
}

/** A beat whose number is the next one. */
function beat(said: object, bootId = playedBoot) {
  seq += 1
  const { online = true } = said as Partial<Beat>
  const body = JSON.stringify({ ...playedBeat, online, connectionId: 'c', version: '1.0.0', modem, ...said })
  return exchange.heartbeat.beat({
    ...playedBeat,
    gatewayId: rig.gatewayId,
    isOnline: online,
    bootId,
    seq,
    body,
  })
}
const update = {
  architecture: 'arm64',
  last: { taskId: null, version: '0.2.0', state: 'taken_back', why: null },
}
const commit = '0123456789ab'
const facts = {
  commit,
  can: ['ussd'],
  trusts,
  update,
  modem: { ...modem, firmware: 'R14.18', lacks: ['caller_id'] },
}
const whole = () => beat({ ...facts, facts: seq + 1 })
const short = (of: number, more: object = {}) => beat({ facts: of, ...more })

async function seen() {
  const [row] = await readViewRows(rig.database.knex, exchange.heartbeat.heard, rig.spaceId, rig.gatewayId)
  const said = JSON.parse(row?.lastBeat ?? '{}') as Beat
  return { row, said, view: row && toGatewayView(row, rig.world.nowMs()).now.modem }
}

/** Ends the process, and starts another one on the same rows. */
function restart(): void {
  exchange.stop()
  exchange = createExchange({ noteDrift, world: rig.world, database: rig.database, endpoint: rig.endpoint })
}

it('keeps the facts that a gateway sends once, for the beats that do not repeat them', async () => {
  expect(await whole()).toMatchObject({ kind: 'current', facts: { answer: 'facts_known', can: ['ussd'] } })
  const said = await short(1, { modem: { ...modem, signalDbm: -90 } })
  expect(said).toEqual({
    kind: 'current',
    spaceId: rig.spaceId,
    facts: { answer: undefined, can: ['ussd'], trusts, update },
  })
  const { row, said: kept, view } = await seen()
  expect(row && toGatewayView(row, rig.world.nowMs()).now.version).toBe(`1.0.0+${commit}`)
  expect(kept).toMatchObject({ commit, can: ['ussd'], trusts, update, facts: 1, modem: { signalDbm: -90 } })
  expect(view).toMatchObject({ firmware: 'R14.18', signalDbm: -90, lacks: [{ word: 'caller_id' }] })
  expect(await rig.database.knex('events').where('kind', 'gateway.changed')).toEqual([])
})

it('reads them from the row after a restart, and asks for those that the row does not have yet', async () => {
  await whole()
  restart()
  expect(await short(1)).toMatchObject({ facts: { answer: undefined, can: ['ussd'], trusts, update } })
  // Sent again with another firmware, which is no event: the row is written within a minute.
  await beat({ ...facts, can: ['ussd', 'sms'], facts: seq + 1 })
  restart()
  expect(await short(3)).toMatchObject({ facts: { answer: 'facts_wanted', can: ['ussd'], trusts } })
  // The end of an update in the row may be an older one.
  expect((await short(3)) as object).not.toHaveProperty('facts.update')
  expect(await beat({ ...facts, can: ['ussd', 'sms'], facts: seq + 1 })).toMatchObject({
    facts: { answer: 'facts_known', can: ['ussd', 'sms'] },
  })
})

it('asks again for what a cloud of an earlier version did not keep', async () => {
  await beat({ ...facts, can: ['update'], facts: seq + 1 })
  const { said } = await seen()
  const { update: _, ...withoutUpdate } = said
  exchange.stop()
  await rig.database.knex('gateways').update({ lastBeat: JSON.stringify(withoutUpdate) })
  restart()
  expect(await short(1)).toMatchObject({ facts: { answer: 'facts_wanted', can: ['update'] } })
  await beat({ ...facts, can: ['update'], facts: seq + 1 })
  expect(await short(3)).toMatchObject({ facts: { answer: undefined, update } })
})

it('ignores the facts of another boot, and takes the facts of a daemon that sends them in each beat', async () => {
  await whole()
  const other = 'B'.repeat(22)
  const challenge = await beat({ facts: 1 }, other)
  const nonce = challenge.kind === 'challenge' ? challenge.nonce : ''
  seq += 1
  const body = JSON.stringify({ ...playedBeat, online: true, modem, facts: 1 })
  const by = { ...playedBeat, gatewayId: rig.gatewayId, isOnline: true }
  const taken = await exchange.heartbeat.beat({ ...by, bootId: other, seq, nonce, body })
  expect(taken).toMatchObject({ kind: 'current', facts: { answer: 'facts_wanted' } })
  expect(taken).not.toHaveProperty('facts.can')
  expect((await seen()).view).toMatchObject({ firmware: null })
  expect(await beat({ can: ['ussd'], trusts }, other)).toEqual({ kind: 'current', spaceId: rig.spaceId })
  expect(await beat({}, other)).toEqual({ kind: 'current', spaceId: rig.spaceId })
  expect((await seen()).said).not.toHaveProperty('can')
})

it('keeps the facts of a goodbye', async () => {
  await whole()
  await short(1)
  await beat({ ...facts, online: false })
  restart()
  expect((await seen()).view).toMatchObject({ firmware: 'R14.18' })
})
