// Openings in the REST API: the list, and one with its evidence.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import { sayReason } from '@callgate/contract/call/sayReason'
import type { Opening, OpeningEvidence, Queue } from '@callgate/contract/rest/opening'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { routes } from '@callgate/contract/rest/routes'
import type { World } from '@callgate/world/world'
import { reachesGate } from '../core/keyRights.ts'
import { endingOf, type OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { depthOf } from '../database/deepOffset.ts'
import type { Handlers, Principal } from '../http/handler.ts'
import { listPath, pageLinks } from '../http/pageLinks.ts'
import type { GatewaysSeen } from '../opening/exchange.ts'
import { findOpeningOf } from '../opening/openingRows.ts'
import { type EndReport, endReport } from '../opening/reportRecord.ts'
import { type OpeningFilter, openingReader } from './openingReader.ts'
import { readQueue } from './queues.ts'

const noOpening: Problem = { problem: 'not_found', message: 'There is no opening with this id.' }

export const shownColumns = [
  'id',
  'gateId',
  'gateName',
  'status',
  'reason',
  'safeToRetry',
  'calledAt',
  'completedAt',
  'actorType',
  'actorName',
  'actorEmail',
] as const
type ShownRow = Pick<OpeningRow, (typeof shownColumns)[number]>

/** The opening as the API answers it. */
export function toOpening(row: ShownRow): Opening {
  const { actorEmail, actorName, actorType, calledAt, completedAt, gateId, gateName, id, reason, status } =
    row
  const failed = status === 'failed' || status === 'timeout'
  return {
    id,
    gateId,
    gateName,
    status,
    duration:
      completedAt === null ? null : Math.floor((Date.parse(completedAt) - Date.parse(calledAt)) / 1000),
    calledAt,
    completedAt,
    errorMessage:
      failed && reason ? sayReason(reason, { gateId, safeToRetry: Boolean(row.safeToRetry) }) : null,
    openedBy: { type: actorType, name: actorName, email: actorEmail },
  }
}

function toEvidence(
  row: OpeningRow,
  { ended, queue }: { readonly ended: EndReport | undefined; readonly queue: Queue | undefined },
): OpeningEvidence {
  const profile = row.grantedProfile === null ? null : (JSON.parse(row.grantedProfile) as CallProfile)
  const ending = endingOf(row)
  return {
    reason: ending?.reason ?? null,
    opened: ending?.opened ?? null,
    confidence: ending?.confidence ?? null,
    safeToRetry: ending?.safeToRetry ?? null,
    joinedOpeningId: row.joinedOpeningId,
    gatewayId: row.gatewayId,
    callMode: profile?.mode ?? null,
    grantedAt: row.grantedAt,
    verdict: ended?.verdict ?? null,
    call: ended?.evidence ?? null,
    ...(queue && { queue }),
  }
}

type ListFilter = { readonly [Name in 'gateId' | 'memberId' | 'status']: OpeningFilter[Name] } & Pick<
  OpeningFilter,
  'gateIds'
>

/** The gates of a list: the asked one, or those that the key is limited to. The empty id is that of no gate. */
function gatesOf(principal: Pick<Principal, 'gateIds'>, gateId: string | undefined) {
  const { gateIds = null } = principal
  if (gateId !== undefined)
    return { gateId: reachesGate(principal, gateId) ? gateId : '', gateIds: undefined }
  if (gateIds === null) return { gateId, gateIds: undefined }
  return gateIds.length === 1
    ? { gateId: gateIds[0], gateIds: undefined }
    : { gateId, gateIds: JSON.stringify(gateIds) }
}

/** Exported for the test of its query plans. */
export const readOpenings = openingReader<ShownRow, ListFilter>(shownColumns)

/** The list of openings, and one of them with its evidence. The operator's command line knows no gateways, and shows no queue. */
export function openingReadHandlers(parts: {
  readonly world: World
  readonly database: Database
  readonly gateways?: Pick<GatewaysSeen, 'online'>
}): Pick<Handlers, 'listOpenings' | 'getOpening'> {
  const { database, gateways, world } = parts
  return {
    async listOpenings({ principal, query }) {
      const { gateId, include, memberId, status, ...page } = query
      const { spaceId } = principal
      const filter = { spaceId, ...gatesOf(principal, gateId), memberId, status }
      const history = await readOpenings(database.knex, filter, page, depthOf(world, spaceId))
      if (isProblem(history)) return history
      const { hasMore, pagination, rows } = history
      const openings = rows.map(row => ({
        ...toOpening(row),
        ...(include === 'reason' && { reason: row.reason }),
      }))
      const headers = pageLinks(listPath(principal, routes.listOpenings), query, pagination, hasMore)
      return { status: 200, headers, body: { openings, pagination } }
    },

    async getOpening({ principal, params }) {
      const row = await findOpeningOf(database.knex, principal.spaceId, params.openingId)
      if (!row || !reachesGate(principal, row.gateId)) return noOpening
      // A joined opening has no call of its own: it shows the call that it joined.
      const calledId = row.joinedOpeningId ?? row.id
      const ended = await endReport(database.knex, calledId)
      const online = await gateways?.online(row.spaceId)
      const queue = online && (await readQueue(database.knex, row, { nowMs: world.nowMs(), online }))
      return { status: 200, body: { opening: toOpening(row), evidence: toEvidence(row, { ended, queue }) } }
    },
  }
}
