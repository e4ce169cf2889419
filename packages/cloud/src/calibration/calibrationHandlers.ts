// The dashboard's operations on the calibration of a gate. They dial nothing: a test call is an ordinary press.

import type { CalibrationAnswer } from '@callgate/contract/app/calibration'
import { refuse } from '@callgate/contract/app/refusals'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, recordActivity } from '../activity/activity.ts'
import {
  awaitedMs,
  type CalibrationStep,
  type KeptCalibration,
  lastClear,
  newCalibration,
  testCallFault,
  testCallsOf,
} from '../core/calibrationState.ts'
import { readsAsOpened } from '../core/callSigns.ts'
import { principalId } from '../core/identity.ts'
import type { KeptOrigin } from '../core/measuredProfile.ts'
import { isClear, ringsUntilMoved } from '../core/profileProposal.ts'
import type { Database } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { writeUnlessProblem } from '../database/transaction.ts'
import { keepCalibration, noteKnownNumber } from '../gate/gateRows.ts'
import { profileConflict } from '../gate/gates.ts'
import { recordObservation } from '../history/observations.ts'
import type { AppHandlers, UserPrincipal } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { type CalibratedGate, type GateOfSpace, readCalibration, showCalibration } from './calibrationRows.ts'

interface CalibrationHandlersParts {
  readonly database: Database
  readonly world: World
}

type Operation =
  | 'getCalibration'
  | 'startCalibration'
  | 'prepareTestCall'
  | 'answerTestCall'
  | 'acceptCalibration'
  | 'endCalibration'

/** A gate with a running calibration. */
type Calibrated = CalibratedGate & { readonly kept: KeptCalibration; readonly step: CalibrationStep }

/** The columns of the gate that an operation writes. */
interface Written {
  readonly calibration: KeptCalibration | null
  readonly callProfile?: CallProfile
  readonly learnedFrom?: KeptOrigin
}

const noneGoesOn = refuse('calibration_none')
const noCall: Problem = {
  problem: 'not_found',
  message: 'The calibration has no test call with this opening.',
}

const isGoingOn = (gate: CalibratedGate): gate is Calibrated =>
  gate.kept !== undefined && gate.step !== undefined

/** The request, with the gate as it is in the transaction. */
interface CalibrationRequest {
  readonly tx: Knex.Transaction
  readonly nowMs: number
  readonly gate: CalibratedGate
}

function operationsOn({ database, world }: CalibrationHandlersParts) {
  /** Reads the gate, lets `work` decide what to write, and answers with the new state. */
  async function change(
    tx: Knex.Transaction,
    place: GateOfSpace,
    work: (asked: CalibrationRequest) => Promise<Written | Problem> | Written | Problem,
  ): Promise<{ readonly status: 200; readonly body: CalibrationAnswer } | Problem> {
    const nowMs = timeIn(tx, world)
    const gate = await readCalibration(tx, place, nowMs)
    if (!gate) return notFound('gate')
    const written = await work({ tx, nowMs, gate })
    if (isProblem(written)) return written
    const row = { id: place.gateId, spaceId: place.spaceId }
    await keepCalibration(tx, row, { ...written, ...(written.learnedFrom && { driftedAt: null }) })
    const after = await readCalibration(tx, place, nowMs)
    // Not tested: the gate is gone; this transaction has just read it.
    return after ? { status: 200, body: await showCalibration(tx, place, after) } : notFound('gate')
  }
  const activityOf = (principal: UserPrincipal, gateId: string, { name }: CalibratedGate) => ({
    spaceId: principal.spaceId,
    ...actorOf(principal),
    targetId: gateId,
    targetLabel: name,
  })
  return { change, activityOf, database, world }
}

/** The new profile of the gate with its measurer; or why it is not accepted. */
function accepted(gate: Calibrated, given: Partial<CallProfile>, at: string): Required<Written> | Problem {
  const { calls, step } = gate
  const measurer = lastClear(calls)?.caller
  if (!step.proposal) return refuse('calibration_unfinished')
  if (step.proposal.kind !== 'proposed' || !measurer) return refuse('calibration_cannot_tell')
  const callProfile = { ...step.proposal.profile, ...given, learned: true }
  const fault = profileConflict(callProfile)
  if (fault) return { ...fault, problem: 'conflict' }
  const own = testCallsOf(calls).filter(call => isClear(call) && !call.isHidden)
  if (!own.every(({ signs }) => readsAsOpened(signs, callProfile))) return refuse('calibration_misread')
  if (!ringsUntilMoved(own, callProfile)) return refuse('calibration_rung_too_short')
  return { calibration: null, callProfile, learnedFrom: { at, ...measurer } }
}

type On = ReturnType<typeof operationsOn>

function acceptHandler({ activityOf, change, world }: On): Pick<AppHandlers, 'acceptCalibration'> {
  return {
    acceptCalibration: ({ body, principal, params: { gateId }, write }) =>
      write(tx =>
        change(tx, { gateId, spaceId: principal.spaceId }, async ({ gate, nowMs }) => {
          if (!isGoingOn(gate)) return noneGoesOn
          const written = accepted(gate, body?.profile ?? {}, isoTime(nowMs))
          if (isProblem(written)) return written
          const { callProfile, learnedFrom } = written
          // The gate moved at its calls, so the module knows the number of that gateway.
          const place = { id: gateId, spaceId: principal.spaceId }
          const { gatewayId, modem, operator } = learnedFrom
          await noteKnownNumber(tx, place, gate.callers, gatewayId)
          const details = {
            deviceName: gate.name,
            modem,
            operator,
            changes: { callProfile: { from: gate.profile, to: callProfile } },
          }
          await recordActivity(tx, world, {
            ...activityOf(principal, gateId, gate),
            action: 'gate.calibrated',
            details,
          })
          return written
        }),
      ),
  }
}

/** Makes the next press of this principal a test call. */
function prepared(
  { gate, nowMs }: CalibrationRequest,
  how: { readonly askerId: string; readonly isHidden: boolean },
): Written | Problem {
  if (!isGoingOn(gate)) return noneGoesOn
  const fault = testCallFault(gate.step, gate.calls, { isHidden: how.isHidden, nowMs })
  if (fault) return fault
  return { calibration: { ...gate.kept, awaits: { ...how, until: isoTime(nowMs + awaitedMs) } } }
}

/** Makes the next press with an API key a test call; or says why none may be made now. */
export async function prepareByKey(
  parts: CalibrationHandlersParts,
  place: GateOfSpace,
  how: { readonly askerId: string; readonly isHidden: boolean },
): Promise<Problem | undefined> {
  const { change } = operationsOn(parts)
  const answer = await writeUnlessProblem(
    parts.database,
    tx => change(tx, place, asked => prepared(asked, how)),
    { spaceId: place.spaceId },
  )
  return isProblem(answer) ? answer : undefined
}

function callHandlers({ change }: On): Pick<AppHandlers, 'prepareTestCall' | 'answerTestCall'> {
  return {
    async prepareTestCall({ body, principal: { identity, spaceId }, params: { gateId }, write }) {
      const who = principalId(identity)
      if (who === null)
        return { problem: 'conflict', message: 'The operator makes test calls with an API key.' }
      const how = { askerId: who, isHidden: body?.isHidden === true }
      return write(tx => change(tx, { gateId, spaceId }, asked => prepared(asked, how)))
    },

    answerTestCall: ({ body, principal, params: { gateId }, write }) =>
      write(tx =>
        change(tx, { gateId, spaceId: principal.spaceId }, async ({ gate, nowMs }) => {
          if (!isGoingOn(gate)) return noneGoesOn
          const { afterS = null, hasMoved, openingId } = body
          const call = gate.calls.find(one => one.openingId === openingId)
          if (!call) return noCall
          if (!call.isOver || !call.signs || call.signs.end === 'unclear') return refuse('test_call_unclear')
          const answer = { hasMoved, afterS: hasMoved ? afterS : null }
          const opening = { openingId, spaceId: principal.spaceId }
          const seen = { seen: hasMoved ? 'moving' : 'still', seenAt: isoTime(nowMs) } as const
          await recordObservation(tx, opening, { actorType: 'owner', ...seen })
          const calls = gate.kept.calls.map(one =>
            one.openingId === openingId ? { ...one, ...answer } : one,
          )
          return { calibration: { ...gate.kept, calls } }
        }),
      ),
  }
}

/** The operations on the calibration of a gate. */
export function calibrationHandlers(parts: CalibrationHandlersParts): Pick<AppHandlers, Operation> {
  const on = operationsOn(parts)
  const { activityOf, change, database, world } = on
  return {
    ...callHandlers(on),
    ...acceptHandler(on),

    async getCalibration({ principal: { spaceId }, params: { gateId } }) {
      const place = { gateId, spaceId }
      const gate = await readCalibration(database.knex, place, world.nowMs())
      return gate
        ? { status: 200, body: await showCalibration(database.knex, place, gate) }
        : notFound('gate')
    },

    startCalibration: ({ principal, params: { gateId }, write }) =>
      write(tx =>
        change(tx, { gateId, spaceId: principal.spaceId }, async ({ gate, nowMs }) => {
          if (gate.kept) return refuse('calibration_goes_on')
          const of = activityOf(principal, gateId, gate)
          const details = { deviceName: gate.name }
          await recordActivity(tx, world, { ...of, action: 'gate.calibration_started', details })
          return { calibration: newCalibration(isoTime(nowMs)) }
        }),
      ),

    endCalibration: ({ principal, params: { gateId }, write }) =>
      write(tx =>
        change(tx, { gateId, spaceId: principal.spaceId }, async ({ gate }) => {
          if (!gate.kept) return { calibration: null }
          const of = activityOf(principal, gateId, gate)
          const details = { deviceName: gate.name }
          await recordActivity(tx, world, { ...of, action: 'gate.calibration_ended', details })
          return { calibration: null }
        }),
      ),
  }
}
