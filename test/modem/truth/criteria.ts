// The criteria of the truth matrix: reports that are false, and the share of far ends that the driver distinguishes.

import type { CallMode } from '@callgate/contract/call/callProfile'
import type { FarEnd } from '@callgate/simulator/core/farEnd'
import { type FarEndName, farEndOf } from '@callgate/simulator/presets'
import type { TruthCall } from './calls.ts'
import { isVaried } from './variation.ts'

/** The call mode that a calibration finds for this far end. Null: it opens nothing, so any mode may have been set. */
export function fittingMode(name: FarEndName): CallMode | null {
  const farEnd: FarEnd = farEndOf(name)
  if (farEnd.way !== 'rings' || !farEnd.module.firesRelay) return null
  const { holdMs, reaction, ringMs } = farEnd.module
  switch (reaction) {
    case 'reject':
      return ringMs === undefined ? 'reject' : 'reject_delayed'
    case 'answer':
      return holdMs === undefined ? 'answer_hold' : 'answer_release'
    case 'ring':
      return 'ring'
    case 'ignore':
      return null
  }
}

/**
 * Whether the driver could have avoided a wrong `no` with more confidence than `assumed`. It cannot in a mode that does not fit
 * the gate: there it only knows that nobody took the call. In mode ring, an unanswered call says nothing about the gate.
 */
const isKnowable = ({ farEnd, mode }: TruthCall) => mode === 'ring' || fittingMode(farEnd) === mode

/**
 * Whether a report is false: an opening that was none, or a `no` with too much confidence for a gate that opened. `isKnowable`:
 * the driver could have avoided that.
 */
export function isFalseReport(
  call: Pick<TruthCall, 'hasMoved' | 'mode' | 'noAnswerOpens' | 'verdict'>,
  isKnowable: boolean,
): boolean {
  const { hasMoved, mode, noAnswerOpens, verdict } = call
  const { confidence, endToken, opened, status } = verdict
  // For an uncalibrated gate, no claim is known to be right.
  if (hasMoved && opened === 'no' && mode === 'unverified') return true
  if (hasMoved && opened === 'no') return confidence === 'certain' || (confidence === 'likely' && isKnowable)
  if (hasMoved) return false
  if (opened === 'yes') return true
  if (status !== 'completed') return false
  // When the network reports that nobody took the call, not even `assumed` is right. In mode ring nobody ever takes it.
  const isSaidUnanswered = endToken === 'NO ANSWER' && mode !== 'ring' && !noAnswerOpens
  return isSaidUnanswered || confidence === 'certain' || confidence === 'likely'
}

/** The calls with a false report: an opening that was none, or a `no` with too much confidence for a gate that opened. */
export function falseReports(calls: readonly TruthCall[]): readonly TruthCall[] {
  return calls.filter(call => isFalseReport(call, isKnowable(call)))
}

export interface Distinguished {
  /** The number of far ends, by mode and model, with traces that no far end of the opposite truth has. */
  readonly distinct: number
  /** The number of those for which every call was reported completed exactly when the relay moved. */
  readonly right: number
  /** The others, as `model farEnd mode`. */
  readonly missed: readonly string[]
}

/**
 * A far end that opens counts in the mode that fits it. One that does not open counts in every mode. Only seeds with the presets
 * count, because random ends may be equal by chance.
 */
export function distinguish(all: readonly TruthCall[]): Distinguished {
  const calls = all.filter(({ seed }) => !isVaried(seed))
  const movesByTrace = new Map<string, Set<boolean>>()
  const groups = new Map<string, TruthCall[]>()
  const traceKey = ({ model, mode, trace }: TruthCall) => `${model} ${mode} ${trace}`
  for (const call of calls) {
    const moves = movesByTrace.get(traceKey(call)) ?? new Set()
    movesByTrace.set(traceKey(call), moves.add(call.hasMoved))
    const fitting = fittingMode(call.farEnd)
    if (fitting !== null && fitting !== call.mode) continue
    const name = `${call.model} ${call.farEnd} ${call.mode}`
    groups.set(name, [...(groups.get(name) ?? []), call])
  }
  const distinct = [...groups].filter(([, group]) =>
    group.every(call => movesByTrace.get(traceKey(call))?.size === 1),
  )
  const missed = distinct.filter(([, group]) =>
    group.some(({ hasMoved, verdict }) => (verdict.status === 'completed') !== hasMoved),
  )
  return {
    distinct: distinct.length,
    right: distinct.length - missed.length,
    missed: missed.map(([name]) => name),
  }
}
