// The page of one opening: its state while it runs, and its end.

import { isoTime, type World } from '@callgate/world/world'
import { decideAccess } from '../core/accessDecision.ts'
import { type Ending, endingOf, type OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { readObservation, recordObservation } from '../history/observations.ts'
import { readQueue } from '../history/queues.ts'
import { readUsualSeconds } from '../history/usualSeconds.ts'
import type { Exchange } from '../opening/exchange.ts'
import {
  findGuestGate,
  findGuestOpening,
  type GuestGate,
  readCallTimes,
  readOpeningGate,
} from './guestRows.ts'
import { type Ended, openingPage, type Running } from './openingView.ts'
import { outcomeOf, retryOf } from './outcome.ts'
import type { PressForms } from './pressForms.ts'
import { isForeign, readForm } from './readForm.ts'
import { nextTime } from './times.ts'
import type { Answering, Visit } from './visit.ts'
import type { Visitors } from './visitors.ts'

interface OpeningProgressParts {
  readonly database: Database
  readonly exchange: Pick<Exchange, 'gateways' | 'nowMs'>
  readonly forms: Pick<PressForms, 'issuer'>
  readonly visitors: Visitors
}

export function openingProgress({
  database: { knex },
  exchange,
  forms,
  visitors,
}: OpeningProgressParts): Answering {
  async function running(row: OpeningRow): Promise<Running> {
    const pressedMs = Date.parse(row.calledAt)
    const since = (at: string | null) => (at === null ? undefined : Math.max(0, Date.parse(at) - pressedMs))
    const { grantedAt, isConnected, ringingAt } = await readCallTimes(knex, row)
    return {
      // The call that it joined may have ended a moment earlier: it has rung all the same.
      step: isConnected || ringingAt !== null ? 3 : grantedAt === null ? 1 : 2,
      isJoined: row.joinedOpeningId !== null,
      queue: await readQueue(knex, row, {
        nowMs: exchange.nowMs(),
        online: await exchange.gateways.online(row.spaceId),
      }),
      ageMs: Math.max(0, exchange.nowMs() - pressedMs),
      beganMs: [0, since(grantedAt), since(ringingAt)],
      usualS: await readUsualSeconds(knex, row.spaceId, row.gateId),
    }
  }

  /** A form for the next press. */
  async function formFor({ ctx, member }: Visit, gate: GuestGate): Promise<Ended['again']> {
    const { accessId, gateId } = gate
    const nonce = (await forms.issuer())({ visitor: visitors.of(ctx), memberId: member.id, gateId, accessId })
    return { gate, nonce }
  }

  async function ended(visit: Visit, row: OpeningRow, ending: Ending): Promise<Ended> {
    const outcome = outcomeOf(ending)
    const gate = await findGuestGate(knex, visit.member, row.gateId)
    const { ringingAt } = await readCallTimes(knex, row)
    const endedMs = Date.parse(row.completedAt ?? row.calledAt)
    const seen = await readObservation(knex, { spaceId: row.spaceId, openingId: row.id })
    const schedules = gate?.schedules ?? []
    const now = gate && decideAccess(gate, visit.nowMs)
    return {
      outcome,
      retry: retryOf(ending),
      hasRung: ringingAt !== null,
      endedMs,
      tookMs: endedMs - Date.parse(row.calledAt),
      isJoined: row.joinedOpeningId !== null,
      again:
        gate && !visit.isLockedDown && now?.standing === 'allowed_now'
          ? await formFor(visit, gate)
          : undefined,
      schedules,
      next: outcome === 'outside' ? nextTime(schedules, now?.nextMs ?? null) : undefined,
      isMoving: seen === 'moving',
    }
  }

  return async visit => {
    const row = await findGuestOpening(knex, visit.member, String(visit.ctx.params.openingId))
    if (!row) return undefined
    const ending = endingOf(row)
    const stand = ending ? await ended(visit, row, ending) : await running(row)
    const gate = await readOpeningGate(knex, row)
    return { status: 200, page: openingPage(visit, row.id, gate, stand) }
  }
}

/** Answers the form in which a guest reports that the gate is open or moves. It does not change the opening. */
export function observing({
  database,
  world,
}: {
  readonly database: Database
  readonly world: World
}): Answering {
  return async visit => {
    const { ctx, home, member } = visit
    const row = await findGuestOpening(database.knex, member, String(ctx.params.openingId))
    if (!row) return undefined
    const { id: openingId, spaceId } = row
    const seen = (await readForm(ctx)).get('seen')
    // A running opening, or one with a known end, has no such question.
    const isAsked = endingOf(row) !== undefined && row.opened === 'unknown'
    if (!isForeign(ctx) && isAsked && seen === 'moving') {
      const said = { actorType: 'guest', seen, seenAt: isoTime(world.nowMs()) } as const
      await database.write(tx => recordObservation(tx, { spaceId, openingId }, said), { spaceId })
    }
    return { seeOther: `${home}/openings/${openingId}` }
  }
}
