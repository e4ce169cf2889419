// Deliveries in the API: the log of a webhook, a test, and what is sent again.

import { refuse } from '@callgate/contract/app/refusals'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { Delivery, DeliveryAttempt } from '@callgate/contract/rest/webhook'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, recordActivity } from '../activity/activity.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { type DeliveryRow, deliverAgain, deliverOneAgain, listDeliveryRows } from '../event/deliveryRows.ts'
import { readEventsAfter, readNewestSeq } from '../event/eventRows.ts'
import type { Handlers, Principal } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { findWebhook, hostOf, messageId, type WebhookRow } from './webhookRows.ts'

type DeliveryOperation = 'listDeliveries' | 'testWebhook' | 'resendDelivery' | 'resendEvents'

/** How many events one request looks at. */
const mostAgain = 500

function stateOf({ deliveredAt, nextAttemptAt }: DeliveryRow): Delivery['state'] {
  if (nextAttemptAt !== null) return 'waiting'
  return deliveredAt === null ? 'given_up' : 'delivered'
}

function toDelivery(row: DeliveryRow): Delivery {
  return {
    id: messageId(row.spaceId, row.seq),
    type: row.kind,
    sequence: row.seq,
    state: stateOf(row),
    createdAt: row.createdAt,
    nextAttemptAt: row.nextAttemptAt,
    attempts: JSON.parse(row.attemptLog) as DeliveryAttempt[],
  }
}

/** The number of the event in the id of a delivery of a Space; undefined for any other text. */
function seqOf(deliveryId: string, spaceId: string): number | undefined {
  const seq = Number(deliveryId.split('_').at(-1))
  return messageId(spaceId, seq) === deliveryId ? seq : undefined
}

async function findDelivery(db: Db, webhookId: string, seq: number): Promise<DeliveryRow | undefined> {
  const [row] = await listDeliveryRows(db, { webhookId, before: seq + 1, most: 1 })
  return row?.seq === seq ? row : undefined
}

const webhookOf = (db: Db, webhookId: string, { spaceId }: Principal) =>
  findWebhook(db, { id: webhookId, spaceId })

/** The webhook, to which something is sent; a problem where there is none, or it is switched off. */
async function activeWebhook(
  tx: Knex.Transaction,
  webhookId: string,
  principal: Principal,
): Promise<WebhookRow | Problem> {
  const row = await webhookOf(tx, webhookId, principal)
  if (!row) return notFound('webhook')
  return row.stoppedAt === null ? row : refuse('webhook_stopped')
}

async function accepted(tx: Knex.Transaction, webhookId: string, seq: number) {
  const row = await findDelivery(tx, webhookId, seq)
  if (!row) throw new Error('the delivery was just written')
  return { status: 202, body: { delivery: toDelivery(row) } } as const
}

export function deliveryHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<Handlers, DeliveryOperation> {
  async function recordResent(tx: Knex.Transaction, row: WebhookRow, principal: Principal, events: number) {
    const { id: targetId, spaceId } = row
    const of = { spaceId, ...actorOf(principal), targetId, targetLabel: hostOf(row) }
    await recordActivity(tx, world, { ...of, action: 'webhook.resent', details: { events } })
  }

  return {
    async listDeliveries({ params: { webhookId }, principal, query: { before, limit } }) {
      const { knex } = database
      if (!(await webhookOf(knex, webhookId, principal))) return notFound('webhook')
      const rows = await listDeliveryRows(knex, { webhookId, before, most: limit + 1 })
      const deliveries = rows.slice(0, limit).map(toDelivery)
      return { status: 200, body: { deliveries, hasMore: rows.length > limit } }
    },

    testWebhook: ({ params: { webhookId }, principal, write }) =>
      write(async tx => {
        const row = await activeWebhook(tx, webhookId, principal)
        if (isProblem(row)) return row
        const { spaceId } = principal
        const of = { spaceId, ...actorOf(principal), targetId: webhookId, targetLabel: hostOf(row) }
        await recordActivity(tx, world, { ...of, action: 'webhook.test', details: {} })
        return accepted(tx, webhookId, await readNewestSeq(tx, spaceId))
      }),

    resendDelivery: ({ params: { deliveryId, webhookId }, principal, write }) =>
      write(async tx => {
        const row = await activeWebhook(tx, webhookId, principal)
        if (isProblem(row)) return row
        const { spaceId } = principal
        const seq = seqOf(deliveryId, spaceId)
        if (seq === undefined || !(await findDelivery(tx, webhookId, seq))) return notFound('delivery')
        await deliverOneAgain(tx, { webhookId, seq, atMs: timeIn(tx, world) })
        await recordResent(tx, row, principal, 1)
        return accepted(tx, webhookId, seq)
      }),

    resendEvents: ({ body: { after }, params: { webhookId }, principal, write }) =>
      write(async tx => {
        const row = await activeWebhook(tx, webhookId, principal)
        if (isProblem(row)) return row
        const { spaceId } = principal
        // The numbers can have a wide gap, after a restore.
        const found = await readEventsAfter(tx, { spaceId, seq: after, most: mostAgain })
        const lastSequence = found.at(-1)?.seq ?? after
        const given = { spaceId, webhookId, after, upTo: lastSequence, atMs: timeIn(tx, world) }
        const events = await deliverAgain(tx, given)
        if (events > 0) await recordResent(tx, row, principal, events)
        return { status: 202, body: { events, lastSequence, hasMore: found.length === mostAgain } } as const
      }),
  }
}
