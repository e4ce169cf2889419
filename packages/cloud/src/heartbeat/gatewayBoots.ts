// Decides which boot (start of the daemon) of a gateway is current. A superseded boot is always refused.

import { isoTime, type World } from '@callgate/world/world'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement } from '../database/statement.ts'
import { type GatewayRow, keepBoot } from '../gateway/gatewayRows.ts'

const admission = statement<{ readonly id: string }, Pick<GatewayRow, 'bootId' | 'revokedAt'>>((db, { id }) =>
  db('gateways').select('bootId', 'revokedAt').where({ id }),
)

/** Whether the boot is the current one of a gateway that is not revoked. Reads two columns of one row. */
export async function isCurrent(db: Db, gatewayId: string, bootId: string): Promise<boolean> {
  const [row] = await admission(db, { id: gatewayId })
  return row?.revokedAt === null && row.bootId === bootId
}

/** Whether the cloud accepts a boot. */
export type BootStatus =
  | { readonly kind: 'current'; readonly gateway: GatewayRow }
  /** The boot was never taken up: it has to answer a challenge first. */
  | { readonly kind: 'unknown'; readonly gateway: GatewayRow }
  /** There is no such gateway, it is revoked, or another boot has superseded this one. */
  | { readonly kind: 'refused' }

export async function statusOf(tx: Db, gateway: GatewayRow | undefined, bootId: string): Promise<BootStatus> {
  if (!gateway || gateway.revokedAt !== null) return { kind: 'refused' }
  if (gateway.bootId === bootId) return { kind: 'current', gateway }
  const superseded = await tx('supersededBoots').where({ gatewayId: gateway.id, bootId }).first()
  return superseded ? { kind: 'refused' } : { kind: 'unknown', gateway }
}

/** Whether the cloud accepts the stand-in of a sandbox, which has one boot for good, and is admitted to no wire. */
export function statusOfStandIn(gateway: GatewayRow | undefined): BootStatus {
  return gateway?.isStandIn ? { kind: 'current', gateway } : { kind: 'refused' }
}

/** How many superseded boots of one gateway are kept. An older one is refused because its beats say that it was taken up. */
export const mostSuperseded = 64

/** Makes `bootId`, which has answered its challenge, the boot of the gateway; the previous one is refused from now on. */
export async function takeBoot(tx: Db, world: World, gateway: GatewayRow, bootId: string): Promise<void> {
  const { bootCount, bootId: former, id: gatewayId } = gateway
  if (former !== null) {
    const supersededAt = isoTime(timeIn(tx, world))
    await tx('supersededBoots').insert({ gatewayId, bootId: former, supersededAt, number: bootCount })
    await tx('supersededBoots')
      .where({ gatewayId })
      .where('number', '<=', bootCount - mostSuperseded)
      .delete()
  }
  await keepBoot(tx, { id: gatewayId, bootId, bootCount: bootCount + 1 })
  world.log.info('a gateway has started', { gatewayId, bootId })
}
