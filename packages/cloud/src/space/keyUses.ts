// The uses of API keys: counted in memory, and written by days together with the last use of the key.

import { isoTime, type World } from '@callgate/world/world'
import { lastDays } from '../core/days.ts'
import type { Database, Db } from '../database/database.ts'

/** How long the uses of a key are kept. */
const keptDays = 92
const writtenEveryMs = 60_000

export interface KeyUses {
  /** Counts one request. Returns whether an unwritten one is a minute old; another cloud may have written the last use. */
  count(apiKeyId: string): boolean
  /**
   * Writes the last use of the key, and the uses since the previous write. A write costs an fsync, so the caller checks
   * `isUseDue` first. The counts of the last minute before the process ends are lost.
   */
  record(apiKeyId: string): Promise<void>
  /** The uses of the key that are not yet written. */
  pending(apiKeyId: string): number
}

export function createKeyUses({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): KeyUses {
  const counts = new Map<string, number>()
  /** When the first unwritten use was counted. */
  const oldest = new Map<string, number>()
  const pending = (apiKeyId: string) => counts.get(apiKeyId) ?? 0
  return {
    count(apiKeyId) {
      const uses = pending(apiKeyId)
      if (uses === 0) oldest.set(apiKeyId, world.monotonicMs())
      counts.set(apiKeyId, uses + 1)
      return world.monotonicMs() - (oldest.get(apiKeyId) ?? 0) >= writtenEveryMs
    },
    pending,
    async record(apiKeyId) {
      const uses = pending(apiKeyId)
      counts.delete(apiKeyId)
      try {
        const { spaceId, timezone } = await database
          .knex('apiKeys as key')
          .join('spaces as space', 'space.id', 'key.spaceId')
          .where('key.id', apiKeyId)
          .first('key.spaceId', 'space.timezone')
        const write = async (tx: Db) => {
          const nowMs = world.nowMs()
          await tx('apiKeys')
            .where({ id: apiKeyId })
            .update({ lastUsedAt: isoTime(nowMs) })
          const days = lastDays(nowMs, timezone, keptDays)
          await tx('apiKeyUses')
            .insert({ apiKeyId, date: days.at(-1)?.date, uses })
            .onConflict(['apiKeyId', 'date'])
            .merge({ uses: tx.raw('"apiKeyUses"."uses" + excluded."uses"') })
          await tx('apiKeyUses')
            .where({ apiKeyId })
            .where('date', '<', days[0]?.date ?? '')
            .delete()
        }
        await database.write(write, { spaceId })
      } catch (error) {
        counts.set(apiKeyId, pending(apiKeyId) + uses)
        throw error
      }
    },
  }
}

/** The uses of a Space's keys by key and date. */
export async function readKeyUses(
  db: Db,
  spaceId: string,
): Promise<ReadonlyMap<string, ReadonlyMap<string, number>>> {
  const rows: { apiKeyId: string; date: string; uses: number }[] = await db('apiKeyUses')
    .whereIn('apiKeyId', db('apiKeys').where({ spaceId }).select('id'))
    .select('apiKeyId', 'date', 'uses')
  const byKey = new Map<string, Map<string, number>>()
  for (const { apiKeyId, date, uses } of rows) {
    const dates = byKey.get(apiKeyId) ?? new Map<string, number>()
    byKey.set(apiKeyId, dates.set(date, Number(uses)))
  }
  return byKey
}
