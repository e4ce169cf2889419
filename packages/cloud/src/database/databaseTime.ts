// The time within a transaction: where several clouds share a database, its server's clock counts for all of them.

import type { World } from '@callgate/world/world'
import type { Db } from './database.ts'

const clocks = new WeakMap<object, () => number>()

/** Gives the transaction `tx` a clock of its own: milliseconds since the epoch. */
export function setTimeIn(tx: Db, nowMs: () => number): void {
  clocks.set(tx, nowMs)
}

/**
 * Milliseconds since the epoch, for what a transaction decides or records. The transaction has its locks by then, so of two in
 * one Space the later one has the later time, in whatever process they run. On SQLite, and outside a transaction, it is the time
 * of the world.
 */
export function timeIn(db: Db, world: Pick<World, 'nowMs'>): number {
  return clocks.get(db)?.() ?? world.nowMs()
}
