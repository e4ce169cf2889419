// The SQL of webhooks: their rows, what becomes of one after attempts, and how one is switched off.

import { idPrefix } from '@callgate/contract/idPrefix'
import type { WebhookStop, WebhookType } from '@callgate/contract/rest/webhook'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorWithoutId, recordActivity } from '../activity/activity.ts'
import type { Db } from '../database/database.ts'
import { giveUpDeliveries, noteNoWebhooks, noteWebhooks } from '../event/deliveryRows.ts'
import { recordEvents } from '../event/events.ts'
import { type AttemptEnd, healthAfter, type WebhookHealth } from './core/retries.ts'

/** A row of the table `webhooks`. */
export interface WebhookRow extends WebhookHealth {
  readonly id: string
  readonly spaceId: string
  readonly url: string
  readonly description: string | null
  /** A list in JSON; null: every type. */
  readonly types: string | null
  readonly secretSealed: string
  /** The secret before, which is used beside the new one until `previousEndsAt`. */
  readonly previousSealed: string | null
  readonly previousEndsAt: string | null
  /** Null: it is active. */
  readonly stoppedAt: string | null
  readonly stoppedWhy: WebhookStop | null
  readonly createdAt: string
}

const readRow = (row: WebhookRow): WebhookRow => ({
  ...row,
  failures: Number(row.failures),
  isReached: Boolean(row.isReached),
})

/** The types in a row. */
export const typesOf = ({ types }: Pick<WebhookRow, 'types'>): WebhookType[] | null =>
  types === null ? null : (JSON.parse(types) as WebhookType[])

/** The name by which the activity and incidents call a webhook: its host. The rest of an address can hold a token. */
export const hostOf = ({ url }: Pick<WebhookRow, 'url'>): string => new URL(url).host

/** The context with which the secret of a webhook is sealed. */
export const webhookSecretPlace = (id: string) => `webhook ${id}`

export async function findWebhook(
  db: Db,
  at: { readonly id: string; readonly spaceId: string },
): Promise<WebhookRow | undefined> {
  const row = await db<WebhookRow>('webhooks').where(at).first()
  return row && readRow(row as WebhookRow)
}

/** The webhooks of a Space, oldest first. */
export async function listWebhookRows(db: Db, spaceId: string): Promise<readonly WebhookRow[]> {
  const rows: WebhookRow[] = await db('webhooks').where({ spaceId }).orderBy(['createdAt', 'id'])
  return rows.map(readRow)
}

/** Writes changes of a webhook, and whether its Space has an active one. */
export async function changeWebhook(
  tx: Db,
  { id, spaceId }: Pick<WebhookRow, 'id' | 'spaceId'>,
  columns: Partial<WebhookRow>,
): Promise<void> {
  await tx('webhooks').where({ id, spaceId }).update(columns)
  if (columns.stoppedAt !== undefined) await noteWebhooks(tx, spaceId)
  if (columns.stoppedAt) await giveUpDeliveries(tx, id)
}

/** Lets a webhook go on after a pause, in which nothing was sent to it. */
export const goingOn = {
  stoppedAt: null,
  stoppedWhy: null,
  failures: 0,
  failingSince: null,
} as const

/** Tells a webhook that events were not sent to it. */
export async function tellReset(
  tx: Db,
  { id, spaceId }: Pick<WebhookRow, 'id' | 'spaceId'>,
  atMs: number,
): Promise<void> {
  await recordEvents(tx, spaceId, [{ kind: 'events.reset', targetId: id, atMs }])
}

/** Applies the ends of attempts to their webhook: how it answers, and whether it is switched off. */
export async function applyEnds(
  tx: Knex.Transaction,
  world: World,
  row: WebhookRow,
  ends: readonly AttemptEnd[],
): Promise<void> {
  let health: ReturnType<typeof healthAfter> = { ...row, stops: undefined }
  for (const end of ends) {
    health = healthAfter(health, end)
    if (health.stops) break
  }
  const { failingSince, failures, isReached, stops } = health
  const isSame = failures === row.failures && failingSince === row.failingSince && isReached === row.isReached
  if (isSame) return
  const stopped = stops && { stoppedAt: isoTime(world.nowMs()), stoppedWhy: stops }
  await changeWebhook(tx, row, { failures, failingSince, isReached, ...stopped })
  if (!stops) return
  const of = { spaceId: row.spaceId, ...actorWithoutId('system'), targetId: row.id, targetLabel: hostOf(row) }
  await recordActivity(tx, world, { ...of, action: 'webhook.stopped', details: { why: stops } })
}

/** Pauses every webhook of restored data, so that a copy sends nothing before an owner lets it go on. */
export async function pauseWebhooks(tx: Db, nowMs: number): Promise<void> {
  await tx('webhooks')
    .whereNull('stoppedAt')
    .update({ stoppedAt: isoTime(nowMs), stoppedWhy: 'restored' })
  await noteNoWebhooks(tx)
}

/** Tells every active webhook, of one Space or of all, that events may be missing after a loss of data. */
export async function tellResets(tx: Db, spaceId: string | undefined, atMs: number): Promise<void> {
  const query = tx<WebhookRow>('webhooks').whereNull('stoppedAt')
  if (spaceId !== undefined) query.where({ spaceId })
  for (const row of await query.orderBy('id')) await tellReset(tx, row, atMs)
}

/** The `webhook-id` of an event: the same for every webhook and every attempt. */
export const messageId = (spaceId: string, seq: number) =>
  `msg_${spaceId.slice(idPrefix.space.length + 1)}_${seq}`
