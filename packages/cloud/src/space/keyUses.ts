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

interface DueKeys {
  readonly spaceId: string
  readonly timezone: string
  readonly ids: readonly string[]
}

/** Adds the uses of a key to those of the day, and deletes days that are too old. */
async function writeUses(
  tx: Db,
  {
    apiKeyId,
    nowMs,
    timezone,
    uses,
  }: {
    readonly apiKeyId: string
    readonly uses: number
    readonly timezone: string
    readonly nowMs: number
  },
): Promise<void> {
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

/**
 * Makes a function that adds a key to those of its Space that are written together, once the write of the Space that runs has
 * ended: a commit takes a sync of the disk.
 */
function inBatches(writeAll: (due: DueKeys) => Promise<void>) {
  const waiting = new Map<string, { readonly ids: string[]; readonly written: Promise<void> }>()
  const running = new Map<string, Promise<void>>()
  return ({ spaceId, timezone }: Omit<DueKeys, 'ids'>, apiKeyId: string): Promise<void> => {
    const others = waiting.get(spaceId)
    if (others) {
      others.ids.push(apiKeyId)
      return others.written
    }
    const ids = [apiKeyId]
    const before = running.get(spaceId)
    const written = (async () => {
      await before
      waiting.delete(spaceId)
      await writeAll({ ids, spaceId, timezone })
    })()
    const end = () => {
      if (running.get(spaceId) === ended) running.delete(spaceId)
    }
    const ended = written.then(end, end)
    running.set(spaceId, ended)
    waiting.set(spaceId, { ids, written })
    return written
  }
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
  /** The keys whose last use is being written. */
  const writing = new Map<string, Promise<void>>()
  const pending = (apiKeyId: string) => counts.get(apiKeyId) ?? 0

  /** Writes the uses of some keys of a Space in one transaction. */
  async function writeAll({ ids, spaceId, timezone }: DueKeys): Promise<void> {
    const used = ids.map(apiKeyId => ({ apiKeyId, uses: pending(apiKeyId) }))
    for (const id of ids) counts.delete(id)
    try {
      await database.write(
        async tx => {
          const nowMs = world.nowMs()
          for (const key of used) await writeUses(tx, { ...key, timezone, nowMs })
        },
        { spaceId },
      )
    } catch (error) {
      for (const { apiKeyId, uses } of used) counts.set(apiKeyId, pending(apiKeyId) + uses)
      throw error
    }
  }

  async function write(apiKeyId: string): Promise<void> {
    const { spaceId, timezone }: Omit<DueKeys, 'ids'> = await database
      .knex('apiKeys as key')
      .join('spaces as space', 'space.id', 'key.spaceId')
      .where('key.id', apiKeyId)
      .first('key.spaceId', 'space.timezone')
    return together({ spaceId, timezone }, apiKeyId)
  }
  const together = inBatches(writeAll)

  return {
    count(apiKeyId) {
      const uses = pending(apiKeyId)
      if (uses === 0) oldest.set(apiKeyId, world.monotonicMs())
      counts.set(apiKeyId, uses + 1)
      return world.monotonicMs() - (oldest.get(apiKeyId) ?? 0) >= writtenEveryMs
    },
    pending,
    record(apiKeyId) {
      // Until the first write of a key has ended, all its requests find it due. With a slow disk each would add a write.
      const written = writing.get(apiKeyId) ?? write(apiKeyId).finally(() => writing.delete(apiKeyId))
      writing.set(apiKeyId, written)
      return written
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
