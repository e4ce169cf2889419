// Rows that name persons, and are of no use after a time: records of mails, invitations, and mails on alerts.

import { isoTime } from '@callgate/world/world'
import { keptMs as alertsKeptMs } from '../alert/incidentRows.ts'
import type { Db } from '../database/database.ts'
import { recordsKeptMs } from '../mail/mailRecords.ts'
import { keptForMs as tasksKeptMs } from '../task/taskRows.ts'

const rowsAtOnce = 50

/**
 * Deletes some rows of the Space that it does not keep: each has a time of its own, and none is kept for longer than names
 * are, whose time ends at `before`. An invitation ends by itself. Answers whether there are more.
 */
export async function forgetOldRows(
  tx: Db,
  { before, nowMs, spaceId }: { readonly spaceId: string; readonly before: string; readonly nowMs: number },
): Promise<boolean> {
  const since = (ms: number) => [before, isoTime(nowMs - ms)].sort().at(-1) ?? before
  const old = [
    tx('mailRecords').select({ id: 'mailId' }).where('createdAt', '<=', since(recordsKeptMs)),
    tx('userInvitations').select('id').where('expiresAt', '<=', isoTime(nowMs)),
    tx('alertMails').select('id').where('createdAt', '<=', since(alertsKeptMs)),
    tx('incidents').select('id').where('closedAt', '<=', since(alertsKeptMs)),
    // A module's answer may name somebody.
    tx('tasks')
      .select('id')
      .whereNotNull('endedAt')
      .where('createdAt', '<=', isoTime(nowMs - tasksKeptMs)),
  ]
  const tables = [
    ['mailRecords', 'mailId'],
    ['userInvitations', 'id'],
    ['alertMails', 'id'],
    ['incidents', 'id'],
    ['tasks', 'id'],
  ] as const
  let isFull = false
  for (const [place, [table, id]] of tables.entries()) {
    const deleted = await tx(table)
      .where({ spaceId })
      .whereIn(id, old[place]?.where({ spaceId }).limit(rowsAtOnce) ?? [])
      .delete()
    isFull ||= deleted === rowsAtOnce
  }
  return isFull
}
