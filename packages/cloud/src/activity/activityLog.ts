// The activity log in the REST API: administrative actions, newest first.

import { idPrefix } from '@callgate/contract/idPrefix'
import type { ActivityEntry } from '@callgate/contract/rest/activity'
import { isProblem } from '@callgate/contract/rest/problem'
import type { Database } from '../database/database.ts'
import { historyReader } from '../database/paging.ts'
import type { Handlers } from '../http/handler.ts'

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

/** Characters of details that are read and written in one turn of the event loop. A changed access may hold 20,000. */
const longDetails = 200_000
const entriesInPiece = 10

async function* pieces(rows: readonly ActivityRow[]) {
  for (let from = 0; from < rows.length; from += entriesInPiece)
    yield rows.slice(from, from + entriesInPiece).map(toEntry)
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
      const rest = 'nextCursor' in pagination ? { pagination } : {}
      const length = history.rows.reduce((sum, { details }) => sum + details.length, 0)
      if (length <= longDetails)
        return { status: 200, body: { activity: history.rows.map(toEntry), ...rest } }
      return { list: 'activity', pieces: pieces(history.rows), rest }
    },
  }
}
