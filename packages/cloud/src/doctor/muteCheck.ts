// The doctor's check of alerts: whether they are muted, so that silence is not taken for health.

import type { World } from '@callgate/world/world'
import { findMute } from '../alert/mutes.ts'
import type { Config } from '../config.ts'
import { type Found, fine, unknown, warning } from './check.ts'
import { openFor } from './signingKeyCheck.ts'

export async function checkMute(world: World, config: Config): Promise<Found> {
  const database = await openFor(config).catch(() => undefined)
  if (!database) return unknown('The database cannot be read, so nobody knows whether alerts are muted')
  try {
    const mute = await findMute(database.knex, world.nowMs())
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
