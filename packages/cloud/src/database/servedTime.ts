// Counts in the database how long it has been served, independently of any wall clock.

import { limitedLog } from '@callgate/world/limitedLog'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database, Db } from './database.ts'

const raiseEveryMs = 60_000
/** How far the count may be behind when a row notes it: it is raised once a minute, and a kill loses the rest. */
const behindMs = 2 * raiseEveryMs

const countSql = '(select coalesce(max("servedMs"), 0) from "servedTime")'

/** SQL of the current count, which a row notes beside its date; milliseconds. */
export const servedNow = (db: Db): Knex.Raw => db.raw(countSql)

/** SQL of the count at which a row ends that is written now: it is valid for at least `ms` of service. */
export const servedUntilSql = (ms: number) => `${countSql} + ${ms + behindMs}`

/** SQL of whether the count has reached the end that a row notes. */
export const servedPastSql = (column: string) => `"${column}" <= ${countSql}`

/** SQL of whether a row has had `ms` of service, or a little more: never less. */
export const servedForSql = (ms: number) => `"servedMs" <= ${countSql} - ${ms + behindMs}`

/** The rows of a query that have had `ms` of service. */
export const servedFor = (query: Knex.QueryBuilder, ms: number): Knex.QueryBuilder =>
  query.whereRaw(servedForSql(ms))

interface ServedTimeParts {
  readonly database: Database
  readonly world: World
  /** Run after each raise. Each ends rows that have had enough service. */
  readonly ends: readonly ((parts: { readonly database: Database }) => Promise<void>)[]
}

export interface ServedTime {
  /** Adds the time since the last raise. */
  stop(): Promise<void>
}

/** Counts from now on, by the monotonic clock of the machine. Of several clouds, the longest count counts. */
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
