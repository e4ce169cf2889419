// A press in the REST API, and its answer.

import { sayReason } from '@callgate/contract/call/sayReason'
import type { Queue } from '@callgate/contract/rest/opening'
import { answerWithinMs } from '@callgate/contract/wire/timing'
import { passed } from '@callgate/world/hops'
import { isoTime, type World } from '@callgate/world/world'
import { reachesGate } from '../core/keyRights.ts'
import { endingOf, isRunning, type OpeningRow } from '../core/opening.ts'
import type { Database, Db } from '../database/database.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { type Preference, patienceMs } from '../http/preference.ts'
import type { Exchange } from './exchange.ts'
import { findOpeningOf } from './openingRows.ts'

/** The `Preference-Applied` header of an answer, where the preference made a difference (RFC 7240, section 3). */
function appliedOf({ isAsync, waitS }: Preference, isRunningStill: boolean): Record<string, string> {
  const applied = [
    ...(isAsync && isRunningStill ? ['respond-async'] : []),
    ...(waitS !== undefined && waitS * 1000 <= answerWithinMs ? [`wait=${waitS}`] : []),
  ]
  return applied.length > 0 ? { 'Preference-Applied': applied.join(', ') } : {}
}

/** The answer of `POST …/open` in the opening's present state: a known outcome is returned at once, whatever the preference. */
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

const waitForOutcome: Preference = { isAsync: false, waitS: undefined }

/** Reads the length of the queue before a waiting opening, among the gateways that are `online`. */
type ReadQueue = (
  db: Db,
  row: OpeningRow,
  seen: { readonly nowMs: number; readonly online: readonly string[] },
) => Promise<Queue | undefined>

export function openingHandlers({
  database: { knex },
  exchange,
  readQueue,
  world,
}: {
  readonly world: World
  readonly database: Database
  readonly exchange: Exchange
  readonly readQueue: ReadQueue
}): Pick<Handlers, 'openGate' | 'getGateReadiness'> {
  return {
    async getGateReadiness({ principal, params: { gateId } }) {
      if (!reachesGate(principal, gateId)) return notFound('gate')
      const found = await exchange.readiness(principal.spaceId, gateId)
      if (!found) return notFound('gate')
      const { busyMs, reason } = found
      const nowMs = world.nowMs()
      const body = {
        ready: reason === undefined,
        reason: reason ?? null,
        busyUntil: busyMs === undefined ? null : isoTime(nowMs + busyMs),
        checkedAt: isoTime(nowMs),
      }
      return { status: 200, body }
    },

    async openGate({ principal, once, params, prefer = waitForOutcome, receivedAt }) {
      if (!reachesGate(principal, params.gateId)) return notFound('gate')
      const { identity, base, email: actorEmail, name: actorName, spaceId } = principal
      const { kind: _, ...ids } = identity
      const actor = { actorType: 'owner', actorName, actorEmail, ...ids } as const
      const press = { spaceId, gateId: params.gateId, actor, since: receivedAt }
      const openingId =
        once?.openingId ??
        (await exchange.press({ ...press, ...(once && { inTransaction: once.keepOpening }) }))?.openingId
      if (openingId === undefined) return notFound('gate')
      const leftMs = patienceMs(prefer) - (exchange.requests.ageMs(openingId) ?? 0)
      const ended = leftMs > 0 ? await exchange.requests.wait(openingId, leftMs, spaceId) : undefined
      const row = ended ?? (await findOpeningOf(knex, spaceId, openingId))
      // The gate may have been called, so this must not look like a refusal.
      if (!row) throw new Error('the data has lost an opening that waited')
      passed('answered', { openingId })
      const online = await exchange.gateways.online(spaceId)
      const queue = await readQueue(knex, row, { nowMs: world.nowMs(), online })
      return openAnswer(row, { prefer, base, queue })
    },
  }
}
