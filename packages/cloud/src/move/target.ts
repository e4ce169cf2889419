// The database into which a move goes: whether it is empty, or was begun by an earlier run, and its mark until it is whole.

import { isoTime, type World } from '@callgate/world/world'
import { type Database, runSql } from '../database/database.ts'
import { runMigrations } from '../database/migrations/run.ts'
import { schemaState } from '../database/migrations/schemaState.ts'
import {
  hasOwnTables,
  type MoveState,
  markUnfinished,
  moveStateOf,
  refusalOf,
} from '../database/moveMarks.ts'
import { postgresAdvice } from '../database/postgresTroubles.ts'
import { countOf, seededRows } from './tables.ts'

/** The difference of two clocks that is told. What was written by the one is judged by the other from now on. */
const toldMs = 5_000

/** A table with more rows than the migrations put there; undefined where there is none. */
async function filledTable({ knex }: Database): Promise<string | undefined> {
  for (const [table, rows] of await seededRows()) if ((await countOf(knex, table)) !== rows) return table
  return undefined
}

/** Why the move of `file` may not go on in a database with a mark. Undefined where it may. */
async function begunFault(
  { knex }: Database,
  state: MoveState,
  { file, name }: { readonly file: string; readonly name: string },
): Promise<string | undefined> {
  if (state.kind === 'moved') return refusalOf(state).message
  // That file may be sealed: then these rows are the only ones that can be served, and the move would empty the tables.
  if (state.isWhole && state.file !== file)
    return `The database ${name} has all data of ${state.file}. Finish the move of that file, or give a new, empty database.`
  if (!(await hasOwnTables(knex)))
    return `The move into ${name} was begun by another version of Callgate. Give a new, empty database.`
  return undefined
}

/**
 * Marks an empty database as not whole, and makes its tables where there are none. Returns why it cannot be used; undefined where
 * it can, also where an earlier run has marked it.
 */
export async function claimTarget(
  target: Database,
  { file, name, world }: { readonly file: string; readonly name: string; readonly world: World },
): Promise<string | undefined> {
  const { knex } = target
  const state = await moveStateOf(knex)
  const nothing = 'Nothing was changed.'
  if (state) {
    const fault = await begunFault(target, state, { file, name })
    return fault && `${fault} ${nothing}`
  }
  const tables = await runSql(
    knex,
    'select 1 from pg_class where relnamespace = current_schema()::regnamespace',
    [],
  )
  if (tables.length > 0) {
    const isOurs = await knex.schema.hasTable('migrations')
    if (!isOurs) return `The database ${name} has tables of another program. Give an empty one. ${nothing}`
    const schema = await schemaState(knex)
    if (schema === 'older')
      return `The database ${name} has tables of an older version of Callgate. Give an empty one. ${nothing}`
    if (schema !== 'current') return `${postgresAdvice.too_new(name)} ${nothing}`
    const table = await filledTable(target)
    if (table !== undefined)
      return `The database ${name} is not empty: there are rows in ${table}. Give an empty one. ${nothing}`
  }
  await target.write(async tx => {
    if (tables.length === 0) await runMigrations(tx)
    await markUnfinished(tx, isoTime(world.nowMs()), file)
  })
  return undefined
}

/** A warning where the server's clock differs from the machine's. */
export async function clockWarning({ knex }: Database, world: World): Promise<string | undefined> {
  const [row] = (await runSql(
    knex,
    'select extract(epoch from clock_timestamp()) * 1000 as "nowMs"',
    [],
  )) as {
    nowMs: number
  }[]
  const aheadMs = Number(row?.nowMs ?? 0) - world.nowMs()
  if (Math.abs(aheadMs) < toldMs) return undefined
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  return `The clock of the database's server is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine, and the cloud follows it from now on. Set them.`
}
