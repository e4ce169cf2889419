// What one gateway may cost within an hour, so that a stolen key cannot fill the disk or keep the cloud busy.

import { ageMs, type Moment, moment, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { cutOff, cutOffForMs, type TooMany } from '../gateway/cutOff.ts'

/**
 * Within an hour. `reports` and `bytes` are of reports that move no opening on: repeated, refused, or kept as evidence
 * alone. `beats` are those that are newer than the last one. `claims` are those that are not granted. A gateway that is not broken
 * stays below all five, also with the backlog of an outage: it has one opening at a time, with a few reports, all that
 * end an opening are free, and beats are not kept for later. A daemon whose modem or connection changes all the time
 * sends 3,601 of them, a quiet one 360. A daemon sends four claims in two seconds at most: 7,200.
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

/** What the activity calls each cost. */
const tooManyOf = {
  reports: 'reports',
  bytes: 'reports',
  boots: 'starts',
  beats: 'beats',
  claims: 'claims',
} as const satisfies Record<Cost, TooMany>

export interface GatewayLimits {
  /**
   * Called in the transaction that handles a message, with its cost. Cuts the gateway off where the sum is above a limit.
   * Call the returned function once the transaction is committed: a transaction that is rolled back costs nothing.
   */
  charge(tx: Knex.Transaction, gatewayId: string, costs: Costs): Promise<() => void>
  /** The same where nothing else is written. False, and nothing is counted, where the sum is above a limit: `charge` it. */
  spend(gatewayId: string, costs: Costs): boolean
  isCutOff(gatewayId: string): boolean
}

interface Spent {
  readonly since: Moment
  readonly costs: Readonly<Record<Cost, number>>
}

const nothing: Spent['costs'] = { reports: 0, bytes: 0, boots: 0, beats: 0, claims: 0 }

/**
 * In memory, by gateways that are enrolled: a restart of the cloud begins a new hour. Of several clouds each counts what it has
 * handled, and a gateway does not choose which: the broker brings all of its messages to every cloud. So one that sends too
 * much is too much for each of them, and the first that finds so has it cut at the broker for all. At most it costs
 * each cloud this much, without a question to the database for each beat.
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
