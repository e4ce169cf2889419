import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fakeWorld, settle } from '@callgate/world/fake'
import * as fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Database, type Db, openDatabase } from '../database/database.ts'
import { setTimeIn } from '../database/databaseTime.ts'
import { migrate } from '../database/migrate.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { memoryDatabase } from '../database/tables.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { createEventFeed } from './eventFeed.ts'
import { forgetOldEvents, keptForMs, readEventsAbout, readEventsAfter, readNewestSeq } from './eventRows.ts'
import { type NewEvent, recordEvents, type SpaceEvent } from './events.ts'

const world = fakeWorld(1)
let database: Database
let spaces: string[]

beforeEach(async () => {
  database = await memoryDatabase()
  spaces = [await newSpace({ database, world }), await newSpace({ database, world })]
})
afterEach(() => database.close())

const event = (targetId: string): NewEvent => ({ kind: 'gate.updated', targetId, atMs: world.nowMs() })

/** One transaction: how many events it writes, in which Space, and whether it is rolled back. */
interface Change {
  readonly space: number
  readonly count: number
  readonly fails: boolean
}
const changes: fc.Arbitrary<Change[]> = fc.array(
  fc.record({ space: fc.nat(1), count: fc.integer({ min: 0, max: 3 }), fails: fc.boolean() }),
  { minLength: 1, maxLength: 30 },
)

let made = 0
async function write(of: Database, { count, fails, space }: Change): Promise<string[]> {
  const targetIds = Array.from({ length: count }, () => `gate_${++made}`)
  const spaceId = spaces[space] ?? ''
  const done = of.write(async tx => {
    await recordEvents(tx, spaceId, targetIds.map(event))
    await world.turn()
    if (fails) throw new Error('rolled back')
  })
  return done.then(
    () => targetIds,
    () => [],
  )
}

const rowsOf = (spaceId: string) => readEventsAfter(database.knex, { spaceId, seq: 0, most: 1_000 })

describe('the numbers of events', () => {
  it('A7: have no gap and no duplicate, however many transactions write at once and whatever is rolled back', async () => {
    const property = fc.asyncProperty(changes, async drawn => {
      const committed = await Promise.all(drawn.map(change => write(database, change)))
      for (const [place, spaceId] of spaces.entries()) {
        const rows = await rowsOf(spaceId)
        expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + (rows[0]?.seq ?? 1)))
        expect(rows.at(-1)?.seq ?? 0).toBeLessThanOrEqual(await readNewestSeq(database.knex, spaceId))
        const kept = new Set(rows.map(({ targetId }) => targetId))
        const written = drawn.flatMap(({ space }, index) => (space === place ? (committed[index] ?? []) : []))
        expect(written.filter(targetId => !kept.has(targetId))).toEqual([])
      }
    })
    await fc.assert(property, { numRuns: 30, seed: 7 })
  })

  it('A7: follow each other when two programs write to one file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'callgate-events-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const url = join(folder, 'callgate.sqlite')
    const patience = {
      world: {
        ...world,
        after: (_: number, then: () => void) => {
          setImmediate(then)
          return { cancel() {} }
        },
      },
      withinMs: 60_000,
    }
    const programs = [await openDatabase({ url, patience }), await openDatabase({ url, patience })]
    onTestFinished(async () => void (await Promise.all(programs.map(program => program.close()))))
    const [first] = programs
    if (!first) throw new Error('no database')
    await migrate(first)
    const spaceId = await newSpace({ database: first, world })
    const before = await readNewestSeq(first.knex, spaceId)
    await Promise.all(
      Array.from({ length: 40 }, (_, place) =>
        programs[place % 2]?.write(tx => recordEvents(tx, spaceId, [event(`gate_${place}`)])),
      ),
    )
    const rows = await readEventsAfter(first.knex, { spaceId, seq: before, most: 100 })
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => before + index + 1))
    expect(new Set(rows.map(({ targetId }) => targetId)).size).toBe(40)
  })
})

describe('a follower', () => {
  it('A7: gets every event once, wherever its first read comes between commits', async () => {
    const property = fc.asyncProperty(changes, fc.nat(30), async (drawn, comesAt) => {
      const feed = createEventFeed({ database, world })
      const spaceId = spaces[0] ?? ''
      const live: SpaceEvent[] = []
      let read: readonly SpaceEvent[] = []
      let leave = () => {}
      const start = await readNewestSeq(database.knex, spaceId)
      async function come() {
        leave = await feed.follow(spaceId, one => void live.push(one))
        read = await readEventsAfter(database.knex, { spaceId, seq: start, most: 1_000 })
      }
      const coming: Promise<void>[] = []
      const writing = drawn.map((change, place) => {
        if (place === comesAt % drawn.length) coming.push(come())
        return write(database, change)
      })
      await Promise.all([...writing, ...coming])
      await settle(20)
      const readSeq = read.at(-1)?.seq ?? start
      const told = [...read, ...live.filter(({ seq }) => seq > readSeq)].map(({ seq }) => seq)
      const all = await readEventsAfter(database.knex, { spaceId, seq: start, most: 1_000 })
      expect(told).toEqual(all.map(({ seq }) => seq))
      leave()
      await world.advance(1_000)
    })
    await fc.assert(property, { numRuns: 40, seed: 3 })
  })

  it('A7: gets the events of another program within about a second', async () => {
    const feed = createEventFeed({ database, world })
    const spaceId = spaces[0] ?? ''
    const live: SpaceEvent[] = []
    const leave = await feed.follow(spaceId, one => void live.push(one))
    // A commit of which this process gets no news: its answer was lost, or another process made it.
    await database.knex.transaction(tx => recordEvents(tx, spaceId, [event('gate_x')]))
    await settle()
    expect(live).toEqual([])
    await world.advance(1_000)
    await settle(10)
    expect(live.map(({ targetId }) => targetId)).toEqual(['gate_x'])
    leave()
    await world.advance(1_000)
    expect(world.nextTimerMs()).toBeUndefined()
  })

  it('gets later what could not be read', async () => {
    const feed = createEventFeed({ database, world })
    const spaceId = spaces[0] ?? ''
    const live: SpaceEvent[] = []
    const leave = await feed.follow(spaceId, one => void live.push(one))
    const { client } = database.knex
    const emit = client.emit.bind(client)
    let failures = 2
    client.emit = (name: string, query: { sql: string }, ...rest: unknown[]) => {
      if (name === 'query' && /^select \* from `events`/.test(query.sql) && failures-- > 0)
        throw new Error('the disk failed')
      return emit(name, query, ...rest)
    }
    await database.write(tx => recordEvents(tx, spaceId, [event('gate_y')]))
    await settle(10)
    expect(live).toEqual([])
    await world.advance(3_000)
    await settle(10)
    expect(live.map(({ targetId }) => targetId)).toEqual(['gate_y'])
    leave()
    await world.advance(2_000)
  })
})

it('old events are deleted after seven days, in steps, and the numbers continue', async () => {
  const [spaceId = ''] = spaces
  const stop = forgetOldEvents({ database, world })
  for (let step = 0; step < 5; step++)
    await database.write(tx =>
      recordEvents(
        tx,
        spaceId,
        Array.from({ length: 100 }, () => event('gate_a')),
      ),
    )
  const newest = await readNewestSeq(database.knex, spaceId)
  await world.advance(keptForMs - 3_600_000)
  await database.write(tx => recordEvents(tx, spaceId, [event('gate_b')]))
  await world.advance(3_700_000)
  await settle(30)
  expect((await rowsOf(spaceId)).map(({ seq, targetId }) => [seq, targetId])).toEqual([
    [newest + 1, 'gate_b'],
  ])
  stop()
})

it('events are kept where the clock of the machine is seven days ahead of that of the database', async () => {
  const [spaceId = ''] = spaces
  const write: Database['write'] = (work, options) =>
    database.write(tx => {
      setTimeIn(tx, () => world.nowMs() - keptForMs)
      return work(tx)
    }, options)
  const stop = forgetOldEvents({ database: { ...database, write }, world })
  const atMs = world.nowMs()
  world.jumpWallClock(keptForMs)
  await database.write(tx => recordEvents(tx, spaceId, [{ ...event('gate_a'), atMs }]))
  await world.advance(120_000)
  await settle(30)
  expect(await rowsOf(spaceId)).toMatchObject([{ targetId: 'gate_a' }])
  await world.advance(keptForMs)
  await settle(30)
  expect(await rowsOf(spaceId)).toEqual([])
  stop()
})

it('A7: the kept events of a Space have no gap, although an event may be dated before the one that it follows', async () => {
  const [spaceId = ''] = spaces
  const stop = forgetOldEvents({ database, world })
  const dated = (agoH: number) => ({ ...event(`gate_${agoH}`), atMs: world.nowMs() - agoH * 3_600_000 })
  for (const agoH of [174, 2, 169, 3, 169, 4])
    await database.write(tx => recordEvents(tx, spaceId, [dated(agoH)]))
  await world.advance(61_000)
  await settle(30)
  const kept = (await rowsOf(spaceId)).map(({ seq }) => seq)
  // The second of three old events is deleted with the earlier ones.
  expect(kept).toEqual([await readNewestSeq(database.knex, spaceId)])
  stop()
})

it('events about one thing, and those after a number, are found by an index', async () => {
  const [spaceId = ''] = spaces
  const of = (work: (db: Db) => Promise<unknown>) => plansOf(database, work)
  expect(await of(db => readEventsAbout(db, { spaceId, targetId: 'open_1' }))).toEqual([
    ['SEARCH events USING INDEX events_targetid_seq_index (targetId=?)'],
  ])
  expect(await of(db => readEventsAfter(db, { spaceId, seq: 7, most: 9 }))).toEqual([
    [expect.stringMatching(/^SEARCH events USING PRIMARY KEY \(spaceId=\? AND seq>\?\)$/)],
  ])
})
