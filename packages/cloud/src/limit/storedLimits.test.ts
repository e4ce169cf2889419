import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Limit } from '../core/limiter.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import type { LimiterOptions, Limits } from './limits.ts'
import { storedLimits } from './storedLimits.ts'

const windowMs = 60_000
let world: FakeWorld
let database: Database
let replicas: Limits[]

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  replicas = [1, 2, 3, 4].map(() => storedLimits({ database, world, isByWorld: true }))
})
afterEach(async () => {
  for (const one of replicas) one.stop()
  await database.close()
})

/** The same limit at each of four replicas. */
const limiters = (name: string, limit: Limit, options?: LimiterOptions) =>
  replicas.map(one => one.limiter(name, limit, options))
const at = <T>(all: readonly T[], place: number): T => {
  const one = all[place % all.length]
  if (one === undefined) throw new Error('none')
  return one
}

describe('a limit over replicas', () => {
  it('never lets more than the limit into any window, in any order of requests, and correctly says when the next is accepted', async () => {
    let run = 0
    const steps = fc.array(
      fc.record({
        pauseMs: fc.oneof(fc.constant(0), fc.nat(40), fc.nat(70_000), fc.constant(windowMs)),
        asking: fc.array(fc.nat(3), { minLength: 1, maxLength: 6 }),
      }),
      { maxLength: 25 },
    )
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 7 }), steps, async (most, all) => {
        const one = limiters(`any ${run++}`, { most, windowMs })
        const taken: number[] = []
        const lately = () => taken.filter(time => world.nowMs() - time < windowMs).length
        for (const { asking, pauseMs } of all) {
          world.jumpWallClock(pauseMs)
          const free = most - lately()
          const statuses = await Promise.all(asking.map(place => at(one, place).take('key')))
          const granted = statuses.filter(({ isTaken }) => isTaken).length
          expect(granted).toBe(Math.min(free, asking.length))
          for (let count = 0; count < granted; count++) taken.push(world.nowMs())
          expect(await at(one, asking.length).peek('key')).toMatchObject({
            isTaken: lately() < most,
            remaining: most - lately(),
          })
          const [refusal] = statuses.filter(({ isTaken }) => !isTaken)
          if (!refusal) continue
          expect(refusal).toMatchObject({ remaining: 0 })
          world.jumpWallClock(refusal.nextMs - 1)
          expect(await at(one, 0).peek('key')).toMatchObject({ isTaken: false, nextMs: 1 })
          world.jumpWallClock(1)
          expect(await at(one, 1).take('key')).toMatchObject({ isTaken: true })
          taken.push(world.nowMs())
        }
      }),
      { numRuns: 60 },
    )
  })

  it('is exact for 1,000 at once over four replicas', async () => {
    const all = limiters('crowd', { most: 120, windowMs })
    const asked = Array.from({ length: 1_000 }, (_, place) => at(all, place).take('key'))
    const statuses = await Promise.all(asked)
    expect(statuses.filter(({ isTaken }) => isTaken).length).toBe(120)
    expect(statuses.filter(({ isTaken }) => isTaken).map(({ remaining }) => remaining)).toContain(0)
  })

  it('counts each key and each limit separately, and stores no key in plain text', async () => {
    const [one, two] = limiters('a', { most: 1, windowMs })
    const [other] = limiters('b', { most: 1, windowMs })
    const taken = [one?.take('a@example.com'), two?.take('a@example.com'), two?.take('b@example.com')]
    expect(await Promise.all(taken)).toMatchObject([{ isTaken: true }, { isTaken: false }, { isTaken: true }])
    expect(await other?.take('a@example.com')).toMatchObject({
      isTaken: true,
      remaining: 0,
      nextMs: windowMs,
    })
    expect(JSON.stringify(await database.knex('limitLogs'))).not.toContain('example')
  })

  it('goes on when the clock of the database is set back', async () => {
    const [one, two] = limiters('clock', { most: 2, windowMs })
    await one?.take('key')
    world.jumpWallClock(-30_000)
    expect(await two?.take('key')).toMatchObject({ isTaken: true })
    expect(await one?.take('key')).toMatchObject({ isTaken: false })
    world.jumpWallClock(-3_600_000)
    expect(await one?.take('key')).toMatchObject({ isTaken: true })
  })

  it('drops counts that are over, and the least recently used keys where there are too many', async () => {
    const [one] = limiters('few', { most: 1, windowMs: 2 * windowMs }, { mostKeys: 3 })
    for (const key of ['a', 'b', 'c', 'd', 'e']) {
      await one?.take(key)
      world.jumpWallClock(1)
    }
    const isFree = async (key: string) => (await one?.peek(key))?.isTaken
    await world.advance(windowMs)
    expect(await Promise.all(['a', 'b', 'c', 'd', 'e'].map(isFree))).toEqual([
      true,
      true,
      false,
      false,
      false,
    ])
    await world.advance(windowMs)
    expect(await database.knex('limitLogs')).toEqual([])
  })
})

describe('limits that are taken together', () => {
  const ofTwo = { wide: { most: 5, windowMs }, narrow: { most: 2, windowMs } }

  it('are taken all or none over replicas, and are given back together', async () => {
    const groups = replicas.map(one => one.group(ofTwo))
    const many = (narrow: string) =>
      Promise.all(
        Array.from({ length: 40 }, (_, place) => at(groups, place).takeAll({ wide: 'all', narrow })),
      )
    const [a, b, c] = [await many('a'), await many('b'), await many('c')]
    const granted = [a, b, c].map(all => all.filter(({ ok }) => ok).length)
    expect(granted).toEqual([2, 2, 1])
    expect(a.find(({ ok }) => !ok)).toEqual({ ok: false, againInMs: windowMs })
    for (const one of c) if (one.ok) await one.giveBack()
    expect((await many('d')).filter(({ ok }) => ok).length).toBe(1)
    const alone = await Promise.all(replicas.map(one => one.group(ofTwo).takeAll({ narrow: 'alone' })))
    expect(alone.filter(({ ok }) => ok).length).toBe(2)
  })
})

it('accepts a single-use key once over all replicas, until its time is over', async () => {
  const all = replicas.map(one => one.once('tickets', windowMs))
  const spend = () => Promise.all(Array.from({ length: 100 }, (_, place) => at(all, place)('ticket')))
  expect((await spend()).filter(Boolean).length).toBe(1)
  expect(await at(all, 0)('other')).toBe(true)
  // The clock of the database is set; only the time that passed counts.
  await world.advance(windowMs)
  expect((await spend()).filter(Boolean).length).toBe(0)
  await database.knex('servedTime').update({ servedMs: windowMs + 120_000 })
  await world.advance(windowMs)
  expect((await spend()).filter(Boolean).length).toBe(1)
})
