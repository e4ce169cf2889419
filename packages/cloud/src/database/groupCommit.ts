// The writer of SQLite: one transaction for waiting writes of different Spaces. A commit waits for the disk, however little it
// has to write.

import type { Timer } from '@callgate/world/world'
import type { Knex } from 'knex'
import { DatabaseError, waitedTooLong } from './databaseError.ts'
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
/** A write that has not begun after this time is refused, in milliseconds: as long as knex waits for a connection. */
const longestWaitMs = 10_000

/** A write that waits for its turn, or that runs. */
interface Member {
  /** The Spaces whose rows it writes. */
  readonly locked: Locked
  /** It shares a commit with no other write. */
  readonly isAlone: boolean
  /** When it came, in milliseconds of the monotonic clock. */
  readonly sinceMs: number
  /** Does the work, and keeps its answer; rejects as the work does. */
  run(): Promise<void>
  /** The last failure counts: where nothing was committed, a refusal may rest on rows that never existed. */
  fail(error: unknown): void
  hasFailed(): boolean
  /** Calls what follows from the commit, unless it has failed. */
  committed(): void
  /** Gives the caller the answer, or the failure. */
  answer(): void
}

function memberOf<T>(
  writer: Pick<Writer, 'inside' | 'nowMs'>,
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
    sinceMs: writer.nowMs(),
    async run() {
      let isOver = false
      try {
        answer = await work(handleOf(writer.inside, () => isOver))
      } finally {
        isOver = true
      }
    },
    fail(error) {
      failure = { error }
    },
    hasFailed: () => failure !== undefined,
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
 * Removes from `queue` one after the other the writes that may join `first`: they write no Space that an earlier one of the group
 * writes, and overtake neither an earlier write of their own Spaces nor one that shares no commit.
 */
function joining(queue: Member[], first: Member): () => Member | undefined {
  const taken = new Set(first.locked)
  let place = 0
  return () => {
    for (let next = queue[place]; next && !next.isAlone; next = queue[place]) {
      const spaceIds = next.hasFailed() || next.locked === 'all' ? [] : next.locked
      const isFree = !next.hasFailed() && !spaceIds.some(spaceId => taken.has(spaceId))
      for (const spaceId of spaceIds) taken.add(spaceId)
      if (isFree) return queue.splice(place, 1)[0]
      place += 1
    }
    return undefined
  }
}

/** SQLite ends a transaction by itself on some errors, such as that of a full disk. A savepoint would begin a new one. */
function mustBeOpen({ inTransaction }: Connection): void {
  if (!inTransaction) throw new DatabaseError('busy', 'SQLite has ended the transaction by itself.')
}

/** Runs one member, in a savepoint where others are before it. Rejects when nothing of the group can be kept. */
async function runMember(connection: Connection, member: Member, isFirst: boolean): Promise<void> {
  if (!isFirst) connection.exec('SAVEPOINT member')
  try {
    await member.run()
  } catch (error) {
    member.fail(error)
    if (isFirst || !connection.inTransaction) throw error
    connection.exec('ROLLBACK TO member')
  }
  mustBeOpen(connection)
  if (!isFirst) connection.exec('RELEASE member')
}

function rollBack(connection: Connection): void {
  try {
    if (connection.inTransaction) connection.exec('ROLLBACK')
  } catch {
    // The callers learn the first error. The next begin tries it again.
  }
}

/** Ends the commit for a member. An error there is a bug, which must not harm the others. */
function tellCommitted(member: Member): void {
  try {
    member.committed()
  } catch (error) {
    member.fail(error)
  }
}

function refuse(members: readonly Member[], error: unknown): void {
  for (const member of members) {
    member.fail(error)
    member.answer()
  }
}

/** The writes that wait, and the loop that runs them group by group. */
/** Runs after each transaction, while the connection is still held. It must not throw. */
type AfterCommit = (connection: Connection) => void

class Writer {
  readonly inside: Knex
  readonly #client: Knex['client']
  readonly #patience: LockPatience | undefined
  readonly #afterCommit: AfterCommit | undefined
  readonly #lockWaits: LockWaits | undefined
  readonly #queue: Member[] = []
  #isWriting = false
  #running: Connection | undefined
  /** After a commit, until its turn of the event loop is over: the writes that follow from it gather. */
  #gathering: { readonly end: Promise<void> } | undefined
  /** Refuses the oldest waiting write when it has waited for too long. */
  #watch: Timer | undefined

  constructor(knex: Knex, patience: LockPatience | undefined, afterCommit: AfterCommit | undefined) {
    this.#client = knex.client
    this.#patience = patience
    this.#afterCommit = afterCommit
    this.#lockWaits = patience && new LockWaits(patience)
    this.inside = knexInside(knex, () => this.#running)
  }

  nowMs(): number {
    return this.#patience?.world.monotonicMs() ?? 0
  }

  add(member: Member): void {
    this.#queue.push(member)
    if (this.#isWriting) this.#watchQueue()
    else void this.#writeAll()
  }

  /** Refuses writes that wait for too long, also while one is stuck. They stay in the queue, which a group may be reading. */
  #watchQueue(): void {
    if (this.#watch) return
    const oldest = this.#queue.find(member => !member.hasFailed())
    if (!oldest) return
    this.#watch = this.#patience?.world.after(oldest.sinceMs + longestWaitMs - this.nowMs(), () => {
      this.#watch = undefined
      const untilMs = this.nowMs() - longestWaitMs
      refuse(
        this.#queue.filter(member => !member.hasFailed() && member.sinceMs <= untilMs),
        waitedTooLong(),
      )
      this.#watchQueue()
    })
  }

  async #writeAll(): Promise<void> {
    this.#isWriting = true
    while (this.#queue.length > 0) {
      if (this.#gathering) await this.#gathering.end
      const locked = await this.#runNext()
      if (locked) await this.#lockWaits?.pause(this.#queue, locked)
      else this.#gather()
    }
    this.#isWriting = false
    this.#watch?.cancel()
    this.#watch = undefined
  }

  #gather(): void {
    const end = this.#patience?.world.turn().then(() => {
      this.#gathering = undefined
    })
    this.#gathering = end && { end }
  }

  /** Runs the next group. The error of its begin, where another program holds the lock and the writes are patient. */
  async #runNext(): Promise<unknown> {
    const connection = await this.#acquire()
    if (!connection) return undefined
    let over: readonly Member[] = []
    try {
      rollBack(connection)
      connection.exec('BEGIN IMMEDIATE')
      this.#lockWaits?.free()
      over = await this.#runGroup(connection)
    } catch (error) {
      if (this.#lockWaits && isLocked(error)) return error
      refuse(this.#queue.splice(0, 1), error)
    } finally {
      await this.#client.releaseConnection(connection)
    }
    for (const member of over) member.answer()
    return undefined
  }

  /** Undefined: the connection was not free for too long, and the oldest write is refused. */
  async #acquire(): Promise<Connection | undefined> {
    try {
      return await this.#client.acquireConnection()
    } catch (error) {
      refuse(this.#queue.splice(0, 1), error)
      return undefined
    }
  }

  /** A write that was refused while the connection or the lock was awaited must not run. */
  #takeFirst(): Member | undefined {
    let first = this.#queue.shift()
    while (first?.hasFailed()) first = this.#queue.shift()
    return first
  }

  /** Runs the writes that share a transaction, which has begun. */
  async #runGroup(connection: Connection): Promise<readonly Member[]> {
    const members: Member[] = []
    const first = this.#takeFirst()
    const closesAtMs = this.nowMs() + longestWorkMs
    this.#running = connection
    try {
      const nextOf = first && !first.isAlone ? joining(this.#queue, first) : () => undefined
      for (let next = first; next; next = this.#mayGrow(members, closesAtMs) ? nextOf() : undefined)
        await runMember(connection, next, members.push(next) === 1)
      connection.exec('COMMIT')
    } catch (error) {
      for (const member of members) member.fail(error)
      rollBack(connection)
    }
    this.#running = undefined
    for (const member of members) tellCommitted(member)
    this.#afterCommit?.(connection)
    return members
  }

  #mayGrow(members: readonly Member[], closesAtMs: number): boolean {
    return members.length < mostOfGroup && this.nowMs() < closesAtMs
  }
}

/**
 * Runs work in transactions on the one connection of `knex`. A write that comes alone begins at once. Those that wait behind it
 * share a commit where they write different Spaces. A member that fails takes back only what it wrote itself; where the commit
 * fails, all fail. No caller has an answer before the commit. With `patience`, writes wait for the lock of another program.
 */
export function groupedTransactions(
  knex: Knex,
  patience: LockPatience | undefined,
  afterCommit?: AfterCommit,
): Transact {
  const writer = new Writer(knex, patience, afterCommit)
  return (work, options = {}) =>
    new Promise((resolve, reject) => writer.add(memberOf(writer, work, options, { resolve, reject })))
}
