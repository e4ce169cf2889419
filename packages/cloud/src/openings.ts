// Openings in the REST API: press, list, one with its evidence.

import type { CallProfile } from '@callgate/contract/callProfile'
import type { Report } from '@callgate/contract/messages'
import type { Opening, OpeningEvidence } from '@callgate/contract/opening'
import { isProblem, type Problem } from '@callgate/contract/problem'
import { reasons } from '@callgate/contract/reason'
import { answerWithinMs } from '@callgate/contract/timing'
import { endingOf, isRunning, type OpeningRow } from './core/opening.ts'
import type { Database } from './database.ts'
import type { Exchange } from './exchange.ts'
import type { Handlers } from './http/mount.ts'

const notFound = (what: string): Problem => ({
  problem: 'not_found',
  message: `There is no ${what} with this id.`,
})

/** The opening as the API answers it. */
function toOpening(row: OpeningRow): Opening {
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
    errorMessage: failed && reason ? reasons[reason] : null,
    openedBy: { type: actorType, name: actorName, email: actorEmail },
  }
}

function toEvidence(row: OpeningRow, lastReport: Report | undefined): OpeningEvidence {
  const ended = lastReport?.phase === 'ended' ? lastReport : undefined
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
  }
}

/** What `POST …/open` answers for an opening as it stands. */
function openAnswer(row: OpeningRow) {
  const openingId = row.id
  const ending = endingOf(row)
  if (isRunning(row) || !ending) return { status: 200, body: { opened: false, openingId } } as const
  if (ending.status === 'completed') return { status: 200, body: { opened: true, openingId } } as const
  const { reason, safeToRetry } = ending
  return {
    problem: 'open_failed',
    message: reasons[reason],
    extra: { reason, openingId, safeToRetry },
  } as const
}

export function openingHandlers(parts: {
  database: Database
  exchange: Exchange
}): Pick<Handlers, 'openGate' | 'listOpenings' | 'getOpening'> {
  const { database, exchange } = parts
  const find = (spaceId: string, openingId: string) =>
    database.knex<OpeningRow>('openings').where({ id: openingId, spaceId }).first()

  return {
    async openGate({ caller, params, receivedAt }) {
      const { apiKeyId, actor: actorName, spaceId } = caller
      const actor = { actorType: 'owner', actorName, actorEmail: null, apiKeyId } as const
      const pressed = await exchange.press({ spaceId, gateId: params.gateId, actor, since: receivedAt })
      if (!pressed) return notFound('gate')
      const { openingId } = pressed
      await exchange.wait(openingId, answerWithinMs - (exchange.ageMs(openingId) ?? 0))
      const row = await find(spaceId, openingId)
      const answer = row ? openAnswer(row) : notFound('opening')
      return isProblem(answer) ? answer : { ...answer }
    },

    async listOpenings({ caller, query }) {
      const { limit, offset } = query
      const rows = await database
        .knex<OpeningRow>('openings')
        .where({ spaceId: caller.spaceId })
        .orderBy([
          { column: 'calledAt', order: 'desc' },
          { column: 'id', order: 'desc' },
        ])
        .limit(limit)
        .offset(offset)
      return { status: 200, body: { openings: rows.map(toOpening), pagination: { limit, offset } } }
    },

    async getOpening({ caller, params }) {
      const row = await find(caller.spaceId, params.openingId)
      if (!row) return notFound('opening')
      // A joined opening has no call of its own: it shows the one that it joined.
      const calledId = row.joinedOpeningId ?? row.id
      const last = await database
        .knex('openingReports')
        .where({ openingId: calledId, phase: 'ended' })
        .first()
      const report = last && (JSON.parse(last.body) as Report)
      return { status: 200, body: { opening: toOpening(row), evidence: toEvidence(row, report) } }
    },
  }
}
