// Marks data that was restored from a backup, before a cloud serves it, so that nothing older takes effect.

import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { forgetMute } from '../alert/mutes.ts'
import { endingUnknown, type OpeningRow } from '../core/opening.ts'
import { forgetEvents } from '../event/events.ts'
import { endOpening } from '../opening/endOpening.ts'
import { runningOpenings } from '../opening/openingRows.ts'
import { noteRestore } from '../restore/restores.ts'
import { pauseWebhooks } from '../webhook/webhookRows.ts'

/** Why a mail that waited at the backup is not sent. The list of mails shows this text. */
const maybeSent = 'restored from a backup: nobody knows whether it was sent meanwhile'

/**
 * Marks restored data before a cloud serves it. Openings that ran when the backup was made have ended since, and their outcome is
 * unknown: they hold their numbers, their gateways may correct them, and they are never granted again. No boot of a gateway is
 * current, because the backup does not know which one came last. Nobody is signed in, and no mailed link of a user works. The
 * events from before the restore are deleted, and no webhook gets anything until an owner lets it go on. A mute of alerts may
 * have been ended since.
 */
export async function markRestored(
  tx: Knex.Transaction,
  world: World,
  takenAt: string,
): Promise<{ readonly endedOpenings: number; readonly givenUpMails: number }> {
  const now = world.nowMs()
  const leaders: OpeningRow[] = await runningOpenings(tx).whereNull('joinedOpeningId')
  let endedOpenings = 0
  for (const row of leaders) {
    const ended = await endOpening(tx, {
      row,
      end: 'restored',
      ending: endingUnknown('outcome_unknown'),
      atMs: Math.max(now, Date.parse(row.calledAt)),
    })
    endedOpenings += ended.endedIds.length
  }
  const givenUpMails = await tx('outbox')
    .whereNull('sentAt')
    .whereNull('givenUpAt')
    .update({ givenUpAt: isoTime(now), lastError: maybeSent })
  await tx('gateways').where({ isStandIn: false }).update({ bootId: null })
  // Some of them had ended, and some of the links and codes were used or withdrawn.
  for (const table of ['sessions', 'userInvitations', 'passwordResets', 'enrolments'])
    await tx(table).delete()
  await forgetEvents(tx)
  await pauseWebhooks(tx, now)
  await forgetMute(tx)
  await noteRestore(tx, { takenAt, restoredAt: isoTime(now), confirmedAt: null })
  return { endedOpenings, givenUpMails }
}

/** Removes the rows of earlier clouds, none of which lives now: the caller holds the lock of the servers. */
export async function forgetClouds(tx: Knex.Transaction): Promise<void> {
  for (const table of ['replicas', 'clouds', 'openStreams']) await tx(table).delete()
}
