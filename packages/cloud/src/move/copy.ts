// Copies the rows of every table to the other database, and goes on where an earlier run was stopped.

import { createHash, type Hash } from 'node:crypto'
import type { Knex } from 'knex'
import { type Database, type Db, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { noteProgress, type Progress, progressOf } from '../database/moveMarks.ts'
import { storable } from '../database/postgresSession.ts'
import { rowPages } from '../database/rowPages.ts'
import type { MovedTable } from './tables.ts'

/** How many rows are read, and inserted by one statement. */
const pageRows = 500
/** How many pages are committed at once. A stopped move loses as many at most. */
const pagesOfCommit = 20

interface Page {
  readonly rows: number
  /** The rows as JSON, which the other database reads. */
  readonly text: string
}

const quoted = (names: readonly string[]) => names.map(name => `"${name}"`).join(', ')

/** Reads a table from its first row on, a page at a time. Resolves with undefined at its end. */
async function pagesOf(
  db: Db,
  { booleans, columns, name }: MovedTable,
): Promise<() => Promise<Page | undefined>> {
  const next = await rowPages(db, name, columns, pageRows)
  return async () => {
    const rows = await next()
    if (rows.length === 0) return undefined
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

/** SQL that inserts a page. */
function insertSql(db: Db, { columns, name }: MovedTable): string {
  const into = `insert into "${name}" (${quoted(columns)})`
  if (isPostgres(db))
    return `${into} select ${quoted(columns)} from json_populate_recordset(null::"${name}", $1::json)`
  return `${into} select ${columns.map(column => `"value" ->> '$."${column}"'`).join(', ')} from json_each(?)`
}

const digestOf = (hash: Hash) => hash.copy().digest('hex')

/**
 * Reads the rows that an earlier run has copied, and compares them by their hash: a cloud may have served the source since. Returns
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
  /** The transaction that also seals the source. */
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
  table: MovedTable,
  course: Course,
  tx: Knex.Transaction,
): Promise<boolean> {
  const insert = insertSql(tx, table)
  let sent: Promise<unknown> = Promise.resolve()
  let isOver = false
  for (let pages = 0; pages < pagesOfCommit && !isOver; pages++) {
    const page = await course.read()
    // One database inserts a page while the other reads the next one.
    await sent
    isOver = page === undefined
    if (!page) break
    course.hash.update(page.text)
    course.rows += page.rows
    sent = runSql(tx, insert, [page.text])
    sent.catch(() => {})
  }
  await sent
  await noteProgress(tx, moveId, { table: table.name, rows: course.rows, hash: digestOf(course.hash) })
  return !isOver
}

/** Copies one table. What an earlier run has copied is kept where it is still the same. */
async function copyTable(
  parts: CopyParts,
  table: MovedTable,
  earlier: Progress | undefined,
): Promise<number> {
  const { from, onRows, to } = parts
  const start = async (): Promise<Course> => ({
    read: await pagesOf(from, table),
    hash: createHash('sha256'),
    rows: 0,
  })
  let course = await start()
  const isKept = earlier !== undefined && (await isStillThere(course.read, course.hash, earlier))
  if (isKept) course.rows = earlier.rows
  else course = await start()
  let isEmptied = isKept
  for (let isMore = true; isMore; onRows(table.name, course.rows))
    isMore = await to.write(async tx => {
      if (!isEmptied) await runSql(tx, `${isPostgres(tx) ? 'truncate' : 'delete from'} "${table.name}"`, [])
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
