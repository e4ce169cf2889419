// Attributes calls to openings, and openings to the time of their press.

import type { Call, Facts, Opening, SentMessage, Span } from './facts.ts'

/** The opening of a call: the last one of its gateway's Space that was granted for its number before the ATD. */
export function openingOf<Row extends Opening>(
  facts: Pick<Facts, 'gateways'> & { readonly rows: readonly Row[] },
  { atMs, gatewayId, phoneNumber }: Pick<Call, 'atMs' | 'gatewayId' | 'phoneNumber'>,
): Row | undefined {
  const { spaceId } = facts.gateways.find(gateway => gateway.gatewayId === gatewayId) ?? {}
  return facts.rows
    .flatMap(row => (row.grantedMs === null ? [] : [{ row, grantedMs: row.grantedMs }]))
    .filter(({ grantedMs, row }) => row.phoneNumber === phoneNumber && grantedMs <= atMs)
    .filter(({ row }) => spaceId === undefined || row.spaceId === spaceId)
    .sort((a, b) => b.grantedMs - a.grantedMs)[0]?.row
}

/** When the cloud received the press; the time of the row where no client got an answer. */
export function pressedMs(facts: Pick<Facts, 'accepted'>, { begunMs, id }: Opening): number {
  return facts.accepted.find(({ openingId }) => openingId === id)?.pressedMs ?? begunMs
}

/** How much of the time from `fromMs` to `toMs` lies within the spans. */
export function overlapMs(spans: readonly Span[], fromMs: number, toMs: number): number {
  return spans.reduce(
    (sum, span) => sum + Math.max(0, Math.min(span.toMs, toMs) - Math.max(span.fromMs, fromMs)),
    0,
  )
}

/** The first message of the claim that was granted for an opening. */
export function claimOf({ sent }: Pick<Facts, 'sent'>, opening: Opening): SentMessage | undefined {
  return sent.find(
    ({ kind, nonce, openingId }) =>
      kind === 'claim' && openingId === opening.id && nonce === opening.grantNonce,
  )
}

/** How long the gateway's machine stalled between the claim and `toMs`. No program on that machine can measure it. */
export function unseenMs(facts: Pick<Facts, 'gateways' | 'sent'>, opening: Opening, toMs: number): number {
  const { stood = [] } = facts.gateways.find(({ gatewayId }) => gatewayId === opening.gatewayId) ?? {}
  return overlapMs(stood, claimOf(facts, opening)?.atMs ?? toMs, toMs)
}
