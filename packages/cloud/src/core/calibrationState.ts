// The calibration of one gate as it goes on: its test calls, what is next, and what it refuses. Kept as JSON with the gate.

import { refuse } from '@callgate/contract/app/refusals'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import type { Problem } from '@callgate/contract/rest/problem'
import type { CallSigns } from './callSigns.ts'
import { type CallingGateway, isSameGateway } from './measuredProfile.ts'
import { callsNeeded, isClear, type Proposal, proposalOf, type TestCall } from './profileProposal.ts'

/** A test call as it is kept. */
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
  /** The next press of this API key or user, until then, is a test call. */
  readonly awaits: { readonly askerId: string; readonly isHidden: boolean; readonly until: string } | null
}

/** A test call with what is known of it by now. */
export interface KnownCall extends KeptCall {
  readonly isOver: boolean
  /** What the gateway reported; null where it has not. */
  readonly signs: CallSigns | null
  /** Who made it, as far as it was reported. */
  readonly caller: CallingGateway | null
  /** From the press to the dialling, milliseconds. */
  readonly dialledAfterMs: number
}

/** The last test call of a gate, of this calibration or of one that was ended before. */
export interface LastTestCall {
  /** Milliseconds since the epoch; null while it runs. */
  readonly endedMs: number | null
}

const minuteMs = 60_000
/** A calibration is over after so long. */
export const calibrationMs = 30 * minuteMs
/** How long the press of a test call is waited for. */
export const awaitedMs = minuteMs
/** From the end of a test call to the next one. The gate comes to rest. */
const pauseMs = 30_000
/** A test call that was asked for longer ago has ended, and the gate has come to rest since: 90 s, and 60 s of cool-down. */
export const pausedAfterMs = 3 * minuteMs
/** Test calls of one calibration: those that say nothing are made again. */
const mostCalls = 10

export const newCalibration = (startedAt: string): KeptCalibration => ({ startedAt, calls: [], awaits: null })

/** When the calibration is over by itself. Milliseconds since the epoch. */
export const expiryMs = ({ startedAt }: KeptCalibration) => Date.parse(startedAt) + calibrationMs

/** The calibration that goes on at `nowMs`, from the JSON that is kept with the gate. */
export function goingOn(kept: string | null, nowMs: number): KeptCalibration | undefined {
  if (kept === null) return undefined
  const calibration = JSON.parse(kept) as KeptCalibration
  return nowMs < expiryMs(calibration) ? calibration : undefined
}

/** Whether the press of this principal is the awaited test call, and how it is made. */
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

/** The calibration with the test call that was granted. */
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

/** The last call with the gateway's own number that says something: what is measured is measured by its gateway. */
export const lastClear = (calls: readonly KnownCall[]): KnownCall | undefined =>
  calls.findLast(({ isHidden, signs }) => !isHidden && signs && signs.end !== 'unclear')

/** The test calls that were answered and count: those that came to the gate in the same way as the last one. */
export function testCallsOf(calls: readonly KnownCall[]): readonly TestCall[] {
  const measurer = lastClear(calls)?.caller
  const counts = ({ caller }: KnownCall) => !measurer || !caller || isSameGateway(measurer, caller)
  return calls.filter(counts).flatMap(call => testCallOf(call) ?? [])
}

/** Whether a person has to say what the gate did: the call is over, says something, and nobody has said it. */
const isUnanswered = ({ hasMoved, isOver, signs }: KnownCall) =>
  isOver && signs !== null && signs.end !== 'unclear' && hasMoved === null

/** What is next. */
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
