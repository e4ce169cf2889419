// The end of an attempt in the rows: the log of its delivery, when that is tried again, and how its webhook answers.

import type { DeliveryAttempt } from '@callgate/contract/rest/webhook'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { timeIn } from '../database/databaseTime.ts'
import { type ClaimedDelivery, endDelivery } from '../event/deliveryRows.ts'
import { retryAfterMs, retryDelayMs } from './core/retries.ts'
import type { Attempted } from './webhookRequest.ts'
import { applyEnds, type WebhookRow } from './webhookRows.ts'

/** How many attempts the log of a delivery has. */
const mostLogged = 12

/** An attempt that is over. */
export interface EndedAttempt {
  readonly delivery: ClaimedDelivery
  readonly attempted: Attempted
  /** When it began. */
  readonly atMs: number
}

function columnsAfter({ atMs, attempted, delivery }: EndedAttempt, nowMs: number, jitter: number) {
  const { durationMs, error, retryAfter, status } = attempted
  const attempts = delivery.attempts + 1
  const entry: DeliveryAttempt = { at: isoTime(atMs), status, durationMs, error }
  const log = [...(JSON.parse(delivery.attemptLog) as DeliveryAttempt[]), entry].slice(-mostLogged)
  const delayMs = error === null ? undefined : retryDelayMs(attempts, jitter, retryAfterMs(retryAfter, nowMs))
  return {
    attempts,
    attemptLog: JSON.stringify(log),
    deliveredAt: error === null ? isoTime(nowMs) : null,
    nextAttemptAt: delayMs === undefined ? null : isoTime(nowMs + delayMs),
  }
}

/** Writes the ended attempts of a webhook among `ended`. */
export async function writeEnds(
  tx: Knex.Transaction,
  world: World,
  row: WebhookRow,
  ended: readonly EndedAttempt[],
): Promise<void> {
  const own = ended.filter(({ delivery }) => delivery.webhookId === row.id)
  if (own.length === 0) return
  const nowMs = timeIn(tx, world)
  for (const one of own) {
    const [jitter = 0] = world.randomBytes(1)
    await endDelivery(tx, one.delivery, columnsAfter(one, nowMs, jitter))
  }
  if (row.stoppedAt !== null) return
  const ends = own.map(({ atMs, attempted: { error, status } }) => ({
    at: isoTime(atMs),
    isDelivered: error === null,
    isGone: status === 410,
  }))
  await applyEnds(tx, world, row, ends)
}
