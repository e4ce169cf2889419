// For how long the database has been served: a count in the database that no wall clock changes.

import { limitedLog } from '@callgate/world/limitedLog'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database, Db } from './database.ts'

const raiseEveryMs = 60_000
/** By how much the count may be behind when a row notes it: it is raised once a minute, and a kill loses the rest. */
const behindMs = 2 * raiseEveryMs

const countSql = '(select coalesce(max("servedMs"), 0) from "servedTime")'

/** What a row notes beside its date, milliseconds. */
export const servedNow = (db: Db): Knex.Raw => db.raw(countSql)

/** SQL of the count that a row of now is kept until, so that it is served for so long in any case. */
export const servedUntilSql = (ms: number) => `${countSql} + ${ms + behindMs}`

/** SQL of whether the count has passed what a row is kept until. */
export const servedPastSql = (column: string) => `"${column}" <= ${countSql}`

/** SQL of whether a row was served for so long, or a little longer: never for less. */
export const servedForSql = (ms: number) => `"servedMs" <= ${countSql} - ${ms + behindMs}`

/** The rows of a query that were served for so long. */
export const servedFor = (query: Knex.QueryBuilder, ms: number): Knex.QueryBuilder =>
  query.whereRaw(servedForSql(ms))

interface ServedTimeParts {
  readonly database: Database
  readonly world: World
  /** Ends what was served for long enough, after each raise. */
  readonly ends: readonly ((parts: { readonly database: Database }) => Promise<void>)[]
}

export interface ServedTime {
  /** Notes what has passed since the last time. */
  stop(): Promise<void>
}

/** Counts from now on, by the clock of the machine that nobody sets. Of several clouds the one that has counted most counts. */
export async function startServedTime({ database, ends, world }: ServedTimeParts): Promise<ServedTime> {
  const complain = limitedLog(world)
  const read = async (db: Db) =>
    Number((await db('servedTime').max({ served: 'servedMs' }))[0]?.['served'] ?? 0)
  const startedMs = world.monotonicMs()
  let beganWithMs = await read(database.knex)

  async function raise(): Promise<void> {
    const ownMs = beganWithMs + Math.floor(world.monotonicMs() - startedMs)
    const servedMs = await database.write(
      async tx => {
        await tx('servedTime').where('servedMs', '<', ownMs).update({ servedMs: ownMs })
        return read(tx)
      },
      { spaceId: null },
    )
    beganWithMs += servedMs - ownMs
  }

  async function raiseAndEnd(): Promise<void> {
    await raise()
    for (const end of ends) await end({ database })
  }

  const stopRaising = repeat(world, raiseEveryMs, raiseAndEnd, why =>
    complain('the time of service was not noted', { why }),
  )
  return {
    async stop() {
      void stopRaising()
      await raise().catch(() => {})
    },
  }
}
