// Deep offsets: finds where a page far down a history begins, without skipping all newer rows in one turn.

import { isoTime, type World } from '@callgate/world/world'
import type { PagePosition } from './paging.ts'

/** The number of rows that are skipped in one turn of the event loop: about a millisecond, and ten where SQLite merges. */
const skippedAtOnce = 20_000
/** The number of rows between two marks. */
const markEvery = 1_000
const marksInTurn = 20
/** The limit on marks of all histories together; each takes about 150 bytes. */
const mostMarks = 100_000

/** One history of a Space, as the search steps through it. */
export interface Walk {
  /**
   * The row that is `rows` rows older than `after`; without `after`, counted from the newest row. Undefined where the history
   * ends before.
   */
  older(after: PagePosition | undefined, rows: number): Promise<PagePosition | undefined>
  /** The row that is `rows` rows newer than `after`; without `after`, counted from the oldest row. */
  newer(after: PagePosition | undefined, rows: number): Promise<PagePosition | undefined>
  countNewer(than: PagePosition): Promise<number>
}

/** What a deep offset needs of the world. */
export interface Depth {
  turn(): Promise<void>
  /** No rows are added before this instant any more (RFC 3339). */
  readonly settledBefore: string
}

/** While the cloud runs, its clock is not set back further than this, so older rows have their final order. */
const settledMs = 24 * 60 * 60 * 1000

/** The `Depth` of a history of the Space. */
export function depthOf(world: Pick<World, 'nowMs' | 'turn'>, spaceId: string): Depth {
  return { turn: () => world.turn(spaceId), settledBefore: isoTime(world.nowMs() - settledMs) }
}

/** Where a page begins: `offset` rows after the row `after`, or after the newest; undefined beyond the end. */
export type Start = { readonly after: PagePosition | undefined; readonly offset: number } | undefined

/** Skips rows in pieces, each in a turn of its own. */
export async function skip({ older }: Walk, offset: number, { turn }: Depth): Promise<Start> {
  let after: PagePosition | undefined
  let left = offset
  while (left > skippedAtOnce) {
    after = await older(after, skippedAtOnce)
    if (!after) return undefined
    left -= skippedAtOnce
    await turn()
  }
  return { after, offset: left }
}

/** The number of rows of a wider history that are searched in one turn of the event loop, by one statement. */
export const scannedAtOnce = 5_000

/**
 * The rows of a history that are older than `after`, down to and including `end`. Without `after` they begin with the newest row,
 * without `end` they go on to the oldest.
 */
export interface Piece {
  readonly after: PagePosition | undefined
  readonly end: PagePosition | undefined
}

/** The result for the fitting rows of a piece. */
interface Scanned<Row> {
  count(piece: Piece): Promise<number>
  read(piece: Piece, page: Skipped): Promise<readonly Row[]>
}

interface Skipped {
  readonly offset: number
  readonly rows: number
}

/**
 * Searches a wider history for the rows that fit, where no index holds them alone: in pieces, each in a turn of its own. The
 * pieces after the first one are read by `inTurn`.
 */
export async function scan<Row>(
  wider: Walk,
  { count, read }: Scanned<Row>,
  { offset, rows }: Skipped,
  { inTurn, turn }: Pick<Depth, 'turn'> & { inTurn<T>(read: () => Promise<T>): Promise<T> },
): Promise<readonly Row[]> {
  const found: Row[] = []
  let after: PagePosition | undefined
  let left = offset
  /** Searches the next piece; false where the search is over. */
  async function scanOn(): Promise<boolean> {
    const end = await wider.older(after, scannedAtOnce)
    const piece = { after, end }
    const fitting = left > 0 ? await count(piece) : undefined
    if (fitting !== undefined && fitting <= left) left -= fitting
    else {
      found.push(...(await read(piece, { offset: left, rows: rows - found.length })))
      left = 0
    }
    after = end
    return end !== undefined && found.length < rows
  }
  if (!(await scanOn())) return found
  return inTurn(async () => {
    do await turn()
    while (await scanOn())
    return found
  })
}

/**
 * Marks: every 1,000th row of a history, counted from its oldest one. Rows are never deleted from such a history. The marks are
 * computed at the first deep offset and kept in memory, because a stored count would cost a write for every press.
 */
export class Marks {
  readonly #histories = new Map<string, PagePosition[]>()

  /** `skip` for the whole history `id`. The first search walks through all of it; later ones skip at most 1,000 rows. */
  async find(id: string, walk: Walk, offset: number, depth: Depth): Promise<Start> {
    const marks = this.#histories.get(id) ?? []
    this.#histories.delete(id)
    this.#histories.set(id, marks)
    await this.#extend(marks, walk, depth)
    const last = marks.at(-1)
    if (!last) return skip(walk, offset, depth)
    const rows = marks.length * markEvery + (await walk.countNewer(last))
    // Counted from the oldest row, which is 0.
    const wanted = rows - 1 - offset
    if (wanted < 0) return undefined
    const place = Math.ceil((wanted + 2) / markEvery) - 1
    const after = marks[place]
    return after ? { after, offset: (place + 1) * markEvery - 2 - wanted } : skip(walk, offset, depth)
  }

  async #extend(marks: PagePosition[], { newer }: Walk, { settledBefore, turn }: Depth): Promise<void> {
    for (;;) {
      const known = marks.length
      const next = await newer(marks.at(-1), markEvery)
      if (!next || next.at >= settledBefore) return
      // Another request may have added the mark at the same time.
      if (marks.length > known) continue
      marks.push(next)
      if (marks.length % marksInTurn === 0) {
        this.#forget()
        await turn()
      }
    }
  }

  /** Removes the marks of the histories that were asked for longest ago. */
  #forget(): void {
    let kept = 0
    for (const [id, { length }] of [...this.#histories].reverse()) {
      kept += length
      if (kept > mostMarks && kept > length) this.#histories.delete(id)
    }
  }
}
