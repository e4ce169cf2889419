// Which opening a call belongs to, and when it was pressed.

import type { Span } from './gatewaySide.ts'
import type { Call, Row, Truth } from './truth.ts'

/** The granted opening that a call belongs to: the last one granted for its number before it was dialled. */
export function openingOf(
  truth: Truth,
  { atMs, phoneNumber }: Pick<Call, 'atMs' | 'phoneNumber'>,
): Row | undefined {
  return truth.rows
    .flatMap(row => (row.grantedMs === null ? [] : [{ row, grantedMs: row.grantedMs }]))
    .filter(({ grantedMs, row }) => row.phoneNumber === phoneNumber && grantedMs <= atMs)
    .sort((a, b) => b.grantedMs - a.grantedMs)[0]?.row
}

/** When the press came to the cloud; by its row where nobody was told of it. */
export function pressedMs(truth: Truth, { begunMs, id }: Row): number {
  return truth.accepted.find(({ openingId }) => openingId === id)?.pressedMs ?? begunMs
}

/** How much of the time between the two was within the spans. */
export function overlapMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  return spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)),
    0,
  )
}
