// Each table has one owner: one room of the cloud writes it, and gives others functions to call.

import { dirname, join, normalize } from 'node:path'
import { describe, expect, it } from 'vitest'
import { allFacts } from './sources.ts'
import { foreignWrites, writesEveryTable } from './tables.ts'
import { type TableWrite, writesOf } from './tableWrites.ts'

const root = 'packages/cloud/src/'
const migrations = `${root}database/migrations/`
const sources = allFacts.filter(({ path }) => path.startsWith(root) && !/\.(?:test|kit)\.ts$/.test(path))
const texts = new Map(sources.map(({ path, text }) => [path, text]))
const tables: ReadonlySet<string> = new Set(
  sources
    .filter(({ path }) => path.startsWith(migrations))
    .flatMap(({ text }) => [...text.matchAll(/createTable\(\s*'(\w+)'/g)].map(([, name = '']) => name))
    // The first two belong to former versions. The program that runs the migrations makes the last one.
    .filter(name => !['idempotentAnswers', 'schemas'].includes(name))
    .concat('migrations'),
)

const beside = ({ imports, path }: (typeof sources)[number]) =>
  imports
    .filter(({ specifier }) => specifier.startsWith('./'))
    .map(({ specifier }) => texts.get(normalize(join(dirname(path), specifier))) ?? '')

const roomOf = (path: string) => path.slice(root.length).split('/')[0] ?? ''
const found = sources
  .filter(({ path }) => !path.startsWith(migrations) && path !== writesEveryTable.path)
  .map(source => ({ path: source.path, ...writesOf(source.text, tables, beside(source)) }))
const writes = found.flatMap(({ path, writes }) =>
  writes.map(write => ({ ...write, path, room: roomOf(path) })),
)
const isExcepted = ({ room, table }: { readonly room: string; readonly table: string }) =>
  foreignWrites.some(row => row.room === room && row.tables.includes(table))

describe('the tables of the cloud', () => {
  it('are found, and so are their writes', () => {
    expect(tables).toContain('gates')
    expect([...tables].filter(table => !writes.some(write => write.table === table))).toEqual([])
  })

  it('are named by each write', () => {
    expect(found.flatMap(({ path, unclear }) => unclear.map(line => `${path}:${line}`))).toEqual([])
  })

  it.each([...tables].sort())('%s is written by one room', table => {
    const own = writes.filter(write => write.table === table && !isExcepted(write))
    const rooms = new Map(own.map(({ line, path, room }) => [room, `${path}:${line}`]))
    expect(rooms.size > 1 ? [...rooms.values()] : []).toEqual([])
  })
})

describe('the rooms that write tables of others', () => {
  const rows = foreignWrites.flatMap(({ reason, room, tables: list }) =>
    list.map(table => ({ room, table, reason })),
  )

  it.each(rows)('$room writes $table, which another room owns', ({ reason, room, table }) => {
    const rooms = new Set(writes.filter(write => write.table === table).map(write => write.room))
    expect(reason).not.toBe('')
    expect(rooms).toContain(room)
    expect(rooms.size).toBeGreaterThan(1)
  })
})

describe('a write', () => {
  const some = new Set(['gates', 'outbox'])
  const lines = (text: string): readonly TableWrite[] => writesOf(text, some).writes
  const gates = [{ table: 'gates', line: 1 }]

  it.each([
    `tx('gates').where(place).update({ name })`,
    `database.knex('gates').insert(row)`,
    `statement((db, { id }) => db<GateRow>('gates').where({ id }).delete())`,
    `const of = tx('gates').where(place); of.clone(); of.update(moved)`,
    `const open = (db: Db) => db('gates').whereNull('a'); open(tx).update({})`,
    `over(tx('gates').where(a), nowMs).delete()`,
    `for (const table of ['gates']) tx(table).delete()`,
    `database.run(\`insert into "gates" ("id") select 1\`)`,
    `tx.raw('update "gates" set "id" = 1')`,
    `for (const table of ['gates']) tx.raw(\`delete from "\${table}"\`)`,
  ])('is found in %s', text => {
    expect(lines(text).slice(-1)).toEqual(gates)
  })

  it.each([
    `tx('gates').where(place).first()`,
    `known.delete(key)`,
    `createHash('sha256').update(text)`,
    `kept.insert(tx, mark, row)`,
    `say('update it')`,
  ])('is not found in %s', text => {
    expect(writesOf(text, some)).toEqual({ writes: [], unclear: [] })
  })

  it.each([`query.update({ name })`, `tx(table).insert(row)`])('is unclear in %s', text => {
    expect(writesOf(text, some)).toEqual({ writes: [], unclear: [1] })
  })
})
