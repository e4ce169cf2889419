import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Database, type Db, isUniqueViolation, runSql } from './database.ts'
import { earlyRead, sent } from './pipeline.ts'
import { migratedPostgres } from './postgres.kit.ts'
import { openPostgres } from './postgres.ts'
import { countRoundTrips } from './roundTrips.kit.ts'
import { statement } from './statement.ts'
import { memoryDatabase } from './tables.kit.ts'

let url = ''
let database: Database
beforeAll(async () => {
  url = await migratedPostgres()
  database = await openPostgres({ url })
})
afterAll(() => database.close())

interface Plan {
  readonly name: string
  readonly gateLimit: number
}

const insert = statement<{ readonly name: string; readonly gateLimit: number }, never>((db, plan) =>
  db('plans').insert({ ...plan, monthlyInvitationLimit: 1, hasApi: true }),
)
const limit = statement<{ readonly name: string; readonly gateLimit: number }, never>(
  (db, { gateLimit, name }) => db('plans').where({ name }).update({ gateLimit }),
)
const find = statement<{ readonly name: string }, Plan>((db, plan) => db('plans').where(plan))
const limitsOf = async (db: Db, name: string) =>
  (await find(db, { name })).map(({ gateLimit }) => Number(gateLimit))
const inSpace = { spaceId: 'space_a' }

describe('writes that are only sent', () => {
  it('run in their order, and take one round trip with the commit', async () => {
    const counts = countRoundTrips(database)
    await database.write(async tx => {
      await sent(tx, insert(tx, { name: 'sent', gateLimit: 1 }))
      await sent(tx, limit(tx, { name: 'sent', gateLimit: 2 }))
    }, inSpace)
    expect(counts.take()).toEqual({ statements: 4, roundTrips: 2 })
    expect(await limitsOf(database.knex, 'sent')).toEqual([2])
    await database.write(async tx => {
      await sent(tx, limit(tx, { name: 'sent', gateLimit: 3 }))
      expect(await limitsOf(tx, 'sent')).toEqual([3])
    }, inSpace)
  })

  it.each(['the commit', 'a later read', 'a later query of knex'])(
    'fail their transaction with their own error, before %s',
    async what => {
      await database.knex('plans').where({ name: 'twice' }).delete()
      const written = database.write(async tx => {
        await sent(tx, insert(tx, { name: 'twice', gateLimit: 1 }))
        await sent(tx, insert(tx, { name: 'twice', gateLimit: 2 }))
        await sent(tx, limit(tx, { name: 'twice', gateLimit: 3 }))
        if (what === 'a later read') await limitsOf(tx, 'twice')
        if (what === 'a later query of knex') await tx('plans').where({ name: 'twice' }).first()
      }, inSpace)
      const error = await written.then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(isUniqueViolation(error)).toBe(true)
      expect(await limitsOf(database.knex, 'twice')).toEqual([])
    },
  )

  it('are not hidden by the reason of the work to roll back', async () => {
    const reason = new Error('no')
    const written = database.write(async tx => {
      await sent(tx, insert(tx, { name: 'free', gateLimit: 1 }))
      throw reason
    }, inSpace)
    await expect(written).rejects.toBe(reason)
  })

  it('are over on SQLite before the next statement', async () => {
    const sqlite = await memoryDatabase()
    await sqlite.write(async tx => {
      await sent(tx, insert(tx, { name: 'sent', gateLimit: 1 }))
      await expect(sent(tx, insert(tx, { name: 'sent', gateLimit: 1 }))).rejects.toThrow('UNIQUE')
    }, inSpace)
    await sqlite.close()
  })
})

describe('an early read', () => {
  it('takes one round trip with the beginning, and reads what the transaction before has committed', async () => {
    const other = await openPostgres({ url })
    await database
      .knex('plans')
      .insert({ name: 'count', gateLimit: 0, monthlyInvitationLimit: 1, hasApi: true })
    const addOne = ({ write }: Database) => {
      const read = earlyRead(tx => limitsOf(tx, 'count'))
      return write(
        async tx => {
          const [count = 0] = await read.in(tx)
          await sent(tx, limit(tx, { name: 'count', gateLimit: count + 1 }))
        },
        { ...inSpace, first: [read] },
      )
    }
    const counts = countRoundTrips(database)
    await addOne(database)
    expect(counts.take()).toEqual({ statements: 4, roundTrips: 2 })
    await Promise.all(Array.from({ length: 23 }, (_, place) => addOne(place % 2 ? database : other)))
    expect(await limitsOf(database.knex, 'count')).toEqual([24])
    await other.close()
  })

  it('is read again where a newer version has added columns, before the work runs', async () => {
    const newer = await openPostgres({ url })
    const readAgain = () => {
      const read = earlyRead(tx => find(tx, { name: 'free' }))
      return database.write(tx => read.in(tx), { ...inSpace, first: [read] })
    }
    await readAgain()
    await newer.write(async tx => {
      await tx.raw('alter table "plans" add column "newer" text')
      await tx('migrations').insert({ name: 'newer', batch: 2, migration_time: new Date() })
    })
    expect(await readAgain()).toMatchObject([{ newer: null }])
    await newer.close()
  })

  it('fails its transaction before the work', async () => {
    const read = earlyRead(tx => runSql(tx, 'select 1 / 0', []))
    let hasWorked = false
    const work = async () => {
      hasWorked = true
    }
    const written = database.write(work, { ...inSpace, first: [read] })
    await expect(written).rejects.toMatchObject({ code: '22012' })
    expect(hasWorked).toBe(false)
  })

  it('is read by the work on SQLite', async () => {
    const sqlite = await memoryDatabase()
    const read = earlyRead(tx => limitsOf(tx, 'free'))
    const rows = await sqlite.write(tx => read.in(tx), { ...inSpace, first: [read] })
    expect(rows).toEqual([expect.any(Number)])
    await sqlite.close()
  })
})
