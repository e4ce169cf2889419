// Limits what one gateway may cost within an hour, so that a stolen key cannot fill the disk or keep the cloud busy.

import { ageMs, type Moment, moment, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { cutOff, cutOffForMs, type TooMany } from '../gateway/cutOff.ts'

/**
 * The limits within an hour. `reports` and `bytes` count reports that do not advance an opening: repeated, refused, or kept only
 * as evidence. `beats` counts those that are newer than the last one. `claims` counts those that are not granted. A working
 * gateway stays below all five, even with the backlog of an outage: it has one opening at a time, with a few reports; reports
 * that end an opening are free; and beats are not kept for later. A daemon whose modem or connection changes all the time sends
 * 3,601 beats, a quiet one 360. A daemon sends at most four claims in two seconds: 7,200.
 */
export const mostPerHour = {
  reports: 5_000,
  bytes: 4 * 1024 * 1024,
  boots: 360,
  beats: 10_000,
  claims: 10_000,
} as const

const hourMs = 3_600_000

type Cost = keyof typeof mostPerHour
const costNames: readonly Cost[] = ['reports', 'bytes', 'boots', 'beats', 'claims']
type Costs = Readonly<Partial<Record<Cost, number>>>

/** The word for each cost in the activity. */
const tooManyOf = {
  reports: 'reports',
  bytes: 'reports',
  boots: 'starts',
  beats: 'beats',
  claims: 'claims',
} as const satisfies Record<Cost, TooMany>

export interface GatewayLimits {
  /**
   * Called in the transaction that handles a message, with its cost. Cuts the gateway off where the sum is above a limit. Call
   * the returned function once the transaction is committed: a transaction that is rolled back costs nothing.
   */
  charge(tx: Knex.Transaction, gatewayId: string, costs: Costs): Promise<() => void>
  /**
   * The same where nothing else is written. False, and nothing is counted, where the sum is above a limit: then call `charge`.
   */
  spend(gatewayId: string, costs: Costs): boolean
  isCutOff(gatewayId: string): boolean
}

interface Spent {
  readonly since: Moment
  readonly costs: Readonly<Record<Cost, number>>
}

const nothing: Spent['costs'] = { reports: 0, bytes: 0, boots: 0, beats: 0, claims: 0 }

/**
 * Limits in memory, by enrolled gateways: a restart of the cloud begins a new hour. Each of several clouds counts the messages
 * that it has handled. A gateway cannot choose its cloud: the broker sends all messages to every cloud. So a gateway above a
 * limit is above it in each of them, and the first one that notices it has the broker cut it off for all. A gateway costs each
 * cloud at most this much, without a query to the database for each beat.
 */
export function gatewayLimits(world: World): GatewayLimits {
  const spent = new Map<string, Spent>()
  const cut = new Map<string, Moment>()

  function isCut(gatewayId: string): boolean {
    const since = cut.get(gatewayId)
    if (!since) return false
    if (ageMs(world, since) < cutOffForMs) return true
    cut.delete(gatewayId)
    return false
  }

  function spentWith(gatewayId: string, more: Costs): Spent {
    const known = spent.get(gatewayId)
    const isThisHour = known !== undefined && ageMs(world, known.since) < hourMs
    const { costs, since } = isThisHour ? known : { since: moment(world), costs: nothing }
    const sum = (cost: Cost) => costs[cost] + (more[cost] ?? 0)
    const writing = { reports: sum('reports'), bytes: sum('bytes'), boots: sum('boots'), beats: sum('beats') }
    return { since, costs: { ...writing, claims: sum('claims') } }
  }

  const beyondOf = ({ costs }: Spent) => costNames.find(cost => costs[cost] > mostPerHour[cost])

  return {
    isCutOff: isCut,
    spend(gatewayId, more) {
      if (isCut(gatewayId)) return true
      const sum = spentWith(gatewayId, more)
      if (beyondOf(sum) !== undefined) return false
      spent.set(gatewayId, sum)
      return true
    },
    async charge(tx, gatewayId, more) {
      if (isCut(gatewayId)) return () => {}
      const beyond = beyondOf(spentWith(gatewayId, more))
      const tooMany = beyond && tooManyOf[beyond]
      const until = tooMany && (await cutOff(tx, world, gatewayId, tooMany))
      return () => {
        if (tooMany === undefined) return void spent.set(gatewayId, spentWith(gatewayId, more))
        spent.delete(gatewayId)
        cut.set(gatewayId, moment(world))
        world.log.error(
          'a gateway is cut off for an hour: it sends more than any that is not broken. If its key may be stolen, revoke it',
          { gatewayId, tooMany, until },
        )
      }
    },
  }
}
