// Which opening a call belongs to, and when it was pressed.

import type { Call, Row, Truth } from './truth.ts'

/** The monotonic time of what a row says. */
export const msOf = ({ epochMs }: Truth, iso: string) => Date.parse(iso) + epochMs

/** The granted opening that a call belongs to: the last one granted for its number before it was dialled. */
export function openingOf(
  truth: Truth,
  { atMs, phoneNumber }: Pick<Call, 'atMs' | 'phoneNumber'>,
): Row | undefined {
  return truth.rows
    .flatMap(row => (row.grantedAt ? [{ row, grantedMs: msOf(truth, row.grantedAt) }] : []))
    .filter(({ grantedMs, row }) => row.phoneNumber === phoneNumber && grantedMs <= atMs)
    .sort((a, b) => b.grantedMs - a.grantedMs)[0]?.row
}

/** When the press came to the cloud; by its row where nobody was told of it. */
export function pressedMs(truth: Truth, { calledAt, id }: Row): number {
  return truth.accepted.find(({ openingId }) => openingId === id)?.pressedMs ?? msOf(truth, calledAt)
}
