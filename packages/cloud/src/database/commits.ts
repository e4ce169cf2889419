// Reports which Spaces have new events once their transaction is committed: those of this process, and those of others through
// news.

import type { Db } from './database.ts'
import type { DataGuard, Guarded } from './dataGuard.ts'
import type { Transact } from './transactions.ts'

/** `delivering`: those of the Spaces whose commit has written deliveries to webhooks, which news do not tell. */
export type Listener = (spaceIds: ReadonlySet<string>, delivering: ReadonlySet<string>) => void

/** How processes on one database inform each other of their commits. News may be lost. */
export interface News {
  /** Informs the other processes soon. `last` is the last event of the commit. */
  tell(spaceIds: ReadonlySet<string>, last: CommittedEvent): void
  /** Calls `then` for the news of other processes, until the returned function is called. */
  hear(then: (spaceIds: ReadonlySet<string>, last: CommittedEvent | undefined) => void): () => void
}

/** An event that identifies a commit. */
export interface CommittedEvent {
  readonly spaceId: string
  readonly seq: number
  readonly at: string
  readonly kind: string
  readonly targetId: string
}

/** Parses an event from JSON; undefined where the text is torn, or something else. */
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

interface Noted {
  /** The last event that was written for each Space. */
  readonly events: Map<string, CommittedEvent>
  readonly delivering: Set<string>
}
const none: ReadonlySet<string> = new Set()

/** What each running transaction has written. */
const noted = new WeakMap<object, Noted>()

/** Notes the last event that the transaction `tx` has written for a Space, and whether it is delivered to webhooks. */
export function noteEvents(tx: Db, last: CommittedEvent, isDelivered = false): void {
  const written = noted.get(tx)
  written?.events.set(last.spaceId, last)
  if (isDelivered) written?.delivering.add(last.spaceId)
}

export interface Commits {
  /** Runs transactions like `run`, and informs the listeners of each commit with events. */
  readonly write: Transact
  /**
   * Calls `then` after each such commit, until the returned function is called. Listeners are not informed of a commit whose
   * answer was lost. Commits of other processes count where there is news of them.
   */
  onEvents(then: Listener): () => void
  /** From now on `guard` is informed of commits, and is asked before a transaction where the data may have gone back. */
  guardBy(guard: DataGuard): void
}

/** `guarded`: the other part of the database that asks the guard. */
export function tellCommits(run: Transact, news?: News, guarded: Guarded = {}): Commits {
  const listeners = new Set<Listener>()
  return {
    async write(work, options) {
      const events = new Map<string, CommittedEvent>()
      const delivering = new Set<string>()
      const answer = await run(tx => {
        noted.set(tx, { events, delivering })
        return work(tx)
      }, options)
      const last = [...events.values()].at(-1)
      if (last) {
        // Before the answer: the guard must know the commit before anything leaves the process.
        guarded.guard?.committed(last)
        const spaceIds = new Set(events.keys())
        for (const tell of listeners) tell(spaceIds, delivering)
        news?.tell(spaceIds, last)
      }
      return answer
    },
    onEvents(then) {
      listeners.add(then)
      const unhear = news?.hear(spaceIds => then(spaceIds, none))
      return () => {
        listeners.delete(then)
        unhear?.()
      }
    },
    guardBy(guard) {
      guarded.guard = guard
      // The cloud that has committed may die together with the server.
      news?.hear((_, last) => last && guard.committed(last))
    },
  }
}
