// The activity log in the REST API: administrative actions, newest first.

import type { ActivityEntry } from '@callgate/contract/activity'
import { idPrefix } from '@callgate/contract/ids'
import { isProblem } from '@callgate/contract/problem'
import type { Database } from './database.ts'
import type { Handlers } from './http/mount.ts'
import { historyReader } from './paging.ts'

interface ActivityRow extends Omit<ActivityEntry, 'details'> {
  /** JSON. */
  readonly details: string
}

const shownColumns = ['id', 'action', 'actor', 'targetType', 'targetLabel', 'details', 'timestamp'] as const

const readActivity = historyReader<ActivityRow>({
  table: 'activity',
  columns: shownColumns,
  at: 'timestamp',
  idPrefix: idPrefix.activity,
})

function toEntry(row: ActivityRow): ActivityEntry {
  return { ...row, details: JSON.parse(row.details) as ActivityEntry['details'] }
}

/** `{activity}` alone, as specified; with `pagination` when a cursor was sent. */
export function activityHandlers({
  database,
}: {
  readonly database: Database
}): Pick<Handlers, 'listActivity'> {
  return {
    async listActivity({ caller, query }) {
      const { spaceId } = caller
      const history = await readActivity(database.knex, spaceId, query)
      if (isProblem(history)) return history
      const { pagination } = history
      const activity = history.rows.map(toEntry)
      return {
        status: 200,
        body: 'nextCursor' in pagination ? { activity, pagination } : { activity },
      }
    },
  }
}
