// The openings of the last hour in all live Spaces, by how they ended. Read by an index of each Space, however many openings there are.

import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { isoTime } from '@callgate/world/world'
import { countRows, type Db, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { runningLive } from '../opening/openingRows.ts'

export interface OpeningCounts {
  readonly opened: number
  readonly failed: number
  readonly failedBy: Readonly<Record<string, number>>
  /** Nobody knows whether the gate moved. */
  readonly unknown: number
  /** Those that run now. */
  readonly running: number
}

const hourMs = 3_600_000

// On SQLite, `cross join` keeps the order of the tables. On Postgres, `offset 0` keeps the inner query apart, and its order is that
// of the right index.
const sqliteSql = `select o."class", o."reason", count(*) as "count" from "spaces" s
  cross join "openings" o indexed by "openings_spaceid_calledat_id_index" on o."spaceId" = s."id" and o."calledAt" > ?
  where s."mode" = 'live' and o."completedAt" is not null group by o."class", o."reason"`
const postgresSql = `select o."class", o."reason", count(*) as "count" from "spaces" s
  cross join lateral (select "class", "reason", "completedAt" from "openings"
    where "spaceId" = s."id" and "calledAt" > $1 order by "calledAt" offset 0) o
  where s."mode" = 'live' and o."completedAt" is not null group by o."class", o."reason"`

interface Row {
  readonly class: OpeningClass
  readonly reason: string
  readonly count: number | string
}

export async function countOpenings(db: Db, nowMs: number): Promise<OpeningCounts> {
  const rows = (await runSql(db, isPostgres(db) ? postgresSql : sqliteSql, [
    isoTime(nowMs - hourMs),
  ])) as readonly Row[]
  const counts = { opened: 0, failed: 0, unknown: 0 }
  const failedBy: Record<string, number> = {}
  for (const { class: ended, count: text, reason } of rows) {
    const count = Number(text)
    if (ended === 'opened' || ended === 'probably_opened') counts.opened += count
    else if (ended === 'unknown') counts.unknown += count
    else {
      counts.failed += count
      failedBy[reason] = (failedBy[reason] ?? 0) + count
    }
  }
  return { ...counts, failedBy, running: await countRows(runningLive(db)) }
}
