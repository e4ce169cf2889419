import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Checkpoints, checkpointsOf } from './checkpoints.ts'
import { openDatabase } from './database.ts'
import { type Connection, prepareConnection } from './sqliteConnection.ts'
import { versionOf } from './sqliteVersion.ts'

let folder: string
let file: string
let connection: Connection
let checkpoints: Checkpoints

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-checkpoints-'))
  file = join(folder, 'data.sqlite')
  connection = new BetterSqlite3(file)
  prepareConnection(connection, false)
  connection.exec('create table things (id integer primary key, note text not null)')
  checkpoints = checkpointsOf(file)
})
afterEach(async () => {
  await checkpoints.stop()
  connection.close()
  rmSync(folder, { recursive: true })
})

/** Writes rows, each in a commit of its own. */
function write(rows: number): void {
  const insert = connection.prepare('insert into things (note) values (?)')
  for (let row = 0; row < rows; row++) {
    insert.run('n'.repeat(40))
    checkpoints.committed(connection)
  }
}

/** The pages that are in the database's file, and not only in its WAL. */
const pagesInFile = () => statSync(file).size / 1_024
const allPages = () => connection.pragma('page_count', { simple: true }) as number

it('writes the pages of the WAL into the file once 4,000 rows have changed, and not before', async () => {
  connection.pragma('synchronous = OFF')
  write(3_999)
  await checkpoints.stop()
  // The header, which SQLite writes as it makes the file.
  expect(pagesInFile()).toBe(1)
  write(1)
  await checkpoints.stop()
  expect(pagesInFile()).toBe(allPages())
})

it('makes another checkpoint after the next 4,000 rows', async () => {
  connection.pragma('synchronous = OFF')
  write(4_000)
  await checkpoints.stop()
  const before = pagesInFile()
  write(4_000)
  await checkpoints.stop()
  expect(pagesInFile()).toBe(allPages())
  expect(pagesInFile()).toBeGreaterThan(before)
})

it('leaves the checkpoints to SQLite where its thread cannot open the file', async () => {
  checkpoints = checkpointsOf(join(folder, 'nowhere', 'data.sqlite'))
  connection.pragma('synchronous = OFF')
  write(4_000)
  await checkpoints.stop()
  expect(connection.pragma('wal_autocheckpoint', { simple: true })).toBe(32_000)
  write(4_000)
  expect(connection.prepare('select count(*) from things').pluck().get()).toBe(8_000)
})

it('changes no version of the data', async () => {
  connection.pragma('synchronous = OFF')
  const version = versionOf(() => connection)
  write(4_000)
  const before = version()
  await checkpoints.stop()
  expect(pagesInFile()).toBe(allPages())
  expect(version()).toBe(before)
})

it('leaves no WAL behind when its database is closed', async () => {
  const place = join(folder, 'other.sqlite')
  const database = await openDatabase({ url: place })
  await database.knex.schema.createTable('things', table => void table.text('note'))
  await database.write(async tx => {
    for (let row = 0; row < 40; row++)
      await tx('things').insert(Array.from({ length: 100 }, () => ({ note: 'n' })))
  })
  // The thread has the file open by now.
  await expect.poll(() => statSync(place).size, { interval: 5, timeout: 10_000 }).toBeGreaterThan(30_000)
  await database.close()
  expect(existsSync(`${place}-wal`)).toBe(false)
})
