// Gateways that are shut out for an hour, because they send more than any working gateway.

import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorWithoutId, recordActivity } from '../activity/activity.ts'
import { timeIn } from '../database/databaseTime.ts'

export const cutOffForMs = 3_600_000

/**
 * Whether a gateway is shut out for sending too much. A cut-off lasts an hour. One that seems to last longer was written before a
 * clock was set.
 */
export function isCutOff({ cutOffUntil }: { readonly cutOffUntil: string | null }, nowMs: number): boolean {
  const leftMs = cutOffUntil === null ? 0 : Date.parse(cutOffUntil) - nowMs
  return leftMs > 0 && leftMs <= cutOffForMs
}

/** The kind of messages that there were too many of, in the words of the activity. */
export type TooMany = 'reports' | 'starts' | 'beats' | 'claims'

/**
 * Shuts the gateway out for an hour, and records that in the Space's activity, once where several clouds notice it. Returns the
 * end, as ISO 8601.
 */
export async function cutOff(
  tx: Knex.Transaction,
  world: World,
  gatewayId: string,
  tooMany: TooMany,
): Promise<string> {
  const nowMs = timeIn(tx, world)
  const until = isoTime(nowMs + cutOffForMs)
  const row = await tx('gateways').where({ id: gatewayId }).first('spaceId', 'name', 'cutOffUntil')
  if (!row) return until
  const { cutOffUntil, name, spaceId } = row
  if (isCutOff({ cutOffUntil }, nowMs)) return cutOffUntil
  await tx('gateways').where({ id: gatewayId }).update({ cutOffUntil: until })
  const of = { spaceId, ...actorWithoutId('system'), targetId: gatewayId, targetLabel: name }
  await recordActivity(tx, world, { ...of, action: 'gateway.cut_off', details: { tooMany, until } })
  return until
}
