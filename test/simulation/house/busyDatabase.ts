// Simulates a SQLite file that many tenants use: writes wait for the connection, so those of several Spaces share a commit; and
// its disk fails now and then.

import type { FakeWorld } from '@callgate/world/fake'
import type BetterSqlite3 from 'better-sqlite3'
import type { Span } from '../../checker/facts.ts'
import type { Draw } from './draw.ts'
import { directEdges, type Edges } from './edges.ts'

export interface BusyDatabase {
  readonly edges: Edges
  /** Begins; at first nobody else uses the database. `world` has the clock of the waits. */
  begin(world: Pick<FakeWorld, 'monotonicMs'>): void
  /** When writes waited for the connection. */
  waits(): readonly Span[]
  heal(): void
}

/** The longest wait of a write for the connection, in milliseconds. */
const longestWaitMs = 60
/** How often each kind of statement fails: those that only a shared transaction has, and all others. */
const shareOfShared = 0.05
const shareOfCommits = 0.01
const shareOfOthers = 0.000_5

function shareOf(sql: string): number {
  if (/^(SAVEPOINT|RELEASE|ROLLBACK TO)/.test(sql)) return shareOfShared
  return sql === 'COMMIT' ? shareOfCommits : shareOfOthers
}

/** Fails as SQLite does: it ends the transaction by itself where the disk is full or fails, and keeps it where it is busy. */
function failWith(code: string, connection: BetterSqlite3.Database): never {
  if (code !== 'SQLITE_BUSY' && connection.inTransaction) connection.exec('ROLLBACK')
  throw Object.assign(new Error(`planned: ${code}`), { code })
}

/** In half of the seeds statements fail, too. */
export function busyDatabase(draw: Draw): BusyDatabase {
  const fails = draw.random() < 0.5
  const waits: Span[] = []
  let clock: Pick<FakeWorld, 'monotonicMs'> | undefined
  return {
    begin(world) {
      clock = world
    },
    heal() {
      clock = undefined
    },
    waits: () => waits,
    edges: {
      ...directEdges,
      busyMs() {
        if (!clock || draw.random() < 0.5) return 0
        const waitMs = draw.randomInt(1, longestWaitMs)
        const fromMs = clock.monotonicMs()
        const toMs = fromMs + waitMs
        // Several may wait at once, and each moment counts once.
        const last = waits.at(-1)
        if (last && last.toMs >= fromMs)
          waits[waits.length - 1] = { ...last, toMs: Math.max(last.toMs, toMs) }
        else waits.push({ fromMs, toMs })
        return waitMs
      },
      query(sql, connection, run) {
        if (!clock || !fails || /^(BEGIN|ROLLBACK$)/i.test(sql) || draw.random() >= shareOf(sql)) return run()
        const code = ['SQLITE_BUSY', 'SQLITE_FULL', 'SQLITE_IOERR_WRITE'][draw.randomInt(0, 2)] ?? ''
        return failWith(code, connection)
      },
    },
  }
}
