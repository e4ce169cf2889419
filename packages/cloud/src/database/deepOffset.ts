// Deep offsets: where a page far down a history begins, without a skip of all that is newer in one turn.

import { isoTime, type World } from '@callgate/world/world'
import type { PagePosition } from './paging.ts'

/** Rows that are skipped in one turn of the event loop: about a millisecond. */
const skippedAtOnce = 20_000
/** Rows from one mark to the next. */
const markEvery = 1_000
const marksInTurn = 20
/** Marks that are kept of all histories together; each is about 150 bytes. */
const mostMarks = 100_000

/** One history of a Space, as it is walked through. */
export interface Walk {
  /** The row so many rows older than `after`, or than the newest; undefined where the history ends before. */
  older(after: PagePosition | undefined, rows: number): Promise<PagePosition | undefined>
  /** The row so many rows newer than `after`, or than the oldest. */
  newer(after: PagePosition | undefined, rows: number): Promise<PagePosition | undefined>
  countNewer(than: PagePosition): Promise<number>
}

/** What a deep offset needs of the world. */
export interface Depth {
  turn(): Promise<void>
  /** No row is added before this instant any more (RFC 3339). */
  readonly settledBefore: string
}

/** The clock of the cloud is not set back further than this while it runs, so older rows have their final order. */
const settledMs = 24 * 60 * 60 * 1000

/** What a deep offset in a history of the Space needs. */
export function depthOf(world: Pick<World, 'nowMs' | 'turn'>, spaceId: string): Depth {
  return { turn: () => world.turn(spaceId), settledBefore: isoTime(world.nowMs() - settledMs) }
}

/** Where a page begins: `offset` rows after the row `after`, or after the newest; undefined beyond the end. */
export type Start = { readonly after: PagePosition | undefined; readonly offset: number } | undefined

/** Skips in pieces, each in a turn of its own. */
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

/** Rows of a wider history that are looked through in one turn of the event loop, and by one statement. */
export const scannedAtOnce = 5_000

/** The rows of a history that are older than `after`, down to `end` with it; without them, from the newest or to the oldest. */
export interface Piece {
  readonly after: PagePosition | undefined
  readonly end: PagePosition | undefined
}

/** What is read of the rows in a piece that fit. */
interface Scanned<Row> {
  count(piece: Piece): Promise<number>
  read(piece: Piece, page: Skipped): Promise<readonly Row[]>
}

interface Skipped {
  readonly offset: number
  readonly rows: number
}

/**
 * Looks for the rows that fit among those of a wider history, where no index holds them alone: in pieces, each in a turn of
 * its own. What is beyond the first piece is read by `inTurn`.
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
  /** Whether there is another piece to look through. */
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
 * Marks: every 1,000th row of a history, counted from its oldest one, of which nothing is ever taken away. They are found
 * when a deep offset is first asked for and kept in memory, since a count that each press wrote would cost every press.
 */
export class Marks {
  readonly #histories = new Map<string, PagePosition[]>()

  /** `skip` for the whole history `id`: the first time it walks through it, later it skips 1,000 rows at most. */
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
      // Another request may have found it at the same time.
      if (marks.length > known) continue
      marks.push(next)
      if (marks.length % marksInTurn === 0) {
        this.#forget()
        await turn()
      }
    }
  }

  /** Forgets the histories that were asked for longest ago. */
  #forget(): void {
    let kept = 0
    for (const [id, { length }] of [...this.#histories].reverse()) {
      kept += length
      if (kept > mostMarks && kept > length) this.#histories.delete(id)
    }
  }
}
