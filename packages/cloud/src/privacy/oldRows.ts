// Old rows that name persons and are no longer needed: records of mails, invitations, and mails on alerts.

import { isoTime } from '@callgate/world/world'
import { keptMs as alertsKeptMs } from '../alert/incidentRows.ts'
import type { Db } from '../database/database.ts'
import { recordsKeptMs } from '../mail/mailRecords.ts'
import { keptForMs as tasksKeptMs } from '../task/taskRows.ts'

const rowsAtOnce = 50

/**
 * Deletes some expired rows of the Space. Each kind has its own time, and none is kept longer than names, whose time ends at
 * `before`. An invitation expires by itself. Returns whether there are more.
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
    // A module's answer may contain a name.
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
