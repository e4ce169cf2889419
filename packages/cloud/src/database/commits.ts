// Commits: tells this process which Spaces have new events, once their transaction is committed.

import type { Db } from './database.ts'
import type { Transact } from './transactions.ts'

type Listener = (spaceIds: ReadonlySet<string>) => void

/** The Spaces for which each running transaction has written events. */
const noted = new WeakMap<object, Set<string>>()

/** Notes that the transaction `tx` has written events of a Space. */
export function noteEvents(tx: Db, spaceId: string): void {
  noted.get(tx)?.add(spaceId)
}

export interface Commits {
  /** Runs transactions as `run` does, and tells the listeners of each that was committed with events. */
  readonly write: Transact
  /**
   * Calls `then` after each such commit, until the function that it answers is called. A commit whose answer was lost is
   * not told.
   */
  onEvents(then: Listener): () => void
}

export function tellCommits(run: Transact): Commits {
  const listeners = new Set<Listener>()
  return {
    async write(work, committed) {
      const spaceIds = new Set<string>()
      const answer = await run(tx => {
        noted.set(tx, spaceIds)
        return work(tx)
      }, committed)
      if (spaceIds.size > 0) for (const tell of listeners) tell(spaceIds)
      return answer
    },
    onEvents(then) {
      listeners.add(then)
      return () => listeners.delete(then)
    },
  }
}
