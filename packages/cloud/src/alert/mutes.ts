// The mute of alerts: one row, which the operator writes before planned work. It ends by itself.

import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { isPostgres } from '../database/dialect.ts'
import { isAhead, isMuted, type Mute, muteAfter, muteLimits } from './core/mute.ts'

export type { Mute }
export const mostMutedMs = muteLimits.mostMs

/** The row: the last mute, which may be over. Undefined before the first one. */
export async function lastMute(db: Db): Promise<Mute | undefined> {
  return db('alertMutes').first('startedAt', 'endsAt', 'why')
}

interface MuteParts {
  readonly database: Database
  readonly world: Pick<World, 'nowMs'>
}

/** The last mute, and the time by which it is judged: that of the database, by which it was written. */
async function lastMuteNow({ database, world }: MuteParts) {
  const last = await lastMute(database.knex)
  if (!last) return undefined
  const nowMs = isPostgres(database.knex)
    ? await database.write(async tx => timeIn(tx, world), { spaceId: null })
    : world.nowMs()
  return { last, nowMs }
}

/** The mute that holds now. */
export async function findMute(parts: MuteParts): Promise<Mute | undefined> {
  const found = await lastMuteNow(parts)
  return found && isMuted(found.last, found.nowMs) ? found.last : undefined
}

/** Removes a mute from before the clock was set back. */
export async function dropMuteAhead(parts: MuteParts): Promise<void> {
  const found = await lastMuteNow(parts)
  if (found && isAhead(found.last, found.nowMs))
    await parts.database.write(tx => tx('alertMutes').where(found.last).delete())
}

/** Removes the last mute, whether it holds or not. */
export async function forgetMute(tx: Db): Promise<void> {
  await tx('alertMutes').delete()
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
    const last = await lastMute(tx)
    if (!last || !isMuted(last, nowMs)) return undefined
    await setMute(tx, { ...last, endsAt: isoTime(nowMs) })
    return last
  })
}
