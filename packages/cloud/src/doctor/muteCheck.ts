// The doctor's check of alerts: whether they are muted, so that silence is not taken for health.

import type { World } from '@callgate/world/world'
import { findMute } from '../alert/mutes.ts'
import type { Config } from '../config.ts'
import { openData } from '../database/openData.ts'
import { type Found, fine, unknown, warning } from './check.ts'

/** How long it waits for the lock of another program, milliseconds. */
const waitsMs = 2_000

export async function checkMute(world: World, config: Config): Promise<Found> {
  const patience = { world, withinMs: waitsMs }
  const asked = { url: config.databaseUrl, world, patience, onlyReads: true, mustExist: true } as const
  const database = await openData(asked).catch(() => undefined)
  if (!database) return unknown('The database cannot be read, so nobody knows whether alerts are muted')
  try {
    const mute = await findMute({ database, world })
    return mute
      ? warning(
          `They are muted until ${mute.endsAt}: ${mute.why}. Nobody is told by mail`,
          'Where the work is done: "callgate alerts unmute".',
        )
      : fine('They are told by mail')
  } finally {
    await database.close()
  }
}
