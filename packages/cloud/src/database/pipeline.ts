// What a transaction on Postgres sends without waiting for the answers before it, because each wait is a round trip. On SQLite,
// which runs in this process, everything runs in its order.

import type { Knex } from 'knex'
import { type Binding, type Db, runSql } from './database.ts'

/** The writes that each running transaction on Postgres has sent and not awaited. */
const sentIn = new WeakMap<object, Promise<unknown>[]>()

/** The writes of a transaction that nobody awaits before its commit. */
export interface SentWrites {
  /** Resolves when all have succeeded. */
  done(): Promise<unknown>
  /** The first error, once all are answered. */
  failure(): Promise<unknown>
}

/** Lets the transaction `tx` send without waiting. */
export function pipelined(tx: Db): SentWrites {
  const writes: Promise<unknown>[] = []
  sentIn.set(tx, writes)
  return {
    done: () => Promise.all(writes),
    async failure() {
      const answers = await Promise.allSettled(writes)
      return answers.find(answer => answer.status === 'rejected')?.reason
    },
  }
}

/**
 * A write by a statement whose answer nobody needs: it is sent, and its transaction is not committed where it fails. Resolves at
 * once on Postgres, and after the write on SQLite.
 */
export async function sent(tx: Db, write: Promise<unknown>): Promise<void> {
  const writes = sentIn.get(tx)
  if (!writes) return void (await write)
  // The commit tells its failure.
  write.catch(() => {})
  writes.push(write)
}

/** The same for a query of knex. `why` tells the failure of its transaction. */
export function sentQuery(
  tx: Db,
  query: Knex.QueryBuilder,
  why: (error: unknown) => unknown = error => error,
): Promise<void> {
  const { bindings, sql } = query.toSQL().toNative()
  const write = runSql(tx, sql, bindings as readonly Binding[]).catch((error: unknown) => {
    throw why(error)
  })
  return sent(tx, write)
}

/** A read that needs nothing but the locks of its transaction, for the option `first` of a write. */
export interface EarlyRead<Rows> {
  /** Sends it with the beginning of the transaction. */
  send(tx: Db): Promise<Rows>
  /** Its rows. It is sent now if it was not sent with the beginning. */
  in(tx: Db): Promise<Rows>
}

/** `read` begins with a statement. */
export function earlyRead<Rows>(read: (tx: Db) => Promise<Rows>): EarlyRead<Rows> {
  const sent = new WeakMap<object, Promise<Rows>>()
  return {
    send(tx) {
      const rows = read(tx)
      sent.set(tx, rows)
      return rows
    },
    in: tx => sent.get(tx) ?? read(tx),
  }
}
