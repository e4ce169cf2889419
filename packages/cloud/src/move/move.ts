// Moves all data between SQLite and Postgres. One commit seals the source: until then it can be served, and after it only the new
// database can.

import { hostname } from 'node:os'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Database, type Db, runSql } from '../database/database.ts'
import { isServer } from '../database/databaseAddress.ts'
import { isPostgres } from '../database/dialect.ts'
import { finishMove, keepAddress, noteRun, noteWhole, sealData } from '../database/moveMarks.ts'
import { freshSchema } from '../database/schema.ts'
import type { Seal } from '../secrets/sealing.ts'
import { type Finding, verify, verifyInside } from '../verify/verify.ts'
import { copyTables } from './copy.ts'
import {
  continueNumbers,
  countOf,
  holdStill,
  loosen,
  type MovedTable,
  movedTables,
  tighten,
} from './tables.ts'

/** How often the progress is told, milliseconds. */
const toldEveryMs = 3_000

/** One of the two databases. */
export interface MoveSide {
  readonly database: Database
  /** The path of a file, or the address of a Postgres. */
  readonly url: string
  /** The same without a password, for messages and marks. */
  readonly name: string
}

export interface MoveParts {
  /** Nobody serves it, and its tables are those of this version. */
  readonly source: MoveSide
  /** The new database, which `claimTarget` has marked. */
  readonly target: MoveSide
  readonly seal: Seal
  readonly world: World
  /** Tells a person how far it is. */
  readonly tell: (line: string) => void
}

/** Why the move cannot be finished. The source is not sealed. */
export class NotMoved extends Error {}

/** How many rows each table has. */
export type MovedRows = ReadonlyMap<string, number>

const grouped = (count: number) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')
const sumOf = (rows: MovedRows) => [...rows.values()].reduce((sum, count) => sum + count, 0)

function refuseFindings(where: string, findings: readonly Finding[]): void {
  const [first] = findings
  if (!first) return
  const row = first.id === null ? '' : `${first.id}: `
  throw new NotMoved(
    `${where} is not as it must be: ${first.rule}: ${row}${first.what}${findings.length > 1 ? `, and ${findings.length - 1} more` : ''}.`,
  )
}

/** Tells how many rows are on the other side, from time to time. */
function progressTeller({ tell, world }: MoveParts, all: number) {
  const done = new Map<string, number>()
  let toldMs = world.monotonicMs()
  return (table: string, rows: number) => {
    done.set(table, rows)
    const nowMs = world.monotonicMs()
    if (nowMs - toldMs < toldEveryMs) return
    toldMs = nowMs
    tell(`${grouped(sumOf(done))} of ${grouped(all)} rows are copied (${table}).`)
  }
}

async function countAll(db: Knex, tables: readonly MovedTable[]): Promise<MovedRows> {
  const rows = new Map<string, number>()
  for (const { name } of tables) rows.set(name, await countOf(db, name))
  return rows
}

/** Every page of a file is read several times, and not through a system call each: at most 16 GiB of it, and 128 MiB of memory. */
const quickReads = ['pragma mmap_size = 17179869184', 'pragma cache_size = -131072']

async function readQuickly(db: Db): Promise<void> {
  if (!isPostgres(db)) for (const setting of quickReads) await runSql(db, setting, [])
}

/** Checks that the new database has every row, and is as it must be. */
async function checkTarget(
  { seal, source, target: { database, name } }: MoveParts,
  tables: readonly MovedTable[],
  rows: MovedRows,
) {
  // In a write, because a query outside of one must be short.
  const counts = await database.write(async tx => {
    if (isPostgres(tx)) for (const table of tables) await runSql(tx, `analyze "${table.name}"`, [])
    return countAll(tx, tables)
  })
  for (const [table, count] of rows)
    if (counts.get(table) !== count)
      throw new NotMoved(
        `${name} has ${counts.get(table)} rows of ${table}, and ${source.name} has ${count}.`,
      )
  refuseFindings(name, await verify(database, seal))
}

/** Fills the new database from the source, whose transaction is `tx`, and checks both. */
async function fill(parts: MoveParts, tx: Knex.Transaction, moveId: string): Promise<MovedRows> {
  const { seal, source, tell } = parts
  const { database: to, name } = parts.target
  for (const db of [tx, to.knex]) await readQuickly(db)
  tell(`Checking ${source.name}. Nothing can write to it until the end.`)
  await holdStill(tx)
  refuseFindings(source.name, await verifyInside(tx, source.database, seal))
  const right = await freshSchema(to)
  await loosen(to)
  const tables = await movedTables(tx, to.knex)
  const rows = await countAll(tx, tables)
  tell(`Copying ${grouped(sumOf(rows))} rows of ${rows.size} tables to ${name}.`)
  await copyTables({ from: tx, to, moveId, onRows: progressTeller(parts, sumOf(rows)) }, tables)
  await continueNumbers(tx, to)
  tell(`All rows are copied. Checking ${name}.`)
  await tighten(to, right)
  await checkTarget(parts, tables, rows)
  return rows
}

/**
 * Copies everything, checks it, seals the source, and lets the new database go. It can be killed at any moment and run again.
 * Throws `NotMoved`, or a trouble of one of the databases: then the source is as it was.
 */
export async function moveData(parts: MoveParts): Promise<MovedRows> {
  const { source, target, world } = parts
  const moveId = newId(world, 'move')
  await keepAddress(target.database, source.url)
  // First in the new database: one that is whole belongs to the source that has the same id.
  for (const { database } of [target, source])
    await database.write(tx => noteRun(tx, { moveId, source: source.name }))
  const to = isServer(target.url) ? target.name : `${target.name} on ${hostname()}`
  const rows = await source.database.write(
    async tx => {
      const filled = await fill(parts, tx, moveId)
      await target.database.write(other => noteWhole(other, moveId))
      parts.tell(`Sealing ${source.name}.`)
      // In the transaction that has read every row: what was copied is what the source has at its end.
      await sealData(tx, { moveId, to, at: isoTime(world.nowMs()) })
      return filled
    },
    { isLong: true },
  )
  await finishMove(target.database)
  return rows
}
