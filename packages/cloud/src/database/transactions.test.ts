import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from './database.ts'

let database: Database

beforeEach(async () => {
  database = await openDatabase({ url: ':memory:' })
  await database.knex.schema.createTable('notes', table => {
    table.integer('id').primary()
    table.integer('of').references('notes.id').deferrable('deferred')
  })
})
afterEach(() => database.close())

const notes = async () => (await database.knex('notes').select('id').orderBy('id')).map(({ id }) => id)

it('commits what its work wrote, and nothing of work that throws', async () => {
  expect(await database.write(async tx => (await tx('notes').insert({ id: 1 })) && 'done')).toBe('done')
  const thrown = new Error('no')
  const failing = database.write(async tx => {
    await tx('notes').insert({ id: 2 })
    throw thrown
  })
  await expect(failing).rejects.toBe(thrown)
  expect(await notes()).toEqual([1])
})

it('runs transactions in the order of arrival, and makes queries outside wait', async () => {
  const order: string[] = []
  const write = (name: string) =>
    database.write(async tx => {
      order.push(`${name} begins`)
      for (let query = 0; query < 3; query++) await tx('notes').where({ id: 0 })
      order.push(`${name} ends`)
    })
  await Promise.all([write('first'), write('second')])
  const last = write('third')
  await Promise.all([last, notes().then(() => order.push('a query outside'))])
  const three = ['first', 'second', 'third'].flatMap(name => [`${name} begins`, `${name} ends`])
  expect(order).toEqual([...three, 'a query outside'])
})

it('reports a commit before the connection is free and another one begins, and reports no failed one', async () => {
  const order: string[] = []
  const { client } = database.knex
  const release = client.releaseConnection.bind(client)
  client.releaseConnection = (connection: unknown) => {
    order.push('free')
    return release(connection)
  }
  const write = (name: string, id: number) =>
    database.write(
      async tx => {
        order.push(`${name} begins`)
        await tx('notes').insert({ id, of: id })
        return name
      },
      { committed: answer => void order.push(`${answer} is committed`) },
    )
  const failing = write('none', 1).then(() => write('again', 1))
  await expect(Promise.all([failing, write('other', 2)])).rejects.toThrow('UNIQUE')
  const done = (name: string) => [`${name} begins`, `${name} is committed`, 'free']
  expect(order).toEqual([...done('none'), ...done('other'), 'again begins', 'free'])
})

it('keeps nothing when the commit fails, rejects with its error, and goes on', async () => {
  const failing = database.write(tx => tx('notes').insert({ id: 1, of: 7 }))
  await expect(failing).rejects.toThrow('FOREIGN KEY constraint failed')
  await database.write(tx => tx('notes').insert({ id: 2 }))
  expect(await notes()).toEqual([2])
})

it('refuses queries of a transaction that is over, also while another runs', async () => {
  let over: Knex.Transaction | undefined
  let written: PromiseLike<unknown> | undefined
  await database.write(async tx => {
    over = tx
    written = tx('notes').insert({ id: 1 })
  })
  await expect(Promise.resolve(written)).rejects.toThrow('the transaction is over')
  const late = () => over?.('notes').insert({ id: 2 })
  expect(late).toThrow('the transaction is over')
  await database.write(async () => {
    expect(late).toThrow('the transaction is over')
    expect(() => over?.raw('delete from notes')).toThrow('the transaction is over')
  })
  expect(await notes()).toEqual([])
})
