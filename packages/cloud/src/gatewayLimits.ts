// What one gateway may cost within an hour: whoever has stolen its key must not fill the disk.

import { ageMs, isoTime, type Moment, moment, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { recordActivity } from './activity.ts'

/**
 * Within an hour. `reports` and `bytes` are of reports that move no opening on: repeated, refused, or kept as evidence
 * alone. A gateway that is not broken stays far below all three, also with the backlog of an outage: it has one opening
 * at a time, with a few reports, and all that end an opening are free.
 */
export const mostPerHour = { reports: 5_000, bytes: 4 * 1024 * 1024, boots: 360 } as const

export const cutOffForMs = 3_600_000
const hourMs = 3_600_000

type Cost = keyof typeof mostPerHour

export interface GatewayLimits {
  /** Adds to what the gateway has cost in this hour; true where this is what goes beyond: it is cut off from now on. */
  spend(gatewayId: string, cost: Cost, amount: number): boolean
  isCutOff(gatewayId: string): boolean
}

interface Spent {
  readonly since: Moment
  readonly costs: Record<Cost, number>
}

/** In memory: a restart of the cloud begins a new hour. */
export function gatewayLimits(world: World): GatewayLimits {
  const spent = new Map<string, Spent>()
  const cut = new Map<string, Moment>()

  function isCutOff(gatewayId: string): boolean {
    const since = cut.get(gatewayId)
    if (!since) return false
    if (ageMs(world, since) < cutOffForMs) return true
    cut.delete(gatewayId)
    return false
  }

  return {
    isCutOff,
    spend(gatewayId, cost, amount) {
      if (isCutOff(gatewayId)) return false
      const known = spent.get(gatewayId)
      const isThisHour = known !== undefined && ageMs(world, known.since) < hourMs
      const hour = isThisHour ? known : { since: moment(world), costs: { reports: 0, bytes: 0, boots: 0 } }
      hour.costs[cost] += amount
      spent.set(gatewayId, hour)
      if (hour.costs[cost] <= mostPerHour[cost]) return false
      spent.delete(gatewayId)
      cut.set(gatewayId, moment(world))
      return true
    },
  }
}

/** Shuts the gateway out for an hour, and says so in the Space's activity and the log. */
export async function cutOff(
  tx: Knex.Transaction,
  world: World,
  gatewayId: string,
  tooMany: 'reports' | 'starts',
): Promise<void> {
  const row = await tx('gateways').where({ id: gatewayId }).first('spaceId', 'name')
  if (!row) return
  const { name, spaceId } = row
  const until = isoTime(world.nowMs() + cutOffForMs)
  await tx('gateways').where({ id: gatewayId }).update({ cutOffUntil: until })
  const details = { tooMany, until }
  const of = { spaceId, actor: 'system', targetLabel: name, details }
  await recordActivity(tx, world, { ...of, action: 'gateway.cut_off' })
  world.log.error(
    'a gateway is cut off for an hour: it sends more than any that is not broken. If its key may be stolen, revoke it',
    { gatewayId, tooMany, until },
  )
}
