// The body of a delivery: the event as `GET /events` has it, and how an opening has ended. Rendered once.

import type { WebhookMessage } from '@callgate/contract/rest/webhookMessage'
import type { OpeningRow } from '../../core/opening.ts'
import type { DeliveredEvent } from '../../event/deliveryRows.ts'

/** How an opening has ended, as far as its row tells now. */
export type EndedOpening = Pick<OpeningRow, 'status' | 'reason' | 'opened' | 'confidence' | 'safeToRetry'>

function endOf({ confidence, opened, reason, safeToRetry, status }: EndedOpening) {
  return {
    ...{ status, reason, opened, confidence },
    safeToRetry: safeToRetry === null ? null : Boolean(safeToRetry),
  }
}

/** The text that is sent. `ended` is given for `opening.ended`. */
export function renderMessage(
  { at, gateId, kind, memberId, seq, targetId }: Omit<DeliveredEvent, 'spaceId'>,
  ended: EndedOpening | undefined,
): string {
  const ids = { targetId, gateId, memberId }
  const of = { timestamp: at, sequence: seq }
  const message: WebhookMessage = ended
    ? { type: 'opening.ended', ...of, data: { ...ids, ...endOf(ended) } }
    : { type: kind, ...of, data: ids }
  return JSON.stringify(message)
}
