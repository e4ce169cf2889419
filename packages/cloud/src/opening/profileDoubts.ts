// Doubts about a gate's measured profile, as its calls end: each is told of once, and the profile stays as it is.

import type { CalibrationDoubt } from '@callgate/contract/call/calibration'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorWithoutId, recordActivity } from '../activity/activity.ts'
import type { Ending, OpeningRow } from '../core/opening.ts'
import { doubtful, doubtsOf } from '../core/profileDoubts.ts'
import { lastReports } from './gateReports.ts'

/** By what a profile was measured, as it is kept with the gate. */
export interface KeptOrigin {
  readonly at: string
  readonly gatewayId: string
  readonly modem: string | null
  readonly operator: string | null
  /** The doubts that were told of already. */
  readonly told?: readonly CalibrationDoubt[]
}

/** Records what the end of a call newly says against the profile of its gate. Most calls say nothing. */
export async function recordDoubts(
  tx: Knex.Transaction,
  world: World,
  { gateId, spaceId }: OpeningRow,
  { reason }: Ending,
): Promise<void> {
  if (reason === null || !doubtful.includes(reason)) return
  const place = { id: gateId, spaceId }
  const gate = await tx('gates').where(place).first('name', 'callProfile', 'learnedFrom')
  if (!gate?.learnedFrom) return
  const origin = JSON.parse(gate.learnedFrom) as KeptOrigin
  const calls = await lastReports(tx, { gateId, spaceId, since: origin.at })
  const { told = [] } = origin
  const doubts = doubtsOf(JSON.parse(gate.callProfile) as CallProfile, origin, calls)
  const fresh = doubts.filter(doubt => !told.includes(doubt))
  if (fresh.length === 0) return
  await tx('gates')
    .where(place)
    .update({ learnedFrom: JSON.stringify({ ...origin, told: [...told, ...fresh] }) })
  const of = { spaceId, ...actorWithoutId('system'), targetId: gateId, targetLabel: gate.name }
  for (const doubt of fresh)
    await recordActivity(tx, world, {
      ...of,
      action: 'gate.drifted',
      details: { deviceName: gate.name, doubt },
    })
}
