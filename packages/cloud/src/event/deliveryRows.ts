// The SQL of deliveries: which events are sent to which webhooks. A row is written with its event, and only where a webhook is active.

import type { WebhookType } from '@callgate/contract/rest/webhook'
import { isoTime } from '@callgate/world/world'
import { type Db, runSql } from '../database/database.ts'
import { isPostgres } from '../database/dialect.ts'
import { sentQuery } from '../database/pipeline.ts'
import { statement } from '../database/statement.ts'

/** A row of the table `webhookDeliveries`. */
export interface DeliveryRow {
  readonly webhookId: string
  readonly seq: number
  readonly spaceId: string
  readonly kind: WebhookType
  readonly createdAt: string
  /** Null: it was delivered, or given up. */
  readonly nextAttemptAt: string | null
  readonly deliveredAt: string | null
  readonly body: string | null
  readonly attempts: number
  /** A list in JSON. */
  readonly attemptLog: string
}

/** Events of these kinds go to the webhook that they are about, whatever types it has chosen, and to no other. */
const ofOneWebhook = `('webhook.test', 'events.reset')`

/** Whether `event` is sent to `webhook`. A webhook is told of no change of its own. */
const isSent = `"webhook"."spaceId" = "event"."spaceId" and "webhook"."stoppedAt" is null
  and ("webhook"."id" = "event"."targetId") = ("event"."kind" in ${ofOneWebhook})
  and ("event"."kind" in ${ofOneWebhook} or "webhook"."types" is null
    or "webhook"."types" like '%"' || "event"."kind" || '"%')`

/** SQL that writes the deliveries of the events in `source`; more conditions can follow. */
export const deliverySql = (source: string) =>
  `insert into "webhookDeliveries" ("webhookId", "seq", "spaceId", "kind", "createdAt", "nextAttemptAt")
   select "webhook"."id", "event"."seq", "event"."spaceId", "event"."kind", "event"."at", "event"."at"
   from ${source} as "event" join "webhooks" as "webhook" on ${isSent} where true`

/** Writes the deliveries of the events of a Space after a number, which were just written. */
export async function deliverAfter(
  tx: Db,
  { after, spaceId }: { readonly spaceId: string; readonly after: number },
): Promise<void> {
  const sql = `${deliverySql('"events"')} and "event"."spaceId" = ? and "event"."seq" > ?`
  await runSql(tx, sql, [spaceId, after])
}

/**
 * Sends the events from `after` (not included) to `upTo` to one webhook again, those that it was sent before too. Returns how many
 * they are.
 */
export async function deliverAgain(
  tx: Db,
  given: {
    readonly spaceId: string
    readonly webhookId: string
    readonly after: number
    readonly upTo: number
    readonly atMs: number
  },
): Promise<number> {
  const { after, atMs, spaceId, upTo, webhookId } = given
  const place = (number: number) => (isPostgres(tx) ? `$${number}` : '?')
  const sql = `${deliverySql('"events"')} and "event"."spaceId" = ${place(1)} and "webhook"."id" = ${place(2)}
    and "event"."seq" > ${place(3)} and "event"."seq" <= ${place(4)}
    on conflict ("webhookId", "seq") do update set "nextAttemptAt" = ${place(5)}, "attempts" = 0, "deliveredAt" = null
    returning "seq"`
  const rows = await runSql(tx, sql, [spaceId, webhookId, after, upTo, isoTime(atMs)])
  return rows.length
}

/** Sends one event to a webhook again. */
export async function deliverOneAgain(
  tx: Db,
  { atMs, seq, webhookId }: { readonly webhookId: string; readonly seq: number; readonly atMs: number },
): Promise<void> {
  const again = { nextAttemptAt: isoTime(atMs), attempts: 0, deliveredAt: null }
  await tx('webhookDeliveries').where({ webhookId, seq }).update(again)
}

/** Notes whether the Space has an active webhook, after one was added, changed or removed. */
export async function noteWebhooks(tx: Db, spaceId: string): Promise<void> {
  const active = await tx('webhooks').where({ spaceId, stoppedAt: null }).first('id')
  const hasWebhooks = active !== undefined
  await tx('eventCounters')
    .insert({ spaceId, lastSeq: 0, hasWebhooks })
    .onConflict('spaceId')
    .merge({ hasWebhooks })
}

/** Notes that no webhook of any Space is active. */
export async function noteNoWebhooks(tx: Db): Promise<void> {
  await tx('eventCounters').where({ hasWebhooks: true }).update({ hasWebhooks: false })
}

/** The webhooks after a given one that have deliveries waiting; the index leads from one to the next. */
const waitingSql = `
  select * from (select "webhookId" from "webhookDeliveries" where "nextAttemptAt" is not null
    order by "webhookId" limit 1) as "first"
  union all
  select (select "webhookId" from "webhookDeliveries" where "nextAttemptAt" is not null
    and "webhookId" > "turn"."webhookId" order by "webhookId" limit 1)
  from "turn" where "turn"."webhookId" is not null`

/** When the next delivery of a webhook is due. As a single value, Postgres cannot turn it into a join with all of them. */
const earliestSql = `select "nextAttemptAt" from "webhookDeliveries" as "due" where "nextAttemptAt" is not null
  and "due"."webhookId" = "turn"."webhookId" order by "nextAttemptAt" limit 1`

/** The webhooks that have a delivery due. One row of each webhook with waiting deliveries is read. */
export async function dueWebhooks(
  db: Db,
  now: string,
): Promise<readonly { readonly spaceId: string; readonly webhookId: string }[]> {
  return db
    .withRecursive('turn', ['webhookId'], db.raw(waitingSql))
    .from('turn')
    .join('webhooks', 'webhooks.id', 'turn.webhookId')
    .whereRaw(`(${earliestSql}) <= ?`, [now])
    .select('webhooks.spaceId', 'turn.webhookId')
}

/** A delivery that the caller of `claimDeliveries` may now attempt, until `nextAttemptAt`. */
export interface ClaimedDelivery extends Omit<DeliveryRow, 'body' | 'nextAttemptAt' | 'deliveredAt'> {
  readonly body: string
  readonly nextAttemptAt: string
}

/** The event that is delivered. */
export interface DeliveredEvent {
  readonly spaceId: string
  readonly seq: number
  readonly at: string
  readonly kind: WebhookType
  readonly targetId: string
  readonly gateId: string | null
  readonly memberId: string | null
}

type Due = DeliveryRow & DeliveredEvent

const due = statement<{ readonly webhookId: string; readonly now: string; readonly most: number }, Due>(
  (db, { most, now, webhookId }) =>
    db('webhookDeliveries as delivery')
      .join('events as event', join =>
        join.on('event.spaceId', 'delivery.spaceId').andOn('event.seq', 'delivery.seq'),
      )
      .where('delivery.webhookId', webhookId)
      .whereNotNull('delivery.nextAttemptAt')
      .where('delivery.nextAttemptAt', '<=', now)
      .orderBy(['delivery.nextAttemptAt', 'delivery.seq'])
      .limit(most)
      .select('delivery.*', 'event.at', 'event.targetId', 'event.gateId', 'event.memberId'),
)

/**
 * Claims the longest due deliveries of a webhook, at most `most`. A claim that no process ends is due again at `until`, so a
 * delivery is attempted at least once. `render` writes the body, once.
 */
export async function claimDeliveries(
  tx: Db,
  {
    most,
    now,
    render,
    until,
    webhookId,
  }: {
    readonly webhookId: string
    readonly now: string
    readonly until: string
    readonly most: number
    readonly render: (tx: Db, event: DeliveredEvent) => Promise<string>
  },
): Promise<readonly ClaimedDelivery[]> {
  const claimed: ClaimedDelivery[] = []
  for (const { at, gateId, memberId, targetId, ...row } of await due(tx, { webhookId, now, most })) {
    const { kind, spaceId } = row
    const seq = Number(row.seq)
    const body = row.body ?? (await render(tx, { spaceId, seq, at, kind, targetId, gateId, memberId }))
    await sentQuery(
      tx,
      tx('webhookDeliveries').where({ webhookId, seq }).update({ nextAttemptAt: until, body }),
    )
    claimed.push({ ...row, seq, body, nextAttemptAt: until })
  }
  return claimed
}

/** Writes the end of an attempt, where nobody has changed the delivery since it was claimed. */
export async function endDelivery(
  tx: Db,
  { nextAttemptAt, seq, webhookId }: ClaimedDelivery,
  columns: Pick<DeliveryRow, 'nextAttemptAt' | 'deliveredAt' | 'attempts' | 'attemptLog'>,
): Promise<void> {
  await sentQuery(tx, tx('webhookDeliveries').where({ webhookId, seq, nextAttemptAt }).update(columns))
}

/** Gives up whatever waits for a webhook. */
export async function giveUpDeliveries(tx: Db, webhookId: string): Promise<void> {
  await tx('webhookDeliveries')
    .where({ webhookId })
    .whereNotNull('nextAttemptAt')
    .update({ nextAttemptAt: null })
}

/** Forgets everything that was sent to a webhook. */
export async function forgetDeliveries(tx: Db, webhookId: string): Promise<void> {
  await tx('webhookDeliveries').where({ webhookId }).delete()
}

/** The deliveries to a webhook, newest first; before a number, where one is given. */
export async function listDeliveryRows(
  db: Db,
  {
    before,
    most,
    webhookId,
  }: { readonly webhookId: string; readonly before?: number | undefined; readonly most: number },
): Promise<readonly DeliveryRow[]> {
  const query = db<DeliveryRow>('webhookDeliveries').where({ webhookId })
  if (before !== undefined) query.where('seq', '<', before)
  const rows = await query.orderBy('seq', 'desc').limit(most)
  return rows.map(row => ({ ...row, seq: Number(row.seq) }))
}
