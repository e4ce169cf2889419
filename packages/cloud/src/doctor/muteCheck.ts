// The doctor's check of alerts: whether they are muted, so that silence is not taken for health.

import type { World } from '@callgate/world/world'
import { findMute } from '../alert/mutes.ts'
import type { Config } from '../config.ts'
import { type Found, fine, warning } from './check.ts'
import { inData } from './readData.ts'

/** Whether alerts are told by mail now. */
export const checkMute = (world: World, config: Config): Promise<Found> =>
  inData({ config, what: 'whether alerts are muted', world }, async database => {
    const mute = await findMute({ database, world })
    return mute
      ? warning(
          `They are muted until ${mute.endsAt}: ${mute.why}. Nobody is told by mail`,
          'Where the work is done: "callgate alerts unmute".',
        )
      : fine('They are told by mail')
  })
