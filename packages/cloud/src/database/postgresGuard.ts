// When a transaction on Postgres asks the guard of the data: on a new connection, on another server, and after a mark.

import type { Db } from './database.ts'
import { DatabaseError } from './databaseError.ts'
import type { Guarded } from './dataGuard.ts'
import type { Session } from './postgresSession.ts'

/**
 * SQL of the server's facts. A standby that is promoted keeps its connections and its start time, so each transaction asks
 * whether the server is a standby.
 */
export const serverSql = `case when pg_is_in_recovery() then null else pg_postmaster_start_time()::text end as "server",
  (select coalesce(max("id"), 0) from "restores") as "restores"`

export interface ServerFacts {
  /** When the server was started; null where it is a standby. */
  readonly server: string | null
  /** The newest mark of data that has gone back, or was restored. */
  readonly restores: number
}

/** The server is a new one, and the other clouds have not checked its data yet. Nothing was done. */
class Unsettled extends Error {
  readonly forMs: number
  constructor(forMs: number) {
    super('the server is new')
    this.forMs = forMs
  }
}

const wentBack = () => new DatabaseError('busy', 'The data has gone back. Try again in a moment.')

/** The guard of one database, and the results of its checks of connections. */
export class GuardedSessions implements Guarded {
  #guard: Guarded['guard']
  /** The server on which each session was checked. */
  readonly #looked = new WeakMap<Session, string>()
  #server: string | undefined
  #restores: number | undefined
  #settledAtMs = 0
  #marking: Promise<void> | undefined

  get guard(): Guarded['guard'] {
    return this.#guard
  }

  /** A new guard knows every earlier mark. */
  set guard(guard: Guarded['guard']) {
    this.#guard = guard
    this.#restores = undefined
  }

  /** Runs before the work of a transaction. Rejects where the work must not run now; nothing was done then. */
  async before(
    tx: Db,
    session: Session,
    said: ServerFacts,
    { isMark, isUrgent }: { readonly isMark: boolean; readonly isUrgent: boolean },
  ): Promise<void> {
    const { guard } = this
    if (!guard) return
    const { server } = said
    if (server === null) throw new DatabaseError('not_writable', 'The server is a standby.')
    if (isMark) return
    this.#noteMark(Number(said.restores))
    if (server !== this.#server) {
      if (this.#server !== undefined) this.#settledAtMs = guard.world.monotonicMs() + guard.settleMs
      this.#server = server
    }
    if (this.#looked.get(session) !== server) {
      if (!(await guard.isWhole(tx))) {
        this.#mark()
        throw wentBack()
      }
      this.#looked.set(session, server)
    }
    const leftMs = this.#settledAtMs - guard.world.monotonicMs()
    if (leftMs > 0 && !isUrgent) throw new Unsettled(leftMs)
  }

  /** Runs a transaction, and runs it again where it had to wait until a new server is settled. */
  async whenSettled<T>(run: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await run()
      } catch (error) {
        if (!(error instanceof Unsettled)) throw error
        await new Promise<void>(resolve => this.guard?.world.after(error.forMs, resolve))
      }
    }
  }

  /** A transaction that began before a mark must not write after it. */
  #noteMark(restores: number): void {
    const before = this.#restores
    this.#restores = restores
    if (before === undefined || before === restores) return
    this.guard?.marked()
    throw wentBack()
  }

  /**
   * Runs in a later transaction, because this one holds locks. Where it fails, the next transaction on a new connection tries
   * again.
   */
  #mark(): void {
    this.#marking ??= this.guard
      ?.mark()
      .catch(() => {})
      .finally(() => {
        this.#marking = undefined
      })
  }
}
