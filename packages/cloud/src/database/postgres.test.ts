import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, databaseTrouble, isUniqueViolation } from './database.ts'
import { timeIn } from './databaseTime.ts'
import { jsonRows } from './jsonRows.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/list.ts'
import { emptyPostgres, testDatabase } from './postgres.kit.ts'
import { openPostgres } from './postgres.ts'
import type { WriteOptions } from './transactions.ts'

let url = ''
let database: Database
beforeAll(async () => {
  url = await emptyPostgres()
  database = await openPostgres({ url })
  await migrate(database)
})
afterAll(() => database.close())

const failed = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )
const spaceRow = (id: string) => ({
  id,
  name: id,
  plan: 'free',
  country: 'RO',
  timezone: 'Europe/Bucharest',
  language: 'en',
  createdAt: '2026-01-01T00:00:00.000Z',
})
const space = (id: string) => database.knex('spaces').insert(spaceRow(id))

describe('migrate', () => {
  it('creates the tables once, also when two processes do so at once', async () => {
    const shared = await emptyPostgres()
    const two = [await openPostgres({ url: shared }), await openPostgres({ url: shared })]
    const ran = await Promise.all(two.map(database => migrate(database)))
    expect(ran.map(names => names.length).sort((a, b) => a - b)).toEqual([0, Object.keys(migrations).length])
    await Promise.all(two.map(one => one.close()))
  })
})

describe('write', () => {
  it('changes rows of the Spaces that it names, and fails a test where it changes those of another', async () => {
    const checked = await testDatabase()
    const rename = (id: string, options: WriteOptions) =>
      checked.write(async tx => void (await tx('spaces').where({ id }).update({ name: 'new' })), options)
    for (const id of ['space_a', 'space_b']) await checked.knex('spaces').insert(spaceRow(id))
    await rename('space_a', { spaceId: 'space_a' })
    await rename('space_b', { spaceIds: ['space_a', 'space_b'] })
    await rename('space_b', {})
    for (const options of [{ spaceId: 'space_a' }, { spaceId: null }, { spaceIds: ['space_a'] }])
      await expect(rename('space_b', options)).rejects.toThrow('without the lock of the Space space_b')
    await checked.close()
  })

  it('keeps nothing of work that throws, and refuses a transaction that is over', async () => {
    const thrown = new Error('no')
    const failing = database.write(async tx => {
      await tx('plans').insert({ name: 'lost', gateLimit: 1, monthlyInvitationLimit: 1, hasApi: true })
      throw thrown
    })
    await expect(failing).rejects.toBe(thrown)
    expect(await database.knex('plans').where({ name: 'lost' })).toEqual([])
    const over = await database.write(async tx => ({ tx }))
    expect(() => over.tx('plans')).toThrow('the transaction is over')
  })

  /** Reads a number, which is stored as the name of a Space, and adds one to it. */
  const addOne = ({ write }: Database, spaceId: string, options: WriteOptions) =>
    write(async tx => {
      const { name } = await tx('spaces').where({ id: spaceId }).first('name')
      await tx('spaces')
        .where({ id: spaceId })
        .update({ name: String((Number(name) || 0) + 1) })
    }, options)

  it.each(['the same Space', 'the whole database', 'both'])(
    'runs one after the other in all processes where it locks %s, so that what it read stays true',
    async what => {
      const other = await openPostgres({ url })
      const id = `space_${what.replaceAll(' ', '_')}`
      await space(id)
      const ofSpace = [{ spaceId: id }, { spaceIds: ['space_other', id] }]
      const options =
        { 'the same Space': ofSpace, 'the whole database': [{}], both: [...ofSpace, {}] }[what] ?? []
      const reach = (place: number) => options[(place >> 1) % options.length] ?? {}
      await Promise.all(
        Array.from({ length: 24 }, (_, place) => addOne(place % 2 ? database : other, id, reach(place))),
      )
      expect(await database.knex('spaces').where({ id }).pluck('name')).toEqual(['24'])
      await other.close()
    },
  )

  it('runs beside a write of another Space, also in another process, but not beside one of the whole database', async () => {
    const other = await openPostgres({ url })
    const order: string[] = []
    let begun = () => {}
    const hasBegun = new Promise<void>(resolve => {
      begun = resolve
    })
    const long = database.write(
      async tx => {
        begun()
        await hasBegun
        await other.write(async () => void order.push('of another Space'), { spaceId: 'space_y' })
        await database.write(async () => void order.push('of no Space'), { spaceId: null })
        const all = other.write(async () => void order.push('of the database'))
        await tx.raw('select 1')
        order.push('the first ends')
        return { all }
      },
      { spaceId: 'space_x' },
    )
    await (await long).all
    expect(order).toEqual(['of another Space', 'of no Space', 'the first ends', 'of the database'])
    await other.close()
  })

  it('does not wait for other writes where it is urgent', async () => {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const held = Array.from({ length: 10 }, (_, place) =>
      database.write(() => released, { spaceId: `space_${place}` }),
    )
    const waiting = Array.from({ length: 1_100 }, () => database.write(async () => {}, { spaceId: null }))
    const urgent = { spaceId: null, isUrgent: true }
    expect(await database.write(async tx => (await tx.raw('select 1 as one')).rows, urgent)).toEqual([
      { one: 1 },
    ])
    release()
    await Promise.all([...held, ...waiting])
  })

  it('reads the time after it has its locks, from the clock of the server', async () => {
    const world = realWorld({ logLevel: 'silent' })
    const other = await openPostgres({ url, serverTime: world })
    const first = await openPostgres({ url, serverTime: world })
    const wrong = { nowMs: () => 0 }
    const timesOf = ({ write }: Database, work = async () => {}) =>
      write(
        async tx => {
          const beganMs = timeIn(tx, wrong)
          await work()
          return { beganMs, endedMs: timeIn(tx, wrong) }
        },
        { spaceId: 'space_x' },
      )
    const waiting = () => database.knex('pg_locks').where({ locktype: 'advisory', granted: false }).first()
    let later = timesOf(other)
    await later
    const earlier = await timesOf(first, async () => {
      later = timesOf(other)
      while (!(await waiting())) await world.turn()
    })
    const { beganMs } = await later
    expect(beganMs).toBeGreaterThanOrEqual(earlier.endedMs)
    expect(Math.abs(beganMs - world.nowMs())).toBeLessThan(60_000)
    // Without a server's time, the clock of the world counts, and also outside a transaction.
    expect(await database.write(async tx => timeIn(tx, wrong))).toBe(0)
    expect(timeIn(first.knex, wrong)).toBe(0)
    await Promise.all([first.close(), other.close()])
  })

  it('uses one connection for all writes that wait in a Space', async () => {
    const { pool } = database.knex.client
    const used: number[] = []
    const write = () => database.write(async () => void used.push(pool.numUsed()), { spaceId: 'space_x' })
    await Promise.all(Array.from({ length: 30 }, write))
    expect(new Set(used)).toEqual(new Set([1]))
  })

  it('keeps nothing where a statement has failed, although its work has caught the error', async () => {
    await space('space_twice')
    const caught = database.write(
      async tx => {
        await tx('spaces').where({ id: 'space_twice' }).update({ name: 'changed' })
        await failed(Promise.resolve(tx('spaces').insert({ id: 'space_twice' })))
      },
      { spaceId: 'space_twice' },
    )
    await expect(caught).rejects.toThrow('nothing was committed')
    expect(await database.knex('spaces').where({ id: 'space_twice' }).pluck('name')).toEqual(['space_twice'])
  })
})

it('cannot change rows that may only be added', async () => {
  const { knex } = database
  await space('space_a')
  const entry = {
    id: 'act_1',
    spaceId: 'space_a',
    action: 'a',
    actor: 'a',
    targetType: 'a',
    targetLabel: 'a',
  }
  await knex('activity').insert({ ...entry, details: '{}', timestamp: '2026-01-01T00:00:00.000Z' })
  for (const change of [knex('activity').update({ actor: 'b' }), knex('activity').delete()])
    await expect(Promise.resolve(change)).rejects.toThrow('activity is append-only')
  await expect(Promise.resolve(knex.raw('truncate "activity" cascade'))).rejects.toThrow('is append-only')
})

it('recognizes a value that exists already, and puts no value into an error', async () => {
  await space('space_secret')
  const error = await failed(Promise.resolve(space('space_secret')))
  expect(isUniqueViolation(error)).toBe(true)
  const wrong = await failed(Promise.resolve(database.knex('plans').where({ gateLimit: 'secret' }).first()))
  for (const shown of [error, wrong]) expect(JSON.stringify(shown) + String(shown)).not.toContain('secret')
  expect(databaseTrouble(error)).toBeUndefined()
})

it('returns counts as numbers, and JSON as JSON.stringify prints it', async () => {
  const { knex } = database
  const values = ['a "quoted" \\ / text', 'line\nbreak \u0001 \u007f \u2028 ă 🚪', '']
  await knex.schema.createTable('texts', table => {
    table.integer('id').primary()
    table.string('text')
    table.boolean('isOpen')
  })
  const rows = [...values, null].map((text, id) => ({ id, text, isOpen: id % 2 === 0 }))
  await knex('texts').insert(rows)
  expect(await knex('texts').count({ rows: '*' })).toEqual([{ rows: 4 }])
  const listed = (from: number) =>
    jsonRows(knex, knex('texts').where('id', '>=', from).orderBy('id'), {
      id: 'plain',
      text: 'plain',
      isOpen: 'boolean',
    })
  expect(await listed(0)).toEqual([{ json: JSON.stringify(rows) }])
  expect(await listed(9)).toEqual([{ json: '[]' }])
})
