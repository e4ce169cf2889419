// The marks of a move between SQLite and Postgres: the seal of the database that was left, and the mark of the one that is not
// whole yet. They decide which of the two may be served.

import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { Knex } from 'knex'
import { type Database, type Db, openDatabase, runSql } from './database.ts'
import { isServer } from './databaseAddress.ts'
import { movedWords } from './databaseCodes.ts'
import { DatabaseError } from './databaseError.ts'
import { isPostgres, locked } from './dialect.ts'
import { migrations } from './migrations/list.ts'
import { addMark, removeMark } from './migrations/schemaState.ts'

// The names sort after those of all migrations: see `addMark`.
const movedMark = '9999-moved'
const movingMark = '9999-moving'
/** Where a sealed database says where its data is. */
const sealTable = 'movedTo'

/**
 * The state of a move is kept beside the tables of a version: on Postgres in a schema of this name, on SQLite in tables whose
 * names begin with it.
 */
export const besideTables = 'callgateMove'

const stateTable = (db: Db, name: 'move' | 'progress') =>
  isPostgres(db) ? `${besideTables}.${name}` : `${besideTables}_${name}`

/** A finished or unfinished move, as the data tells it. */
export type MoveState =
  /** The database is sealed. `to` is the name of the other one, without a password. */
  | { readonly kind: 'moved'; readonly moveId: string; readonly to: string; readonly at: string }
  /** `isWhole`: everything is there and was checked, so the seal of `source` with the same id is all that is missing. */
  | { readonly kind: 'moving'; readonly moveId: string; readonly source: string; readonly isWhole: boolean }

/** What a sealed database says. */
export type DataSeal = Extract<MoveState, { kind: 'moved' }>

interface MoveRun {
  readonly id: string
  readonly source: string
  readonly isWhole: unknown
}

/** Reads the marks. Undefined where there is none. */
export async function moveStateOf(db: Db): Promise<MoveState | undefined> {
  const isOurs = await db.schema.hasTable('migrations')
  const marks: readonly string[] = isOurs
    ? await db('migrations').whereIn('name', [movedMark, movingMark]).pluck('name')
    : []
  if (marks.includes(movedMark)) {
    const row: Omit<DataSeal, 'kind'> | undefined = await db(sealTable).first('moveId', 'to', 'at')
    return { kind: 'moved', moveId: '', to: 'another database', at: '', ...row }
  }
  if (!marks.includes(movingMark)) return undefined
  const run: MoveRun | undefined = await db(stateTable(db, 'move')).first()
  return {
    kind: 'moving',
    moveId: run?.id ?? '',
    source: run?.source ?? '',
    isWhole: Boolean(run?.isWhole),
  }
}

/** Whether the tables of a database with a move's mark are exactly those of this version. */
export async function hasOwnTables(db: Db): Promise<boolean> {
  const names: readonly string[] = await db('migrations')
    .whereNot('name', movingMark)
    .orderBy('name')
    .pluck('name')
  return names.join() === Object.keys(migrations).join()
}

/** The refusal of data with a mark. */
export function refusalOf(state: MoveState): DatabaseError {
  return new DatabaseError(
    'moved',
    state.kind === 'moved'
      ? `The data was moved to ${state.to} at ${state.at}, and this database is sealed for good. Set DATABASE_URL to the other one.`
      : `A move of ${state.source} into this database is not finished. Run "callgate move" again where ${state.source} is served, with DATABASE_URL as it was.`,
  )
}

/** What a sealed database says, where the one that `url` names is sealed. Undefined also where it cannot be read. */
export async function sealOf(url: string): Promise<DataSeal | undefined> {
  try {
    const database = isServer(url)
      ? await (await import('./postgres.ts')).openPostgres({ url })
      : await openDatabase({ url, onlyReads: true, mustExist: true })
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

/** The names of all tables, those of the migrations among them. */
export async function allTables(db: Db): Promise<readonly string[]> {
  const sql = isPostgres(db)
    ? `select relname as "name" from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by relname`
    : `select "name" from sqlite_master where "type" = 'table' and "name" not like 'sqlite_%' order by "name"`
  return ((await runSql(db, sql, [])) as readonly { readonly name: string }[]).map(({ name }) => name)
}

/**
 * Seals a database for good: with the commit of `tx` no version of the program serves it, and each write to it fails, also that
 * of a program which has it open already.
 */
export async function sealData(
  tx: Knex.Transaction,
  { at, moveId, to }: Omit<DataSeal, 'kind'>,
): Promise<void> {
  await addMark(tx, movedMark, at)
  await tx.schema.createTable(sealTable, table => {
    for (const column of ['moveId', 'to', 'at']) table.text(column).notNullable()
  })
  await tx(sealTable).insert({ moveId, to, at })
  const tables = await allTables(tx)
  if (isPostgres(tx)) {
    const refuse = `'begin raise exception ''${movedWords}''; end'`
    await runSql(tx, `create function "refuseMoved"() returns trigger language plpgsql as ${refuse}`, [])
    for (const name of tables)
      await runSql(
        tx,
        `create trigger "moved_${name}" before insert or update or delete or truncate on "${name}"
         for each statement execute function "refuseMoved"()`,
        [],
      )
    return
  }
  for (const name of tables)
    for (const verb of ['insert', 'update', 'delete'])
      await runSql(
        tx,
        `create trigger "moved_${name}_${verb}" before ${verb} on "${name}" begin select raise(abort, '${movedWords}'); end`,
        [],
      )
}

/** Marks an empty database as not whole: until the end of the move nothing but the move uses it. */
export async function markUnfinished(tx: Knex.Transaction, at: string, source: string): Promise<void> {
  await addMark(tx, movingMark, at)
  await noteRun(tx, { moveId: '', source })
  const columns = '"table" text primary key, "rows" bigint not null, "hash" text not null'
  await tx.raw(`create table ?? (${columns})`, [stateTable(tx, 'progress')])
}

/**
 * Names the run of the move that begins now, on both sides: in the database that it fills, of which an earlier run may have said
 * that it is whole, and in the source, which a database that is whole knows again by this id.
 */
export async function noteRun(
  tx: Knex.Transaction,
  { moveId, source }: { readonly moveId: string; readonly source: string },
): Promise<void> {
  const name = stateTable(tx, 'move')
  if (isPostgres(tx)) await runSql(tx, `create schema if not exists "${besideTables}"`, [])
  await tx.schema.dropTableIfExists(name)
  await tx.schema.createTable(name, table => {
    for (const column of ['id', 'source']) table.text(column).notNullable()
    table.boolean('isWhole').notNullable()
  })
  await tx(name).insert({ id: moveId, source, isWhole: false })
}

/** The id of the last run that has begun to move this database away; undefined where none has. */
export async function lastRunOf(db: Db): Promise<string | undefined> {
  const isThere = isPostgres(db)
    ? await db.schema.withSchema(besideTables).hasTable('move')
    : await db.schema.hasTable(stateTable(db, 'move'))
  const run: MoveRun | undefined = isThere ? await db(stateTable(db, 'move')).first() : undefined
  return run?.id
}

/** How far a table was copied: the number of rows, and the hash of all of them. */
export interface Progress {
  readonly table: string
  readonly rows: number
  readonly hash: string
}

export async function progressOf(db: Db): Promise<ReadonlyMap<string, Progress>> {
  const rows: readonly Progress[] = await db(stateTable(db, 'progress')).select()
  return new Map(rows.map(row => [row.table, row]))
}

/** Fails where another run has begun meanwhile. */
async function mustRun(tx: Db, moveId: string): Promise<void> {
  const run = await locked(tx, tx(stateTable(tx, 'move')).where({ id: moveId })).first()
  if (!run) throw new DatabaseError('busy', 'Another move into this database has begun.')
}

/** Notes the progress with the rows of the same transaction. Fails where another run has begun meanwhile. */
export async function noteProgress(tx: Db, moveId: string, progress: Progress): Promise<void> {
  await mustRun(tx, moveId)
  await tx(stateTable(tx, 'progress')).insert(progress).onConflict('table').merge()
}

/** Notes that everything is there and was checked. From now on the seal of the source is all that is missing. */
export async function noteWhole(tx: Knex.Transaction, moveId: string): Promise<void> {
  await mustRun(tx, moveId)
  await tx(stateTable(tx, 'move')).where({ id: moveId }).update({ isWhole: true })
}

/** Takes the mark away: the database is one like any other. Nothing is done where that has happened already. */
async function unmark(database: Database): Promise<void> {
  await database.write(async tx => {
    await removeMark(tx, movingMark)
    if (isPostgres(tx)) await runSql(tx, `drop schema if exists "${besideTables}" cascade`, [])
    else
      for (const name of ['move', 'progress'] as const)
        await tx.schema.dropTableIfExists(stateTable(tx, name))
  })
}

/** The file beside a SQLite file that is being filled: it holds the address of the Postgres, with its password. */
async function addressFile({ knex }: Database): Promise<string> {
  const sql = `select "file" from pragma_database_list where "name" = 'main'`
  const [main] = (await runSql(knex, sql, [])) as readonly { readonly file: string }[]
  return `${main?.file ?? ''}.moving-from`
}

/** Keeps the address of a Postgres for whoever finishes the move: a mark in the data holds no password. */
export async function keepAddress(target: Database, url: string): Promise<void> {
  if (isPostgres(target.knex)) return
  const file = await addressFile(target)
  rmSync(file, { force: true })
  writeFileSync(file, url, { flag: 'wx', mode: 0o600 })
}

/** The address of the source of an unfinished move; undefined where it is not there any more. */
async function keptAddress(target: Database, source: string): Promise<string | undefined> {
  if (isPostgres(target.knex)) return source
  try {
    return readFileSync(await addressFile(target), 'utf8')
  } catch {
    return undefined
  }
}

/**
 * Finishes a move whose source is sealed already, such as after a kill between the seal and the end. Returns whether there is no
 * mark any more that forbids the use of the data; false where there never was one. Rejects with the refusal in all other cases.
 * `given` is the seal where the caller has read it, perhaps at another place than the move has noted.
 */
export async function finishMove(database: Database, given?: DataSeal): Promise<boolean> {
  const { knex } = database
  const state = await moveStateOf(knex)
  if (!state) return false
  if (state.kind === 'moved' || !state.isWhole) throw refusalOf(state)
  const url = given ? undefined : await keptAddress(database, state.source)
  const seal = given ?? (url === undefined ? undefined : await sealOf(url))
  if (seal?.moveId !== state.moveId) throw refusalOf(state)
  await unmark(database)
  if (!isPostgres(knex)) rmSync(await addressFile(database), { force: true })
  return true
}
