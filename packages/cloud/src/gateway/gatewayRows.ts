// The rows of gateways: their content, and everything that the rooms of heartbeats and enrolments write into one.

import type { Beat } from '@callgate/contract/wire/messages'
import { offlineAfterMs } from '@callgate/contract/wire/timing'
import type { Knex } from 'knex'
import type { Addition, Heard } from '../core/beatHistory.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'

export interface GatewayRow {
  readonly id: string
  readonly spaceId: string
  readonly name: string
  readonly publicKey: string
  readonly passwordHash: string
  readonly createdAt: string
  readonly revokedAt: string | null
  /** The stand-in for a gateway in a sandbox: revoked from the start, so that nothing admits or asks it. */
  readonly isStandIn: boolean | number
  /** The boot that was taken up last; null at first and after a restore. `bootCount` counts all boots that were taken up. */
  readonly bootId: string | null
  readonly bootCount: number
  readonly journalId: string | null
  readonly lastBeatAt: string | null
  readonly lastBeat: string | null
  /** When it last came online; null where it never did, or has been silent for too long since. */
  readonly onlineSince: string | null
}

/** How much older than its last beat the row of a gateway may be: beats that change nothing are written once in this time. */
export const keptWithinMs = 300_000

/**
 * When the gateway was last heard, by its row, and whether it was online then; undefined when it was never heard. While the cloud
 * runs, its memory is more recent (`recentBeats.ts`).
 */
export function lastHeard({
  lastBeat,
  lastBeatAt,
  onlineSince,
}: Pick<GatewayRow, 'lastBeat' | 'lastBeatAt' | 'onlineSince'>): Heard | undefined {
  if (lastBeat === null || lastBeatAt === null) return undefined
  const isOnline = (JSON.parse(lastBeat) as Beat).online && onlineSince !== null
  // It was online, and nobody could hear it while the cloud started again. If it does not come back, its silence is reported.
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

/** The columns of a gateway's last beat. */
export type BeatColumns = Pick<GatewayRow, 'lastBeat' | 'lastBeatAt' | 'onlineSince'>

/** The last beats, for rooms that only read gateways. */
export interface BeatsSeen {
  /** The row with what was heard since it was written, and with when its gateway was last heard. */
  now<Row extends BeatColumns & { readonly id: string }>(
    row: Row,
  ): Row & { readonly heard: Heard | undefined }
  /** Handles the beats of a Space that were only kept so far. Call it before its gateways are read to be shown. */
  catchUp(spaceId: string): Promise<void>
  /** The additions to the stored figures of a gateway. */
  additions(gatewayId: string): readonly Addition[]
}

interface BeatValues extends Values {
  readonly id: string
  readonly journalId: string
  readonly lastBeatAt: string
  readonly lastBeat: string
  readonly onlineSince: string | null
}

/** Writes the beat of the gateway `id`. */
export const keepBeat = statement<BeatValues, never>((db, { id, ...beat }) =>
  db('gateways').where({ id }).update(beat),
)

interface BootValues extends Values {
  readonly id: string
  readonly bootId: string
  readonly bootCount: number
}

/** Makes a boot the current one of the gateway `id`. */
export const keepBoot = statement<BootValues, never>((db, { id, ...boot }) =>
  db('gateways').where({ id }).update(boot),
)

interface GatewayOfSpace {
  readonly spaceId: string
  readonly gatewayId: string
}

/** Gives a gateway the caller number of the one that it replaces. */
export async function giveCallerNumber(
  tx: Knex.Transaction,
  { gatewayId, spaceId }: GatewayOfSpace,
  callerNumber: string | null,
): Promise<void> {
  await tx('gateways').where({ id: gatewayId, spaceId }).update({ callerNumber })
}

/** Deletes the sealed password of a gateway that has stored it. */
export async function forgetPassword(
  tx: Knex.Transaction,
  { gatewayId, spaceId }: GatewayOfSpace,
): Promise<void> {
  await tx('gateways').where({ id: gatewayId, spaceId }).update({ passwordSealed: null })
}

/** The same for those of the gateways `ids` that were never heard. */
export async function forgetUnusedPasswords(tx: Db, spaceId: string, ids: Knex.QueryBuilder): Promise<void> {
  await tx('gateways')
    .where({ spaceId, lastBeatAt: null })
    .whereIn('id', ids)
    .update({ passwordSealed: null })
}
