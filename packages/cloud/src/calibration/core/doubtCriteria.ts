// Doubts about a measured profile, from the last calls of a gate. The profile does not change by itself.

import type { CalibrationDoubt } from '@callgate/contract/call/calibrationWords'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { rowOf } from '@callgate/contract/call/reasonRows'
import type { Verdict } from '@callgate/contract/call/verdict'
import { median } from '../../core/gateFigures.ts'
import { modelOf } from '../../core/measuredProfile.ts'

/** A call of the gate, as its gateway reported it. */
export interface ReportedCall {
  readonly verdict: Pick<Verdict, 'status' | 'reason' | 'ringMs' | 'talkMs'>
  /** Model and firmware, and the mobile network; null where the gateway did not know. */
  readonly modem: string | null
  readonly operator: string | null
  /**
   * The call was made with a measured profile. A test call of a calibration was not: it waits for everything that the module may
   * do.
   */
  readonly isMeasured: boolean
}

/** How many of the gate's last calls are considered. */
export const callsConsidered = 20
/** An answer that the profile does not expect counts while it is among this many last calls. */
const answersConsidered = 5
/** This many calls outside of the measured times are a doubt. A single one may be the network. */
const outsideThatTell = 3

const doubtBy = (reason: string | null) => rowOf(reason)?.doubt ?? null

/** Whether a call with this reason can begin a doubt; the doubts are computed only after such a call. */
export const isDoubtful = (reason: string | null): boolean => doubtBy(reason) !== null

/** From the ringing to the end, for a call that opened. */
function tookMs({ verdict: { ringMs, status, talkMs } }: ReportedCall): number | undefined {
  return status === 'completed' && ringMs !== null ? ringMs + (talkMs ?? 0) : undefined
}

function isOutside(call: ReportedCall, { mode, reactMaxMs, reactMinMs }: CallProfile): boolean {
  if (doubtBy(call.verdict.reason) === 'other_times') return true
  const ms = tookMs(call)
  const isTimed = mode !== 'ring' && mode !== 'answer_hold' && call.verdict.reason !== 'rejected_to_voicemail'
  return isTimed && ms !== undefined && (ms < reactMinMs || ms > reactMaxMs)
}

/** The median time of the calls that opened, milliseconds; null where there was none. */
export function usualMsOf(calls: readonly ReportedCall[]): number | null {
  return median(calls.flatMap(call => tookMs(call) ?? []))
}

const differ = (before: string | null, now: string | null | undefined) =>
  before !== null && now !== null && now !== undefined && before !== now

/** The doubts from `calls`, newest first, about a measured profile; none where it was not measured. */
export function doubtsOf(
  profile: CallProfile,
  from: { readonly modem: string | null; readonly operator: string | null } | undefined,
  calls: readonly ReportedCall[],
): CalibrationDoubt[] {
  if (!profile.learned) return []
  const [last] = calls
  const answers = calls
    .slice(0, answersConsidered)
    .filter(({ verdict }) => doubtBy(verdict.reason) === 'answers_now').length
  const outsides = calls.filter(call => call.isMeasured && isOutside(call, profile)).length
  return [
    ...(answers > 0 ? (['answers_now'] as const) : []),
    ...(outsides >= outsideThatTell ? (['other_times'] as const) : []),
    ...(differ(from?.modem ?? null, modelOf(last?.modem ?? null)) ? (['other_modem'] as const) : []),
    ...(differ(from?.operator ?? null, last?.operator) ? (['other_operator'] as const) : []),
  ]
}
