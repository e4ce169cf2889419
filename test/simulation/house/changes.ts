// Changes that an owner makes while openings run, and which openings each change forbids from then on.

import type { Schedule } from '@callgate/contract/rest/schedule'
import type { House } from './house.ts'
import type { Change } from './plan.ts'

/** From `atMs` (monotonic) on, the cloud must not grant an opening whose row has all fields of `of`. */
export interface Forbidden {
  readonly change: Change | 'all gates locked'
  readonly atMs: number
  /** Until when; absent: for good. */
  readonly untilMs?: number
  readonly of: {
    readonly spaceId?: string
    readonly gateId?: string
    readonly apiKeyId?: string
    readonly userId?: string
    readonly sessionId?: string
    readonly accessId?: string
  }
}

const ended = [
  { type: 'always', timezone: 'Europe/Bucharest', expiresAt: '2020-01-01T00:00' },
] as const satisfies readonly Schedule[]
const past = JSON.stringify(ended)

/** Commits the change to the database. */
export async function carryOutChange(
  house: House,
  action: { change: Change; gate: number; guest: number },
): Promise<Forbidden> {
  const { ids, world } = house
  const { accessId = '', memberId = '' } = ids.guests[action.guest] ?? {}
  const gateId = ids.gateIds[action.gate] ?? ''
  const { apiKeyId, sessionId, userId } = ids
  const now = new Date(world.nowMs()).toISOString()
  const does: Record<Change, () => Promise<Forbidden['of']>> = {
    async 'key revoked'() {
      await house.change('update "apiKeys" set "revokedAt" = ? where id = ?', now, apiKeyId)
      return { apiKeyId }
    },
    async 'plan lost'() {
      await house.change(`update spaces set plan = 'free' where id = ?`, ids.spaceId)
      return { apiKeyId }
    },
    async 'role removed'() {
      await house.change('delete from "userRoles" where "userId" = ?', userId)
      return { userId }
    },
    async 'session ended'() {
      await house.change('delete from sessions where id = ?', sessionId)
      return { sessionId }
    },
    async 'user deactivated'() {
      await house.change('update users set "deactivatedAt" = ? where id = ?', now, userId)
      return { userId }
    },
    async 'gate deactivated'() {
      await house.change('update gates set "isActive" = false where id = ?', gateId)
      return { gateId }
    },
    async 'access deactivated'() {
      await house.change('update accesses set "isActive" = false where id = ?', accessId)
      return { accessId }
    },
    async 'access removed'() {
      await house.change('delete from accesses where id = ?', accessId)
      return { accessId }
    },
    async 'member deactivated'() {
      await house.change('update members set "isActive" = false where id = ?', memberId)
      return { accessId }
    },
    async 'schedule ended'() {
      await house.change('update accesses set schedules = ? where id = ?', past, accessId)
      return { accessId }
    },
    async 'cap reached'() {
      await house.change('update accesses set "maxUsage" = "usageCount" where id = ?', accessId)
      return {}
    },
  }
  const of = await does[action.change]()
  return { change: action.change, atMs: world.monotonicMs(), of }
}
