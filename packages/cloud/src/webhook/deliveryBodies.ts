// The body of a delivery from the rows: the event, and the opening that has ended.

import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { DeliveredEvent } from '../event/deliveryRows.ts'
import { type EndedOpening, renderMessage } from './core/deliveryMessage.ts'

const endOf = statement<{ readonly id: string; readonly spaceId: string }, EndedOpening>((db, place) =>
  db('openings').where(place).select('status', 'reason', 'opened', 'confidence', 'safeToRetry'),
)

/** The text that is sent for an event. It has ids and how an opening has ended, so that an erasure has nothing to erase there. */
export async function renderDelivery(db: Db, event: DeliveredEvent): Promise<string> {
  const { kind, spaceId, targetId } = event
  const [ended] = kind === 'opening.ended' ? await endOf(db, { id: targetId, spaceId }) : []
  return renderMessage(event, ended)
}
