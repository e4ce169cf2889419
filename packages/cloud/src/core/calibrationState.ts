// The running calibration of one gate: its test calls, its next step, and what it refuses. Stored as JSON with the gate.

import { refuse } from '@callgate/contract/app/refusals'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Problem } from '@callgate/contract/rest/problem'
import type { CallSigns } from './callSigns.ts'
import { type CallingGateway, isSameGateway } from './measuredProfile.ts'
import { callsNeeded, isClear, type Proposal, proposalOf, type TestCall } from './profileProposal.ts'

/** A test call as it is stored. */
export interface KeptCall {
  readonly openingId: string
  readonly isHidden: boolean
  readonly hasMoved: boolean | null
  /** Seconds after the press. */
  readonly afterS: number | null
}

/** Times are ISO 8601, UTC. */
export interface KeptCalibration {
  readonly startedAt: string
  readonly calls: readonly KeptCall[]
  /** The next press of this API key or user is a test call, if it comes before `until`. */
  readonly awaits: { readonly askerId: string; readonly isHidden: boolean; readonly until: string } | null
}

/** A test call with what is known of it so far. */
export interface KnownCall extends KeptCall {
  readonly isOver: boolean
  /** What the gateway reported; null where it has not. */
  readonly signs: CallSigns | null
  /** The gateway that made the call, as far as it was reported. */
  readonly caller: CallingGateway | null
  /** From the press to the dialling, milliseconds. */
  readonly dialledAfterMs: number
}

/** The last test call of a gate, of this calibration or of an earlier one. */
export interface LastTestCall {
  /** Milliseconds since the epoch; null while it runs. */
  readonly endedMs: number | null
}

const minuteMs = 60_000
/** A calibration ends by itself after this time. */
export const calibrationMs = 30 * minuteMs
/** How long a calibration waits for the press of a test call. */
export const awaitedMs = minuteMs
/** The time between the end of a test call and the next one, in which the gate comes to rest. */
const pauseMs = 30_000
/** A test call of this age has ended and the gate has come to rest: 90 s for the call, and 60 s of cool-down. */
export const pausedAfterMs = 3 * minuteMs
/** The limit on test calls of one calibration. Unclear calls are repeated. */
const mostCalls = 10

export const newCalibration = (startedAt: string): KeptCalibration => ({ startedAt, calls: [], awaits: null })

/** When the calibration ends by itself. Milliseconds since the epoch. */
export const expiryMs = ({ startedAt }: KeptCalibration) => Date.parse(startedAt) + calibrationMs

/** The calibration that runs at `nowMs`, from the JSON that is stored with the gate. */
export function goingOn(kept: string | null, nowMs: number): KeptCalibration | undefined {
  if (kept === null) return undefined
  const calibration = JSON.parse(kept) as KeptCalibration
  return nowMs < expiryMs(calibration) ? calibration : undefined
}

/** Whether the press of this principal is the awaited test call, and whether it hides the caller number. */
export function awaitedCall(
  kept: string | null,
  askerId: string | null,
  nowMs: number,
): { readonly calibration: KeptCalibration; readonly isHidden: boolean } | undefined {
  const calibration = goingOn(kept, nowMs)
  const awaits = calibration?.awaits
  if (!calibration || !awaits || askerId === null || awaits.askerId !== askerId) return undefined
  return nowMs <= Date.parse(awaits.until) ? { calibration, isHidden: awaits.isHidden } : undefined
}

/** The calibration after a test call was granted. */
export function withCall(calibration: KeptCalibration, openingId: string): KeptCalibration {
  const isHidden = calibration.awaits?.isHidden === true
  const call: KeptCall = { openingId, isHidden, hasMoved: null, afterS: null }
  return { ...calibration, awaits: null, calls: [...calibration.calls, call] }
}

export interface CalibrationStep {
  readonly step: 'call' | 'calling' | 'answer' | 'decide'
  readonly callsLeft: number
  /** Milliseconds since the epoch. */
  readonly nextCallMs: number
  readonly proposal: Exclude<Proposal, { kind: 'more_calls' }> | undefined
}

function testCallOf({ afterS, dialledAfterMs, hasMoved, isHidden, signs }: KnownCall): TestCall | undefined {
  if (!signs || hasMoved === null) return undefined
  return { signs, hasMoved, movedAfterMs: afterS === null ? null : afterS * 1_000 - dialledAfterMs, isHidden }
}

/** The last clear call that showed the caller number. The calibration measures its gateway. */
export const lastClear = (calls: readonly KnownCall[]): KnownCall | undefined =>
  calls.findLast(({ isHidden, signs }) => !isHidden && signs && signs.end !== 'unclear')

/** The answered test calls that count: those whose way to the gate is the same as that of the last clear call. */
export function testCallsOf(calls: readonly KnownCall[]): readonly TestCall[] {
  const measurer = lastClear(calls)?.caller
  const counts = ({ caller }: KnownCall) => !measurer || !caller || isSameGateway(measurer, caller)
  return calls.filter(counts).flatMap(call => testCallOf(call) ?? [])
}

/** Whether a person still has to say what the gate did: the call is over and clear, and nobody has answered. */
const isUnanswered = ({ hasMoved, isOver, signs }: KnownCall) =>
  isOver && signs !== null && signs.end !== 'unclear' && hasMoved === null

/** The next step of a calibration. */
export function calibrationStep(
  { startedAt }: KeptCalibration,
  calls: readonly KnownCall[],
  profile: CallProfile,
  last: LastTestCall | undefined,
): CalibrationStep {
  const ended = last?.endedMs ?? null
  const nextCallMs = ended === null ? Date.parse(startedAt) : ended + Math.max(pauseMs, profile.coolDownMs)
  const proposal = proposalOf(profile, testCallsOf(calls))
  const answered = testCallsOf(calls).filter(call => isClear(call) && !call.isHidden).length
  const callsLeft = Math.max(0, callsNeeded - answered)
  const next = { callsLeft, nextCallMs, proposal: undefined }
  const isCalling = last?.endedMs === null || calls.some(({ isOver }) => !isOver)
  if (isCalling) return { ...next, step: 'calling' }
  if (calls.some(isUnanswered)) return { ...next, step: 'answer' }
  return proposal.kind === 'more_calls' ? { ...next, step: 'call' } : { ...next, step: 'decide', proposal }
}

/** Why no test call may be prepared now; undefined when one may. */
export function testCallFault(
  { nextCallMs, proposal, step }: CalibrationStep,
  calls: readonly KnownCall[],
  { isHidden, nowMs }: { readonly isHidden: boolean; readonly nowMs: number },
): Problem | undefined {
  if (step === 'calling') return refuse('test_call_running')
  if (step === 'answer') return refuse('test_call_unanswered')
  const mayHide = step === 'decide' && proposal?.kind === 'proposed'
  if (isHidden && !mayHide) return refuse('hidden_call_early')
  if (isHidden && calls.some(call => call.isHidden && call.hasMoved !== null))
    return refuse('hidden_call_made')
  if (!isHidden && step === 'decide') return refuse('test_call_needless')
  if (calls.length >= mostCalls) return refuse('calibration_full', { most: mostCalls })
  if (nowMs < nextCallMs) return refuse('test_call_rest', { leftS: Math.ceil((nextCallMs - nowMs) / 1_000) })
  return undefined
}
