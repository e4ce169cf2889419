// The records of the clouds of a house, read from outside: from the file of SQLite, or from Postgres.

import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '@callgate/cloud/database/database'
import type { Opening } from '../../checker/facts.ts'

/** An opening, with the times in its row. */
export interface Row extends Omit<Opening, 'begunMs' | 'grantedMs' | 'recordedEndMs'> {
  readonly apiKeyId: string | null
  readonly calledAt: string
  readonly grantedAt: string | null
  readonly completedAt: string | null
}

export const isEnded = (row: Row) => row.completedAt !== null

/** An event that the clouds have committed. */
export interface CommittedEvent {
  readonly seq: number
  /** ISO 8601. */
  readonly at: string
  readonly kind: string
  readonly targetId: string
}

export interface Records {
  /** The openings of a gate since a given time, oldest first. */
  rowsOf(gateId: string, sinceMs: number): Promise<readonly Row[]>
  /** The gate of an opening; undefined where it is not recorded. */
  gateOf(openingId: string): Promise<string | undefined>
  hasEnded(openingId: string): Promise<boolean>
  /** Whether an opening holds the number. */
  isLocked(phoneNumber: string): Promise<boolean>
  wasCalled(phoneNumber: string): Promise<boolean>
  /** How often the data was marked as restored, or as gone back. */
  marks(): Promise<number>
  /** Whether the end of an opening that a gateway has reported is stored. */
  isToldEnd(openingId: string): Promise<boolean>
  /** The number of the newest event; 0 where there is none. */
  newestEvent(): Promise<number>
  /** The events after a number, oldest first. */
  eventsAfter(seq: number): Promise<readonly CommittedEvent[]>
}

/** How long a query is repeated, in milliseconds: a point may restart the database. */
const answersWithinMs = 60_000

/** Repeats a query that the database does not answer. */
export function recordsIn({ knex }: Pick<Database, 'knex'>): Records {
  async function ask<T>(sql: string, ...values: readonly (string | number)[]): Promise<readonly T[]> {
    const endMs = performance.now() + answersWithinMs
    for (;;)
      try {
        // SQLite returns the rows, Postgres an object that contains them.
        const found: readonly T[] | { readonly rows: readonly T[] } = await knex.raw(sql, [...values])
        return 'rows' in found ? found.rows : found
      } catch (error) {
        if (performance.now() > endMs) throw error
        await pause(100)
      }
  }
  const isThere = async (sql: string, ...values: readonly string[]) => (await ask(sql, ...values)).length > 0
  return {
    rowsOf: (gateId, sinceMs) =>
      ask<Row>(
        `select "id", "spaceId", "phoneNumber", "apiKeyId", "gatewayId", "bootId", "grantNonce", "joinedOpeningId", "status",
           "reason", "opened", "confidence", "safeToRetry", "calledAt", "grantedAt", "completedAt"
         from "openings" where "gateId" = ? and "calledAt" >= ? order by "id"`,
        gateId,
        new Date(sinceMs).toISOString(),
      ),
    async gateOf(openingId) {
      const sql = 'select "gateId" from "openings" where "id" = ?'
      const [found] = await ask<{ gateId: string }>(sql, openingId)
      return found?.gateId
    },
    hasEnded: openingId =>
      isThere('select 1 from "openings" where "id" = ? and "completedAt" is not null', openingId),
    isLocked: phoneNumber => isThere('select 1 from "openings" where "lockedNumber" = ?', phoneNumber),
    wasCalled: phoneNumber =>
      isThere('select 1 from "openings" where "phoneNumber" = ? and "grantedAt" is not null', phoneNumber),
    async marks() {
      const [found] = await ask<{ marks: number | string }>('select count(*) as "marks" from "restores"')
      return Number(found?.marks ?? 0)
    },
    isToldEnd: openingId =>
      isThere(
        `select 1 from "openingReports" where "openingId" = ? and "phase" = 'ended'
         union all select 1 from "strayReports" where "openingId" = ? and "body" like '%"ended"%'`,
        openingId,
        openingId,
      ),
    async newestEvent() {
      const [found] = await ask<{ seq: number | string | null }>('select max("seq") as "seq" from "events"')
      return Number(found?.seq ?? 0)
    },
    async eventsAfter(seq) {
      const sql = 'select "seq", "at", "kind", "targetId" from "events" where "seq" > ? order by "seq"'
      const found = await ask<CommittedEvent>(sql, seq)
      return found.map(event => ({ ...event, seq: Number(event.seq) }))
    },
  }
}
