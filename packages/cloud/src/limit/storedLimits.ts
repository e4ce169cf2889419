// Limits in the database: for a cloud of several replicas, over all of them.

import { hash } from 'node:crypto'
import { repeat } from '@callgate/world/repeat'
import type { World } from '@callgate/world/world'
import type { Limit, LimitStatus } from '../core/limiter.ts'
import type { Database, Db } from '../database/database.ts'
import { servedPastSql, servedUntilSql } from '../database/servedTime.ts'
import {
  type KeyLimiter,
  type LimitGroup,
  type Limits,
  refusalOf,
  type Taken,
  usualMostKeys,
} from './limits.ts'
import { type SqlByTime, sqlByTime } from './sqlByTime.ts'
import { sweepPlaces } from './streamPlaces.ts'

/** The digits of a time in milliseconds since the epoch; the number is right until the year 2286. */
const digits = 13
const sweepEveryMs = 60_000

/**
 * The time, and the log that counts at that time. Where the clock was set back, time does not move until it has caught up. Where it was
 * set back by more than the window, the log begins again, because its times in the future would refuse everything until they
 * come.
 */
const statusSql = (windowMs: number) => `
  select
    case when "last" > "latest" then '' else "limitLogs"."log" end as "log",
    case when "last" > "latest" or "last" < "at" then "at" else "last" end as "at"
  from (
    select
      cast("at" as text) as "at",
      cast("at" + ${windowMs} as text) as "latest",
      substr("limitLogs"."log", length("limitLogs"."log") - ${digits - 1}) as "last"
    from (select :now as "at") as "clock"
  ) as "read"`

/**
 * Takes one more, or refuses it. The row of a key holds the times of those that were taken, the oldest first, each of 13 digits,
 * and at most as many as the limit. One more is free where there are fewer, or where the oldest is as old as the window. The
 * update locks the row and then reads the clock, so one statement decides. It is a transaction of its own and holds no other
 * lock.
 */
function takeSql({ most, windowMs }: Limit): string {
  const full = most * digits
  const isFree = `(length("log") < ${full} or cast(substr("log", 1, ${digits}) as bigint) + ${windowMs} <= cast("at" as bigint))`
  const kept = `substr("log", case when length("log") < ${full} then 1 else ${digits + 1} end)`
  return `
    insert into "limitLogs" ("name", "key", "log", "wasTaken", "keptUntilMs")
    select ?, ?, cast("at" as text), 1, "at" + ${windowMs} from (select :now as "at") as "clock" where true
    on conflict ("name", "key") do update set ("log", "wasTaken", "keptUntilMs") = (
      select
        case when ${isFree} then ${kept} || "at" else "log" end,
        case when ${isFree} then 1 else 0 end,
        cast("at" as bigint) + ${windowMs}
      from (${statusSql(windowMs)}) as "now"
    )
    returning "log", "wasTaken", :now as "nowMs"`
}

const peekSql =
  'select "log", :now as "nowMs" from (select 1) as "one" left join "limitLogs" on "name" = ? and "key" = ?'

const giveBackSql = `
  update "limitLogs" set "log" = substr("log", 1, length("log") - ${digits})
  where "name" = ? and "key" = ? and length("log") > 0`

interface Row {
  readonly log: string | null
  readonly wasTaken?: number
  readonly nowMs: number
}

/** The status of a key by its row. */
function statusOf({ most, windowMs }: Limit, { log, nowMs, wasTaken }: Row): LimitStatus {
  const times = (log?.match(/\d{13}/g) ?? []).map(Number).filter(at => Number(nowMs) - at < windowMs)
  const [oldest] = times
  const isTaken = wasTaken === undefined ? times.length < most : Number(wasTaken) === 1
  return {
    isTaken,
    remaining: wasTaken !== undefined && !isTaken ? 0 : most - times.length,
    // The last millisecond may pass between the decision and the answer.
    nextMs: oldest === undefined ? Number(!isTaken) : Math.min(windowMs, oldest + windowMs - Number(nowMs)),
  }
}

/** Deletes the rows of a table whose time is over. */
export type Sweep = (db: Db, time: SqlByTime) => Promise<unknown>

interface StoredLimitsParts {
  readonly database: Database
  readonly time: SqlByTime
  readonly sweeps: readonly Sweep[]
}

/** Keys may be people's addresses, so only their hashes are stored. */
const placeOf = (name: string, key: string) => [name, hash('sha256', key, 'base64url')] as const

function limiterIn({ database, time }: StoredLimitsParts, name: string, limit: Limit) {
  const take = takeSql(limit)
  const ask = async (db: Db, sql: string, key: string) => {
    const [row] = await time.run(db, sql, placeOf(name, key))
    return statusOf(limit, row as Row)
  }
  return {
    takeIn: (db: Db, key: string) => ask(db, take, key),
    take: (key: string) => ask(database.knex, take, key),
    peek: (key: string) => ask(database.knex, peekSql, key),
    giveBack: (key: string) => time.run(database.knex, giveBackSql, placeOf(name, key)),
  }
}

/** Thrown to roll back what was taken together with a refused one. */
class Refused extends Error {
  readonly refusal: Extract<Taken, { ok: false }>
  constructor(refusal: Extract<Taken, { ok: false }>) {
    super('refused')
    this.refusal = refusal
  }
}

function groupIn<Name extends string>(
  parts: StoredLimitsParts,
  limits: Readonly<Record<Name, Limit>>,
): LimitGroup<Name> {
  // In the same order everywhere, so that no deadlock occurs.
  const all = Object.entries<Limit>(limits)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, limit]) => [name, limiterIn(parts, name, limit)] as const)
  return {
    async takeAll(keys: Readonly<Partial<Record<string, string>>>) {
      const taken = all.flatMap(([name, one]) => {
        const key = keys[name]
        return key === undefined ? [] : [{ one, key }]
      })
      try {
        const take = async (tx: Db) => {
          const statuses: LimitStatus[] = []
          for (const { key, one } of taken) statuses.push(await one.takeIn(tx, key))
          const refusal = refusalOf(statuses)
          if (refusal) throw new Refused(refusal)
        }
        await parts.database.write(take, { spaceId: null })
      } catch (error) {
        if (error instanceof Refused) return error.refusal
        throw error
      }
      return {
        ok: true,
        async giveBack() {
          for (const { key, one } of taken) await one.giveBack(key)
        },
      }
    },
  }
}

/** Returns a row at the first use. The row is synced to disk, so that nothing can be used twice after a crash of the database. */
const spendSql = (validMs: number) => `
  insert into "spentKeys" ("name", "key", "keptUntilMs", "keptUntilServedMs")
  select ?, ?, "at" + ${validMs}, ${servedUntilSql(validMs)} from (select :now as "at") as "clock" where true
  on conflict ("name", "key") do nothing returning "key"`

/** Deletes keys without a count for a window, and surplus keys of each limit. Two sweeps at once do no harm. */
async function sweep(
  { database, sweeps, time }: StoredLimitsParts,
  most: ReadonlyMap<string, number>,
): Promise<void> {
  await time.run(database.knex, 'delete from "limitLogs" where "keptUntilMs" <= :now', [])
  for (const sweepOther of sweeps) await sweepOther(database.knex, time)
  // A used key stays used when the clock of the database is set.
  await time.run(
    database.knex,
    `delete from "spentKeys" where "keptUntilMs" <= :now and ${servedPastSql('keptUntilServedMs')}`,
    [],
  )
  await sweepPlaces(database, time)
  for (const [name, mostKeys] of most) {
    const tooOld = `
      select "keptUntilMs" from "limitLogs" where "name" = ? order by "keptUntilMs" desc limit 1 offset ${mostKeys}`
    await time.run(
      database.knex,
      `delete from "limitLogs" where "name" = ? and "keptUntilMs" <= (${tooOld})`,
      [name, name],
    )
  }
}

/**
 * Limits over all replicas of a database, by its clock. Each check is one query. The counts are lost when the database itself
 * crashes, which only makes the limits more generous. `sweeps` delete old rows in other tables. `isByWorld`: the time is that of
 * the world, for tests that control it.
 */
export function storedLimits(parts: {
  readonly database: Database
  readonly world: World
  readonly sweeps?: readonly Sweep[]
  readonly isByWorld?: boolean
}): Limits {
  const { database, isByWorld, sweeps = [], world } = parts
  const given: StoredLimitsParts = { database, sweeps, time: sqlByTime(world, isByWorld) }
  const mostKeysOf = new Map<string, number>()
  const stopSweeping = repeat(
    world,
    sweepEveryMs,
    () => sweep(given, mostKeysOf),
    why => world.log.warn('old limits were not deleted', { why }),
  )
  return {
    isShared: true,
    limiter(name, limit, { mostKeys = usualMostKeys } = {}): KeyLimiter {
      mostKeysOf.set(name, mostKeys)
      return limiterIn(given, name, limit)
    },
    once: (name, validMs) => async key => {
      const rows = await given.time.run(database.knex, spendSql(validMs), placeOf(name, key))
      return rows.length === 1
    },
    group<Name extends string>(limits: Readonly<Record<Name, Limit>>) {
      for (const name of Object.keys(limits)) mostKeysOf.set(name, usualMostKeys)
      return groupIn(given, limits)
    },
    stop: () => void stopSweeping(),
  }
}
