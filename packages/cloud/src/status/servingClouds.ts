// The clouds that serve the data now: each notes three times a minute which version it is, since when, and whether it has its broker.

import { hostname } from 'node:os'
import { idPrefix } from '@callgate/contract/idPrefix'
import { newId } from '@callgate/world/ids'
import { limitedLog } from '@callgate/world/limitedLog'
import { repeat } from '@callgate/world/repeat'
import { version } from '@callgate/world/version'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'

export interface ServingCloud {
  readonly machine: string
  readonly version: string
  readonly startedAt: string
  readonly seenAt: string
  /** Whether it was connected to the broker when it was seen. */
  readonly isConnected: boolean
}

const noteEveryMs = 20_000
/** A cloud that was killed counts as serving for this long, where it did not start again. Milliseconds. */
const servesForMs = 2.5 * noteEveryMs
/** How long the row of a cloud that was killed is kept, milliseconds. */
const keptForMs = 24 * 3_600_000

/** Writes the row of a cloud, and deletes those of clouds that cannot serve any more. */
async function note(
  tx: Knex.Transaction,
  row: ServingCloud & { readonly id: string },
  isAlone: boolean,
): Promise<void> {
  const dead = tx('servingClouds').whereNot({ id: row.id })
  if (!isAlone) dead.where('seenAt', '<', isoTime(Date.parse(row.seenAt) - keptForMs))
  await dead.delete()
  await tx('servingClouds').insert(row).onConflict('id').merge()
}

/** Notes this cloud from now on. The returned function ends that, and removes the note. */
export function noteServing(parts: {
  readonly database: Database
  readonly world: World
  readonly isListening: () => boolean
  /** Whether no other cloud can serve the same data. */
  readonly isAlone: boolean
}): () => Promise<void> {
  const { database, isAlone, isListening, world } = parts
  const complain = limitedLog(world)
  const id = newId(world, idPrefix.cloud)
  const startedMs = world.monotonicMs()
  const again = async () => {
    await database.write(
      tx => {
        const nowMs = timeIn(tx, world)
        const startedAt = isoTime(nowMs - Math.floor(world.monotonicMs() - startedMs))
        const seen = { machine: hostname(), version, startedAt, seenAt: isoTime(nowMs) }
        return note(tx, { id, ...seen, isConnected: isListening() }, isAlone)
      },
      { spaceId: null },
    )
  }
  const stop = repeat(world, noteEveryMs, again, why => complain('this cloud was not noted', { why }), 1_000)
  return async () => {
    // A note that is being written would come after the removal.
    await stop()
    await database.write(tx => tx('servingClouds').where({ id }).delete(), { spaceId: null }).catch(() => {})
  }
}

/** The clouds that serve, the oldest first. One that was killed is among them for less than a minute. */
export async function servingClouds(db: Db, nowMs: number): Promise<readonly ServingCloud[]> {
  const rows: ServingCloud[] = await db('servingClouds')
    .select('machine', 'version', 'startedAt', 'seenAt', 'isConnected')
    .where('seenAt', '>', isoTime(nowMs - servesForMs))
    .orderBy(['startedAt', 'id'])
  return rows.map(row => ({ ...row, isConnected: Boolean(row.isConnected) }))
}
