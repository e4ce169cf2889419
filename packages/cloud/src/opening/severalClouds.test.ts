import type { Report } from '@callgate/contract/wire/messages'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { leaseForMs } from '../core/lease.ts'
import type { Database } from '../database/database.ts'
import { setTimeIn } from '../database/databaseTime.ts'
import { createEventFeed } from '../event/eventFeed.ts'
import { SharedReplica } from '../replica/replica.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from './exchange.kit.ts'
import { createExchange } from './exchange.ts'
import { playedBoot } from './gatewayEndpoint.kit.ts'

let rig: ExchangeRig
let one: Cloud
let other: Cloud
let guest: Guest
beforeEach(async () => {
  rig = await exchangeRig()
  guest = await rig.addGuest(await rig.addGate())
  one = cloud()
  other = cloud()
  // The first cloud learns of the second by its next renewal.
  for (const { replica } of [one, other, one]) await replica.renew()
})
afterEach(async () => {
  for (const { exchange } of [one, other]) exchange.stop()
  await rig.close()
})

type Cloud = ReturnType<typeof cloud>

/** One of several clouds on the database. Its lease is renewed only when a test says so. */
function cloud() {
  const { endpoint, gatewayId, spaceId, world } = rig
  let behindMs = 0
  const write: Database['write'] = (work, options) =>
    rig.database.write(tx => {
      setTimeIn(tx, () => world.nowMs() - behindMs)
      return work(tx)
    }, options)
  const database = { ...rig.database, write }
  const replica = new SharedReplica({ world, database, isListening: () => true })
  const hints: string[] = []
  const own = { ...endpoint, hint: (_: string, openingId: string) => void hints.push(openingId) }
  const feed = createEventFeed({ world, database })
  const exchange = createExchange({ noteDrift, world, database, endpoint: own, several: { replica, feed } })
  const by = { gatewayId, bootId: playedBoot }
  let reports = 0
  return {
    replica,
    exchange,
    hints,
    /** Simulates a slow process: from now on the time of its transactions is behind the database's clock. */
    beBehind(byMs: number) {
      behindMs = byMs
    },
    async press() {
      const { gateId, token: _, ...actor } = guest
      const pressed = await exchange.press({ spaceId, gateId, actor, since: moment(world) })
      return pressed?.openingId ?? ''
    },
    claim: (openingId: string) =>
      exchange.claim({ ...by, nonce: 'N'.repeat(22), openingId, sinceBootMs: world.sinceBootMs() }),
    report(openingId: string, what: Report, seq = ++reports) {
      const sent = { seq, body: JSON.stringify(what), signature: 's' }
      return exchange.report({ ...by, ...sent, openingId, report: what })
    },
  }
}

const interrupted = { status: 'failed', reason: 'interrupted', safeToRetry: 1, lockedNumber: null }

describe('a claim', () => {
  it('P1: is answered by the cloud that took the press, and by no other', async () => {
    const openingId = await one.press()
    expect(await other.claim(openingId)).toBeUndefined()
    expect(await one.claim(openingId)).toMatchObject({ granted: true })
    expect(await other.claim(openingId)).toBeUndefined()
  })

  it('P1: is not granted by a cloud whose lease has ended', async () => {
    const openingId = await one.press()
    await rig.world.advance(leaseForMs)
    expect(await one.claim(openingId)).toEqual({ granted: false, reason: 'expired' })
    expect(await rig.opening(openingId)).toMatchObject(interrupted)
  })

  it('A2: is refused at once by every other cloud when its cloud is gone, and its opening ends', async () => {
    const openingId = await one.press()
    await rig.world.advance(leaseForMs)
    await other.replica.renew()
    expect(await other.claim(openingId)).toEqual({ granted: false, reason: 'expired' })
    expect(await rig.opening(openingId)).toMatchObject(interrupted)
    expect(await other.claim(openingId)).toEqual({ granted: false, reason: 'expired' })
  })

  it('gets the same grant again from another cloud when the cloud that gave it is gone', async () => {
    const openingId = await one.press()
    const grant = await one.claim(openingId)
    await rig.world.advance(leaseForMs)
    expect(await other.claim(openingId)).toEqual(grant)
  })
})

describe('a report', () => {
  it('A3: is applied by the owner, and by another cloud only where the owner has not applied it within a second', async () => {
    const openingId = await one.press()
    await one.claim(openingId)
    const late = other.report(openingId, said.completed, 1)
    expect(await one.report(openingId, said.completed, 1)).toEqual({ result: 'applied' })
    await rig.world.advance(1_000)
    expect(await late).toBeUndefined()
    expect(await rig.database.knex('gates').pluck('openCount')).toEqual([1])
  })

  it('A3: is applied by another cloud where the owner is silent', async () => {
    const openingId = await one.press()
    await one.claim(openingId)
    const taken = other.report(openingId, said.completed, 1)
    await rig.world.advance(1_000)
    expect(await taken).toEqual({ result: 'applied' })
    expect(await one.report(openingId, said.completed, 1)).toEqual({ result: 'duplicate' })
    expect(await rig.opening(openingId)).toMatchObject({ status: 'completed' })
  })

  it('that declines ends the opening, also where another cloud has stored it before the owner', async () => {
    const openingId = await one.press()
    const declined: Report = { phase: 'declined', reason: 'no_network' }
    const taken = other.report(openingId, declined, 1)
    await rig.world.advance(1_000)
    expect(await taken).toEqual({ result: 'applied' })
    expect(await one.report(openingId, declined, 1)).toEqual({ result: 'duplicate' })
    expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'no_network' })
  })
})

describe('an opening of a cloud that is gone', () => {
  it('A2: is awaited by another cloud where it was granted, and ends where it was not', async () => {
    const { world } = rig
    const granted = await one.press()
    await one.claim(granted)
    guest = await rig.addGuest(await rig.addGate())
    const ungranted = await one.press()
    await other.exchange.start()
    await world.advance(leaseForMs + 2_000)
    expect(await rig.opening(ungranted)).toMatchObject(interrupted)
    expect(await rig.opening(granted)).toMatchObject({ status: 'initiated', ...other.replica.mark() })
    await world.advance(90_000)
    expect(await rig.opening(granted)).toMatchObject({ status: 'timeout', reason: 'no_report' })
    await other.replica.stop()
  })
})

describe('after the clock of the database is set', () => {
  const renewed = async (forMs: number) => {
    for (const { replica } of [one, other]) await replica.renew()
    await rig.world.advance(forMs)
    for (const { replica } of [one, other]) await replica.renew()
  }

  /** The end of a call at `sinceClaimMs` after its claim. */
  const afterMs = (sinceClaimMs: number) => ({ ...said.completed, sinceClaimMs }) as Report

  it('A2: back, an opening that another cloud has left keeps its age', async () => {
    const openingId = await one.press()
    await one.claim(openingId)
    await rig.world.advance(30_000)
    await other.replica.renew()
    rig.world.jumpWallClock(-20_000)
    await other.exchange.start()
    expect(await rig.opening(openingId)).toMatchObject(other.replica.mark())
    await rig.world.advance(60_000)
    expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
    await other.replica.stop()
  })

  it('P5: forward during a call, no press calls again within the cool-down', async () => {
    const called = await one.press()
    await one.claim(called)
    await renewed(2_000)
    rig.world.jumpWallClock(70_000)
    await renewed(2_000)
    // The gateway has counted 4 s since the grant.
    await one.report(called, afterMs(4_000), 1)
    await renewed(1_000)
    expect(await rig.opening(await other.press())).toMatchObject(interrupted)
    await renewed(4_000)
    expect(await other.claim(await other.press())).toMatchObject({ granted: true })
  })
})

describe('a request that waits at one cloud', () => {
  it('ends when another cloud ends the opening', async () => {
    const openingId = await one.press()
    await one.claim(openingId)
    let isOver = false
    void other.exchange.requests.wait(openingId, 50_000, rig.spaceId).then(() => {
      isOver = true
    })
    const joined = await other.press()
    let isJoinedOver = false
    void other.exchange.requests.wait(joined, 50_000, rig.spaceId).then(() => {
      isJoinedOver = true
    })
    await rig.world.advance(100)
    expect([isOver, isJoinedOver]).toEqual([false, false])
    await one.report(openingId, said.completed)
    await rig.world.advance(1_500)
    expect([isOver, isJoinedOver]).toEqual([true, true])
    expect(await rig.opening(joined)).toMatchObject({ status: 'completed', joinedOpeningId: openingId })
  })

  it('makes its opening lead when the call that it joined was not dialled, and its own cloud hints', async () => {
    const openingId = await one.press()
    await one.claim(openingId)
    const joined = await other.press()
    await rig.world.advance(100)
    await one.report(openingId, said.notDialled)
    expect(await rig.opening(joined)).toMatchObject({ status: 'initiated', joinedOpeningId: null })
    await rig.world.advance(1_500)
    expect(other.hints).toContain(joined)
    expect(await one.claim(joined)).toBeUndefined()
    expect(await other.claim(joined)).toMatchObject({ granted: true })
  })
})

it('records a press after a renewed lease of its cloud under that lease', async () => {
  await rig.world.advance(leaseForMs)
  const openingId = await one.press()
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated', ownerEpoch: 2 })
  expect(await one.claim(openingId)).toMatchObject({ granted: true })
})

describe('a slow cloud whose lease was renewed meanwhile', () => {
  it.each([50, 9_999])('grants what it has accepted, %i ms behind', async behindMs => {
    const openingId = await one.press()
    await one.replica.renew()
    one.beBehind(behindMs)
    expect(await one.claim(openingId)).toMatchObject({ granted: true })
  })

  it.each([50, 9_999])('takes no opening from another live cloud, %i ms behind', async behindMs => {
    const openingId = await one.press()
    await one.replica.renew()
    other.beBehind(behindMs)
    await other.exchange.start()
    expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated', ...one.replica.mark() })
    expect(await other.claim(openingId)).toBeUndefined()
    expect(await one.claim(openingId)).toMatchObject({ granted: true })
    await other.replica.stop()
  })

  it('knows the other cloud, so that each gateway has one owner', async () => {
    await one.replica.renew()
    other.beBehind(50)
    await other.replica.renew()
    expect(other.replica.othersThatStay()).toBe(1)
  })
})

describe('a press at one cloud after a call that another cloud has ended', () => {
  it.each([0, 1_000, 4_999])('shows that call within the cool-down, after %i ms', async afterMs => {
    const called = await one.press()
    await one.claim(called)
    await one.report(called, said.completed)
    await rig.world.advance(afterMs)
    const pressed = await other.press()
    expect(await rig.opening(pressed)).toMatchObject({ status: 'completed', joinedOpeningId: called })
  })

  it.each([5_000, 30_000, 70_000])('is granted after the cool-down, after %i ms', async afterMs => {
    const called = await one.press()
    await one.claim(called)
    await one.report(called, said.completed)
    await rig.world.advance(afterMs)
    await other.replica.renew()
    expect(await other.claim(await other.press())).toMatchObject({ granted: true })
  })

  it('is granted at a cloud that has just started and has only the record of the other cloud', async () => {
    const called = await one.press()
    await one.claim(called)
    await one.report(called, said.completed)
    await rig.world.advance(5_000)
    const fresh = cloud()
    await fresh.replica.renew()
    expect(await fresh.claim(await fresh.press())).toMatchObject({ granted: true })
    fresh.exchange.stop()
  })
})
