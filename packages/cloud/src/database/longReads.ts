// Long reads on Postgres: few of one Space at once, so that it leaves connections to the others.

import { DatabaseError, type Db } from './database.ts'
import { isPostgres } from './dialect.ts'

/** Of the ten connections, a Space has so many for its long reads. */
export const mostAtOnce = 2
/** Long reads of a Space that wait for those; they hold no connection. */
export const mostWaiting = 100

interface OfSpace {
  running: number
  readonly waiting: (() => void)[]
}

export class LongReads {
  readonly #spaces = new Map<string, OfSpace>()

  /** Runs `read` when its turn has come. Where too many wait already, the trouble is `busy`, and nothing is read. */
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
      // The next one takes its place.
      const next = of.waiting.shift()
      if (next) next()
      else if (--of.running === 0) this.#spaces.delete(spaceId)
    }
  }
}

/** By database: all lists of a Space share its turns. */
const readsOf = new WeakMap<Db, LongReads>()

/** The same for a database. SQLite has one connection, which a read has for a moment: its turns are those of the event loop. */
export function inTurn<T>(db: Db, spaceId: string, read: () => Promise<T>): Promise<T> {
  if (!isPostgres(db)) return read()
  const reads = readsOf.get(db) ?? new LongReads()
  readsOf.set(db, reads)
  return reads.run(spaceId, read)
}
