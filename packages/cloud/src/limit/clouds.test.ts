import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { DatabaseError } from '../database/databaseError.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { aliveForMs, type Clouds, joinClouds } from './clouds.ts'
import { storedLimits } from './storedLimits.ts'
import { streamPlaces } from './streamPlaces.ts'

let world: FakeWorld
let database: Database
const joined: Clouds[] = []

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
})
afterEach(async () => {
  for (const one of joined.splice(0)) await one.stop()
  await database.close()
})

const keys = { signing: 'sign1', sealing: 'seal1' }
const join = async (mine = keys) => {
  const one = await joinClouds({ database, world, isByWorld: true }, mine)
  if (one.ok) joined.push(one.clouds)
  return one
}

describe('a cloud of several', () => {
  it('serves beside clouds with the same keys, and refuses to serve beside others, with the reason', async () => {
    expect((await join()).ok).toBe(true)
    expect((await join()).ok).toBe(true)
    expect(await join({ ...keys, signing: 'sign2' })).toEqual({
      ok: false,
      message:
        'Another cloud serves this database with another signing key (fingerprint sign1; here it is sign2). Give all clouds the same file, by SIGNING_KEY_FILE or in CALLGATE_DATA. A cloud that died is forgotten after 15 s.',
    })
    expect(await join({ ...keys, sealing: 'seal2' })).toMatchObject({
      message: expect.stringContaining('other sealing keys'),
    })
    await world.advance(60_000)
    expect((await join({ ...keys, signing: 'sign2' })).ok).toBe(false)
  })

  it('may have other keys once the clouds with the former keys have stopped or died', async () => {
    const first = await join()
    if (first.ok) await first.clouds.stop()
    expect((await join({ signing: 'sign2', sealing: 'seal2' })).ok).toBe(true)
    await database.knex('clouds').insert({ id: 'cloud_dead', ...keys, aliveUntilMs: world.nowMs() })
    expect((await join({ signing: 'sign2', sealing: 'seal2' })).ok).toBe(true)
  })

  it('refuses at least one of two clouds that start at once with different keys', async () => {
    const both = await Promise.all([join(), join({ ...keys, signing: 'sign2' })])
    expect(both.filter(({ ok }) => ok).length).toBeLessThanOrEqual(1)
  })
})

describe('event streams', () => {
  const place = { credential: 'key a', most: 20, address: '192.0.2.1' }
  const placesOf = ({ id }: Clouds, perAddress = 1_000) =>
    streamPlaces({ database, world, isByWorld: true }, id, perAddress)
  const two = async () => {
    for (let count = 0; count < 2; count++) await join()
    return joined
  }

  it('are counted exactly over two clouds, by credential and by address', async () => {
    const places = (await two()).map(one => placesOf(one, 30))
    const take = (given: object, count: number) =>
      Promise.all(Array.from({ length: count }, (_, at) => places[at % 2]?.take({ ...place, ...given })))
    const first = await take({}, 50)
    expect(first.filter(one => one?.ok).length).toBe(20)
    expect(first.find(one => !one?.ok)).toEqual({ ok: false, full: 'credential' })
    const others = await take({ credential: 'key b' }, 50)
    expect(others.filter(one => one?.ok).length).toBe(10)
    expect(others.find(one => !one?.ok)).toEqual({ ok: false, full: 'address' })
    for (const one of first) if (one?.ok) one.leave()
    while ((await database.knex('openStreams')).length > 10)
      await new Promise(resolve => setImmediate(resolve))
    expect((await take({}, 50)).filter(one => one?.ok).length).toBe(20)
  })

  it('are freed once they have ended, also when the database failed at that moment', async () => {
    const [one] = await two()
    if (!one) throw new Error('none')
    const failures: ('before' | 'after')[] = []
    const write: Database['write'] = async (work, options) => {
      const failure = failures.shift()
      if (failure === 'before') throw new DatabaseError('busy', 'locked')
      const answer = await database.write(work, options)
      if (failure === 'after') throw new Error('whether it was committed is unknown')
      return answer
    }
    const places = streamPlaces({ database: { ...database, write }, world, isByWorld: true }, one.id, 30)
    const taken = await places.take(place)
    failures.push('before')
    if (taken.ok) taken.leave()
    failures.push('after')
    await expect(places.take(place)).rejects.toThrow('unknown')
    expect((await database.knex('openStreams')).length).toBe(2)
    failures.push('before')
    await world.advance(5_000)
    expect((await database.knex('openStreams')).length).toBe(2)
    await world.advance(5_000)
    expect(await database.knex('openStreams')).toEqual([])
    places.stop()
  })

  it('of a cloud that died are freed after 15 s, and deleted later', async () => {
    const [one] = await two()
    if (!one) throw new Error('none')
    await database
      .knex('clouds')
      .insert({ id: 'cloud_dead', ...keys, aliveUntilMs: world.nowMs() + aliveForMs })
    const dead = placesOf({ ...one, id: 'cloud_dead' })
    const few = { ...place, most: 1 }
    expect((await dead.take(few)).ok).toBe(true)
    await world.advance(aliveForMs - 1)
    expect((await placesOf(one).take(few)).ok).toBe(false)
    await world.advance(1)
    expect((await placesOf(one).take(few)).ok).toBe(true)
    const sweeping = storedLimits({ database, world, isByWorld: true })
    await world.advance(120_000)
    sweeping.stop()
    expect(await database.knex('openStreams').where({ cloudId: 'cloud_dead' })).toEqual([])
    expect((await database.knex('streamLocks').orderBy('name')).map(({ name }) => name)).toEqual([
      'address 192.0.2.1',
      'credential key a',
    ])
  })
})
