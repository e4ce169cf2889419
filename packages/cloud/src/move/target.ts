// The database into which a move goes: whether it is empty, or was begun by an earlier run, and its mark until it is whole.

import { isoTime, type World } from '@callgate/world/world'
import { forgetStop } from '../database/cleanStop.ts'
import { type Database, runSql } from '../database/database.ts'
import { advice } from '../database/databaseCodes.ts'
import { isPostgres } from '../database/dialect.ts'
import { runMigrations } from '../database/migrations/run.ts'
import { schemaState } from '../database/migrations/schemaState.ts'
import {
  hasOwnTables,
  lastRunOf,
  type MoveState,
  markUnfinished,
  moveStateOf,
} from '../database/moveMarks.ts'
import { readSchema } from '../database/schema.ts'
import type { MoveSide } from './move.ts'
import { countOf, seededRows } from './tables.ts'

/** The difference of two clocks that is told. What was written by the one is judged by the other from now on. */
const toldMs = 5_000

/** A table with more rows than the migrations put there; undefined where there is none. */
async function filledTable({ knex }: Database): Promise<string | undefined> {
  for (const [table, rows] of await seededRows()) if ((await countOf(knex, table)) !== rows) return table
  return undefined
}

/** Why a move may not go on in a database with a mark. Undefined where it may. */
async function begunFault(
  source: MoveSide,
  { database, name }: MoveSide,
  state: MoveState,
): Promise<string | undefined> {
  if (state.kind === 'moved')
    return `${name} is sealed for good: its data was moved to ${state.to}. Give another, empty database; a file can be moved away first.`
  // Its source may be sealed: then these rows are the only ones that can be served, and the move would empty the tables.
  if (state.isWhole && (await lastRunOf(source.database.knex)) !== state.moveId)
    return `The database ${name} has all data of ${state.source}. Finish that move, or give a new, empty database.`
  if (!(await hasOwnTables(database.knex)))
    return `The move into ${name} was begun by another version of Callgate. Give a new, empty database.`
  return undefined
}

/** Why a database without a mark cannot take the data. Undefined where it is empty. */
async function fullFault({ database, name }: MoveSide): Promise<string | undefined> {
  const { knex } = database
  if (!(await knex.schema.hasTable('migrations')))
    return `The database ${name} has tables of another program. Give an empty one.`
  const schema = await schemaState(knex)
  if (schema === 'older')
    return `The database ${name} has tables of an older version of Callgate. Give an empty one.`
  if (schema !== 'current') return advice.too_new(name)
  const table = await filledTable(database)
  return table && `The database ${name} is not empty: there are rows in ${table}. Give an empty one.`
}

/**
 * Marks an empty database as not whole, and makes its tables where there are none. Returns why it cannot be used; undefined where
 * it can, also where an earlier run has marked it.
 */
export async function claimTarget(
  source: MoveSide,
  target: MoveSide,
  world: World,
): Promise<string | undefined> {
  const { database, url } = target
  const refused = (fault: string | undefined) => fault && `${fault} Nothing was changed.`
  const state = await moveStateOf(database.knex)
  if (state) return refused(await begunFault(source, target, state))
  const isBare = (await readSchema(database.knex)).size === 0
  const fault = isBare ? undefined : await fullFault(target)
  if (fault !== undefined) return refused(fault)
  // It is of an earlier file with this name.
  forgetStop(url)
  await database.write(async tx => {
    if (isBare) await runMigrations(tx)
    await markUnfinished(tx, isoTime(world.nowMs()), source.name)
  })
  return undefined
}

/** A warning where the clock of the Postgres differs from the machine's. */
export async function clockWarning(sides: readonly MoveSide[], world: World): Promise<string | undefined> {
  const [source, target] = sides.map(({ database }) => database.knex)
  const server = [source, target].find(knex => knex && isPostgres(knex))
  if (!server) return undefined
  const asked = 'select extract(epoch from clock_timestamp()) * 1000 as "nowMs"'
  const [row] = (await runSql(server, asked, [])) as readonly { readonly nowMs: number }[]
  const aheadMs = Number(row?.nowMs ?? 0) - world.nowMs()
  if (Math.abs(aheadMs) < toldMs) return undefined
  const seconds = Math.round(Math.abs(aheadMs) / 1000)
  const next = server === target ? 'the server' : 'this machine'
  return `The clock of the database's server is ${seconds} s ${aheadMs > 0 ? 'ahead of' : 'behind'} the clock of this machine, and the cloud follows that of ${next} from now on. Set them.`
}
