// Which boot (start of the daemon) of a gateway is current. A boot that another one has superseded is always refused.

import type { Beat } from '@callgate/contract/wire/messages'
import { offlineAfterMs } from '@callgate/contract/wire/timing'
import { isoTime, type World } from '@callgate/world/world'
import type { Heard } from '../core/beatHistory.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement, type Values } from '../database/statement.ts'

export interface GatewayRow {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  readonly publicKey: string
  readonly passwordHash: string
  readonly createdAt: string
  readonly revokedAt: string | null
  /** The boot that was taken up last; null at first and after a restore. `bootCount` counts all that were taken up. */
  readonly bootId: string | null
  readonly bootCount: number
  readonly journalId: string | null
  readonly lastBeatAt: string | null
  readonly lastBeat: string | null
  /** When it came online last; null where it never did, or has been silent for too long since. */
  readonly onlineSince: string | null
}

/** How much older than its last beat the row of a gateway may be: beats that change nothing are written once in this time. */
export const keptWithinMs = 60_000

/**
 * When the gateway was heard last, as its row has it, and whether it was online then; undefined when it was never heard.
 * While the cloud runs, its memory knows better (`recentBeats.ts`).
 */
export function lastHeard({
  lastBeat,
  lastBeatAt,
  onlineSince,
}: Pick<GatewayRow, 'lastBeat' | 'lastBeatAt' | 'onlineSince'>): Heard | undefined {
  if (lastBeat === null || lastBeatAt === null) return undefined
  const isOnline = (JSON.parse(lastBeat) as Beat).online && onlineSince !== null
  // The last of these: while the cloud started again, nobody could hear it. If it does not come back, its silence is told.
  return { atMs: Date.parse(lastBeatAt), isOnline, orLaterMs: keptWithinMs + offlineAfterMs }
}

const gatewayById = statement<{ readonly id: string }, GatewayRow>((db, { id }) =>
  db('gateways').where({ id }),
)

/** The gateway, revoked or not. */
export async function findGateway(db: Db, gatewayId: string): Promise<GatewayRow | undefined> {
  const [gateway] = await gatewayById(db, { id: gatewayId })
  return gateway
}

const admission = statement<{ readonly id: string }, Pick<GatewayRow, 'bootId' | 'revokedAt'>>((db, { id }) =>
  db('gateways').select('bootId', 'revokedAt').where({ id }),
)

/** Whether the boot is the current one of a gateway that is not revoked. Reads two columns of one row. */
export async function isCurrent(db: Db, gatewayId: string, bootId: string): Promise<boolean> {
  const [row] = await admission(db, { id: gatewayId })
  return row?.revokedAt === null && row.bootId === bootId
}

/** Whether the cloud accepts a boot. */
export type Standing =
  | { readonly kind: 'current'; readonly gateway: GatewayRow }
  /** It was never taken up: it has to answer a challenge first. */
  | { readonly kind: 'unknown'; readonly gateway: GatewayRow }
  /** There is no such gateway, it is revoked, or another boot has superseded this one. */
  | { readonly kind: 'refused' }

export async function standingOf(tx: Db, gatewayId: string, bootId: string): Promise<Standing> {
  const gateway = await findGateway(tx, gatewayId)
  if (!gateway || gateway.revokedAt !== null) return { kind: 'refused' }
  if (gateway.bootId === bootId) return { kind: 'current', gateway }
  const superseded = await tx('supersededBoots').where({ gatewayId, bootId }).first()
  return superseded ? { kind: 'refused' } : { kind: 'unknown', gateway }
}

/** How many superseded boots are kept of one gateway. An older one is refused because its beats say that it was taken up. */
export const mostSuperseded = 64

/** Makes `bootId`, which has answered its challenge, the boot of the gateway; the one before is refused from now on. */
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
  await tx('gateways')
    .where({ id: gatewayId })
    .update({ bootId, bootCount: bootCount + 1 })
  world.log.info('a gateway has started', { gatewayId, bootId })
}

interface BeatValues extends Values {
  readonly id: string
  readonly journalId: string
  readonly lastBeatAt: string
  readonly lastBeat: string
  readonly onlineSince: string | null
}

/** Writes down the beat of the gateway `id`. */
export const keepBeat = statement<BeatValues, never>((db, { id, ...beat }) =>
  db('gateways').where({ id }).update(beat),
)
