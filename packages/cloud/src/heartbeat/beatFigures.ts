// The figures of the beats in the database: added up each five minutes, at falling resolution, and deleted after their retention.

import { isoTime } from '@callgate/world/world'
import type { Addition, forgottenBefore } from '../core/beatHistory.ts'
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

/** SQL of the smaller or larger of two values; where one is null, of the other. */
const of = (which: 'min' | 'max', column: string) => {
  const [kept, added] = [`"beatFigures"."${column}"`, `excluded."${column}"`]
  const isBeyond = `${added} ${which === 'min' ? '<' : '>'} ${kept}`
  return `case when ${kept} is null or ${isBeyond} then ${added} else ${kept} end`
}

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
 * Adds what beats have reported, and deletes figures that are too old, in the transaction that keeps the last of the beats. A
 * gateway has at most 4,272 rows.
 */
export async function addFigures(
  tx: Db,
  gatewayId: string,
  additions: readonly Addition[],
  forgotten: ReturnType<typeof forgottenBefore>,
): Promise<void> {
  for (const { startMs, ...added } of additions)
    await add(tx, { gatewayId, startsAt: isoTime(startMs), ...added })
  for (const { beforeMs, stepS } of forgotten)
    await forget(tx, { gatewayId, stepS, before: isoTime(beforeMs) })
}
