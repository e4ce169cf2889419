// The time by which replicas agree: that of the database, since the clocks of their machines differ.

import type { World } from '@callgate/world/world'
import { type Binding, type Db, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'

/** Asks the clock of Postgres when the statement comes to it, which is after the lock of its row. */
const clock = 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)'

export interface SqlByTime {
  /**
   * Runs SQL in which each `:now` is the time in milliseconds since the Unix epoch, and each `?` one of the bindings, in
   * order. Resolves with the rows.
   */
  run(db: Db, sql: string, bindings: readonly Binding[]): Promise<readonly unknown[]>
}

const places = /:now|\?/g

/**
 * SQL by the clock of Postgres. By the world's where the database is SQLite, which runs in this process, and where a test
 * moves the time: `isByWorld`.
 */
export function sqlByTime(world: Pick<World, 'nowMs'>, isByWorld = false): SqlByTime {
  return {
    run(db, sql, bindings) {
      const onPostgres = isPostgres(db)
      const nowMs = Math.floor(world.nowMs())
      const values: Binding[] = []
      let given = 0
      const text = sql.replace(places, place => {
        if (place === ':now' && onPostgres && !isByWorld) return clock
        values.push(place === ':now' ? nowMs : (bindings[given++] ?? null))
        const named = onPostgres ? `$${values.length}` : '?'
        return place === ':now' ? `cast(${named} as bigint)` : named
      })
      return runSql(db, text, values)
    },
  }
}
