// Guards a database against data that has gone back: whether it still has everything that was committed.

import type { World } from '@callgate/world/world'
import type { CommittedEvent } from './commits.ts'
import type { Db } from './database.ts'

export interface DataGuard {
  readonly world: Pick<World, 'after' | 'monotonicMs'>
  /**
   * How long transactions wait on a new server, in milliseconds. In this time every other cloud checks too whether committed data
   * is missing there.
   */
  readonly settleMs: number
  /** Called with the last event of each committed transaction, before its answer is used; also for those of other clouds. */
  committed(last: CommittedEvent): void
  /**
   * Whether the data has everything that was committed. Asked in a transaction on a new connection or server, before its work.
   */
  isWhole(tx: Db): Promise<boolean>
  /** Marks the data as gone back, in a transaction of its own. Transactions that have found it so are refused. */
  mark(): Promise<void>
  /** Called when this cloud or another one has marked the data. */
  marked(): void
}

/** A part that has a guard from the moment when the data is served. */
export interface Guarded {
  guard?: DataGuard | undefined
}
