import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'
import { statement } from './statement.ts'

let database: Database

beforeEach(async () => {
  database = await openDatabase({ url: ':memory:' })
  await database.knex.schema.createTable('notes', table => {
    table.integer('id').primary()
    table.string('text')
    table.boolean('isOpen').notNullable()
  })
  const notes = ['a', 'b', null].map((text, index) => ({ id: index + 1, text, isOpen: index !== 1 }))
  await database.knex('notes').insert(notes)
})
afterEach(() => database.close())

let written = 0
const findNotes = statement<
  { text?: string | null; isOpen?: boolean; above?: number; limit: number },
  { id: number }
>((db, { above, limit, ...place }) => {
  written += 1
  const given = Object.entries(place).filter(([, value]) => value !== undefined)
  const query = db('notes').where(Object.fromEntries(given)).orderBy('id').limit(limit).select('id')
  return above === undefined ? query : query.where('id', '>', above)
})
const idsOf = async (values: Parameters<typeof findNotes>[1]) =>
  (await findNotes(database.knex, values)).map(({ id }) => id)

it('returns the rows of its query, whatever the values', async () => {
  expect(await idsOf({ limit: 9 })).toEqual([1, 2, 3])
  expect(await idsOf({ limit: 2 })).toEqual([1, 2])
  expect(await idsOf({ limit: 2, above: 1 })).toEqual([2, 3])
  expect(await idsOf({ limit: 9, text: 'b' })).toEqual([2])
  expect(await idsOf({ limit: 9, text: "x' or 1=1" })).toEqual([])
  expect(await idsOf({ limit: 9, text: null })).toEqual([3])
  expect(await idsOf({ limit: 9, isOpen: true })).toEqual([1, 3])
  expect(await idsOf({ limit: 9, isOpen: false })).toEqual([2])
})

it('is written once for each shape', async () => {
  await idsOf({ limit: 1 })
  const before = written
  for (let limit = 1; limit < 20; limit++) await idsOf({ limit })
  expect(written).toBe(before)
})

it('sees the writes of its own transaction, and none of one that runs beside it', async () => {
  let seen: Promise<number[]> | undefined
  await expect(
    database.write(async tx => {
      await tx('notes').insert({ id: 9, text: 'new', isOpen: true })
      expect(await findNotes(tx, { text: 'new', limit: 1 })).toEqual([{ id: 9 }])
      seen = idsOf({ text: 'new', limit: 1 })
      await tx('notes').where({ id: 1 }).first()
      throw new Error('rolled back')
    }),
  ).rejects.toThrow('rolled back')
  expect(await seen).toEqual([])
})

it('refuses a transaction that is over', async () => {
  let over: Parameters<typeof findNotes>[0] | undefined
  await database.write(async tx => {
    over = tx
  })
  if (over) await expect(findNotes(over, { limit: 1 })).rejects.toThrow('the transaction is over')
})

it('refuses a query that computes with a value and does not bind it', async () => {
  const shouted = statement<{ text: string }, object>((db, { text }) =>
    db('notes').where({ text: `${text}!` }),
  )
  await expect(shouted(database.knex, { text: 'a' })).rejects.toThrow('the value text is not bound')
})

it('changes rows', async () => {
  const close = statement<{ id: number }, never>((db, { id }) =>
    db('notes').where({ id }).update({ isOpen: false }),
  )
  await close(database.knex, { id: 1 })
  expect(await idsOf({ limit: 9, isOpen: true })).toEqual([3])
})
