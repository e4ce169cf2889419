// The history of a gateway: the stored figures of its beats on one axis, and its calls.

import {
  callsListed,
  type GatewayHistory,
  type HistoryRange,
  historyRanges,
} from '@callgate/contract/app/gateway'
import type { OpeningClass } from '@callgate/contract/call/openingClass'
import { isoTime } from '@callgate/world/world'
import { type Addition, axisOf, columnsOf, type KeptFigures, withAdditions } from '../core/beatHistory.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'
import type { ViewRow } from './gatewayViews.ts'

interface FigureValues extends Values {
  readonly gatewayId: string
  readonly stepS: number
  readonly from: string
}

const keptFigures = statement<FigureValues, KeptFigures>((db, { from, gatewayId, stepS }) =>
  db('beatFigures')
    .select('startsAt', 'onlineMs', 'signalDbm', 'supplyMv', 'worstRegistration')
    .where({ gatewayId, stepS })
    .where('startsAt', '>=', from),
)

interface CallValues extends Values {
  readonly spaceId: string
  readonly gatewayId: string
  readonly from: string
  readonly rows: number
}

type Call = GatewayHistory['calls'][number]

/** The calls of a gateway since `from`, newest first. Exported for the test of its query plan. */
export const callsOf = statement<CallValues, Omit<Call, 'class'> & { readonly class: OpeningClass }>(
  (db, { from, gatewayId, rows, spaceId }) =>
    byIndex(db, 'openings', 'openings_of_gateway')
      .select({ openingId: 'id' }, 'gateId', 'gateName', 'calledAt', 'class')
      .where({ spaceId, gatewayId })
      .where('calledAt', '>=', from)
      .orderBy([
        { column: 'calledAt', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .limit(rows),
)

/** The history of a gateway up to `nowMs`; `additions` are added to the stored figures. */
export async function readGatewayHistory(
  db: Db,
  {
    additions,
    row,
    spaceId,
  }: {
    readonly spaceId: string
    readonly row: Pick<ViewRow, 'id' | 'createdAt'>
    readonly additions: readonly Addition[]
  },
  range: HistoryRange,
  nowMs: number,
): Promise<GatewayHistory> {
  const axis = axisOf(historyRanges[range], nowMs)
  const { fromMs, stepS } = axis
  const from = isoTime(fromMs)
  const kept = withAdditions(await keptFigures(db, { gatewayId: row.id, stepS, from }), additions, axis)
  const calls = await callsOf(db, { spaceId, gatewayId: row.id, from, rows: callsListed + 1 })
  const columns = columnsOf(kept, axis)
  const onlineMs = kept.reduce((sum, one) => sum + one.onlineMs, 0)
  const sinceMs = nowMs - Math.max(fromMs, Date.parse(row.createdAt))
  return {
    from,
    to: isoTime(nowMs),
    stepS,
    ...columns,
    calls: calls.slice(0, callsListed),
    hasMoreCalls: calls.length > callsListed,
    onlineTotalS: Math.round(onlineMs / 1000),
    sinceS: Math.max(0, Math.round(sinceMs / 1000)),
  }
}
