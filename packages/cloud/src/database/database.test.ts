import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { databaseTrouble, isUniqueViolation, openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { migrations } from './migrations/list.ts'
import { memoryDatabase } from './tables.kit.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-database-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const failed = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  )

describe('openDatabase', () => {
  it('creates a file that only its owner can read, and a folder for it', async () => {
    const file = join(folder, 'data', 'callgate.sqlite')
    const database = await openDatabase({ url: `sqlite:${file}` })
    await migrate(database)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(`${file}-wal`).mode & 0o777).toBe(0o600)
    expect(await database.knex.raw('pragma synchronous')).toEqual([{ synchronous: 2 }])
    await database.close()
  })

  it('says what is wrong with an unusable file', async () => {
    writeFileSync(
      join(folder, 'text'),
      'This is no database, and it is longer than one page header would be.'.repeat(9),
    )
    const trouble = async (url: string) => databaseTrouble(await failed(openDatabase({ url })))
    expect(await trouble(join(folder, 'text'))).toBe('not_a_database')
    expect(await trouble(folder)).toBe('a_folder')
    expect(String(await failed(openDatabase({ url: folder, onlyReads: true })))).toContain(
      `which is a folder. Give the path of a file, such as ${folder}/callgate.sqlite.`,
    )
    expect(await trouble(join(folder, 'text', 'below'))).toBe('not_writable')
    const error = await failed(openDatabase({ url: 'postgres://user:hunter2@host/name' }))
    expect(databaseTrouble(error)).toBe('unsupported')
    expect(String(error)).not.toContain('hunter2')
  })
})

describe('the lock', () => {
  it('is held by one process, and is free again when that is killed', async () => {
    const url = join(folder, 'callgate.sqlite')
    const source = `
      import { openDatabase } from ${JSON.stringify(new URL('database.ts', import.meta.url).href)}
      const database = await openDatabase({ url: ${JSON.stringify(url)} })
      process.stdout.write(await database.lock() ? 'held' : 'refused')
      setInterval(() => database, 1_000_000)`
    const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', source])
    const ended = new Promise(resolve => child.once('exit', resolve))
    expect(await new Promise(resolve => child.stdout.once('data', bytes => resolve(String(bytes))))).toBe(
      'held',
    )

    // Another path to the same file.
    symlinkSync(url, join(folder, 'other.sqlite'))
    const database = await openDatabase({ url: join(folder, 'other.sqlite') })
    expect(await database.lock()).toBeUndefined()
    await database.write(tx => tx.raw('create table t (a)'))
    child.kill('SIGKILL')
    await ended
    const lock = await database.lock()
    expect(lock).toBeDefined()
    expect(await database.lock()).toBeUndefined()
    await lock?.release()
    const again = await database.lock()
    expect(again).toBeDefined()
    await again?.release()
    await database.close()
  })
})

describe('the file of the lock', () => {
  it('is readable by its owner only, also where an older version let all read it: any reader could hold the lock', async () => {
    const url = join(folder, 'guarded.sqlite')
    for (const before of [undefined, 0o644]) {
      if (before !== undefined) chmodSync(`${url}-serving`, before)
      const database = await openDatabase({ url })
      const lock = await database.lock()
      expect(statSync(`${url}-serving`).mode & 0o777).toBe(0o600)
      expect(await database.lock()).toBeUndefined()
      await lock?.release()
      await database.close()
    }
  })
})

describe('migrate', () => {
  it('runs once, also when another process opens the file next', async () => {
    const url = join(folder, 'two.sqlite')
    const [one, two] = [await openDatabase({ url }), await openDatabase({ url })]
    expect(await migrate(one)).toEqual(Object.keys(migrations))
    expect(await migrate(two)).toEqual([])
    await Promise.all([one.close(), two.close()])
  })

  it('refuses a database of a newer version', async () => {
    const database = await memoryDatabase()
    await database.knex('migrations').insert({ name: '9999-later', batch: 2 })
    await database.knex('schemas').update({ readableFrom: '9999-later' })
    expect(databaseTrouble(await failed(migrate(database)))).toBe('too_new')
    await database.close()
  })

  it('works with the tables of a newer version that says so', async () => {
    const database = await memoryDatabase()
    await database.knex('migrations').insert({ name: '9999-later', batch: 2 })
    expect(await database.knex('schemas').pluck('readableFrom')).toEqual(['0020-replicas'])
    expect(await migrate(database)).toEqual([])
    await database.close()
  })

  it('records for each migration since 0020 which programs can work with its tables', () => {
    const later = Object.entries(migrations).filter(([name]) => name >= '0020')
    for (const [name, { readableFrom = '' }] of later)
      expect([name, readableFrom <= name]).toEqual([name, true])
    expect(later.filter(([, { readableFrom }]) => !Object.hasOwn(migrations, readableFrom ?? ''))).toEqual([])
  })
})

describe('write', () => {
  it('holds the write lock from its first statement', async () => {
    const url = join(folder, 'lock.sqlite')
    const [one, two] = [await openDatabase({ url }), await openDatabase({ url })]
    await migrate(one)
    await two.knex.raw('pragma busy_timeout = 1')
    const error = await one.write(async () => failed(two.write(async () => {})))
    expect(databaseTrouble(error)).toBe('busy')
    await Promise.all([one.close(), two.close()])
  })

  it('keeps nothing when the disk is full, says so, and works again when there is room', async () => {
    const database = await openDatabase({ url: join(folder, 'full.sqlite') })
    await migrate(database)
    const insert = (name: string) =>
      database.write(tx =>
        tx('plans').insert({ name, gateLimit: 1, monthlyInvitationLimit: 1, hasApi: true }),
      )
    const [{ page_count: pages }] = await database.knex.raw('pragma page_count')
    await database.knex.raw(`pragma max_page_count = ${pages}`)
    expect(databaseTrouble(await failed(insert('x'.repeat(100_000))))).toBe('full')
    await database.knex.raw('pragma max_page_count = 100000')
    await insert('small')
    expect(isUniqueViolation(await failed(insert('small')))).toBe(true)
    expect(await database.knex('plans').where({ name: 'small' }).pluck('name')).toEqual(['small'])
    await database.close()
  })

  it('puts no value into an error', async () => {
    const database = await memoryDatabase()
    const error = await failed(database.knex('plans').where({ nothing: 'secret' }).first())
    expect(String(error)).toContain('no such column')
    expect(String(error)).not.toContain('secret')
    await database.close()
  })
})
