// Checks all gateways: the last beat of each, and since when the cloud can hear them.

import type { Beat } from '@callgate/contract/wire/messages'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { statement } from '../database/statement.ts'
import type { BeatColumns, BeatsSeen } from '../gateway/gatewayRows.ts'
import { type GatewayNow, seenOfSignal, seenOfSilence, seenOfSupply } from './core/gatewayCheck.ts'
import type { HearingCheck } from './core/hearing.ts'
import type { IncidentCheck } from './incidentRows.ts'

type Row = BeatColumns & { readonly id: string; readonly spaceId: string }

/** How many gateways are read or checked in one turn of the event loop. */
export const gatewaysInTurn = 200

/** Gateways that have ever been heard, in the order of their ids, some at a time. Exported for the test of its query plan. */
export const heardGateways = statement<{ readonly after: string; readonly rows: number }, Row>(
  (db, { after, rows }) =>
    db('gateways')
      .select('id', 'spaceId', 'lastBeat', 'lastBeatAt', 'onlineSince')
      .where('id', '>', after)
      .whereNull('revokedAt')
      .whereNotNull('lastBeatAt')
      .orderBy('id')
      .limit(rows),
)

export interface SeenGateway {
  readonly id: string
  readonly spaceId: string
  readonly now: GatewayNow
}

function gatewayOf(row: ReturnType<BeatsSeen['now']> & Row): SeenGateway[] {
  const { heard, id, lastBeat, onlineSince, spaceId } = row
  if (!heard || lastBeat === null) return []
  const { modem } = JSON.parse(lastBeat) as Partial<Beat>
  const now = {
    heard,
    onlineSinceMs: onlineSince === null ? undefined : Date.parse(onlineSince),
    signalDbm: modem?.signalDbm ?? null,
    supplyMv: modem?.voltageMv ?? null,
    hasBrownouts: modem?.trouble === 'brownout',
  }
  return [{ id, spaceId, now }]
}

/** All gateways that have ever been heard and are not shut out. */
export async function readGateways({
  database,
  heard,
  world,
}: {
  readonly database: Database
  readonly heard: BeatsSeen
  readonly world: World
}): Promise<readonly SeenGateway[]> {
  const all: SeenGateway[] = []
  let after = ''
  for (;;) {
    const rows = await heardGateways(database.knex, { after, rows: gatewaysInTurn })
    all.push(...rows.flatMap(row => gatewayOf(heard.now(row))))
    const last = rows.at(-1)
    if (!last || rows.length < gatewaysInTurn) return all
    after = last.id
    await world.turn()
  }
}

const dayMs = 24 * 3_600_000

/** The facts about the cloud's own hearing, from its gateways. */
export function hearingCheck(
  gateways: readonly SeenGateway[],
  nowMs: number,
): Pick<HearingCheck, 'gateways' | 'spaces' | 'newestMs'> {
  const recent = gateways.filter(({ now }) => Math.abs(nowMs - now.heard.atMs) < dayMs)
  return {
    gateways: recent.length,
    spaces: new Set(recent.map(({ spaceId }) => spaceId)).size,
    newestMs: recent.reduce<number | undefined>(
      (newest, { now }) => (newest === undefined ? now.heard.atMs : Math.max(newest, now.heard.atMs)),
      undefined,
    ),
  }
}

/** The checks of one gateway. */
export function checksOf(
  { id: targetId, now, spaceId }: SeenGateway,
  hearingSinceMs: number | undefined,
  nowMs: number,
): readonly IncidentCheck[] {
  const of = { spaceId, targetId }
  return [
    {
      ...of,
      kind: 'gateway_offline',
      seen: seenOfSilence(now, hearingSinceMs, nowMs),
      sinceMs: now.heard.atMs,
    },
    { ...of, kind: 'signal_low', seen: seenOfSignal(now, nowMs), figure: now.signalDbm },
    { ...of, kind: 'supply_low', seen: seenOfSupply(now, nowMs), figure: now.supplyMv },
  ]
}
