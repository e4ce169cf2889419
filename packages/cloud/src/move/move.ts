// Moves all data from a SQLite file to Postgres. One commit seals the file: until then it can be served, and after it only the
// new database can.

import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Database, runSql } from '../database/database.ts'
import { finishMove, noteRun, noteWhole, sealFile } from '../database/moveMarks.ts'
import { freshSchema } from '../database/schema.ts'
import type { Seal } from '../secrets/sealing.ts'
import { type Finding, verify, verifyInside } from '../verify/verify.ts'
import { copyTables } from './copy.ts'
import { continueSequences, countOf, loosen, type MovedTable, movedTables, tighten } from './tables.ts'

/** How often the progress is told, milliseconds. */
const toldEveryMs = 3_000

export interface MoveParts {
  /** The file; nobody serves it, and its tables are those of this version. */
  readonly source: Database
  /** The path of the file, which the new database notes. */
  readonly file: string
  /** The new database, which `claimTarget` has marked. */
  readonly target: Database
  /** Its name without a password, which the file notes. */
  readonly to: string
  readonly seal: Seal
  readonly world: World
  /** Tells a person how far it is. */
  readonly tell: (line: string) => void
}

/** Why the move cannot be finished. The file is not sealed. */
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

/** Checks that the new database has every row, and is as it must be. */
async function checkTarget({ seal, target, to }: MoveParts, tables: readonly MovedTable[], rows: MovedRows) {
  // In a write, because a query outside of one must be short.
  const counts = await target.write(async tx => {
    for (const { name } of tables) await runSql(tx, `analyze "${name}"`, [])
    return countAll(tx, tables)
  })
  for (const [table, count] of rows)
    if (counts.get(table) !== count)
      throw new NotMoved(`${to} has ${counts.get(table)} rows of ${table}, and the file has ${count}.`)
  refuseFindings(to, await verify(target, seal))
}

/** Every page is read several times, and not through a system call each: at most 16 GiB of the file, and 128 MiB of memory. */
const quickReads = ['pragma mmap_size = 17179869184', 'pragma cache_size = -131072']

/** Fills the new database from the file, whose transaction is `tx`, and checks both. */
async function fill(parts: MoveParts, tx: Knex.Transaction, moveId: string): Promise<MovedRows> {
  const { file, seal, source, target, tell, to } = parts
  for (const setting of quickReads) await runSql(tx, setting, [])
  tell(`Checking ${file}. Nothing can write to it until the end.`)
  refuseFindings(file, await verifyInside(tx, source, seal))
  const right = await freshSchema(target)
  await target.write(async other => {
    await noteRun(other, { moveId, file })
    await loosen(other)
  })
  const tables = await movedTables(tx, target.knex)
  const rows = await countAll(tx, tables)
  tell(`Copying ${grouped(sumOf(rows))} rows of ${rows.size} tables to ${to}.`)
  await copyTables({ from: tx, to: target, moveId, onRows: progressTeller(parts, sumOf(rows)) }, tables)
  await continueSequences(tx, target)
  tell(`All rows are copied. Checking ${to}.`)
  await target.write(other => tighten(other, right))
  await checkTarget(parts, tables, rows)
  return rows
}

/**
 * Copies everything, checks it, seals the file, and lets the new database go. It can be killed at any moment and run again.
 * Throws `NotMoved`, or a trouble of one of the databases: then the file is as it was.
 */
export async function moveData(parts: MoveParts): Promise<MovedRows> {
  const { source, target, to, world } = parts
  const moveId = newId(world, 'move')
  const rows = await source.write(
    async tx => {
      const filled = await fill(parts, tx, moveId)
      await target.write(other => noteWhole(other, moveId))
      parts.tell(`Sealing ${parts.file}.`)
      // In the transaction that has read every row: what was copied is what the file has at its end.
      await sealFile(tx, { moveId, to, at: isoTime(world.nowMs()) })
      return filled
    },
    { isLong: true },
  )
  await finishMove(target)
  return rows
}
