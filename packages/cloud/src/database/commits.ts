// Commits: tells which Spaces have new events, once their transaction is committed; this process, and others by news.

import type { Db } from './database.ts'
import type { DataGuard, Guarded } from './dataGuard.ts'
import type { Transact } from './transactions.ts'

export type Listener = (spaceIds: ReadonlySet<string>) => void

/** How processes on one database tell each other of their commits. News may be lost. */
export interface News {
  /** Tells the others soon. `last` is the last event of the commit. */
  tell(spaceIds: ReadonlySet<string>, last: CommittedEvent): void
  /** Calls `then` for what others have told, until the function that it answers is called. */
  hear(then: (spaceIds: ReadonlySet<string>, last: CommittedEvent | undefined) => void): () => void
}

/** An event by which a commit is known again. */
export interface CommittedEvent {
  readonly spaceId: string
  readonly seq: number
  readonly at: string
  readonly kind: string
  readonly targetId: string
}

/** Reads what was written as JSON; undefined where that is torn, or something else. */
export function readEvent(text: string): CommittedEvent | undefined {
  try {
    const { at, kind, seq, spaceId, targetId } = JSON.parse(text) as Record<string, unknown>
    const isWhole = [at, kind, spaceId, targetId].every(value => typeof value === 'string')
    if (!isWhole || !Number.isSafeInteger(seq)) return undefined
    return { spaceId, seq, at, kind, targetId } as CommittedEvent
  } catch {
    return undefined
  }
}

/** The last event of each Space for which each running transaction has written some. */
const noted = new WeakMap<object, Map<string, CommittedEvent>>()

/** Notes the last event that the transaction `tx` has written of a Space. */
export function noteEvents(tx: Db, last: CommittedEvent): void {
  noted.get(tx)?.set(last.spaceId, last)
}

export interface Commits {
  /** Runs transactions as `run` does, and tells the listeners of each that was committed with events. */
  readonly write: Transact
  /**
   * Calls `then` after each such commit, until the function that it answers is called. A commit whose answer was lost is
   * not told. Commits of other processes are told where there are news of them.
   */
  onEvents(then: Listener): () => void
  /** From now on `guard` is told what was committed, and is asked before a transaction where the data may have gone back. */
  guardBy(guard: DataGuard): void
}

/** `guarded`: what else of the database asks the guard. */
export function tellCommits(run: Transact, news?: News, guarded: Guarded = {}): Commits {
  const listeners = new Set<Listener>()
  return {
    async write(work, options) {
      const events = new Map<string, CommittedEvent>()
      const answer = await run(tx => {
        noted.set(tx, events)
        return work(tx)
      }, options)
      const last = [...events.values()].at(-1)
      if (last) {
        // Before the answer, so that nothing leaves of which the guard does not know.
        guarded.guard?.committed(last)
        const spaceIds = new Set(events.keys())
        for (const tell of listeners) tell(spaceIds)
        news?.tell(spaceIds, last)
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
    guardBy(guard) {
      guarded.guard = guard
      // The cloud that has committed may die with the server.
      news?.hear((_, last) => last && guard.committed(last))
    },
  }
}
