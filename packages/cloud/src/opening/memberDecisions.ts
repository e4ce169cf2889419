// Whether a member may open a gate at an instant, by the permit that a press of theirs gets.

import { type Decision, decidedYears } from '@callgate/contract/rest/decision'
import type { Problem } from '@callgate/contract/rest/problem'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { isoTime, type World } from '@callgate/world/world'
import { decideAccess } from '../core/accessDecision.ts'
import { readInstant } from '../core/instant.ts'
import { decide, endsMs } from '../core/schedule/decide.ts'
import type { Database } from '../database/database.ts'
import type { Handlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { readSpaceTimeMs } from '../space/spaceModes.ts'
import { permitOf, readPermit } from './permits.ts'

interface AccessRow {
  readonly id: string
  readonly isActive: number
  readonly schedules: string
  readonly maxUsage: number | null
  readonly usageCount: number
}

const isoOrNull = (atMs: number | null) => (atMs === null ? null : isoTime(atMs))

/** What an access tells beside the permit. `waits`: only the time of day or the date prevents an opening. */
function told(row: AccessRow, isGateActive: boolean, waits: boolean, atMs: number) {
  const schedules = JSON.parse(row.schedules) as Schedule[]
  const { maxUsage, usageCount } = row
  const facts = { isGateActive, isActive: Boolean(row.isActive), schedules, maxUsage, usageCount }
  const hours = decide(schedules, atMs)
  const { nextMs, usesLeft } = decideAccess(facts, atMs)
  return {
    scheduleIndex: hours.allowed ? hours.scheduleIndex : null,
    untilAt: hours.allowed ? isoOrNull(hours.untilMs) : null,
    nextAt: waits ? isoOrNull(nextMs) : null,
    endsAt: isoOrNull(endsMs(schedules)),
    usesLeft,
  }
}

const noAccess = { scheduleIndex: null, untilAt: null, nextAt: null, endsAt: null, usesLeft: null }

/** The asked instant in milliseconds since the epoch, or the problem with it. */
function instantOf(at: string | undefined, nowMs: number): number | Problem {
  if (at === undefined) return nowMs
  const read = readInstant(at)
  const atMs = read === undefined ? Number.NaN : Date.parse(read)
  const mostMs = decidedYears * 366 * 86_400_000
  if (Math.abs(atMs - nowMs) <= mostMs) return atMs
  const message = `at must be an instant within ${decidedYears} years from now, such as ${isoTime(nowMs)}`
  return { problem: 'validation_error', message }
}

export function memberDecisionHandlers({
  database: { knex },
  world,
}: {
  readonly database: Database
  readonly world: World
}): Pick<Handlers, 'decideMember'> {
  return {
    async decideMember({ params: { memberId }, principal: { spaceId }, query: { at, gateId } }) {
      const nowMs = world.nowMs()
      const atMs = instantOf(at, await readSpaceTimeMs(knex, spaceId, nowMs))
      if (typeof atMs !== 'number') return atMs
      const member = await knex('members').where({ id: memberId, spaceId }).first('id')
      if (!member) return notFound('member')
      const gate = await knex('gates').where({ id: gateId, spaceId }).first('isActive')
      if (!gate) return notFound('gate')
      const access: AccessRow | undefined = await knex('accesses')
        .where({ memberId, gateId, spaceId })
        .first('id', 'isActive', 'schedules', 'maxUsage', 'usageCount')
      const press = { spaceId, gateId, memberId, accessId: access?.id ?? null }
      const asked = { ...press, apiKeyId: null, userId: null, sessionId: null }
      const permit = permitOf(await readPermit(knex, asked), asked, { nowMs, scheduleMs: atMs })
      if (!permit) return notFound('gate')
      const { denied } = permit
      const body: Decision = {
        allowed: denied === undefined,
        reason: denied ?? null,
        accessId: access?.id ?? null,
        ...(access ? told(access, Boolean(gate.isActive), denied === 'outside_schedule', atMs) : noAccess),
        decidedAt: isoTime(atMs),
      }
      return { status: 200, body }
    },
  }
}
