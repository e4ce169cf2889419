// The activity log in the REST API: administrative actions, newest first.

import { idPrefix } from '@callgate/contract/idPrefix'
import type { ActivityEntry } from '@callgate/contract/rest/activity'
import { isProblem } from '@callgate/contract/rest/problem'
import { routes } from '@callgate/contract/rest/routes'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { depthOf } from '../database/deepOffset.ts'
import { historyReader } from '../database/paging.ts'
import type { Values } from '../database/statement.ts'
import type { Handlers } from '../http/handler.ts'
import { listPath, pageLinks } from '../http/pageLinks.ts'

interface ActivityRow extends Omit<ActivityEntry, 'details'> {
  /** JSON. */
  readonly details: string
}

const shownColumns = ['id', 'action', 'actor', 'targetType', 'targetLabel', 'details', 'timestamp'] as const

interface ActivityFilter extends Values {
  readonly gateId: string | undefined
  readonly memberId: string | undefined
}

/** Exported for the test of its query plans. */
export const readActivity = historyReader<ActivityRow, ActivityFilter>({
  columns: shownColumns.map(column => `activity.${column}`),
  at: 'timestamp',
  idPrefix: idPrefix.activity,
  fitting(db, { gateId, memberId, spaceId }) {
    // Of the two, the member usually has fewer entries.
    const concernedId = memberId ?? gateId
    if (concernedId === undefined)
      return {
        query: db('activity').where({ 'activity.spaceId': spaceId }),
        at: 'activity.timestamp',
        id: 'activity.id',
      }
    const query = db('activityConcerns as c')
      .join('activity', 'activity.id', 'c.activityId')
      .where({ 'c.spaceId': spaceId, 'c.concernedId': concernedId })
    // Tested for each entry of the member. For an "exists", Postgres would join all entries of both, because it expects that few
    // are shared.
    if (memberId !== undefined && gateId !== undefined) {
      const isShared = db('activityConcerns as g')
        .select('g.activityId')
        .where({ 'g.spaceId': spaceId, 'g.concernedId': gateId })
        .where('g.timestamp', db.ref('c.timestamp'))
        .where('g.activityId', db.ref('c.activityId'))
      query.whereRaw('(?) is not null', [isShared])
    }
    return { query, at: 'c.timestamp', id: 'c.activityId' }
  },
  wider: ({ gateId, memberId }) =>
    memberId === undefined || gateId === undefined ? undefined : { memberId, gateId: undefined },
})

function toEntry(row: ActivityRow): ActivityEntry {
  return { ...row, details: JSON.parse(row.details) as ActivityEntry['details'] }
}

/**
 * The limit on characters of details that are read and written in one turn of the event loop. A changed access may have 20,000.
 */
const longDetails = 200_000
const entriesInPiece = 10

async function* pieces(rows: readonly ActivityRow[]) {
  for (let from = 0; from < rows.length; from += entriesInPiece)
    yield rows.slice(from, from + entriesInPiece).map(row => JSON.stringify(toEntry(row)))
}

/** `{activity}` alone, as specified; with `pagination` when a cursor was sent. */
export function activityHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<Handlers, 'listActivity'> {
  return {
    async listActivity({ principal, query }) {
      const { gateId, memberId, ...page } = query
      const { spaceId } = principal
      const filter = { spaceId, gateId, memberId }
      const history = await readActivity(database.knex, filter, page, depthOf(world, spaceId))
      if (isProblem(history)) return history
      const { hasMore, pagination } = history
      const headers = pageLinks(listPath(principal, routes.listActivity), query, pagination, hasMore)
      const rest = pagination.nextCursor === undefined ? {} : { pagination }
      const length = history.rows.reduce((sum, { details }) => sum + details.length, 0)
      if (length <= longDetails)
        return { status: 200, headers, body: { activity: history.rows.map(toEntry), ...rest } }
      return { list: 'activity', headers, pieces: pieces(history.rows), rest }
    },
  }
}
