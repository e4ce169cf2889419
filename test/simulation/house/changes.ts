// Changes that an owner makes while openings run, and which openings each change forbids from then on.

import type { Schedule } from '@callgate/contract/rest/schedule'
import type { House } from './house.ts'
import type { Change } from './plan.ts'

/** From `atMs` (monotonic) on, the cloud must not grant an opening whose row has all fields of `of`. */
export interface Forbidden {
  readonly change: Change
  readonly atMs: number
  readonly of: {
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
export function carryOutChange(
  house: House,
  action: { change: Change; gate: number; guest: number },
): Forbidden {
  const { ids, world } = house
  const { database } = house.cloud()
  const { accessId = '', memberId = '' } = ids.guests[action.guest] ?? {}
  const gateId = ids.gateIds[action.gate] ?? ''
  const { apiKeyId, sessionId, userId } = ids
  const now = new Date(world.nowMs()).toISOString()
  const does: Record<Change, () => Forbidden['of']> = {
    'key revoked'() {
      database.change('update "apiKeys" set "revokedAt" = ? where id = ?', now, apiKeyId)
      return { apiKeyId }
    },
    'plan lost'() {
      database.change(`update spaces set plan = 'free' where id = ?`, ids.spaceId)
      return { apiKeyId }
    },
    'role removed'() {
      database.change('delete from "userRoles" where "userId" = ?', userId)
      return { userId }
    },
    'session ended'() {
      database.change('delete from sessions where id = ?', sessionId)
      return { sessionId }
    },
    'user deactivated'() {
      database.change('update users set "deactivatedAt" = ? where id = ?', now, userId)
      return { userId }
    },
    'gate deactivated'() {
      database.change('update gates set "isActive" = 0 where id = ?', gateId)
      return { gateId }
    },
    'access deactivated'() {
      database.change('update accesses set "isActive" = 0 where id = ?', accessId)
      return { accessId }
    },
    'access removed'() {
      database.change('delete from accesses where id = ?', accessId)
      return { accessId }
    },
    'member deactivated'() {
      database.change('update members set "isActive" = 0 where id = ?', memberId)
      return { accessId }
    },
    'schedule ended'() {
      database.change('update accesses set schedules = ? where id = ?', past, accessId)
      return { accessId }
    },
    'cap reached'() {
      database.change('update accesses set "maxUsage" = "usageCount" where id = ?', accessId)
      return {}
    },
  }
  const of = does[action.change]()
  return { change: action.change, atMs: world.monotonicMs(), of }
}
