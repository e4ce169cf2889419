import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import BetterSqlite3 from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Connection, plannedOnce, prepareConnection } from './sqliteConnection.ts'

let connection: Connection
let plain: Connection

function filled(): Connection {
  const made = new BetterSqlite3(':memory:')
  made.exec(`
    create table owners (id text primary key, name text not null);
    create table things (id integer primary key, ownerId text, at text, size integer, note blob);
    create index things_of_owner on things (ownerId, at, id);
    create index large_things on things (at) where size is not null;
  `)
  for (const id of ['a', 'b']) made.prepare('insert into owners values (?, ?)').run(id, `Owner ${id}`)
  for (let place = 0; place < 40; place++)
    made
      .prepare('insert into things (ownerId, at, size) values (?, ?, ?)')
      .run(place % 2 ? 'a' : 'b', `2026-01-${10 + (place % 20)}`, place % 3 ? place : null)
  return made
}

beforeAll(() => {
  plain = filled()
  connection = filled()
  prepareConnection(connection, false)
})
afterAll(() => {
  plain.close()
  connection.close()
})

describe('a file', () => {
  const pageSize = (made: Connection) => made.pragma('page_size', { simple: true })
  const folder = mkdtempSync(join(tmpdir(), 'callgate-pages-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  it('has small pages where it is new; an older one keeps its own, and its backup gets small ones', () => {
    const made = new BetterSqlite3(join(folder, 'new'))
    prepareConnection(made, false)
    made.exec('create table things (id integer primary key)')
    expect(pageSize(made)).toBe(1_024)
    made.close()
    const older = new BetterSqlite3(join(folder, 'older'))
    older.exec('create table things (id integer primary key)')
    prepareConnection(older, false)
    older.exec('insert into things values (1)')
    expect(pageSize(older)).toBe(4_096)
    older.prepare('vacuum into ?').run(join(folder, 'backup'))
    older.close()
    const backup = new BetterSqlite3(join(folder, 'backup'))
    expect(pageSize(backup)).toBe(1_024)
    expect(backup.prepare('select id from things').all()).toEqual([{ id: 1 }])
    backup.close()
  })
})

const queries: readonly (readonly [string, readonly unknown[]])[] = [
  ['select * from things where ownerId = ? order by at, id', ['a']],
  [
    'select * from things where ownerId = ? and at >= ? order by at desc, id desc limit ?',
    ['b', '2026-01-20', 3],
  ],
  [
    'select * from things where ownerId = ? and (at, id) < (?, ?) limit ? offset ?',
    ['a', '2026-01-25', 30, 4, 2],
  ],
  ['select * from things where ownerId in (?, ?) and size = ?', ['a', 'b', '7']],
  ['select * from things join owners on owners.id = things.ownerId where owners.name like ?', ['%b']],
  [`select ? as given, '?' as "?", 'it''s ?' as text`, [null]],
  ['select ? as given', [Buffer.from('é')]],
  ['select ? as given', ['0012']],
  ['select ? as given', [1.5]],
]

describe('a statement that is planned once', () => {
  it('keeps text in quotes as it is', () => {
    expect(plannedOnce(`select "?", '?', 'it''s ?', \`?\` from t where a = ? and b in (?,?)`)).toBe(
      `select "?", '?', 'it''s ?', \`?\` from t where a = +? and b in (+?,+?)`,
    )
  })

  it.each(queries)('finds the same rows by the same plan: %s', (sql, values) => {
    expect(connection.prepare(sql).all(values)).toEqual(plain.prepare(sql).all(values))
    const planOf = (of: Connection) => of.prepare(`explain query plan ${sql}`).all(values)
    expect(planOf(connection)).toEqual(planOf(plain))
  })

  it('takes no more than half of the time', () => {
    const sql =
      'select * from things join owners on owners.id = things.ownerId where things.ownerId = ? and size = ?'
    const costUs = (of: Connection) => {
      const statement = of.prepare(sql)
      const before = process.cpuUsage()
      for (let run = 0; run < 500; run++) statement.all('c', run)
      const { system, user } = process.cpuUsage(before)
      return user + system
    }
    const ratios = Array.from({ length: 7 }, () => costUs(connection) / costUs(plain))
    expect(Math.min(...ratios)).toBeLessThan(0.5)
  })
})
