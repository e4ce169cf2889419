// The marks of a move from SQLite to Postgres: the seal of the file that was left, and the mark of the database that is not whole
// yet. They decide which of the two may be served.

import type { Knex } from 'knex'
import { type Database, type Db, openDatabase, runSql } from './database.ts'
import { movedWords } from './databaseCodes.ts'
import { DatabaseError } from './databaseError.ts'
import { isPostgres } from './dialect.ts'
import { migrations } from './migrations/list.ts'
import { addMark, removeMark } from './migrations/schemaState.ts'

// The names sort after those of all migrations: see `addMark`.
const movedMark = '9999-moved'
const movingMark = '9999-moving'

/** The schema on Postgres for the state of an unfinished move. It is gone at the end. */
const ofMove = '"callgateMove"'

/** A finished or unfinished move, as the data tells it. */
export type MoveState =
  /** The file is sealed. `to` is the name of the database, without a password. */
  | { readonly kind: 'moved'; readonly moveId: string; readonly to: string; readonly at: string }
  /** `isWhole`: everything is there and was checked, so the seal of `file` with the same id is all that is missing. */
  | { readonly kind: 'moving'; readonly moveId: string; readonly file: string; readonly isWhole: boolean }

/** Reads the marks. Undefined where there is none. */
export async function moveStateOf(db: Db): Promise<MoveState | undefined> {
  const isOurs = await db.schema.hasTable('migrations')
  const marks: readonly string[] = isOurs
    ? await db('migrations').whereIn('name', [movedMark, movingMark]).pluck('name')
    : []
  if (marks.includes(movedMark)) {
    const [row] = (await runSql(db, 'select "moveId", "to", "at" from "movedTo"', [])) as readonly Record<
      'moveId' | 'to' | 'at',
      string
    >[]
    return { kind: 'moved', moveId: '', to: 'another database', at: '', ...row }
  }
  if (!marks.includes(movingMark)) return undefined
  const [row] = (await runSql(db, `select "id", "file", "isWhole" from ${ofMove}."move"`, [])) as readonly {
    readonly id: string
    readonly file: string
    readonly isWhole: number
  }[]
  return { kind: 'moving', moveId: row?.id ?? '', file: row?.file ?? '', isWhole: Boolean(row?.isWhole) }
}

/** Whether the tables of a database with a move's mark are exactly those of this version. */
export async function hasOwnTables(db: Db): Promise<boolean> {
  const names: readonly string[] = await db('migrations')
    .whereNot('name', movingMark)
    .orderBy('name')
    .pluck('name')
  return names.join() === Object.keys(migrations).join()
}

/** What a sealed file says. */
export type FileSeal = Extract<MoveState, { kind: 'moved' }>

/** The refusal of data with a mark. */
export function refusalOf(state: MoveState): DatabaseError {
  return new DatabaseError(
    'moved',
    state.kind === 'moved'
      ? `The data was moved to ${state.to} at ${state.at}, and this file is sealed for good. Set DATABASE_URL to that database.`
      : `A move of ${state.file} into this database is not finished. Run "callgate move" again where that file is, with DATABASE_URL at the file.`,
  )
}

/** What the sealed file says, where the file at `file` is one. Undefined also where it cannot be read. */
export async function sealOf(file: string): Promise<FileSeal | undefined> {
  try {
    const database = await openDatabase({ url: file, onlyReads: true, mustExist: true })
    try {
      const state = await moveStateOf(database.knex)
      return state?.kind === 'moved' ? state : undefined
    } finally {
      await database.close()
    }
  } catch {
    return undefined
  }
}

/**
 * Seals a SQLite file for good: with the commit of `tx` no version of the program serves it, and each write to it fails, also
 * that of a program which has it open already.
 */
export async function sealFile(
  tx: Knex.Transaction,
  { at, moveId, to }: Pick<FileSeal, 'at' | 'moveId' | 'to'>,
): Promise<void> {
  await addMark(tx, movedMark, at)
  const says = 'create table "movedTo" as select ? as "moveId", ? as "to", ? as "at"'
  await runSql(tx, says, [moveId, to, at])
  const tables = (await runSql(
    tx,
    `select "name" from sqlite_master where "type" = 'table' and "name" not like 'sqlite_%' order by "name"`,
    [],
  )) as readonly { readonly name: string }[]
  for (const { name } of tables)
    for (const verb of ['insert', 'update', 'delete'])
      await runSql(
        tx,
        `create trigger "moved_${name}_${verb}" before ${verb} on "${name}" begin select raise(abort, '${movedWords}'); end`,
        [],
      )
}

/** Marks an empty Postgres as not whole: until the end of the move nothing but the move uses it. */
export async function markUnfinished(tx: Knex.Transaction, at: string, file: string): Promise<void> {
  await addMark(tx, movingMark, at)
  await runSql(tx, `create schema ${ofMove}`, [])
  const says = `create table ${ofMove}."move" as select '' as "id", '' as "file", false as "isWhole"`
  await runSql(tx, says, [])
  await noteRun(tx, { moveId: '', file })
  await runSql(
    tx,
    `create table ${ofMove}."progress" ("table" text primary key, "rows" bigint not null, "hash" text not null)`,
    [],
  )
}

/** Names the run of the move that fills the database from now on. What an earlier one has called whole is so no more. */
export async function noteRun(tx: Knex.Transaction, run: { moveId: string; file: string }): Promise<void> {
  await runSql(tx, `update ${ofMove}."move" set "id" = $1, "file" = $2, "isWhole" = false`, [
    run.moveId,
    run.file,
  ])
}

/** How far a table was copied: the number of rows, and the hash of all of them. */
export interface Progress {
  readonly table: string
  readonly rows: number
  readonly hash: string
}

export async function progressOf(db: Db): Promise<ReadonlyMap<string, Progress>> {
  const rows = await runSql(db, `select "table", "rows", "hash" from ${ofMove}."progress"`, [])
  return new Map((rows as readonly Progress[]).map(row => [row.table, row]))
}

const anotherRun = () => new DatabaseError('busy', 'Another move into this database has begun.')

/** Notes the progress with the rows of the same transaction. Fails where another run has begun meanwhile. */
export async function noteProgress(tx: Db, moveId: string, { hash, rows, table }: Progress): Promise<void> {
  const noted = await runSql(
    tx,
    `insert into ${ofMove}."progress" select $2, $3::bigint, $4 from ${ofMove}."move" where "id" = $1
     on conflict ("table") do update set "rows" = excluded."rows", "hash" = excluded."hash" returning 1`,
    [moveId, table, rows, hash],
  )
  if (noted.length === 0) throw anotherRun()
}

/** Notes that everything is there and was checked. From now on the seal of the file is all that is missing. */
export async function noteWhole(tx: Knex.Transaction, moveId: string): Promise<void> {
  const noted = await runSql(tx, `update ${ofMove}."move" set "isWhole" = true where "id" = $1 returning 1`, [
    moveId,
  ])
  if (noted.length === 0) throw anotherRun()
}

/** Takes the mark away: the database is one like any other. Nothing is done where that has happened already. */
async function unmark(database: Database): Promise<void> {
  await database.write(async tx => {
    await removeMark(tx, movingMark)
    await runSql(tx, `drop schema if exists ${ofMove} cascade`, [])
  })
}

/**
 * Finishes a move whose file is sealed already, such as after a kill between the seal and the end. Returns whether there is no
 * mark any more that forbids the use of the data; false where there never was one. Rejects with the refusal in all other cases.
 * `given` is the seal where the caller has read it, perhaps at another place than the move has noted.
 */
export async function finishMove(database: Database, given?: FileSeal): Promise<boolean> {
  const state = await moveStateOf(database.knex)
  if (!state) return false
  if (state.kind === 'moved' || !isPostgres(database.knex) || !state.isWhole) throw refusalOf(state)
  const seal = given ?? (await sealOf(state.file))
  if (seal?.moveId !== state.moveId) throw refusalOf(state)
  await unmark(database)
  return true
}
