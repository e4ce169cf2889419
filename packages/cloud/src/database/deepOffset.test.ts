import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem } from '@callgate/contract/rest/problem'
import { fakeWorld } from '@callgate/world/fake'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newSpace } from '../space/space.kit.ts'
import type { Database } from './database.ts'
import { type HistoryPage, historyReader } from './paging.ts'
import type { Values } from './statement.ts'
import { memoryDatabase } from './tables.kit.ts'

interface Row {
  readonly id: string
  readonly timestamp: string
}

const world = fakeWorld(3)
const settledBefore = '2026-06-01T00:00:00.000Z'
let database: Database
let spaceId = ''
let turns = 0

const readerOf = () =>
  historyReader<Row, Values>({
    columns: ['id', 'timestamp'],
    at: 'timestamp',
    idPrefix: idPrefix.activity,
    fitting: (db, filter) => ({ query: db('activity').where(filter), at: 'timestamp', id: 'id' }),
  })
let read = readerOf()
/** Reads the entries of one action among all entries. */
const readThrough = historyReader<Row, Values>({
  columns: ['id', 'timestamp'],
  at: 'timestamp',
  idPrefix: idPrefix.activity,
  fitting: (db, filter) => ({ query: db('activity').where(filter), at: 'timestamp', id: 'id' }),
  wider: ({ action }) => (action === undefined ? undefined : {}),
})

async function pageOf(page: HistoryPage, filter: Values = {}): Promise<readonly Row[]> {
  const depth = { settledBefore, turn: async () => void turns++ }
  const history = await read(database.knex, { ...filter, spaceId }, page, depth)
  if (isProblem(history)) throw new Error(history.message)
  expect(history.hasMore).toBe((await plainly({ ...page, limit: 201 }, filter)).length > page.limit)
  return history.rows
}

/** The same page by a plain query that skips the rows itself. */
async function plainly({ from, limit, offset = 0, to }: HistoryPage, filter: Values = {}) {
  const query = database
    .knex('activity')
    .where({ ...filter, spaceId })
    .select('id', 'timestamp')
  if (from !== undefined) query.where('timestamp', '>=', from)
  if (to !== undefined) query.where('timestamp', '<', to)
  return query
    .orderBy([
      { column: 'timestamp', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(limit)
    .offset(offset)
}

/** Writes rows, some with the same time, which are then sorted by id; every second one belongs to another Space. */
async function fill(rows: number, secondsFrom: string, otherId: string): Promise<void> {
  await database.write(tx =>
    tx.raw(`with recursive counted(n) as (select 1 union all select n + 1 from counted where n < ${2 * rows})
      insert into activity (id, spaceId, action, actor, targetType, targetLabel, details, timestamp)
      select 'act_' || hex(randomblob(8)), iif(n % 2, '${spaceId}', '${otherId}'),
        iif(n % 3, 'gate.created', 'gate.updated'), 'system', 'gate', 'Gate', '{}',
        strftime('%Y-%m-%dT%H:%M:%S.000Z', '${secondsFrom}', '+' || (n / 9) || ' seconds') from counted`),
  )
}

beforeAll(async () => {
  database = await memoryDatabase()
  spaceId = await newSpace({ database, world })
  await fill(52_345, '2026-01-01T00:00:00', await newSpace({ database, world }))
})
afterAll(() => database.close())

const pages = fc.record({
  limit: fc.integer({ min: 1, max: 200 }),
  offset: fc.integer({ min: 0, max: 53_500 }),
})

const isWhatLiesThere = fc.asyncProperty(pages, async page => {
  expect(await pageOf(page)).toEqual(await plainly(page))
})

describe('a page of a deep offset', () => {
  it('is the page at that offset', async () => {
    await fc.assert(isWhatLiesThere, {
      numRuns: 60,
      examples: [[{ limit: 1, offset: 52_344 }], [{ limit: 1, offset: 52_345 }]],
    })
    for (let offset = 51_990; offset < 52_012; offset++)
      expect(await pageOf({ limit: 2, offset })).toEqual(await plainly({ limit: 2, offset }))
    expect(await pageOf({ limit: 1, offset: 2_147_483_647 })).toEqual([])
  })

  it('is still the right page after newer rows were added, settled and not', async () => {
    const last = await pageOf({ limit: 200, offset: 52_200 })
    await fill(1_777, '2026-02-01T00:00:00', await newSpace({ database, world }))
    await fill(2_500, '2026-07-01T00:00:00', await newSpace({ database, world }))
    expect(await pageOf({ limit: 200, offset: 52_200 + 1_777 + 2_500 })).toEqual(last)
    await fc.assert(isWhatLiesThere, { numRuns: 40 })
  })

  it('is right with a filter or in a span, too', async () => {
    const span = { from: '2026-01-01T00:10:00.000Z', to: '2026-01-01T03:00:00.000Z' }
    for (const offset of [4_999, 5_000, 20_000, 20_001, 33_000, 90_000]) {
      const page = { limit: 7, offset }
      expect(await pageOf(page, { action: 'gate.created' })).toEqual(
        await plainly(page, { action: 'gate.created' }),
      )
      expect(await pageOf({ ...page, ...span })).toEqual(await plainly({ ...page, ...span }))
    }
  })

  it('is found in pieces, and the next time by a mark', async () => {
    read = readerOf()
    turns = 0
    await pageOf({ limit: 1, offset: 50_000 })
    expect(turns).toBeGreaterThan(1)
    turns = 0
    await pageOf({ limit: 1, offset: 49_000 })
    expect(turns).toBe(0)
    await pageOf({ limit: 1, offset: 50_000, to: '2027-01-01T00:00:00.000Z' })
    expect(turns).toBe(2)
  })
})

describe('a page of rows that no index holds alone', () => {
  const depth = { settledBefore, turn: async () => void turns++ }
  const idsThrough = async (filter: Values, page: HistoryPage) => {
    const history = await readThrough(database.knex, { ...filter, spaceId }, page, depth)
    if (isProblem(history)) throw new Error(history.message)
    expect(history.hasMore).toBe((await plainly({ ...page, limit: 201 }, filter)).length > page.limit)
    return history.rows
  }

  it('is right at every offset and in a span', async () => {
    const span = { from: '2026-01-01T00:10:00.000Z', to: '2026-01-01T03:00:00.000Z' }
    const action = 'gate.created'
    for (const offset of [0, 1, 3_333, 4_999, 5_000, 5_001, 20_000, 36_000, 90_000])
      for (const page of [
        { limit: 7, offset },
        { limit: 200, offset, ...span },
      ])
        expect(await idsThrough({ action }, page)).toEqual(await plainly(page, { action }))
  })

  it('is searched in pieces where no row fits', async () => {
    turns = 0
    expect(await idsThrough({ action: 'gate.none' }, { limit: 50 })).toEqual([])
    expect(turns).toBeGreaterThanOrEqual(10)
  })
})
