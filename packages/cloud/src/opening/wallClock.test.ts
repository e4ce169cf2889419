import { type Moment, moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from './exchange.kit.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { playedBoot } from './gatewayEndpoint.kit.ts'

let rig: ExchangeRig
let guest: Guest

beforeEach(async () => {
  rig = await exchangeRig()
  guest = await rig.addGuest(await rig.addGate())
})
afterEach(() => rig.close())

/** Presses a second after a call has ended. */
async function pressAfterASecond() {
  await rig.world.advance(1_000)
  return rig.opening(await rig.press(guest))
}

describe('a press within the cool-down places no call after the wall clock of the cloud is set', () => {
  it('forward', async () => {
    const call = await rig.run(guest, said.completed)
    rig.world.jumpWallClock(120_000)
    expect(await pressAfterASecond()).toMatchObject({ status: 'completed', joinedOpeningId: call })
  })

  it('back, so that an older call seems to be the last', async () => {
    await rig.run(guest, said.completed)
    await rig.world.advance(30_000)
    rig.world.jumpWallClock(-3_600_000)
    await rig.world.advance(60_000)
    const call = await rig.run(guest, said.completed)
    expect(await pressAfterASecond()).toMatchObject({ status: 'completed', joinedOpeningId: call })
    await rig.world.advance(5_000)
    expect(await pressAfterASecond()).toMatchObject({ status: 'initiated', joinedOpeningId: null })
  })
})

it('refuses a claim by a wall clock that was set forward, and ends the opening as interrupted', async () => {
  const openingId = await rig.press(guest)
  rig.world.jumpWallClock(12_000)
  expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'expired' })
  await rig.world.advance(12_000)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'interrupted' })
})

describe.each([
  ['as it was', 0],
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])('after a restart of the cloud with its wall clock %s', (_how, byMs) => {
  let exchange: Exchange

  async function restart(quietSince?: Moment) {
    rig.exchange.stop()
    rig.world.jumpWallClock(byMs)
    exchange = createExchange({ ...rig, quietSince })
    await exchange.start()
  }
  afterEach(() => exchange.stop())

  async function press() {
    const { gateId, token: _, ...actor } = guest
    const since = moment(rig.world)
    const pressed = await exchange.press({ spaceId: rig.spaceId, gateId, actor, since })
    return rig.opening(pressed?.openingId ?? '')
  }

  it('P5: holds the number of a call that may still run for its full time from the restart', async () => {
    const openingId = await rig.press(guest)
    await rig.claim(openingId)
    await rig.world.advance(80_000)
    await restart()
    await rig.world.advance(95_000)
    expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
    expect(await press()).toMatchObject({ status: 'timeout', joinedOpeningId: openingId })
    await rig.world.advance(5_000)
    expect(await rig.opening(openingId)).toMatchObject({ lockedNumber: null })
  })

  it('frees the number as soon as the gateway has reported', async () => {
    const openingId = await rig.press(guest)
    await rig.claim(openingId)
    await restart()
    const what = said.completed
    const sent = { body: JSON.stringify(what), signature: 's', bootId: playedBoot, seq: 1 }
    await exchange.report({ ...sent, gatewayId: rig.gatewayId, openingId, report: what })
    expect(await rig.opening(openingId)).toMatchObject({ status: 'completed', lockedNumber: null })
    await rig.world.advance(5_000)
    expect(await press()).toMatchObject({ status: 'initiated', joinedOpeningId: null })
  })

  it('P5: places no call within the cool-down from the restart, and one after it', async () => {
    const call = await rig.run(guest, said.completed)
    await restart()
    // With a wall clock that was set, the recorded call may have ended just now.
    expect(await press()).toMatchObject(
      byMs === 0
        ? { status: 'completed', joinedOpeningId: call }
        : { status: 'failed', reason: 'interrupted', joinedOpeningId: null, safeToRetry: 1 },
    )
    await rig.world.advance(4_999)
    expect((await press()).status).not.toBe('initiated')
    await rig.world.advance(1)
    expect(await press()).toMatchObject({ status: 'initiated', joinedOpeningId: null })
  })

  it('P5: counts the cool-down from the clean stop before it', async () => {
    await rig.run(guest, said.completed)
    const stopped = moment(rig.world)
    await rig.world.advance(3_000)
    await restart(stopped)
    await rig.world.advance(1_999)
    expect((await press()).status).not.toBe('initiated')
    await rig.world.advance(1)
    expect(await press()).toMatchObject({ status: 'initiated', joinedOpeningId: null })
  })

  it('delays no call for one that cannot have moved the gate', async () => {
    await rig.run(guest, said.busy)
    await restart()
    expect(await press()).toMatchObject({ status: 'initiated' })
  })
})

it('ends an opening 5 s after a restart that finds the wall clock set back', async () => {
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  await rig.world.advance(80_000)
  rig.exchange.stop()
  rig.world.jumpWallClock(-3_600_000)
  const exchange = createExchange(rig)
  await exchange.start()
  await rig.world.advance(4_900)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated' })
  await rig.world.advance(100)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
  exchange.stop()
})

it('counts the age of a press that waited for the database from the press, also after a restart', async () => {
  const since = moment(rig.world)
  await rig.world.advance(2_000)
  const openingId = await rig.press(guest, { since })
  await rig.claim(openingId)
  const { database, endpoint, world } = rig
  rig.exchange.stop()
  const restarted = createExchange({ noteDrift, world, database, endpoint })
  await restarted.start()
  await world.advance(87_999)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated' })
  await world.advance(1)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
  restarted.stop()
})
