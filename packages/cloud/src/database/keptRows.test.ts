import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Database, type Db, openDatabase } from './database.ts'
import { keptRows } from './keptRows.ts'
import { statement } from './statement.ts'

const folder = mkdtempSync(join(tmpdir(), 'callgate-kept-'))
/** One file, opened by the process that serves and by another one. */
let ours: Database
let other: Database

beforeAll(async () => {
  const url = join(folder, 'cloud.sqlite')
  ours = await openDatabase({ url })
  other = await openDatabase({ url })
  await ours.knex.schema.createTable('notes', table => {
    table.integer('of')
    table.text('text')
  })
})
beforeEach(() => ours.knex('notes').delete())
afterAll(async () => {
  await Promise.all([ours.close(), other.close()])
  rmSync(folder, { recursive: true })
})

type Wanted = { readonly of: number }
const notesOf = statement<Wanted, { readonly text: string }>((db, { of }) =>
  db('notes').where({ of }).select('text').orderBy('text'),
)

/** Wraps `read` and counts its calls. */
function counted(read = notesOf) {
  const calls = { count: 0 }
  const reading = (db: Db, wanted: Wanted) => {
    calls.count++
    return read(db, wanted)
  }
  return { calls, reading }
}

const insert = (database: Database, of: number, text: string) =>
  database.write(async tx => void (await tx('notes').insert({ of, text })))

it('reads once, and again after any write', async () => {
  await insert(ours, 1, 'a')
  const { calls, reading } = counted()
  const read = keptRows(ours, reading)
  for (let time = 0; time < 3; time++) expect(await read({ of: 1 })).toEqual([{ text: 'a' }])
  expect(calls.count).toBe(1)
  await insert(ours, 2, 'of another')
  expect(await read({ of: 1 })).toEqual([{ text: 'a' }])
  expect(calls.count).toBe(2)
})

const write = fc.record({
  by: fc.constantFrom('a write of ours', 'our connection', 'another process'),
  of: fc.integer({ min: 1, max: 2 }),
  what: fc.constantFrom('insert', 'update', 'delete'),
  isRolledBack: fc.boolean(),
})
const read = fc.record({ of: fc.integer({ min: 1, max: 2 }) })

it('gives the current rows of the database, whoever writes, and also during a write', async () => {
  const steps = fc.array(fc.oneof(write, read), { maxLength: 20 })
  await fc.assert(
    fc.asyncProperty(steps, async steps => {
      const kept = keptRows(ours, notesOf)
      for (const [place, step] of steps.entries()) {
        if (!('by' in step)) {
          expect(await kept(step)).toEqual(await notesOf(ours.knex, step))
          continue
        }
        const { by, isRolledBack, of, what } = step
        const change = async (db: Db) => {
          if (what === 'insert') await db('notes').insert({ of, text: `note ${place}` })
          else if (what === 'update')
            await db('notes')
              .where({ of })
              .update({ text: `note ${place}` })
          else await db('notes').where({ of }).delete()
        }
        if (by === 'our connection') {
          await change(ours.knex)
          continue
        }
        let asked: Promise<unknown> | undefined
        const changed = (by === 'another process' ? other : ours).write(async tx => {
          await change(tx)
          // It may give the earlier rows, and it keeps no uncommitted ones.
          asked = kept({ of })
          if (isRolledBack) throw new Error('rolled back')
        })
        await changed.catch(() => {})
        await asked
        expect(await kept({ of })).toEqual(await notesOf(ours.knex, { of }))
      }
    }),
  )
})

it('keeps no rows that were read before a change and returned after it', async () => {
  await insert(ours, 1, 'before')
  let change = async () => {}
  const read = keptRows(ours, async (db, wanted: Wanted) => {
    const rows = await notesOf(db, wanted)
    await change()
    return rows
  })
  change = async () => {
    change = async () => {}
    await insert(other, 1, 'during')
    // Another request sees the change.
    expect(await read({ of: 1 })).toHaveLength(2)
  }
  await read({ of: 1 })
  expect(await read({ of: 1 })).toEqual([{ text: 'before' }, { text: 'during' }])
})

it('asks for no version where the caller has asked already, and gives no rows from before that', async () => {
  await insert(ours, 1, 'a')
  let asked = 0
  const version = () => {
    asked++
    return ours.version?.() ?? 0
  }
  const { calls, reading } = counted()
  const read = keptRows({ knex: ours.knex, version }, reading)
  const since = version()
  asked = 0
  for (let time = 0; time < 3; time++) expect(await read({ of: 1 }, since)).toEqual([{ text: 'a' }])
  expect([asked, calls.count]).toEqual([0, 1])
  await insert(other, 1, 'b')
  // A request of before the write may get the rows of before it; later ones may not.
  expect(await read({ of: 1 }, since)).toEqual([{ text: 'a' }])
  expect(await read({ of: 1 }, version())).toHaveLength(2)
  // The rows are newer than this version.
  expect(await read({ of: 1 }, since)).toHaveLength(2)
  expect(calls.count).toBe(2)
})

it('keeps no more than a limit, and no empty result', async () => {
  await insert(ours, 1, 'x'.repeat(5_000_000))
  await insert(ours, 2, 'y'.repeat(5_000_000))
  const { calls, reading } = counted()
  const read = keptRows(ours, reading)
  for (const of of [1, 1, 2, 2, 1]) await read({ of })
  expect(calls.count).toBe(3)
  for (const of of [3, 3]) expect(await read({ of })).toEqual([])
  expect(calls.count).toBe(5)
})

it('reads each time where the database has no version number', async () => {
  await insert(ours, 1, 'a')
  const { calls, reading } = counted()
  const read = keptRows({ knex: ours.knex }, reading)
  for (let time = 0; time < 3; time++) expect(await read({ of: 1 })).toEqual([{ text: 'a' }])
  expect(calls.count).toBe(3)
})
