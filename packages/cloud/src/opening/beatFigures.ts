// The figures of the beats in the database: added by each beat, at falling resolution, and forgotten in time.

import { isoTime } from '@callgate/world/world'
import { additionsOf, type BeatFigures, forgottenBefore, type Heard } from '../core/beatHistory.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'

interface AddedValues extends Values {
  readonly gatewayId: string
  readonly stepS: number
  readonly startsAt: string
  readonly onlineMs: number
  readonly signalDbm: number | null
  readonly supplyMv: number | null
  readonly worstRegistration: number | null
}

/** Of two values the smaller or larger one; of one and null the one. */
const of = (which: 'min' | 'max', column: string) =>
  `coalesce(${which}("beatFigures"."${column}", excluded."${column}"), "beatFigures"."${column}", excluded."${column}")`

const add = statement<AddedValues, never>((db, added) =>
  db('beatFigures')
    .insert(added)
    .onConflict(['gatewayId', 'stepS', 'startsAt'])
    .merge({
      onlineMs: db.raw('"beatFigures"."onlineMs" + excluded."onlineMs"'),
      signalDbm: db.raw(of('min', 'signalDbm')),
      supplyMv: db.raw(of('min', 'supplyMv')),
      worstRegistration: db.raw(of('max', 'worstRegistration')),
    }),
)

interface Forgotten extends Values {
  readonly gatewayId: string
  readonly stepS: number
  readonly before: string
}

const forget = statement<Forgotten, never>((db, { before, gatewayId, stepS }) =>
  db('beatFigures').where({ gatewayId, stepS }).where('startsAt', '<', before).delete(),
)

/**
 * Adds what a beat at `nowMs` says, in the transaction that keeps the beat itself: it costs no sync of its own. A gateway
 * has at most 4,272 rows.
 */
export async function addFigures(
  tx: Db,
  gatewayId: string,
  beat: {
    readonly last: Heard | undefined
    readonly nowMs: number
    readonly figures: BeatFigures | undefined
  },
): Promise<void> {
  const { figures, last, nowMs } = beat
  for (const { startMs, ...added } of additionsOf(last, nowMs, figures))
    await add(tx, { gatewayId, startsAt: isoTime(startMs), ...added })
  for (const { beforeMs, stepS } of forgottenBefore(last, nowMs))
    await forget(tx, { gatewayId, stepS, before: isoTime(beforeMs) })
}
