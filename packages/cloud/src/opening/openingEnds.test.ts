import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { endingUnknown, type OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { FailingGateways } from '../gateway/failingGateways.ts'
import { alone } from '../replica/replica.ts'
import { afterRepeats, type ExchangeRig, exchangeRig, said } from './exchange.kit.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { OpeningClock } from './openingClock.ts'
import { OpeningEnds } from './openingEnds.ts'

let rig: ExchangeRig
let exchange: Exchange
let isBroken = false
/** Whether a transaction is committed and its answer is lost. */
let isAnswerLost = false

beforeEach(async () => {
  isBroken = isAnswerLost = false
  rig = await exchangeRig()
  const { endpoint, world } = rig
  const database: Database = {
    ...rig.database,
    async write(work, options) {
      if (isBroken) throw new Error('the disk is full')
      const done = await rig.database.write(work, isAnswerLost ? {} : options)
      if (isAnswerLost) throw new Error('the connection was lost')
      return done
    },
  }
  exchange = createExchange({ noteDrift, world, database, endpoint })
})
afterEach(async () => {
  exchange.stop()
  await rig.close()
})

async function press(): Promise<string> {
  const { gateId, token: _, ...actor } = await rig.addGuest(await rig.addGate())
  const { spaceId, world } = rig
  const pressed = await exchange.press({ spaceId, gateId, actor, since: moment(world) })
  return pressed?.openingId ?? ''
}

async function pressAndGrant(): Promise<string> {
  const openingId = await press()
  const { gatewayId } = rig
  const sinceBootMs = rig.world.sinceBootMs()
  const boot = { gatewayId, bootId: 'A'.repeat(22), nonce: 'N'.repeat(22), sinceBootMs }
  expect(await exchange.claim({ ...boot, openingId })).toMatchObject({ granted: true })
  return openingId
}

it('repeats an end that the database has refused', async () => {
  const openingId = await pressAndGrant()
  isBroken = true
  await rig.world.advance(90_000)
  isBroken = false
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated' })
  await afterRepeats(rig.world)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
})

it('ends an opening that a failing database kept from ending when its number is freed, at the latest', async () => {
  const openingId = await pressAndGrant()
  isBroken = true
  // The end at 90 s fails, and so do its repetitions at 91, 93 and 97 s; the next one would be at 105 s.
  await rig.world.advance(99_999)
  isBroken = false
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated', lockedNumber: '+40722000001' })
  await rig.world.advance(1)
  expect(await rig.opening(openingId)).toMatchObject({
    status: 'timeout',
    reason: 'no_report',
    lockedNumber: null,
    usageHeld: 1,
  })
})

it('retries an end that a failing database did not write until it is written', async () => {
  const openingId = await pressAndGrant()
  isBroken = true
  await rig.world.advance(92_000)
  isBroken = false
  const waiting = exchange.requests.wait(openingId, 50_000)
  await rig.world.advance(1_000)
  await waiting
  expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', lockedNumber: '+40722000001' })
  await rig.report(openingId, said.completed)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'completed', lockedNumber: null })
})

it('ends an opening whose commit succeeded but whose answer was lost like an opening that nobody claims', async () => {
  isAnswerLost = true
  await expect(press()).rejects.toThrow('lost')
  isAnswerLost = false
  const { knex } = rig.database
  expect(await knex('openings')).toMatchObject([{ status: 'initiated', lockedNumber: '+40722000001' }])
  await rig.world.advance(12_000)
  const ended = { status: 'failed', reason: 'gateway_offline', lockedNumber: null, safeToRetry: 1 }
  expect(await knex('openings')).toMatchObject([ended])
})

it('ends an unclaimed opening with the reason modem_busy while the only gateway is in another call', async () => {
  await pressAndGrant()
  const waiting = await press()
  await rig.world.advance(12_000)
  expect(await rig.opening(waiting)).toMatchObject({ status: 'failed', reason: 'modem_busy', safeToRetry: 1 })
})

it('forgets the last call to a number after a time, and keeps a newer call to it', async () => {
  const { database, endpoint, spaceId, world } = rig
  const clock = new OpeningClock(world, 160_000)
  const failing = new FailingGateways(world)
  const ends = new OpeningEnds({ world, database, endpoint, clock, failing, replica: alone(world) })
  const [first, second] = [await rig.opening(await press()), await rig.opening(await press())]
  const { phoneNumber } = first
  const ending = endingUnknown('no_report')
  const end = (row: OpeningRow) => {
    ends.accept({ openingId: row.id, spaceId: row.spaceId }, { since: moment(world) })
    ends.afterEnd({
      row: { ...row, phoneNumber },
      endedIds: [row.id],
      ending,
      dialled: true,
      isUnheard: false,
      heir: undefined,
    })
  }
  end(first)
  await world.advance(159_999)
  expect(ends.lastCallId(spaceId, phoneNumber)).toBe(first.id)
  end(second)
  await world.advance(1)
  expect(ends.lastCallId(spaceId, phoneNumber)).toBe(second.id)
  await world.advance(160_000)
  expect(ends.lastCallId(spaceId, phoneNumber)).toBeUndefined()
  // A late correction changes nothing any more.
  ends.afterEnd({
    row: first,
    endedIds: [first.id],
    ending,
    dialled: true,
    isUnheard: false,
    heir: undefined,
  })
  expect(ends.lastCallId(spaceId, phoneNumber)).toBeUndefined()
  clock.stop()
})
