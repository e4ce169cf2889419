// The time on which replicas agree: that of the database, because the clocks of their machines differ.

import type { World } from '@callgate/world/world'
import { type Binding, type Db, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'

/** Reads the clock of Postgres when the statement gets there, which is after the lock of its row. */
const clock = 'cast(floor(extract(epoch from clock_timestamp()) * 1000) as bigint)'

export interface SqlByTime {
  /**
   * Runs SQL in which each `:now` is the time in milliseconds since the Unix epoch, and each `?` is one of the bindings, in
   * order. Resolves with the rows.
   */
  run(db: Db, sql: string, bindings: readonly Binding[]): Promise<readonly unknown[]>
}

const places = /:now|\?/g

/**
 * SQL by the clock of Postgres. Where the database is SQLite, which runs in this process, or a test controls the time
 * (`isByWorld`), it uses the clock of the world.
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
