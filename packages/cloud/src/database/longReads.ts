// Long reads on Postgres: limits those of one Space, so that connections are left for the others.

import type { Db } from './database.ts'
import { DatabaseError } from './databaseError.ts'
import { isPostgres } from './dialect.ts'

/** How many of the ten connections a Space may use for long reads. */
export const mostAtOnce = 2
/** The limit on waiting long reads of a Space. They hold no connection. */
export const mostWaiting = 100

interface OfSpace {
  running: number
  readonly waiting: (() => void)[]
}

export class LongReads {
  readonly #spaces = new Map<string, OfSpace>()

  /** Runs `read` when its turn has come. Where too many wait already, it throws the trouble `busy` and does not read. */
  async run<T>(spaceId: string, read: () => Promise<T>): Promise<T> {
    const of = this.#spaces.get(spaceId) ?? { running: 0, waiting: [] }
    this.#spaces.set(spaceId, of)
    if (of.waiting.length >= mostWaiting)
      throw new DatabaseError(
        'busy',
        'Too many long lists of this Space are read at once. Try again in a moment.',
      )
    if (of.running >= mostAtOnce) await new Promise<void>(resolve => of.waiting.push(resolve))
    else of.running++
    try {
      return await read()
    } finally {
      // The next read takes over the connection.
      const next = of.waiting.shift()
      if (next) next()
      else if (--of.running === 0) this.#spaces.delete(spaceId)
    }
  }
}

/** By database: all lists of a Space share one queue. */
const readsOf = new WeakMap<Db, LongReads>()

/** The same for a database. SQLite has one connection, and a read takes it only for a moment, so there is no queue. */
export function inTurn<T>(db: Db, spaceId: string, read: () => Promise<T>): Promise<T> {
  if (!isPostgres(db)) return read()
  const reads = readsOf.get(db) ?? new LongReads()
  readsOf.set(db, reads)
  return reads.run(spaceId, read)
}
