// Faults at the edges of the house's processes: effects are counted, and one of them fails in one of its ways.

import type { DiskFailure, Done, JournalDisk, OpenFile } from '@callgate/gateway/journalDisk'
import type { MemoryLine } from '@callgate/simulator/memoryLine'
import type { FakeWorld } from '@callgate/world/fake'
import type { Edges } from '../house/edges.ts'

/** One effect of a process, with every way in which it can fail. */
export interface Effect {
  readonly kind: 'database' | 'publish' | 'disk' | 'serial' | 'timer'
  readonly who: string
  readonly what: string
  readonly ways: readonly string[]
}

export interface Fault {
  /** The effect's place in the order of all, from 0. */
  readonly at: number
  readonly way: string
  /** For so long everything of its kind and process fails like this; 0: this one effect only. Milliseconds. */
  readonly forMs: number
}

export interface FaultyEdges {
  readonly edges: Edges
  /** From now on effects are counted; `fault` is the one that fails, if any. */
  begin(world: FakeWorld, fault?: Fault): void
  /** From now on nothing is counted and nothing fails. */
  end(): void
  readonly effects: readonly Effect[]
  /** When the fault was met, by the monotonic clock. */
  metMs(): number | undefined
}

/** How much later than it should a timer fires or a card answers, milliseconds. */
export const lateMs = 60_000

const code = (of: string): DiskFailure => ({ ok: false, code: of })

interface Meet {
  (effect: Effect): string | undefined
  /** Resolves when what is late happens. */
  late(): Promise<void>
}

/** What the system says of a write that it did in part, or whole and not for certain. */
const halfDone: Readonly<Record<string, string>> = { torn: 'ENOSPC', 'whole, then EIO': 'EIO' }

/** A full or failing disk has SQLite roll back by itself; a busy database leaves the transaction as it is. */
function failingQuery<Result>(
  meet: Meet,
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
  const way = sql === 'ROLLBACK' ? undefined : meet({ kind: 'database', who: 'cloud', what: sql, ways })
  if (way === undefined) return run()
  if (way === 'committed') run()
  else if (way !== 'SQLITE_BUSY' && connection.inTransaction) connection.exec('ROLLBACK')
  throw Object.assign(new Error(`planned: ${way}`), {
    code: way === 'committed' ? 'SQLITE_IOERR_FSYNC' : way,
  })
}

function failingFile(meet: Meet, who: string, name: string, own: OpenFile): OpenFile {
  /** After a failed sync the system takes what it could not write for written: later syncs say that all is well. */
  let hasForgotten = false
  return {
    async append(bytes) {
      const ways = ['ENOSPC', 'EROFS', 'torn', 'whole, then EIO', 'late']
      const way = meet({ kind: 'disk', who, what: `append ${name}`, ways })
      if (way === 'late') await meet.late()
      if (way === 'torn') await own.append(bytes.subarray(0, bytes.byteLength / 2))
      if (way === 'whole, then EIO') await own.append(bytes)
      return way === undefined || way === 'late' ? own.append(bytes) : code(halfDone[way] ?? way)
    },
    async sync() {
      const way = meet({ kind: 'disk', who, what: `sync ${name}`, ways: ['EIO', 'ENOSPC', 'late'] })
      if (way === 'late') await meet.late()
      else if (way !== undefined) {
        hasForgotten = true
        return code(way)
      }
      return hasForgotten ? { ok: true, value: undefined } : own.sync()
    },
    close: () => own.close(),
  }
}

function failingDisk(meet: Meet, who: string, own: JournalDisk): JournalDisk {
  async function unless<T>(
    what: string,
    ways: readonly string[],
    work: () => Promise<Done<T>>,
  ): Promise<Done<T>> {
    const way = meet({ kind: 'disk', who, what, ways })
    return way === undefined ? work() : code(way)
  }
  return {
    place: own.place,
    size: name => unless(`size ${name}`, ['EIO'], () => own.size(name)),
    read: name => unless(`read ${name}`, ['EIO'], () => own.read(name)),
    async open(name) {
      const opened = await unless(`open ${name}`, ['ENOSPC', 'EROFS', 'EMFILE'], () => own.open(name))
      return opened.ok ? { ok: true, value: failingFile(meet, who, name, opened.value) } : opened
    },
    rename: (from, to) => unless(`rename ${from}`, ['EIO', 'EROFS'], () => own.rename(from, to)),
    remove: name => unless(`remove ${name}`, ['EIO', 'EROFS'], () => own.remove(name)),
    syncFolder: () => unless('sync folder', ['EIO'], () => own.syncFolder()),
  }
}

/** `gone`: the port disappears with the write, as an adapter does that is pulled. */
function failingLine(meet: Meet, who: string, own: MemoryLine): MemoryLine {
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
      const way = meet({ kind: 'serial', who, what, ways: ['lost', 'short', 'gone'] })
      if (way === 'gone') return vanish()
      if (way !== 'lost') own.write(way === 'short' ? half(bytes) : bytes)
    },
    writeNow(bytes) {
      const ways = ['refused', 'short', 'gone', 'written and gone']
      const what = `now ${JSON.stringify(Buffer.from(bytes).toString('latin1'))}`
      const way = meet({ kind: 'serial', who, what, ways })
      if (way === 'refused') return 'refused'
      const written = way === 'gone' ? 'refused' : own.writeNow(way === 'short' ? half(bytes) : bytes)
      // The system tells of it after the write has returned.
      if (way?.endsWith('gone')) void Promise.resolve().then(vanish)
      return way === 'short' ? 'short' : written
    },
    onClose(listener) {
      closeListeners.push(listener)
      own.onClose(listener)
    },
  }
}

/** Edges at which nothing fails until they are told so. */
export function faultyEdges(): FaultyEdges {
  const effects: Effect[] = []
  let world: FakeWorld | undefined
  let fault: Fault | undefined
  let met: { atMs: number; effect: Effect } | undefined

  function wayOf(effect: Effect): string | undefined {
    if (!world) return undefined
    effects.push(effect)
    if (!fault) return undefined
    const nowMs = world.monotonicMs()
    if (effects.length - 1 === fault.at) met = { atMs: nowMs, effect }
    else if (!met || met.effect.kind !== effect.kind || met.effect.who !== effect.who) return undefined
    else if (fault.forMs === 0 || nowMs >= met.atMs + fault.forMs) return undefined
    return effect.ways.includes(fault.way) ? fault.way : effect.ways[0]
  }
  const late = () => new Promise<void>(resolve => world?.after(lateMs, resolve))
  const meet: Meet = Object.assign(wayOf, { late })

  return {
    effects,
    metMs: () => met?.atMs,
    begin(begun, planned) {
      world = begun
      fault = planned
    },
    end() {
      world = undefined
    },
    edges: {
      query: (sql, connection, run) => failingQuery(meet, sql, connection, run),
      disk: (own, who) => failingDisk(meet, who, own),
      line: (own, who) => failingLine(meet, who, own),
      connection: (own, who) => ({
        ...own,
        publish(topic, payload) {
          const ways = ['lost', 'no connection']
          const way = meet({ kind: 'publish', who, what: topic.split('/').at(-1) ?? '', ways })
          return way === undefined ? own.publish(topic, payload) : way === 'lost'
        },
      }),
      world: (own, who) => ({
        ...own,
        after(delayMs, then) {
          const way = meet({ kind: 'timer', who, what: `in ${delayMs} ms`, ways: ['late'] })
          return own.after(way === undefined ? delayMs : delayMs + lateMs, then)
        },
      }),
    },
  }
}

/** For so long a fault lasts that is more than one effect, milliseconds. */
const lastingMs = 20_000

/** Each of the effects in each of its ways, once and for 20 s; what is late is so once. */
export function faultsOf(effects: readonly Effect[]): (Fault & { readonly effect: Effect })[] {
  return effects.flatMap((effect, at) =>
    effect.ways.flatMap(way =>
      (way === 'late' ? [0] : [0, lastingMs]).map(forMs => ({ at, way, forMs, effect })),
    ),
  )
}
