// Notes at each call's end whether the calls of a gate still fit its measured profile. The profile does not change.

import { driftDoubts } from '@callgate/contract/call/calibrationWords'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorWithoutId, recordActivity } from '../activity/activity.ts'
import type { KeptOrigin } from '../core/measuredProfile.ts'
import type { Ending, OpeningRow } from '../core/opening.ts'
import { timeIn } from '../database/databaseTime.ts'
import { keepCalibration } from '../gate/gateRows.ts'
import { doubtsOf, isDoubtful } from './core/doubtCriteria.ts'
import { lastReports } from './gateReports.ts'

const isMeasured = (grantedProfile: string | null) =>
  grantedProfile !== null && (JSON.parse(grantedProfile) as CallProfile).learned

/**
 * Notes at a call's end whether the calls of a gate still fit its measured profile. Each doubt is reported once, until calls fit
 * again. Most calls neither begin nor end a doubt.
 */
export async function noteDrift(
  tx: Knex.Transaction,
  world: World,
  { gateId, grantedProfile, spaceId }: OpeningRow,
  { reason }: Ending,
): Promise<void> {
  const mayBegin = isDoubtful(reason)
  // Not a test call of a later calibration, because it waits for everything that the module may do.
  if (!mayBegin && !isMeasured(grantedProfile)) return
  const place = { id: gateId, spaceId }
  const gate = await tx('gates').where(place).first('name', 'callProfile', 'learnedFrom', 'driftedAt')
  if (!gate?.learnedFrom || (!mayBegin && gate.driftedAt === null)) return
  const origin = JSON.parse(gate.learnedFrom) as KeptOrigin
  const calls = await lastReports(tx, { gateId, spaceId, since: origin.at })
  const { told = [] } = origin
  const profile = JSON.parse(gate.callProfile) as CallProfile
  const drifts = doubtsOf(profile, origin, calls).filter(doubt => driftDoubts.includes(doubt))
  const fresh = drifts.filter(doubt => !told.includes(doubt))
  const isNoted = drifts.length === told.length && (gate.driftedAt === null) === (drifts.length === 0)
  if (fresh.length === 0 && isNoted) return
  await keepCalibration(tx, place, {
    learnedFrom: { ...origin, told: drifts },
    driftedAt: drifts.length === 0 ? null : (gate.driftedAt ?? isoTime(timeIn(tx, world))),
  })
  const of = { spaceId, ...actorWithoutId('system'), targetId: gateId, targetLabel: gate.name }
  for (const doubt of fresh)
    await recordActivity(tx, world, {
      ...of,
      action: 'gate.drifted',
      details: { deviceName: gate.name, doubt },
    })
}
