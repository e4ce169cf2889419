// What an owner changes while openings are under way, and whom it forbids to open from then on.

import type { Schedule } from '@callgate/contract/rest/schedule'
import type { House } from './house.ts'
import type { Change } from './plan.ts'

/** From `atMs` (monotonic) on, no opening for which all of `of` holds may be granted. */
export interface Forbidden {
  readonly change: Change
  readonly atMs: number
  readonly of: { readonly gateId?: string; readonly apiKeyId?: string; readonly accessId?: string }
}

const ended = [
  { type: 'always', timezone: 'Europe/Bucharest', expiresAt: '2020-01-01T00:00' },
] as const satisfies readonly Schedule[]
const past = JSON.stringify(ended)

/** Commits the change. */
export function carryOutChange(
  house: House,
  act: { change: Change; gate: number; guest: number },
): Forbidden {
  const { ids, world } = house
  const { database } = house.cloud()
  const { accessId = '', memberId = '' } = ids.guests[act.guest] ?? {}
  const gateId = ids.gateIds[act.gate] ?? ''
  const { apiKeyId } = ids
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
  const of = does[act.change]()
  return { change: act.change, atMs: world.monotonicMs(), of }
}
