// What a database asks whoever watches that it has not gone back: that it still has all that was committed.

import type { World } from '@callgate/world/world'
import type { CommittedEvent } from './commits.ts'
import type { Db } from './database.ts'

export interface DataGuard {
  readonly world: Pick<World, 'after' | 'monotonicMs'>
  /**
   * How long transactions wait on a server that is new, milliseconds: meanwhile every other cloud looks as well whether it
   * misses anything there.
   */
  readonly settleMs: number
  /** Told the last event of each transaction that was committed, before its answer is used; also of other clouds. */
  committed(last: CommittedEvent): void
  /** Whether the data has what was committed. Asked in a transaction on a connection or a server that is new, before its work. */
  isWhole(tx: Db): Promise<boolean>
  /** Marks data that has gone back, in a transaction of its own. Those that have found it so are refused. */
  mark(): Promise<void>
  /** This cloud or another one has marked the data. */
  marked(): void
}

/** What has a guard from the moment on in which the data is served. */
export interface Guarded {
  guard?: DataGuard | undefined
}
