// The writer of SQLite: one transaction for waiting writes of different Spaces. A commit waits for the disk, however little it
// has to write.

import type { Knex } from 'knex'
import { isLocked, type LockPatience, LockWaits } from './foreignLock.ts'
import type { Connection } from './sqliteConnection.ts'
import {
  handleOf,
  knexInside,
  type Locked,
  lockedBy,
  type Transact,
  type WriteOptions,
} from './transactions.ts'

/** The limit on the writes of one commit. */
const mostOfGroup = 16
/** No further write joins after this much work, in milliseconds: those before it wait for their answers. */
const longestWorkMs = 5

/** A write that waits for its turn, or that runs. */
interface Member {
  /** The Spaces whose rows it writes. */
  readonly locked: Locked
  /** It shares a commit with no other write. */
  readonly isAlone: boolean
  /** Does the work, and keeps its answer; rejects as the work does. */
  run(): Promise<void>
  /** The first failure counts. */
  fail(error: unknown): void
  /** Calls what follows from the commit, unless it has failed. */
  committed(): void
  /** Gives the caller the answer, or the failure. */
  answer(): void
}

function memberOf<T>(
  inside: Knex,
  work: (tx: Knex.Transaction) => Promise<T>,
  options: WriteOptions<T>,
  caller: { resolve(answer: T): void; reject(error: unknown): void },
): Member {
  const locked = lockedBy(options)
  let answer: T
  let failure: { readonly error: unknown } | undefined
  return {
    locked,
    isAlone: locked === 'all' || options.isUrgent === true || options.isLong === true,
    async run() {
      let isOver = false
      try {
        answer = await work(handleOf(inside, () => isOver))
      } finally {
        isOver = true
      }
    },
    fail(error) {
      failure ??= { error }
    },
    committed() {
      if (!failure) options.committed?.(answer)
    },
    answer() {
      if (failure) caller.reject(failure.error)
      else caller.resolve(answer)
    },
  }
}

/**
 * Removes the next write from `queue` that may join the members: it writes no Space of theirs, and overtakes neither an earlier
 * write of its own Spaces nor one that shares no commit.
 */
function takeNext(queue: Member[], members: readonly Member[]): Member | undefined {
  const taken = new Set(members.flatMap(({ locked }) => locked))
  for (const [place, next] of queue.entries()) {
    if (next.isAlone || next.locked === 'all') return undefined
    if (!next.locked.some(spaceId => taken.has(spaceId))) return queue.splice(place, 1)[0]
    for (const spaceId of next.locked) taken.add(spaceId)
  }
  return undefined
}

/** Runs one member, in a savepoint where others are before it. Rejects when nothing of the group can be kept. */
async function runMember(connection: Connection, member: Member, isFirst: boolean): Promise<void> {
  if (isFirst) return member.run()
  // SQLite ends a transaction by itself on some errors, such as that of a full disk. Then a savepoint would begin a new one.
  if (!connection.inTransaction) throw new Error('SQLite has ended the transaction')
  connection.exec('SAVEPOINT member')
  try {
    await member.run()
  } catch (error) {
    member.fail(error)
    if (!connection.inTransaction) throw error
    connection.exec('ROLLBACK TO member')
  }
  connection.exec('RELEASE member')
}

function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch {
    // The callers learn the first error. Where SQLite still has the transaction, the next begin fails.
  }
}

/** The writes that wait, and the loop that runs them group by group. */
class Writer {
  readonly inside: Knex
  readonly #client: Knex['client']
  readonly #patience: LockPatience | undefined
  readonly #lockWaits: LockWaits | undefined
  readonly #queue: Member[] = []
  #isWriting = false
  #running: Connection | undefined
  /** After a commit, until its turn of the event loop is over: the writes that follow from it gather. */
  #gathering: { readonly end: Promise<void> } | undefined

  constructor(knex: Knex, patience: LockPatience | undefined) {
    this.#client = knex.client
    this.#patience = patience
    this.#lockWaits = patience && new LockWaits(patience)
    this.inside = knexInside(knex, () => this.#running)
  }

  add(member: Member): void {
    this.#queue.push(member)
    if (!this.#isWriting) void this.#writeAll()
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    try {
      while (this.#queue.length > 0) {
        if (this.#gathering) await this.#gathering.end
        const locked = await this.#runNext()
        if (locked) await this.#lockWaits?.pause(this.#queue, locked)
        else this.#gather()
      }
    } catch (error) {
      // The connection was not free for too long.
      for (const member of this.#queue.splice(0)) {
        member.fail(error)
        member.answer()
      }
    }
    this.#isWriting = false
  }

  #gather(): void {
    const end = this.#patience?.world.turn().then(() => {
      this.#gathering = undefined
    })
    this.#gathering = end && { end }
  }

  /** Runs the next group. The error of its begin, where another program holds the lock and the writes are patient. */
  async #runNext(): Promise<unknown> {
    let over: readonly Member[] = []
    const connection: Connection = await this.#client.acquireConnection()
    try {
      connection.exec('BEGIN IMMEDIATE')
      this.#lockWaits?.free()
      this.#running = connection
      over = await this.#runGroup(connection)
    } catch (error) {
      if (this.#lockWaits && isLocked(error)) return error
      over = this.#queue.splice(0, 1)
      over[0]?.fail(error)
    } finally {
      this.#running = undefined
      await this.#client.releaseConnection(connection)
    }
    for (const member of over) member.answer()
    return undefined
  }

  /** Runs the writes that share a transaction, which has begun. */
  async #runGroup(connection: Connection): Promise<readonly Member[]> {
    const nowMs = () => this.#patience?.world.monotonicMs() ?? 0
    const closesAtMs = nowMs() + longestWorkMs
    const members: Member[] = []
    const mayGrow = () => members.length < mostOfGroup && !members[0]?.isAlone && nowMs() < closesAtMs
    const nextOf = () => (mayGrow() ? takeNext(this.#queue, members) : undefined)
    try {
      for (let next = this.#queue.shift(); next; next = nextOf())
        await runMember(connection, next, members.push(next) === 1)
      connection.exec('COMMIT')
    } catch (error) {
      for (const member of members) member.fail(error)
      rollBack(connection)
    }
    for (const member of members) member.committed()
    return members
  }
}

/**
 * Runs work in transactions on the one connection of `knex`. A write that comes alone begins at once. Those that wait behind it
 * share a commit where they write different Spaces. A member that fails takes back only what it wrote itself; where the commit
 * fails, all fail. No caller has an answer before the commit. With `patience`, writes wait for the lock of another program.
 */
export function groupedTransactions(knex: Knex, patience: LockPatience | undefined): Transact {
  const writer = new Writer(knex, patience)
  return (work, options = {}) =>
    new Promise((resolve, reject) => writer.add(memberOf(writer.inside, work, options, { resolve, reject })))
}
