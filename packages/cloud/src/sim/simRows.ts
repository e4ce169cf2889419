// SIM cards in the database: the settings of an admin, and the last answer of the network.

import type { Money, SimView } from '@callgate/contract/app/sim'
import type { Beat } from '@callgate/contract/wire/messages'
import { amountIn, simWarningsOf, spentOf } from '../core/simBalance.ts'
import type { Db } from '../database/database.ts'
import { lastTaskOf, type TaskRow } from '../task/taskRows.ts'
import { whyNotDone } from '../task/taskWords.ts'

/** The settings. */
export type SimSettings = Pick<SimView, 'code' | 'warnBelow' | 'expiresOn'>

interface SimRow extends SimSettings {
  /** The id of its gateway. */
  readonly id: string
  readonly spaceId: string
  readonly answeredAt: string | null
  readonly answer: string | null
}

interface GatewayOfSpace {
  readonly spaceId: string
  readonly gatewayId: string
}

export interface FoundSim {
  readonly gateway: { readonly name: string; readonly canAsk: boolean; readonly isShutOut: boolean }
  readonly settings: SimSettings
  readonly view: SimView
}

const nothingSet: SimSettings = { code: null, warnBelow: null, expiresOn: null }

function askedOf(task: TaskRow | undefined): SimView['now']['asked'] {
  if (!task) return null
  const { createdAt: at, endedAs, reason } = task
  return { at, state: endedAs ?? 'asking', reason, says: whyNotDone(task) }
}

const dayMs = 24 * 3_600_000

/** The balances of the last 30 days, one for each answer, oldest first. */
async function balancesOf(db: Db, { gatewayId, spaceId }: GatewayOfSpace, nowMs: number): Promise<Money[]> {
  const rows = await db<TaskRow>('tasks')
    .where({ spaceId, gatewayId, kind: 'ussd', endedAs: 'done' })
    .where('createdAt', '>', new Date(nowMs - 30 * dayMs).toISOString())
    .orderBy(['createdAt', 'id'])
    .select('told')
  return rows.flatMap(({ told }) => {
    const said = JSON.parse(told ?? '{}') as { readonly answer?: { readonly text: string } }
    return amountIn(said.answer?.text ?? '') ?? []
  })
}

/**
 * The SIM card of a gateway of the Space; undefined where there is no such gateway. The card of a revoked gateway is still
 * returned, but cannot be queried: a page that shows it may reload before it learns of the revocation.
 */
export async function findSim(db: Db, place: GatewayOfSpace, nowMs: number): Promise<FoundSim | undefined> {
  const { gatewayId, spaceId } = place
  const gateway = await db('gateways')
    .where({ id: gatewayId, spaceId })
    .first('name', 'lastBeat', 'revokedAt')
  if (!gateway) return undefined
  const row = await db<SimRow>('sims').where({ spaceId, id: gatewayId }).first()
  const { can = [] } = (gateway.lastBeat === null ? {} : JSON.parse(gateway.lastBeat)) as Partial<Beat>
  const isShutOut = gateway.revokedAt !== null
  const canAsk = !isShutOut && can.includes('ussd')
  const settings: SimSettings = row
    ? {
        code: row.code,
        warnBelow: row.warnBelow === null ? null : Number(row.warnBelow),
        expiresOn: row.expiresOn,
      }
    : nothingSet
  const balance = row?.answer == null ? null : (amountIn(row.answer) ?? null)
  const answer =
    row?.answer == null || row.answeredAt === null ? null : { at: row.answeredAt, text: row.answer, balance }
  const now = {
    canAsk,
    asked: askedOf(await lastTaskOf(db, { spaceId, gatewayId, kind: 'ussd' })),
    answer,
    spent: spentOf(await balancesOf(db, place, nowMs)) ?? null,
    warnings: simWarningsOf({ ...settings, balance }, nowMs),
  }
  return { gateway: { name: gateway.name, canAsk, isShutOut }, settings, view: { ...settings, now } }
}

/** Writes the settings, or the answer. */
export async function saveSim(
  tx: Db,
  { gatewayId, spaceId }: GatewayOfSpace,
  columns: Partial<Omit<SimRow, 'id' | 'spaceId'>>,
): Promise<void> {
  const saved = await tx('sims').where({ id: gatewayId, spaceId }).update(columns)
  if (saved === 0) await tx('sims').insert({ id: gatewayId, spaceId, ...columns })
}

/** Gateways of all Spaces that have a code and were not queried since `before`: `limit` of them with an id after `afterId`. */
export const listDueSims = (
  db: Db,
  { afterId, before, limit }: { readonly afterId: string; readonly before: string; readonly limit: number },
): Promise<readonly (GatewayOfSpace & { readonly code: string })[]> =>
  db('sims')
    .join('gateways', 'gateways.id', 'sims.id')
    .whereNotNull('sims.code')
    .where('sims.id', '>', afterId)
    .whereNull('gateways.revokedAt')
    .whereNotExists(
      db('tasks')
        .whereRaw('"tasks"."gatewayId" = "sims"."id" and "tasks"."spaceId" = "sims"."spaceId"')
        .where('tasks.kind', 'ussd')
        .where('tasks.createdAt', '>', before)
        .select(db.raw('1')),
    )
    .orderBy('sims.id')
    .limit(limit)
    .select({ gatewayId: 'sims.id' }, 'sims.spaceId', 'sims.code')
