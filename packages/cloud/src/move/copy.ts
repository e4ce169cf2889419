// Copies the rows of every table from SQLite to Postgres, and goes on where an earlier run was stopped.

import { createHash, type Hash } from 'node:crypto'
import type { Knex } from 'knex'
import { type Binding, type Database, type Db, runSql } from '../database/database.ts'
import { noteProgress, type Progress, progressOf } from '../database/moveMarks.ts'
import { storable } from '../database/postgresSession.ts'
import type { MovedTable } from './tables.ts'

/** How many rows are read, and inserted by one statement. */
const pageRows = 500
/** How many pages are committed at once. A stopped move loses as many at most. */
const pagesOfCommit = 20

type Row = Readonly<Record<string, Binding>>

interface Page {
  readonly rows: number
  /** The rows as JSON, which Postgres reads. */
  readonly text: string
}

const quoted = (names: readonly string[]) => names.map(name => `"${name}"`).join(', ')

/** Reads a table of SQLite from its first row on, a page at a time. Resolves with undefined at its end. */
function pagesOf(db: Db, { booleans, columns, key, name }: MovedTable): () => Promise<Page | undefined> {
  const places = key.map((column, at) => `${column} as "place${at}"`).join(', ')
  const select = `select ${places}, ${quoted(columns)} from "${name}"`
  const inOrder = `order by ${key.join(', ')} limit ${pageRows}`
  const after = `where (${key.join(', ')}) > (${key.map(() => '?').join(', ')})`
  let place: readonly Binding[] | undefined
  return async () => {
    const sql = place ? `${select} ${after} ${inOrder}` : `${select} ${inOrder}`
    const rows = (await runSql(db, sql, place ?? [])) as readonly Row[]
    const last = rows.at(-1)
    if (!last) return undefined
    place = key.map((_, at) => last[`place${at}`] ?? null)
    const moved = rows.map(row =>
      Object.fromEntries(
        columns.map(column => {
          const value = row[column] ?? null
          return [column, booleans.has(column) && value !== null ? Boolean(value) : storable(value)]
        }),
      ),
    )
    return { rows: rows.length, text: JSON.stringify(moved) }
  }
}

const digestOf = (hash: Hash) => hash.copy().digest('hex')

/**
 * Reads the rows that an earlier run has copied, and compares them by their hash: a cloud may have served the file since. Returns
 * whether they are still the same; `read` and `hash` then stand behind them.
 */
async function isStillThere(read: () => Promise<Page | undefined>, hash: Hash, earlier: Progress) {
  let rows = 0
  while (rows < earlier.rows) {
    const page = await read()
    if (!page) return false
    rows += page.rows
    hash.update(page.text)
  }
  return rows === earlier.rows && digestOf(hash) === earlier.hash
}

export interface CopyParts {
  /** The transaction on SQLite that also seals the file. */
  readonly from: Db
  readonly to: Database
  readonly moveId: string
  /** Called with the rows of a table that are on the other side by now. */
  readonly onRows: (table: string, rows: number) => void
}

interface Course {
  readonly read: () => Promise<Page | undefined>
  readonly hash: Hash
  rows: number
}

/** Copies some pages in one transaction, with the progress. Returns whether there may be more. */
async function copyPages(
  { moveId }: CopyParts,
  { columns, name }: MovedTable,
  course: Course,
  tx: Knex.Transaction,
): Promise<boolean> {
  const insert = `insert into "${name}" (${quoted(columns)})
    select ${quoted(columns)} from json_populate_recordset(null::"${name}", $1::json)`
  let sent: Promise<unknown> = Promise.resolve()
  let isOver = false
  for (let pages = 0; pages < pagesOfCommit && !isOver; pages++) {
    const page = await course.read()
    // Postgres inserts a page while the next one is read.
    await sent
    isOver = page === undefined
    if (!page) break
    course.hash.update(page.text)
    course.rows += page.rows
    sent = runSql(tx, insert, [page.text])
    sent.catch(() => {})
  }
  await sent
  await noteProgress(tx, moveId, { table: name, rows: course.rows, hash: digestOf(course.hash) })
  return !isOver
}

/** Copies one table. What an earlier run has copied is kept where it is still the same. */
async function copyTable(
  parts: CopyParts,
  table: MovedTable,
  earlier: Progress | undefined,
): Promise<number> {
  const { from, onRows, to } = parts
  const start = (): Course => ({ read: pagesOf(from, table), hash: createHash('sha256'), rows: 0 })
  let course = start()
  const isKept = earlier !== undefined && (await isStillThere(course.read, course.hash, earlier))
  if (isKept) course.rows = earlier.rows
  else course = start()
  let isEmptied = isKept
  for (let isMore = true; isMore; onRows(table.name, course.rows))
    isMore = await to.write(async tx => {
      if (!isEmptied) await runSql(tx, `truncate "${table.name}"`, [])
      isEmptied = true
      return copyPages(parts, table, course, tx)
    })
  return course.rows
}

/** Copies all tables, and returns how many rows each has. */
export async function copyTables(
  parts: CopyParts,
  tables: readonly MovedTable[],
): Promise<ReadonlyMap<string, number>> {
  const earlier = await progressOf(parts.to.knex)
  const rows = new Map<string, number>()
  for (const table of tables) rows.set(table.name, await copyTable(parts, table, earlier.get(table.name)))
  return rows
}
