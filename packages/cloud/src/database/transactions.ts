// What a transaction is to its callers. Ours replace knex's own, which take 0.1 ms of processor time each, because an opening
// needs several.

import type { Knex } from 'knex'
import type { EarlyRead } from './pipeline.ts'

/** The Spaces whose rows a transaction writes, and the effect of its commit. */
export interface WriteOptions<T = unknown> {
  /**
   * The Space whose rows it writes: no other write of that Space runs meanwhile, but those of other Spaces may. Null: its rows
   * belong to no Space, and each of its statements is atomic by itself. Absent: no other write runs meanwhile.
   */
  readonly spaceId?: string | null | undefined
  /** The same for the rows of several Spaces. */
  readonly spaceIds?: readonly string[] | undefined
  /**
   * On Postgres an urgent write has a connection of its own, and waits for no other write of this process: a lease must be
   * renewed in time, however many others wait. Its rows belong to no Space.
   */
  readonly isUrgent?: boolean | undefined
  /** Its work may take long, or awaits something else. On SQLite it shares its commit with no other, which would wait for it. */
  readonly isLong?: boolean | undefined
  /** It marks data that has gone back, so the guard is not asked. */
  readonly isMark?: boolean | undefined
  /** Reads of the work that need nothing but the locks. On Postgres they are sent with the beginning of the transaction. */
  readonly first?: readonly EarlyRead<unknown>[] | undefined
  /**
   * Called with the result once the transaction is committed, before any other of its Spaces begins in this process, so that data
   * in memory changes together with the rows. It must not throw.
   */
  readonly committed?: ((answer: T) => void) | undefined
}

/** Runs `work` in one transaction. */
export type Transact = <T>(
  work: (tx: Knex.Transaction) => Promise<T>,
  options?: WriteOptions<T>,
) => Promise<T>

/** The Spaces that a write locks; `all` where it locks the whole database. */
export type Locked = readonly string[] | 'all'

export function lockedBy({ spaceId, spaceIds }: Pick<WriteOptions, 'spaceId' | 'spaceIds'>): Locked {
  if (spaceId === undefined && spaceIds === undefined) return 'all'
  return [...new Set([...(typeof spaceId === 'string' ? [spaceId] : []), ...(spaceIds ?? [])])]
}

const over = () => new Error('the transaction is over')

/**
 * A knex for queries inside transactions: always on the connection that the transaction has taken. knex's migrations begin
 * transactions of their own in it, which become savepoints.
 */
export function knexInside(knex: Knex, running: () => object | undefined): Knex {
  const inside = knex.withUserParams(knex.userParams)
  const client = inside.client
  client.transacting = true
  client.acquireConnection = async () => {
    const connection = running()
    if (!connection) throw over()
    return connection
  }
  client.releaseConnection = async () => {}
  // Without a turn of the event loop, so that statements are sent in the order of their calls.
  client.running = running
  for (const event of ['query', 'query-response', 'query-error'])
    client.on(event, (...told: unknown[]) => knex.client.emit(event, ...told))
  return inside
}

/** The handle of one transaction, which refuses queries once that is over. */
export function handleOf(inside: Knex, isOver: () => boolean): Knex.Transaction {
  const checked = () => {
    if (isOver()) throw over()
    return inside
  }
  return new Proxy(inside, {
    apply: (_target, _this, [table]: [string]) => checked()(table),
    get(_target, name) {
      if (name === 'isTransaction') return true
      if (name === 'isCompleted') return isOver
      return Reflect.get(checked(), name)
    },
  }) as Knex.Transaction
}
