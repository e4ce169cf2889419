// Openings in the REST API: press, list, one with its evidence.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import { sayReason } from '@callgate/contract/call/sayReason'
import type { Opening, OpeningEvidence, Queue } from '@callgate/contract/rest/opening'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { routes } from '@callgate/contract/rest/routes'
import { answerWithinMs } from '@callgate/contract/wire/timing'
import { passed } from '@callgate/world/hops'
import type { World } from '@callgate/world/world'
import { endingOf, isRunning, type OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { depthOf } from '../database/deepOffset.ts'
import { statement } from '../database/statement.ts'
import type { Handlers } from '../http/handler.ts'
import { listPath, pageLinks } from '../http/pageLinks.ts'
import { type Preference, patienceMs } from '../http/preference.ts'
import type { Exchange, GatewaysSeen } from './exchange.ts'
import { type OpeningFilter, openingReader } from './openingReader.ts'
import { readQueue } from './queues.ts'
import { type EndReport, endReport } from './reportRecord.ts'

const notFound = (what: string): Problem => ({
  problem: 'not_found',
  message: `There is no ${what} with this id.`,
})

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

/** The `Preference-Applied` of an answer, where what was preferred made a difference (RFC 7240, section 3). */
function appliedOf({ isAsync, waitS }: Preference, isRunningStill: boolean): Record<string, string> {
  const applied = [
    ...(isAsync && isRunningStill ? ['respond-async'] : []),
    ...(waitS !== undefined && waitS * 1000 <= answerWithinMs ? [`wait=${waitS}`] : []),
  ]
  return applied.length > 0 ? { 'Preference-Applied': applied.join(', ') } : {}
}

/** What `POST …/open` answers for an opening as it stands: what is known is told, whatever was preferred. */
function openAnswer(
  row: OpeningRow,
  {
    base,
    prefer,
    queue,
  }: { readonly prefer: Preference; readonly base: string; readonly queue: Queue | undefined },
) {
  const openingId = row.id
  const ending = isRunning(row) ? undefined : endingOf(row)
  const headers = { ...appliedOf(prefer, !ending), Location: `${base}/openings/${openingId}` }
  const joined = row.joinedOpeningId === null ? {} : ({ joined: true } as const)
  if (!ending || ending.status === 'completed') {
    const body = { opened: ending !== undefined, openingId, ...joined, ...(queue && { queue }) }
    return !ending && prefer.isAsync
      ? ({ status: 202, headers, body } as const)
      : ({ status: 200, headers, body } as const)
  }
  const { reason, safeToRetry } = ending
  return {
    problem: 'open_failed',
    message: sayReason(reason, { gateId: row.gateId, safeToRetry }),
    headers,
    extra: { reason, openingId, safeToRetry, ...joined },
  } as const
}

type ListFilter = { readonly [Name in 'gateId' | 'memberId' | 'status']: OpeningFilter[Name] }

/** Exported for the test of its query plans. */
export const readOpenings = openingReader<ShownRow, ListFilter>(shownColumns)

const openingAt = statement<{ readonly spaceId: string; readonly id: string }, OpeningRow>((db, place) =>
  db('openings').where(place),
)

const waitForOutcome: Preference = { isAsync: false, waitS: undefined }

type Parts = { readonly world: World; readonly database: Database }

const find = async ({ database }: Parts, spaceId: string, id: string) =>
  (await openingAt(database.knex, { spaceId, id }))[0]

/** Who could call. The operator's command line knows of no gateway, and tells no queue. */
type Online = Pick<GatewaysSeen, 'online'>

const queueFor = ({ database, world }: Parts, row: OpeningRow, { online }: Online) =>
  readQueue(database.knex, row, { nowMs: world.nowMs(), online: online(row.spaceId) })

/** The list of openings, and one of them with its evidence. */
export function openingReadHandlers(
  parts: Parts & { readonly gateways?: Online },
): Pick<Handlers, 'listOpenings' | 'getOpening'> {
  const { database, gateways, world } = parts
  return {
    async listOpenings({ caller, query }) {
      const { gateId, include, memberId, status, ...page } = query
      const { spaceId } = caller
      const filter = { spaceId, gateId, memberId, status }
      const history = await readOpenings(database.knex, filter, page, depthOf(world, spaceId))
      if (isProblem(history)) return history
      const { hasMore, pagination, rows } = history
      const openings = rows.map(row => ({
        ...toOpening(row),
        ...(include === 'reason' && { reason: row.reason }),
      }))
      const headers = pageLinks(listPath(caller, routes.listOpenings), query, pagination, hasMore)
      return { status: 200, headers, body: { openings, pagination } }
    },

    async getOpening({ caller, params }) {
      const row = await find(parts, caller.spaceId, params.openingId)
      if (!row) return notFound('opening')
      // A joined opening has no call of its own: it shows the one that it joined.
      const calledId = row.joinedOpeningId ?? row.id
      const ended = await endReport(database.knex, calledId)
      const queue = gateways && (await queueFor(parts, row, gateways))
      return { status: 200, body: { opening: toOpening(row), evidence: toEvidence(row, { ended, queue }) } }
    },
  }
}

export function openingHandlers(
  parts: Parts & { readonly exchange: Exchange },
): Pick<Handlers, 'openGate' | 'listOpenings' | 'getOpening'> {
  const { exchange } = parts
  return {
    ...openingReadHandlers({ ...parts, gateways: exchange.gateways }),

    async openGate({ caller, once, params, prefer = waitForOutcome, receivedAt }) {
      const { asker, base, email: actorEmail, name: actorName, spaceId } = caller
      const { kind: _, ...ids } = asker
      const actor = { actorType: 'owner', actorName, actorEmail, ...ids } as const
      const press = { spaceId, gateId: params.gateId, actor, since: receivedAt }
      const openingId =
        once?.openingId ??
        (await exchange.press({ ...press, ...(once && { inTransaction: once.keepOpening }) }))?.openingId
      if (openingId === undefined) return notFound('gate')
      const leftMs = patienceMs(prefer) - (exchange.requests.ageMs(openingId) ?? 0)
      if (leftMs > 0) await exchange.requests.wait(openingId, leftMs, spaceId)
      const row = await find(parts, spaceId, openingId)
      // Its gate may have been called, so this is no refusal.
      if (!row) throw new Error('the data has lost an opening that waited')
      passed('answered', { openingId })
      return openAnswer(row, { prefer, base, queue: await queueFor(parts, row, exchange.gateways) })
    },
  }
}
