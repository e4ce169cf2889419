// The calibration of a gate in the database: reads it with what is known of its test calls, and shows it.

import type { CalibrationAnswer, CalibrationCall } from '@callgate/contract/app/calibration'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { isoTime } from '@callgate/world/world'
import {
  type CalibrationStep,
  calibrationStep,
  expiryMs,
  goingOn,
  type KeptCalibration,
  type KnownCall,
  type LastTestCall,
  pausedAfterMs,
} from '../core/calibrationState.ts'
import { callSigns } from '../core/callSigns.ts'
import { type KeptOrigin, modelOf } from '../core/measuredProfile.ts'
import { isRunning, type OpeningRow } from '../core/opening.ts'
import { byIndex } from '../database/byIndex.ts'
import type { Db } from '../database/database.ts'
import { lastHeard } from '../gateway/gatewayRows.ts'
import { readViewRows, toGatewayView } from '../gateway/gatewayViews.ts'
import { endReport } from '../opening/reportRecord.ts'
import { calibrationChecks } from './core/calibrationChecks.ts'
import { doubtsOf, usualMsOf } from './core/doubtCriteria.ts'
import { lastReports } from './gateReports.ts'

export interface GateOfSpace {
  readonly spaceId: string
  readonly gateId: string
}

/** A gate with its running calibration, if there is one. */
export interface CalibratedGate {
  readonly name: string
  /** When it was read, milliseconds since the epoch. */
  readonly nowMs: number
  readonly profile: CallProfile
  readonly callers: GateCallers
  readonly origin: KeptOrigin | undefined
  readonly kept: KeptCalibration | undefined
  readonly calls: readonly KnownCall[]
  /** Undefined where no calibration runs. */
  readonly step: CalibrationStep | undefined
}

interface GateJson {
  readonly name: string
  readonly callProfile: string
  readonly callers: string
  readonly calibration: string | null
  readonly learnedFrom: string | null
}

type Opening = Pick<OpeningRow, 'status' | 'calledAt' | 'grantedAt' | 'gatewayId'>

async function readCall(db: Db, spaceId: string, kept: KeptCalibration['calls'][number]): Promise<KnownCall> {
  const { openingId } = kept
  const row = await db<OpeningRow>('openings')
    .where({ id: openingId, spaceId })
    .first<Opening>('status', 'calledAt', 'grantedAt', 'gatewayId')
  const report = await endReport(db, openingId)
  const evidence = report?.evidence
  const gatewayId = row?.gatewayId
  return {
    ...kept,
    isOver: !row || !isRunning(row),
    signs: report && evidence ? callSigns(report.verdict, evidence) : null,
    caller:
      evidence && gatewayId
        ? { gatewayId, modem: modelOf(evidence.modem), operator: evidence.operator }
        : null,
    dialledAfterMs: row?.grantedAt ? Math.max(0, Date.parse(row.grantedAt) - Date.parse(row.calledAt)) : 0,
  }
}

/**
 * The gate's last test call, of any calibration, unless the gate came to rest long ago. A call that seems to be in the future was
 * made before the clock was set back.
 */
async function lastTestCall(db: Db, place: GateOfSpace, nowMs: number): Promise<LastTestCall | undefined> {
  const row = await byIndex(db, 'openings', 'openings_of_gate')
    .where(place)
    .whereBetween('calledAt', [isoTime(nowMs - pausedAfterMs), isoTime(nowMs)])
    .whereNotNull('isTestCall')
    .orderBy([
      { column: 'calledAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .first('completedAt')
  return row && { endedMs: row.completedAt === null ? null : Date.parse(row.completedAt) }
}

/** The gate with its calibration; undefined where the Space has no such gate. */
export async function readCalibration(
  db: Db,
  { gateId, spaceId }: GateOfSpace,
  nowMs: number,
): Promise<CalibratedGate | undefined> {
  const row: GateJson | undefined = await db('gates')
    .where({ id: gateId, spaceId })
    .first('name', 'callProfile', 'callers', 'calibration', 'learnedFrom')
  if (!row) return undefined
  const profile = JSON.parse(row.callProfile) as CallProfile
  const kept = goingOn(row.calibration, nowMs)
  const calls: KnownCall[] = []
  for (const call of kept?.calls ?? []) calls.push(await readCall(db, spaceId, call))
  const hasOrigin = profile.learned && row.learnedFrom !== null
  return {
    name: row.name,
    nowMs,
    profile,
    callers: JSON.parse(row.callers) as GateCallers,
    origin: hasOrigin ? (JSON.parse(row.learnedFrom ?? '') as KeptOrigin) : undefined,
    kept,
    calls,
    step: kept && calibrationStep(kept, calls, profile, await lastTestCall(db, { gateId, spaceId }, nowMs)),
  }
}

function shownCall({ afterS, hasMoved, isHidden, isOver, openingId, signs }: KnownCall): CalibrationCall {
  const { ringMs = null, setupMs = null, talkMs = null } = signs ?? {}
  const end = isOver ? (signs?.end ?? 'unclear') : null
  return { openingId, isHidden, end, setupMs, ringMs, talkMs, hasMoved, afterS }
}

function shownStep({ calls, kept, nowMs, step }: CalibratedGate): CalibrationAnswer['calibration'] {
  if (!kept || !step) return null
  const { proposal } = step
  return {
    startedAt: kept.startedAt,
    expiresAt: isoTime(expiryMs(kept)),
    step: step.step,
    restMs: Math.max(0, step.nextCallMs - nowMs),
    callsLeft: step.callsLeft,
    calls: calls.map(shownCall),
    proposal: proposal
      ? proposal.kind === 'proposed'
        ? { profile: proposal.profile, why: null }
        : { profile: null, why: proposal.why }
      : null,
  }
}

/** The gateways from their rows, which are at most a minute old, so that a command sees what the cloud sees. */
async function readGateways(db: Db, spaceId: string, nowMs: number): Promise<readonly GatewayView[]> {
  const rows = await readViewRows(db, { now: row => ({ ...row, heard: lastHeard(row) }) }, spaceId)
  return rows.map(row => toGatewayView(row, nowMs))
}

const epoch = isoTime(0)

/** The answer of every operation on a calibration. */
export async function showCalibration(
  db: Db,
  { gateId, spaceId }: GateOfSpace,
  gate: CalibratedGate,
): Promise<CalibrationAnswer> {
  const { callers, nowMs, origin, profile } = gate
  const calls = await lastReports(db, { gateId, spaceId, since: origin?.at ?? epoch })
  return {
    calibration: shownStep(gate),
    checks: calibrationChecks(await readGateways(db, spaceId, nowMs), callers),
    learnedFrom: origin
      ? { at: origin.at, gatewayId: origin.gatewayId, modem: origin.modem, operator: origin.operator }
      : null,
    usualMs: usualMsOf(calls),
    doubts: doubtsOf(profile, origin, calls),
  }
}
