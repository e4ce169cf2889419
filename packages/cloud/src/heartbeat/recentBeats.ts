// The last beat of each gateway, in memory. A beat with a change is written at once, others each five minutes.

import { offlineAfterMs } from '@callgate/contract/wire/timing'
import { limitedLog } from '@callgate/world/limitedLog'
import { measured } from '@callgate/world/measures'
import { isoTime, type Timer, type World } from '@callgate/world/world'
import { type Addition, addedUp, forgottenBefore, type Heard, wasOnlineUntil } from '../core/beatHistory.ts'
import { type Database, type Db, isRefusal } from '../database/database.ts'
import {
  type BeatColumns,
  type BeatsSeen,
  type GatewayRow,
  keepBeat,
  keptWithinMs,
  lastHeard,
} from '../gateway/gatewayRows.ts'
import type { Replica } from '../replica/replica.ts'
import { addFigures } from './beatFigures.ts'
import type { BeatsAside } from './beatsAside.ts'

/** The state of a gateway after its last beat. */
export interface LastBeat {
  readonly spaceId: string
  readonly bootId: string | null
  /** The number of the message; 0 where an earlier run of the cloud has heard it. */
  readonly seq: number
  readonly journalId: string | null
  /** Undefined where an earlier run has heard the beat: nobody knows then which openings it still had to report. */
  readonly toReport: readonly string[] | undefined
  readonly heard: Heard | undefined
  /** When it came online; null where it never did, or has been silent for too long since. */
  readonly onlineSince: string | null
  /** JSON. */
  readonly body: string | null
  /** Another cloud was to write the beat. That cloud may be gone, so the row may differ. */
  readonly isOnlyHeard?: true
}

export interface RecentBeats extends BeatsSeen {
  find(gatewayId: string): LastBeat | undefined
  /** Runs work that may change the last beat of a gateway; for one gateway one after the other. */
  inTurn<T>(gatewayId: string, work: () => Promise<T>): Promise<T>
  /** Remembers a beat that another replica writes. */
  hear(gatewayId: string, last: LastBeat): void
  /** Notes a beat that changes nothing, and writes it later: within five minutes, or `soon`. */
  note(gatewayId: string, last: LastBeat, additions: readonly Addition[], soon: boolean): void
  /** Writes a beat, with everything that was not written before. Call `written` once that is committed. */
  write(tx: Db, gatewayId: string, last: LastBeat, additions: readonly Addition[]): Promise<void>
  /** Notes that a beat was written. */
  written(gatewayId: string, last: LastBeat): void
  /** Unwritten beats are lost: the row is at most five minutes older than the truth, and a later start knows that. */
  stop(): void
}

interface Entry {
  readonly last: LastBeat
  /** The additions since the row was written. */
  readonly additions: readonly Addition[]
  /** The last time in the row at which the gateway was heard, as far as this run knows. */
  readonly written: Heard | undefined
}

/** A change of the wall clock could cause more; a gateway that is heard has ten at most. */
const mostAdditions = 64
/** The time between two rounds of writing, and how much a round may delay an opening: a batch is one transaction. */
const roundEveryMs = 1_000
const batchesOfRound = 10
const rowsOfBatch = 50

/** The last beat in a gateway's row, as it was read from the database. */
export function lastBeatOf(row: GatewayRow): LastBeat {
  const { bootId, journalId, lastBeat, onlineSince, spaceId } = row
  return {
    spaceId,
    bootId,
    seq: 0,
    journalId,
    toReport: undefined,
    heard: lastHeard(row),
    onlineSince,
    body: lastBeat,
  }
}

/** Writes what is known of a gateway; where another replica owns it by now, only the figures. */
async function writeBeat(
  tx: Db,
  id: string,
  { additions, isOwned, last, written }: Entry & { readonly isOwned: boolean },
): Promise<void> {
  const { body: lastBeat, heard, journalId, onlineSince } = last
  if (!heard || journalId === null || lastBeat === null) return
  if (isOwned) await keepBeat(tx, { id, journalId, lastBeatAt: isoTime(heard.atMs), lastBeat, onlineSince })
  await addFigures(tx, id, additions, forgottenBefore(written, heard.atMs))
}

interface RecentBeatsParts {
  readonly world: World
  readonly database: Database
  readonly replica: Pick<Replica, 'nowMs' | 'owns'>
  readonly aside: Pick<BeatsAside, 'agoMs' | 'wake'>
}

class Memory implements RecentBeats {
  readonly #parts: RecentBeatsParts
  readonly #complain: ReturnType<typeof limitedLog>
  readonly #entries = new Map<string, Entry>()
  /** The gateways whose rows are older than their last beat, with the time at which they are written; monotonic milliseconds. */
  readonly #due = new Map<string, number>()
  readonly #turns = new Map<string, Promise<unknown>>()
  #round: { readonly timer: Timer; readonly atMs: number } | undefined
  #isStopped = false

  constructor(parts: RecentBeatsParts) {
    this.#parts = parts
    this.#complain = limitedLog(parts.world)
  }

  find(gatewayId: string): LastBeat | undefined {
    return this.#entries.get(gatewayId)?.last
  }

  now<Row extends BeatColumns & { readonly id: string }>(row: Row) {
    const last = this.find(row.id)
    const inRow = lastHeard(row)
    // Another cloud has heard it since: this one may be cut off from the broker.
    const isOlder = inRow && last?.heard && inRow.atMs > last.heard.atMs
    if (!last?.heard || isOlder || this.#isSuspended(last)) return this.#nowByRow(row, inRow)
    const { body: lastBeat, heard, onlineSince } = last
    return { ...row, lastBeat, lastBeatAt: isoTime(heard.atMs), onlineSince, heard }
  }

  catchUp(spaceId: string): Promise<void> {
    return this.#parts.aside.wake(spaceId)
  }

  /** Whether the later beats of a gateway may have been kept, so that only the row tells whether it is online. */
  #isSuspended({ heard, isOnlyHeard }: LastBeat): boolean {
    return (
      isOnlyHeard === true && heard?.isOnline === true && !wasOnlineUntil(heard, this.#parts.replica.nowMs())
    )
  }

  /** The row says that the gateway is online: another cloud has verified that. A kept beat shows when it was heard last. */
  #nowByRow<Row extends BeatColumns & { readonly id: string }>(row: Row, heard: Heard | undefined) {
    const { aside, replica } = this.#parts
    const agoMs = aside.agoMs(row.id) ?? offlineAfterMs
    if (!heard?.isOnline || agoMs >= offlineAfterMs) return { ...row, heard }
    const atMs = replica.nowMs() - Math.floor(agoMs)
    return { ...row, lastBeatAt: isoTime(atMs), heard: { atMs, isOnline: true } }
  }

  additions(gatewayId: string): readonly Addition[] {
    return this.#entries.get(gatewayId)?.additions ?? []
  }

  inTurn<T>(gatewayId: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(gatewayId)
    const turn = before === undefined ? work() : before.then(work, work)
    const isOver = () => {
      if (this.#turns.get(gatewayId) === turn) this.#turns.delete(gatewayId)
    }
    this.#turns.set(gatewayId, turn)
    turn.then(isOver, isOver)
    return turn
  }

  hear(gatewayId: string, last: LastBeat): void {
    const { additions = [] } = this.#entries.get(gatewayId) ?? {}
    this.#entries.set(gatewayId, { last: { ...last, isOnlyHeard: true }, additions, written: last.heard })
  }

  note(gatewayId: string, last: LastBeat, additions: readonly Addition[], soon: boolean): void {
    const entry = this.#entries.get(gatewayId)
    const all = addedUp(entry?.additions ?? [], additions).slice(-mostAdditions)
    this.#entries.set(gatewayId, { last, additions: all, written: entry?.written })
    const dueMs = this.#parts.world.monotonicMs() + (soon ? roundEveryMs : keptWithinMs)
    if ((this.#due.get(gatewayId) ?? Number.POSITIVE_INFINITY) > dueMs) this.#due.set(gatewayId, dueMs)
    this.#plan(this.#due.get(gatewayId) ?? dueMs)
  }

  async write(tx: Db, gatewayId: string, last: LastBeat, more: readonly Addition[]): Promise<void> {
    const { additions = [], written } = this.#entries.get(gatewayId) ?? {}
    await writeBeat(tx, gatewayId, { last, additions: addedUp(additions, more), written, isOwned: true })
  }

  written(gatewayId: string, last: LastBeat): void {
    this.#entries.set(gatewayId, { last, additions: [], written: last.heard })
    this.#due.delete(gatewayId)
  }

  stop(): void {
    this.#isStopped = true
    this.#round?.timer.cancel()
  }

  /** Plans a round at this time, unless one comes sooner. */
  #plan(atMs: number): void {
    if (this.#isStopped || (this.#round && this.#round.atMs <= atMs)) return
    this.#round?.timer.cancel()
    const { world } = this.#parts
    const timer = world.after(atMs - world.monotonicMs(), () => {
      this.#writeRound()
        .catch((error: unknown) => this.#complain('beats could not be written down', { why: String(error) }))
        .finally(() => this.#planNext())
    })
    this.#round = { timer, atMs }
  }

  #planNext(): void {
    this.#round = undefined
    if (this.#due.size === 0) return
    let nextMs = Number.POSITIVE_INFINITY
    for (const dueMs of this.#due.values()) nextMs = Math.min(nextMs, dueMs)
    this.#plan(Math.max(nextMs, this.#parts.world.monotonicMs() + roundEveryMs))
  }

  async #writeRound(): Promise<void> {
    const { world } = this.#parts
    const nowMs = world.monotonicMs()
    // In the order of the tables' keys, so that a batch changes few pages.
    const all = [...this.#due]
      .filter(([, dueMs]) => dueMs <= nowMs)
      .map(([id]) => id)
      .sort()
    for (let batch = 0; batch < batchesOfRound && !this.#isStopped; batch++) {
      const ids = all.slice(batch * rowsOfBatch, (batch + 1) * rowsOfBatch)
      if (ids.length === 0) return
      await this.#writeBatch(ids).catch((error: unknown) => this.#writeEach(ids, error))
      // Lets openings run in between.
      await world.turn()
    }
  }

  /** Writes these gateways in one transaction. Changes meanwhile are written the next time. */
  async #writeBatch(ids: readonly string[]): Promise<void> {
    const taken: (readonly [string, Entry])[] = []
    const spaceIds = ids.flatMap(id => this.find(id)?.spaceId ?? [])
    try {
      await this.#parts.database.write(
        async tx => {
          for (const id of ids) {
            const entry = this.#entries.get(id)
            // It was written meanwhile.
            if (!entry || !this.#due.has(id)) continue
            taken.push([id, entry])
            this.#due.delete(id)
            this.#entries.set(id, { ...entry, additions: [], written: entry.last.heard })
            await writeBeat(tx, id, { ...entry, isOwned: this.#parts.replica.owns(id) })
          }
        },
        { spaceIds },
      )
    } catch (error) {
      for (const [id, { additions, written }] of taken) this.#giveBack(id, additions, written)
      throw error
    }
  }

  /** Writes each gateway alone where the database has refused one of them: only that one is lost. */
  async #writeEach(ids: readonly string[], refusal: unknown): Promise<void> {
    if (!isRefusal(refusal)) throw refusal
    for (const id of ids)
      await this.#writeBatch([id]).catch((error: unknown) => {
        if (!isRefusal(error)) throw error
        const entry = this.#entries.get(id)
        if (entry) this.#entries.set(id, { ...entry, additions: [] })
        this.#due.delete(id)
        measured({ kind: 'refused_beats' })
        this.#complain('the database has refused the beats of a gateway', {
          gatewayId: id,
          why: String(error),
        })
      })
  }

  /** Uncommitted data must be written again, with what was added since. */
  #giveBack(id: string, additions: readonly Addition[], written: Heard | undefined): void {
    const entry = this.#entries.get(id)
    // Not tested: a gateway without an entry; entries are never removed.
    if (!entry) return
    const all = addedUp(additions, entry.additions).slice(-mostAdditions)
    this.#entries.set(id, { ...entry, additions: all, written })
    this.#due.set(id, this.#parts.world.monotonicMs())
  }
}

/** The beats that this run of the cloud has heard. */
export function recentBeats(parts: RecentBeatsParts): RecentBeats {
  return new Memory(parts)
}
