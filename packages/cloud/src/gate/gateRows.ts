// The writes of other rooms into the row of a gate: its counter, the numbers that its module knows, and its calibration.

import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { KeptCalibration } from '../core/calibrationState.ts'
import { afterOpening } from '../core/gateCallers.ts'
import type { KeptOrigin } from '../core/measuredProfile.ts'
import type { Db } from '../database/database.ts'
import { sent } from '../database/pipeline.ts'
import { statement, type Values } from '../database/statement.ts'

interface GateRowKey extends Values {
  readonly id: string
  readonly spaceId: string
}

const countUp = statement<GateRowKey & { readonly completedAt: string }, never>(
  (db, { completedAt, id, spaceId }) =>
    db('gates')
      .where({ id, spaceId })
      .update({
        openCount: db.raw('"openCount" + 1'),
        lastOpenedAt: db.raw('case when "lastOpenedAt" > ? then "lastOpenedAt" else ? end', [
          completedAt,
          completedAt,
        ]),
      }),
)

/** Counts a call at its gate that ended at `completedAt` (ISO 8601). */
export async function countAtGate(tx: Db, gate: GateRowKey, completedAt: string): Promise<void> {
  await sent(tx, countUp(tx, { ...gate, completedAt }))
}

/** Notes that the module of a gate knows the number of a gateway. */
export async function noteKnownNumber(
  tx: Db,
  gate: GateRowKey,
  callers: GateCallers,
  gatewayId: string,
): Promise<void> {
  const known = afterOpening(callers, gatewayId)
  if (known)
    await tx('gates')
      .where(gate)
      .update({ callers: JSON.stringify(known) })
}

/** The columns of a calibration in its gate's row. */
interface CalibrationColumns {
  readonly calibration?: KeptCalibration | null
  readonly callProfile?: CallProfile
  readonly learnedFrom?: KeptOrigin
  readonly driftedAt?: string | null
}

const json = (value: object | null | undefined) => value && JSON.stringify(value)

/**
 * Writes the calibration of a gate. It has no table of its own: an older cloud beside this one reads these columns with each
 * press, so the state of a calibration would be in two places.
 */
export async function keepCalibration(
  tx: Db,
  gate: GateRowKey,
  { calibration, callProfile, driftedAt, learnedFrom }: CalibrationColumns,
): Promise<void> {
  await tx('gates')
    .where(gate)
    .update({
      ...(calibration !== undefined && { calibration: json(calibration) }),
      ...(callProfile && { callProfile: json(callProfile) }),
      ...(learnedFrom && { learnedFrom: json(learnedFrom) }),
      ...(driftedAt !== undefined && { driftedAt }),
    })
}

/** Deactivates all gates of a Space. Returns how many were active. */
export async function deactivateAllGates(tx: Db, spaceId: string): Promise<number> {
  return tx('gates').where({ spaceId, isActive: true }).update({ isActive: false, calibration: null })
}
