// Fault injection: counts the effects of the simulated processes, and lets one of them fail in one of its ways.

import type { DiskFailure, Done, JournalDisk, OpenFile } from '@callgate/gateway/journalDisk'
import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { FakeWorld } from '@callgate/world/fake'
import type { Edges } from '../house/edges.ts'

/** One effect of a process, with all ways in which it can fail. */
export interface Effect {
  readonly kind: 'database' | 'publish' | 'disk' | 'serial' | 'timer'
  readonly who: string
  readonly what: string
  readonly ways: readonly string[]
}

export interface Fault {
  /** The effect's place among all effects, from 0. */
  readonly at: number
  readonly way: string
  /** How long all effects of its kind and process fail in this way, in milliseconds; 0: only this one. */
  readonly forMs: number
}

export interface FaultyEdges {
  readonly edges: Edges
  /** Counts effects from now on, and injects `fault`. */
  begin(world: FakeWorld, fault?: Fault): void
  /** Stops counting and injecting. */
  end(): void
  readonly effects: readonly Effect[]
  /** When the fault was injected, by the monotonic clock. */
  injectedMs(): number | undefined
}

/** The delay of a late timer or disk, in milliseconds. */
export const lateMs = 60_000

const code = (of: string): DiskFailure => ({ ok: false, code: of })

/** Counts an effect, and returns the way in which it fails, or undefined. */
interface FailureOf {
  (effect: Effect): string | undefined
  /** Resolves after the delay of late effects. */
  late(): Promise<void>
}

/** The errors of a partial write, and of a complete write that the system reports as failed. */
const halfDone: Readonly<Record<string, string>> = { torn: 'ENOSPC', 'whole, then EIO': 'EIO' }

/** SQLite itself rolls back when the disk is full or fails. When the database is busy, the transaction stays open. */
function failingQuery<Result>(
  failureOf: FailureOf,
  sql: string,
  connection: Parameters<Edges['query']>[1],
  run: () => Result,
): Result {
  const ways = [
    'SQLITE_BUSY',
    'SQLITE_FULL',
    'SQLITE_IOERR_WRITE',
    ...(sql === 'COMMIT' ? ['committed'] : []),
  ]
  const way = sql === 'ROLLBACK' ? undefined : failureOf({ kind: 'database', who: 'cloud', what: sql, ways })
  if (way === undefined) return run()
  if (way === 'committed') run()
  else if (way !== 'SQLITE_BUSY' && connection.inTransaction) connection.exec('ROLLBACK')
  throw Object.assign(new Error(`planned: ${way}`), {
    code: way === 'committed' ? 'SQLITE_IOERR_FSYNC' : way,
  })
}

function failingFile(failureOf: FailureOf, who: string, name: string, own: OpenFile): OpenFile {
  /** After a failed fsync the system treats the unwritten pages as written, so later fsyncs succeed. */
  let hasForgotten = false
  return {
    async append(bytes) {
      const ways = ['ENOSPC', 'EROFS', 'torn', 'whole, then EIO', 'late']
      const way = failureOf({ kind: 'disk', who, what: `append ${name}`, ways })
      if (way === 'late') await failureOf.late()
      if (way === 'torn') await own.append(bytes.subarray(0, bytes.byteLength / 2))
      if (way === 'whole, then EIO') await own.append(bytes)
      return way === undefined || way === 'late' ? own.append(bytes) : code(halfDone[way] ?? way)
    },
    async sync() {
      const way = failureOf({ kind: 'disk', who, what: `sync ${name}`, ways: ['EIO', 'ENOSPC', 'late'] })
      if (way === 'late') await failureOf.late()
      else if (way !== undefined) {
        hasForgotten = true
        return code(way)
      }
      return hasForgotten ? { ok: true, value: undefined } : own.sync()
    },
    close: () => own.close(),
  }
}

function failingDisk(failureOf: FailureOf, who: string, own: JournalDisk): JournalDisk {
  async function unless<T>(
    what: string,
    ways: readonly string[],
    work: () => Promise<Done<T>>,
  ): Promise<Done<T>> {
    const way = failureOf({ kind: 'disk', who, what, ways })
    return way === undefined ? work() : code(way)
  }
  return {
    place: own.place,
    size: name => unless(`size ${name}`, ['EIO'], () => own.size(name)),
    read: name => unless(`read ${name}`, ['EIO'], () => own.read(name)),
    async open(name) {
      const opened = await unless(`open ${name}`, ['ENOSPC', 'EROFS', 'EMFILE'], () => own.open(name))
      return opened.ok ? { ok: true, value: failingFile(failureOf, who, name, opened.value) } : opened
    },
    rename: (from, to) => unless(`rename ${from}`, ['EIO', 'EROFS'], () => own.rename(from, to)),
    remove: name => unless(`remove ${name}`, ['EIO', 'EROFS'], () => own.remove(name)),
    syncFolder: () => unless('sync folder', ['EIO'], () => own.syncFolder()),
  }
}

/** `gone`: the port disappears during the write, as when the adapter is unplugged. */
function failingLine(failureOf: FailureOf, who: string, own: MemoryLine): MemoryLine {
  const closeListeners: ((reason: string) => void)[] = []
  const half = (bytes: Uint8Array) => bytes.subarray(0, bytes.byteLength / 2)
  function vanish() {
    void own.close()
    for (const listener of closeListeners) listener('planned: the port is gone')
  }
  return {
    ...own,
    write(bytes) {
      const what = JSON.stringify(Buffer.from(bytes).toString('latin1'))
      const way = failureOf({ kind: 'serial', who, what, ways: ['lost', 'short', 'gone'] })
      if (way === 'gone') return vanish()
      if (way !== 'lost') own.write(way === 'short' ? half(bytes) : bytes)
    },
    writeNow(bytes) {
      const ways = ['refused', 'short', 'gone', 'written and gone']
      const what = `now ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}`
      const way = failureOf({ kind: 'serial', who, what, ways })
      if (way === 'refused') return 'refused'
      const written = way === 'gone' ? 'refused' : own.writeNow(way === 'short' ? half(bytes) : bytes)
      // The close event comes after the write has returned.
      if (way?.endsWith('gone')) void Promise.resolve().then(vanish)
      return way === 'short' ? 'short' : written
    },
    onClose(listener) {
      closeListeners.push(listener)
      own.onClose(listener)
    },
  }
}

/** Nothing fails before `begin`; from then on each write waits `busyMs` for the connection of the database. */
export function faultyEdges(busyMs = 0): FaultyEdges {
  const effects: Effect[] = []
  let world: FakeWorld | undefined
  let fault: Fault | undefined
  let injected: { atMs: number; effect: Effect } | undefined

  function wayOf(effect: Effect): string | undefined {
    if (!world) return undefined
    effects.push(effect)
    if (!fault) return undefined
    const nowMs = world.monotonicMs()
    if (effects.length - 1 === fault.at) injected = { atMs: nowMs, effect }
    else if (!injected || injected.effect.kind !== effect.kind || injected.effect.who !== effect.who)
      return undefined
    else if (fault.forMs === 0 || nowMs >= injected.atMs + fault.forMs) return undefined
    return effect.ways.includes(fault.way) ? fault.way : effect.ways[0]
  }
  const late = () => new Promise<void>(resolve => world?.after(lateMs, resolve))
  const failureOf: FailureOf = Object.assign(wayOf, { late })

  return {
    effects,
    injectedMs: () => injected?.atMs,
    begin(begun, planned) {
      world = begun
      fault = planned
    },
    end() {
      world = undefined
    },
    edges: {
      busyMs: () => (world ? busyMs : 0),
      query: (sql, connection, run) => failingQuery(failureOf, sql, connection, run),
      disk: (own, who) => failingDisk(failureOf, who, own),
      line: (own, who) => failingLine(failureOf, who, own),
      connection: (own, who) => ({
        ...own,
        publish(topic, payload) {
          const ways = ['lost', 'no connection']
          const way = failureOf({ kind: 'publish', who, what: topic.split('/').at(-1) ?? '', ways })
          return way === undefined ? own.publish(topic, payload) : way === 'lost'
        },
      }),
      world: (own, who) => ({
        ...own,
        after(delayMs, then) {
          const way = failureOf({ kind: 'timer', who, what: `in ${delayMs} ms`, ways: ['late'] })
          return own.after(way === undefined ? delayMs : delayMs + lateMs, then)
        },
      }),
    },
  }
}

/** How long a lasting fault lasts, milliseconds. */
const lastingMs = 20_000

/** One fault for each effect and each of its ways to fail: once, and for 20 s. A late effect is late only once. */
export function faultsOf(effects: readonly Effect[]): (Fault & { readonly effect: Effect })[] {
  return effects.flatMap((effect, at) =>
    effect.ways.flatMap(way =>
      (way === 'late' ? [0] : [0, lastingMs]).map(forMs => ({ at, way, forMs, effect })),
    ),
  )
}
