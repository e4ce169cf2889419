// What the sender has to do for a Space: claimed deliveries, running attempts, and ends to be written.

import type { ClaimedDelivery } from '../event/deliveryRows.ts'
import type { EndedAttempt } from './deliveryEnds.ts'
import type { WebhookRow } from './webhookRows.ts'

/** What this process knows of a webhook with claimed deliveries. */
export interface KnownWebhook {
  row: WebhookRow
  secrets: readonly string[]
  readonly queue: ClaimedDelivery[]
  running: number
}

/** The work for one Space. */
export interface SpaceWork {
  readonly spaceId: string
  readonly webhooks: Map<string, KnownWebhook>
  ended: EndedAttempt[]
  running: number
  /** Whether more may be due. */
  isStale: boolean
  isWriting: boolean
}

/** No work yet. */
export const newWork = (spaceId: string): SpaceWork => ({
  spaceId,
  webhooks: new Map(),
  ended: [],
  running: 0,
  isStale: false,
  isWriting: false,
})
