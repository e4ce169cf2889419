import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { leaseForMs } from '../core/lease.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { SharedReplica } from './replica.ts'

let world: FakeWorld
let database: Database
let isListening: boolean
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  isListening = true
})
afterEach(() => database.close())

async function started(): Promise<SharedReplica> {
  const replica = new SharedReplica({ world, database, isListening: () => isListening })
  await replica.start(async () => {})
  return replica
}

const unowned = { owner: null, ownerEpoch: null }
const isHeld = (replica: SharedReplica) => database.write(tx => replica.isHeld(tx), { spaceId: null })

describe('a replica of several', () => {
  it('holds its lease for as long as it renews it', async () => {
    const replica = await started()
    await world.advance(60_000)
    expect(await isHeld(replica)).toBe(true)
    expect(replica.isMine(replica.mark())).toBe(true)
    expect(replica.isMine(unowned)).toBe(false)
    await replica.stop()
    expect(await isHeld(replica)).toBe(false)
  })

  it('reads the time of the database in whole milliseconds, whatever its own clock shows', async () => {
    const replica = await started()
    for (let second = 0; second < 10; second++) {
      await world.advance(333.3)
      expect(Number.isInteger(replica.nowMs())).toBe(true)
    }
    await replica.stop()
  })

  it('loses its openings and gateways when it comes back after the end of its lease', async () => {
    const replica = await started()
    const other = await started()
    const before = replica.mark()
    const { write } = database
    Object.assign(database, { write: () => Promise.reject(new Error('the connection is lost')) })
    await world.advance(leaseForMs + 1_000)
    Object.assign(database, { write })
    expect(await isHeld(replica)).toBe(false)
    await replica.renew()
    await other.renew()
    expect(await isHeld(replica)).toBe(true)
    expect(replica.isMine(before)).toBe(false)
    expect(other.seemsOwned(before)).toBe(false)
    expect(other.seemsOwned(replica.mark())).toBe(true)
    expect(await database.write(tx => other.hasLiveOwner(tx, before), { spaceId: null })).toBe(false)
    expect(await database.write(tx => other.hasLiveOwner(tx, unowned), { spaceId: null })).toBe(false)
  })

  it('A2: stays gone when its lease has ended and the clock is then set back to before that end', async () => {
    const gone = new SharedReplica({ world, database, isListening: () => true })
    await gone.renew()
    const other = await started()
    await world.advance(30_000)
    // 24 s before that end; then 2 s before it.
    world.jumpWallClock(-50_000)
    await world.advance(22_000)
    expect(await database.write(tx => other.hasLiveOwner(tx, gone.mark()), { spaceId: null })).toBe(false)
  })

  it('is not taken for gone where it lives and another replica renews first after the clock was set back', async () => {
    const [one, other] = [await started(), await started()]
    await one.renew()
    world.jumpWallClock(-50_000)
    await one.renew()
    expect(one.seemsOwned(other.mark())).toBe(true)
    expect(await isHeld(other)).toBe(true)
  })

  it('renews its lease also while the work after a renewal waits', async () => {
    const replica = new SharedReplica({ world, database, isListening: () => true })
    let begun = 0
    await replica.start(() => {
      begun += 1
      return new Promise(() => {})
    })
    await world.advance(3 * leaseForMs)
    expect(await isHeld(replica)).toBe(true)
    expect(begun).toBe(1)
  })

  it('owns a gateway alone, and leaves it to a replica that hears the gateway', async () => {
    const [one, two] = [await started(), await started()]
    await one.renew()
    const gateways = Array.from({ length: 40 }, (_, number) => `gw_${number}`)
    const owned = (replica: SharedReplica) => gateways.filter(id => replica.owns(id)).length
    expect(owned(one) + owned(two)).toBe(40)
    expect(owned(one)).toBeGreaterThan(5)
    isListening = false
    await one.renew()
    isListening = true
    await two.renew()
    expect(owned(two)).toBe(40)
  })

  it('announces that it drains, and knows whether others stay', async () => {
    const [one, two] = [await started(), await started()]
    await one.renew()
    expect([one.othersThatStay(), two.othersThatStay()]).toEqual([1, 1])
    await one.drain()
    await two.renew()
    expect([one.isDraining(), two.othersThatStay()]).toEqual([true, 0])
  })

  it('has a client id of its own for the broker, as MQTT 3.1.1 requires', async () => {
    const names = [await started(), await started()].map(replica => replica.clientId())
    for (const name of names) expect(name).toMatch(/^[0-9a-z]{1,23}$/)
    expect(new Set(names).size).toBe(2)
  })
})
