// Incidents in the dashboard's API: open ones, closed ones, and whether a user is notified of them.

import { type Incident, openListed } from '@callgate/contract/app/incident'
import type { IncidentKind } from '@callgate/contract/app/incidentKinds'
import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import { actorOf } from '../activity/activity.ts'
import { countRows, type Database, type Db } from '../database/database.ts'
import { historyReader } from '../database/paging.ts'
import type { Values } from '../database/statement.ts'
import type { AppHandlers } from '../http/handler.ts'
import { chooseAlerts } from '../user/users.ts'
import { type IncidentRow, keptMs, targetNames } from './incidentRows.ts'
import { findMute } from './mutes.ts'

const typeOf: Readonly<Record<IncidentKind, Incident['target']['type']>> = {
  gateway_offline: 'gateway',
  signal_low: 'gateway',
  supply_low: 'gateway',
  sim_card: 'gateway',
  gate_not_reacting: 'gate',
  gate_drifted: 'gate',
  mail_failing: 'space',
  webhook_stopped: 'webhook',
}

async function toIncidents(db: Db, rows: readonly IncidentRow[]): Promise<Incident[]> {
  const names = await targetNames(db, rows)
  return rows.map(({ closedAt, figure, id, kind, openedAt, seenAt, targetId }) => ({
    id,
    kind,
    target: { type: typeOf[kind], id: targetId, name: names.get(targetId) ?? null },
    seenAt,
    // Only incidents that were opened are read.
    openedAt: openedAt ?? seenAt,
    closedAt,
    figure,
  }))
}

/** Exported for the test of its query plan. */
export const readPast = historyReader<IncidentRow, Values>({
  columns: ['id', 'spaceId', 'kind', 'targetId', 'seenAt', 'openedAt', 'closedAt', 'figure'],
  at: 'openedAt',
  idPrefix: idPrefix.incident,
  fitting: (db, { spaceId }) => ({
    query: db('incidents').where({ spaceId }).whereNotNull('openedAt').whereNotNull('closedAt'),
    at: 'openedAt',
    id: 'id',
  }),
})

const noChoice: Problem = {
  problem: 'validation_error',
  message: 'The operator has no choice of their own: change the user.',
}

export function incidentHandlers({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<AppHandlers, 'listIncidents' | 'listPastIncidents' | 'updateOwnAlerts'> {
  const { knex } = database
  return {
    async listIncidents({ principal }) {
      const goingOn = () =>
        knex('incidents').where({ spaceId: principal.spaceId, closedAt: null }).whereNotNull('openedAt')
      const rows: IncidentRow[] = await goingOn()
        .orderBy([
          { column: 'openedAt', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(openListed)
      const total = rows.length < openListed ? rows.length : await countRows(goingOn())
      const muted = await findMute({ database, world })
      const mute = muted ? { endsAt: muted.endsAt, why: muted.why } : null
      return { status: 200, body: { incidents: await toIncidents(knex, rows), total, mute } }
    },

    async listPastIncidents({ principal, query }) {
      const { cursor = '', limit } = query
      const from = isoTime(world.nowMs() - keptMs)
      const past = await readPast(knex, { spaceId: principal.spaceId }, { limit, cursor, from })
      if (isProblem(past)) return past
      const { nextCursor = null } = past.pagination
      return {
        status: 200,
        body: { incidents: await toIncidents(knex, past.rows), pagination: { limit, nextCursor } },
      }
    },

    updateOwnAlerts: ({ body, principal, write }) =>
      write(async tx => {
        const { getsAlerts } = body
        const { identity, name, spaceId } = principal
        if (identity.kind !== 'user') return noChoice
        const user = { id: identity.userId, name }
        await chooseAlerts(tx, world, user, { spaceId, getsAlerts, by: actorOf(principal) })
        return { status: 200, body: { getsAlerts } } as const
      }),
  }
}
