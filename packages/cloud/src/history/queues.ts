// The queue of an opening that waits for its call, from the rows of its Space.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { Queue } from '@callgate/contract/rest/opening'
import { inCallingOrder } from '../core/gateCallers.ts'
import { isRunning, isUngranted, type OpeningRow } from '../core/opening.ts'
import type { Db } from '../database/database.ts'
import { runningOpenings } from '../opening/openingRows.ts'
import { leftOfCall, queueOf, usualCallMs } from './core/queue.ts'
import { readUsualSeconds } from './usualSeconds.ts'

/** At most 16 openings of one gateway wait, and nobody needs the end of a long queue. */
const mostRead = 64

const columns = [
  'id',
  'gateId',
  'gatewayId',
  'joinedOpeningId',
  'status',
  'grantedAt',
  'grantedProfile',
] as const
type Read = Pick<OpeningRow, (typeof columns)[number]>

type QueuedOpening = Pick<OpeningRow, 'id' | 'spaceId' | 'calledAt' | 'joinedOpeningId' | 'status'>

/**
 * The length of the queue before an opening; undefined where it does not wait for another gate's call. A joined opening waits
 * like its leader. `online`: the gateways of the Space.
 */
export async function readQueue(
  db: Db,
  asked: QueuedOpening,
  { nowMs, online }: { readonly nowMs: number; readonly online: readonly string[] },
): Promise<Queue | undefined> {
  if (asked.status !== 'initiated') return undefined
  const { spaceId } = asked
  const openingId = asked.joinedOpeningId ?? asked.id
  const rows: Read[] = await runningOpenings(db)
    .where({ spaceId, joinedOpeningId: null })
    .orderBy(['calledAt', 'id'])
    .limit(mostRead)
    .select(columns)
  const own = rows.find(({ id }) => id === openingId)
  if (!own || !isUngranted(own) || rows.length === 1) return undefined
  const gateIds = [...new Set(rows.map(({ gateId }) => gateId))]
  const gates: { id: string; callers: string }[] = await db('gates')
    .where({ spaceId })
    .whereIn('id', gateIds)
    .select('id', 'callers')
  const callersOf = new Map(gates.map(({ callers, id }) => [id, JSON.parse(callers) as GateCallers]))
  const takesOf = new Map<string, number>()
  for (const gateId of gateIds) {
    const usualS = await readUsualSeconds(db, spaceId, gateId)
    takesOf.set(gateId, usualS === undefined ? usualCallMs : usualS * 1000)
  }
  const takesMs = ({ gateId }: Read) => takesOf.get(gateId) ?? usualCallMs
  const calls = rows.flatMap(row => {
    const { gatewayId, grantedAt, grantedProfile } = row
    if (!isRunning(row) || gatewayId === null || grantedAt === null || grantedProfile === null) return []
    const agoMs = Math.max(0, nowMs - Date.parse(grantedAt))
    const profile = JSON.parse(grantedProfile) as CallProfile
    return [{ gatewayId, leftMs: leftOfCall(profile, { agoMs, takesMs: takesMs(row) }) }]
  })
  const waiting = rows.filter(isUngranted).map(row => ({
    openingId: row.id,
    gatewayIds: inCallingOrder(online, callersOf.get(row.gateId) ?? {}),
    takesMs: takesMs(row),
  }))
  const ageMs = Math.max(0, nowMs - Date.parse(asked.calledAt))
  return queueOf({ openingId, ageMs }, { calls, waiting })
}
