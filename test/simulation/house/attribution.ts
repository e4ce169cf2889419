// Attributes calls to openings, and openings to the time of their press.

import type { Span } from './spans.ts'
import type { Call, Row, Truth } from './truth.ts'

/** The opening of a call: the last one of its gateway's Space that was granted for its number before the ATD. */
export function openingOf(
  truth: Truth,
  { atMs, gatewayId, phoneNumber }: Pick<Call, 'atMs' | 'gatewayId' | 'phoneNumber'>,
): Row | undefined {
  const { spaceId } = truth.gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  return truth.rows
    .flatMap(row => (row.grantedMs === null ? [] : [{ row, grantedMs: row.grantedMs }]))
    .filter(({ grantedMs, row }) => row.phoneNumber === phoneNumber && grantedMs <= atMs)
    .filter(({ row }) => spaceId === undefined || row.spaceId === spaceId)
    .sort((a, b) => b.grantedMs - a.grantedMs)[0]?.row
}

/** When the cloud received the press. Where no client got an answer, the time of the row. */
export function pressedMs(truth: Truth, { begunMs, id }: Row): number {
  return truth.accepted.find(({ openingId }) => openingId === id)?.pressedMs ?? begunMs
}

/** How much of the time from `fromMs` to `toMs` lies within the spans. */
export function overlapMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  return spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)),
    0,
  )
}
