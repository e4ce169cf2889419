// The mute of alerts: one row, which the operator writes before planned work. It ends by itself.

import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { isAhead, isMuted, type Mute, muteAfter, muteLimits } from './core/mute.ts'

export type { Mute }
export const mostMutedMs = muteLimits.mostMs

/** The row: the last mute, which may be over. Undefined before the first one. */
async function lastMute(db: Db): Promise<Mute | undefined> {
  return db('alertMutes').first('startedAt', 'endsAt', 'why')
}

/** The mute that holds at `nowMs`. */
export async function findMute(db: Db, nowMs: number): Promise<Mute | undefined> {
  const last = await lastMute(db)
  return last && isMuted(last, nowMs) ? last : undefined
}

interface MuteParts {
  readonly database: Database
  readonly world: World
}

/** Removes a mute from before the clock was set back. */
export async function dropMuteAhead({ database, world }: MuteParts): Promise<void> {
  const last = await lastMute(database.knex)
  if (last && isAhead(last, world.nowMs())) await database.write(tx => tx('alertMutes').where(last).delete())
}

/** Writes the row. */
export async function setMute(tx: Db, mute: Mute): Promise<void> {
  await tx('alertMutes')
    .insert({ id: 1, ...mute })
    .onConflict('id')
    .merge()
}

/** Mutes alerts from now on. */
export function muteAlerts(
  { database, world }: MuteParts,
  asked: { readonly forMs: number; readonly why: string },
): Promise<ReturnType<typeof muteAfter>> {
  return database.write(async tx => {
    const after = muteAfter(await lastMute(tx), { ...asked, nowMs: timeIn(tx, world) })
    if (after.ok) await setMute(tx, after.mute)
    return after
  })
}

/** Ends the mute that holds; undefined where none does. */
export function unmuteAlerts({ database, world }: MuteParts): Promise<Mute | undefined> {
  return database.write(async tx => {
    const nowMs = timeIn(tx, world)
    const mute = await findMute(tx, nowMs)
    if (mute) await setMute(tx, { ...mute, endsAt: isoTime(nowMs) })
    return mute
  })
}
