import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { connectionOf } from './tables.kit.ts'

let world: FakeWorld
let database: Database
/** When another program releases the lock, and when writes tried to take it. */
let lock: { freeAtMs: number; readonly tries: number[] }
let waits: number

beforeEach(async () => {
  world = fakeWorld()
  waits = 0
  lock = { freeAtMs: 0, tries: [] }
  database = await openDatabase({
    url: ':memory:',
    patience: { world, withinMs: 2_000, onWait: () => waits++ },
  })
  const connection = await connectionOf(database)
  const exec = connection.exec.bind(connection)
  Object.assign(connection, {
    exec(sql: string) {
      if (sql.startsWith('BEGIN')) {
        lock.tries.push(world.monotonicMs())
        if (world.monotonicMs() < lock.freeAtMs)
          throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
      }
      return exec(sql)
    },
  })
})
afterEach(() => database.close())

/** A write, and how and when it ended, in whole milliseconds. */
const write = (name: string) =>
  database
    .write(async () => name, { spaceId: name })
    .then(
      answer => ({ answer, atMs: Math.floor(world.monotonicMs()) }),
      (error: Error) => ({ message: error.message, atMs: Math.floor(world.monotonicMs()) }),
    )

const refused = { message: expect.stringContaining('is locked by another program') }

describe('a write while another program holds the lock', () => {
  it('waits for nothing when nothing is locked', async () => {
    expect(await write('one')).toEqual({ answer: 'one', atMs: 0 })
    expect([world.nextTimerMs(), waits]).toEqual([undefined, 0])
  })

  it('begins within a tenth of a second after the lock is free, and reports once that it waits', async () => {
    for (const round of ['first', 'second']) {
      lock.tries.splice(0)
      lock.freeAtMs = world.monotonicMs() + 700
      const work = write(round)
      await world.advance(800)
      expect(await work).toMatchObject({ answer: round })
      expect(lock.tries.length).toBeLessThan(15)
    }
    expect(waits).toBe(1)
  })

  it('gives up when its own time is over, and lets those that came later wait on', async () => {
    lock.freeAtMs = 2_500
    const first = write('first')
    await world.advance(1_000)
    const later = write('later')
    await world.advance(2_000)
    expect(await first).toMatchObject({ ...refused, atMs: 2_000 })
    expect(await later).toMatchObject({ answer: 'later' })
  })

  it('rejects with another error of the begin at once, and the next write begins', async () => {
    const connection = await connectionOf(database)
    const { exec } = connection
    Object.assign(connection, {
      exec() {
        Object.assign(connection, { exec })
        throw new Error('broken')
      },
    })
    const failing = write('failing')
    const next = write('next')
    expect([await failing, await next]).toMatchObject([{ message: 'broken' }, { answer: 'next' }])
  })

  it('is refused where a hundred others wait', async () => {
    lock.freeAtMs = 500
    const outcomes: string[] = []
    const all = Array.from({ length: 101 }, (_, place) =>
      write(`${place}`).then(outcome => outcomes.push('answer' in outcome ? outcome.answer : 'refused')),
    )
    await world.advance(100)
    expect(outcomes).toEqual(['refused'])
    await world.advance(600)
    await Promise.all(all)
    expect(outcomes.slice(1)).toEqual(Array.from({ length: 100 }, (_, place) => `${place}`))
    // There is room again after the others are done.
    expect(await write('next')).toMatchObject({ answer: 'next' })
  })
})
