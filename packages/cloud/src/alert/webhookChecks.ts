// Checks for webhooks that were switched off by themselves.

import type { Database } from '../database/database.ts'
import type { WebhookRow } from '../webhook/webhookRows.ts'
import type { GoingOn, IncidentCheck } from './incidentRows.ts'

const kind = 'webhook_stopped'

/** Checks every webhook that answered 410 or failed for days, and those whose incident goes on. */
export async function checkWebhooks(
  { database: { knex } }: { readonly database: Database },
  goingOn: GoingOn,
): Promise<readonly IncidentCheck[]> {
  const stopped = await knex<WebhookRow>('webhooks')
    .whereIn('stoppedWhy', ['gone', 'failing'])
    .select('id', 'spaceId', 'stoppedAt')
  const bad = stopped.map(
    ({ id: targetId, spaceId, stoppedAt }): IncidentCheck => ({
      ...{ spaceId, targetId, kind, seen: 'bad' },
      ...(stoppedAt !== null && { sinceMs: Date.parse(stoppedAt) }),
    }),
  )
  const known = new Set(stopped.map(({ id }) => id))
  const open = [...goingOn.values()].filter(one => one.kind === kind && !known.has(one.targetId))
  const ids = open.map(({ targetId }) => targetId)
  const active: string[] = await knex('webhooks').whereIn('id', ids).whereNull('stoppedAt').pluck('id')
  const over = open.map(({ spaceId, targetId }): IncidentCheck => {
    // A webhook that a person has removed or switched off is nobody's trouble any more.
    return { spaceId, targetId, kind, seen: active.includes(targetId) ? 'well' : 'gone' }
  })
  return [...bad, ...over]
}
