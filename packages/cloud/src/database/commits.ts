// Commits: tells which Spaces have new events, once their transaction is committed; this process, and others by news.

import type { Db } from './database.ts'
import type { Transact } from './transactions.ts'

export type Listener = (spaceIds: ReadonlySet<string>) => void

/** How processes on one database tell each other of their commits. News may be lost. */
export interface News {
  /** Tells the others soon. */
  tell(spaceIds: ReadonlySet<string>): void
  /** Calls `then` for what others have told, until the function that it answers is called. */
  hear(then: Listener): () => void
}

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
   * not told. Commits of other processes are told where there are news of them.
   */
  onEvents(then: Listener): () => void
}

export function tellCommits(run: Transact, news?: News): Commits {
  const listeners = new Set<Listener>()
  return {
    async write(work, options) {
      const spaceIds = new Set<string>()
      const answer = await run(tx => {
        noted.set(tx, spaceIds)
        return work(tx)
      }, options)
      if (spaceIds.size > 0) {
        for (const tell of listeners) tell(spaceIds)
        news?.tell(spaceIds)
      }
      return answer
    },
    onEvents(then) {
      listeners.add(then)
      const unhear = news?.hear(then)
      return () => {
        listeners.delete(then)
        unhear?.()
      }
    },
  }
}
