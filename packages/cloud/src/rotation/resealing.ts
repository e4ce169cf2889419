// Reseals every sealed text with the newest key, in short turns, while the data is served.

import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { countRows, type Database, type Db } from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'
import { type SealedColumn, type SealedRow, sealedColumns } from './sealedColumns.ts'

/** How many rows one transaction handles: it holds the write lock for some milliseconds. */
const rowsOfTurn = 50
/** The pause between two turns, in which others write, milliseconds. */
const pauseMs = 20

/** How many texts are not sealed with the newest key, by `table.column`; columns without any are left out. */
export type Left = Readonly<Record<string, number>>

const notUnder = (query: Knex.QueryBuilder, column: string, version: number) =>
  query.whereNotNull(column).whereNot(column, 'like', `${version}.%`)

/** Counts the texts that are not sealed with `version`. */
export async function countLeft(db: Db, version: number): Promise<Left> {
  const left: Record<string, number> = {}
  for (const { column, table } of sealedColumns) {
    const rows = await countRows(notUnder(db(table), column, version))
    if (rows > 0) left[`${table}.${column}`] = rows
  }
  return left
}

export const totalLeft = (left: Left) => Object.values(left).reduce((sum, rows) => sum + rows, 0)

async function pageOf(
  db: Db,
  { column, key, others, table }: SealedColumn,
  version: number,
  after: SealedRow | undefined,
): Promise<readonly SealedRow[]> {
  const query = notUnder(db(table), column, version)
  if (after) {
    const names = key.map(() => '??').join(', ')
    const values = key.map(() => '?').join(', ')
    query.whereRaw(`(${names}) > (${values})`, [...key, ...key.map(name => String(after[name]))])
  }
  return query
    .orderBy([...key])
    .limit(rowsOfTurn)
    .select(...key, ...others, column)
}

export interface Resealed {
  readonly resealed: number
  /** The rows whose texts no key opens, as `table.column id`: they stay unchanged. */
  readonly unreadable: readonly string[]
}

/** Reseals the texts of one page. A text that has changed since it was read is skipped, because it was sealed again meanwhile. */
async function resealPage(
  { database, seal }: { readonly database: Database; readonly seal: Seal },
  { column, idOf, key, placeOf, table }: SealedColumn,
  rows: readonly SealedRow[],
): Promise<Resealed> {
  const unreadable: string[] = []
  const renewed = rows.flatMap(row => {
    const old = String(row[column])
    const place = placeOf(row)
    const text = seal.unseal(old, place)
    if (text !== undefined) return [{ row, old, sealed: seal.seal(text, place) }]
    unreadable.push(`${table}.${column} ${idOf(row)}`)
    return []
  })
  let resealed = 0
  if (renewed.length > 0)
    await database.write(async tx => {
      resealed = 0
      for (const { old, row, sealed } of renewed) {
        const place = Object.fromEntries(
          [...key, column].map(name => [name, name === column ? old : row[name]]),
        )
        resealed += await tx(table)
          .where(place)
          .update({ [column]: sealed })
      }
    })
  return { resealed, unreadable }
}

/**
 * Reseals everything that is not sealed with `version`, which `seal` must use. Finished work is kept: after a crash, the next run
 * continues.
 */
export async function resealAll(
  parts: { readonly database: Database; readonly seal: Seal; readonly world: World },
  version: number,
): Promise<Resealed> {
  const { database, world } = parts
  let resealed = 0
  const unreadable: string[] = []
  for (const sealed of sealedColumns) {
    let rows = await pageOf(database.knex, sealed, version, undefined)
    while (rows.length > 0) {
      const turn = await resealPage(parts, sealed, rows)
      resealed += turn.resealed
      unreadable.push(...turn.unreadable)
      await new Promise<void>(resolve => world.after(pauseMs, resolve))
      rows = await pageOf(database.knex, sealed, version, rows.at(-1))
    }
  }
  return { resealed, unreadable }
}
