// The state of the tables: whether they are those of this version, and whether a program of this version can work with them.

import type { Knex } from 'knex'
import { type Migrations, migrations } from './list.ts'

/**
 * `older`: tables are missing or of an older version. Where a newer version has changed them: `readable` when it declares that a
 * program of this version can work with them, `newer` otherwise.
 */
export type SchemaState = 'older' | 'current' | 'readable' | 'newer'

const newestOf = (known: Migrations) => Object.keys(known).at(-1) ?? ''

/** The newest schema that this program knows. */
export const knownSchema = newestOf(migrations)

/** Reads which migrations the data has had, for a program that knows `known`, and changes nothing. */
export async function schemaState(db: Knex, known: Migrations = migrations): Promise<SchemaState> {
  const names = Object.keys(known)
  const isOurs = await db.schema.hasTable('migrations')
  const applied: readonly string[] = isOurs ? await db('migrations').pluck('name') : []
  if (applied.some(name => !names.includes(name)))
    return (await isReadable(db, newestOf(known))) ? 'readable' : 'newer'
  return applied.length === names.length ? 'current' : 'older'
}

/** The names begin with their numbers, so they sort in the order of the migrations. */
async function isReadable(db: Knex, newest: string): Promise<boolean> {
  if (!(await db.schema.hasTable('schemas'))) return false
  const row = await db('schemas').max({ readableFrom: 'readableFrom' }).first()
  return typeof row?.readableFrom === 'string' && row.readableFrom <= newest
}

/**
 * Adds a mark after which no version of the program uses the data: a migration that none of them knows, and that none can read. Its
 * name sorts after those of all migrations.
 */
export async function addMark(tx: Knex, name: string, at: string): Promise<void> {
  await tx('migrations').insert({ name, batch: 0, migration_time: at })
  await tx('schemas').insert({ readableFrom: name })
}

/** Removes such a mark. */
export async function removeMark(tx: Knex, name: string): Promise<void> {
  await tx('migrations').where({ name }).delete()
  await tx('schemas').where({ readableFrom: name }).delete()
}

/** Whether a program whose newest migration is `newest` can work with the tables. */
export async function isReadableBy(db: Knex, newest: string): Promise<boolean> {
  if (!(await db.schema.hasTable('migrations'))) return true
  const applied: readonly string[] = await db('migrations').pluck('name')
  return applied.every(name => name <= newest) || isReadable(db, newest)
}

/** Records which programs can work with the tables, for those that do not know the newest tables. */
export async function noteReadable(tx: Knex, known: Migrations): Promise<void> {
  const readableFrom = Object.values(known).reduce(
    (last, { readableFrom: own = '' }) => (own > last ? own : last),
    '',
  )
  await tx('schemas').delete()
  await tx('schemas').insert({ readableFrom })
}
