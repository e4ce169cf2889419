// The gateways of a gate: which of them may call it, which numbers its module knows, and which one would call now.

import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { changesOf } from '../activity/activity.ts'
import { changeRow, showRow } from '../activity/changeRow.ts'
import { callerOf, type FailedAt, inCallingOrder, withCaller, withoutNumber } from '../core/gateCallers.ts'
import type { Database, Db } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import type { GateRow } from './gateReads.ts'

interface GateOfSpace {
  readonly spaceId: string
  readonly gateId: string
}

type Gateway = Pick<GateCallerView, 'gatewayId' | 'name' | 'callerNumber'>

interface Found {
  readonly gateName: string
  readonly callers: GateCallers
  readonly gateways: readonly Gateway[]
}

async function findCallers(db: Db, { gateId, spaceId }: GateOfSpace): Promise<Found | undefined> {
  const gate = await db<GateRow>('gates').where({ id: gateId, spaceId }).first('name', 'callers')
  if (!gate) return undefined
  const gateways: readonly Gateway[] = await db('gateways')
    .where({ spaceId, revokedAt: null })
    .orderBy(['createdAt', 'id'])
    .select({ gatewayId: 'id' }, 'name', 'callerNumber')
  return { gateName: gate.name, callers: JSON.parse(gate.callers) as GateCallers, gateways }
}

/** What the serving cloud knows about the gateways. */
interface KnownGateways {
  /** The online gateways of a Space, the likeliest to serve first. */
  online(spaceId: string): Promise<readonly string[]>
  /** Where a gateway failed lately by its own fault, for a press at the gate. */
  failedAt(gateId: string, gatewayId: string): FailedAt
}

function viewsOf(
  { callers, gateways }: Found,
  gateId: string,
  { failedAt, online }: Pick<KnownGateways, 'failedAt'> & { readonly online: readonly string[] },
): GateCallerView[] {
  const order = inCallingOrder(online, callers, gatewayId => failedAt(gateId, gatewayId))
  return gateways.map(gateway => {
    const { gatewayId } = gateway
    const { mayCall, numberKnown } = callerOf(callers, gatewayId)
    const place = order.indexOf(gatewayId)
    const now = {
      isOnline: online.includes(gatewayId),
      turn: place < 0 ? null : place + 1,
      hasFailed: failedAt(gateId, gatewayId) !== undefined,
    }
    return { ...gateway, mayCall, numberKnown, now }
  })
}

/** Notes that the gateway has another number, so nobody knows whether a gate knows it. */
export async function forgetKnownNumber(
  tx: Knex.Transaction,
  { gatewayId, spaceId }: { readonly gatewayId: string; readonly spaceId: string },
): Promise<void> {
  const gates: readonly GateRow[] = await tx<GateRow>('gates').where({ spaceId }).select('id', 'callers')
  for (const { callers, id } of gates) {
    const after = withoutNumber(JSON.parse(callers) as GateCallers, gatewayId)
    if (!after) continue
    await tx('gates')
      .where({ id, spaceId })
      .update({ callers: JSON.stringify(after) })
  }
}

export function gateCallerHandlers({
  database,
  seen,
  world,
}: {
  readonly database: Database
  readonly world: World
  readonly seen: KnownGateways
}): Pick<AppHandlers, 'getGateCallers' | 'updateGateCallers'> {
  async function callersAt(place: GateOfSpace) {
    const { failedAt } = seen
    const online = await seen.online(place.spaceId)
    return {
      find: (db: Db) => findCallers(db, place),
      none: notFound('gate'),
      show: (found: Found) => ({ callers: viewsOf(found, place.gateId, { failedAt, online }) }),
    }
  }
  return {
    getGateCallers: async ({ principal: { spaceId }, params: { gateId } }) =>
      showRow(database.knex, await callersAt({ spaceId, gateId })),

    updateGateCallers: async ({ body, principal, params: { gateId }, stale, write }) => {
      const { spaceId } = principal
      return changeRow(
        world,
        { principal, stale, write },
        await callersAt({ spaceId, gateId }),
        async (found, tx) => {
          const { gatewayId, ...given } = body
          const gateway = found.gateways.find(one => one.gatewayId === gatewayId)
          if (!gateway) return notFound('gateway')
          const before = callerOf(found.callers, gatewayId)
          const after = { ...before, ...given }
          if (!changesOf(before, after)) return undefined
          await tx('gates')
            .where({ id: gateId, spaceId })
            .update({ callers: JSON.stringify(withCaller(found.callers, gatewayId, after)) })
          const { gateName } = found
          const named = { gatewayId, name: gateway.name }
          const changes = { caller: { from: { ...named, ...before }, to: { ...named, ...after } } }
          const details = { deviceName: gateName, changes }
          return { action: 'gate.updated', targetId: gateId, targetLabel: gateName, details }
        },
      )
    },
  }
}
