// What the truth matrix is judged by: what may never be reported, and the share of far ends that are told apart.

import type { CallMode } from '@callgate/contract/call/callProfile'
import type { FarEnd } from '@callgate/simulator/core/farEnd'
import { type FarEndName, farEndOf } from '@callgate/simulator/presets'
import type { TruthCall } from './calls.ts'
import { isVaried } from './variation.ts'

/** The mode in which calibration would end at this far end; null: it opens nothing, so that any may have been set. */
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
 * Whether a surer `no` than `assumed` could have been avoided. In a mode that is not the gate's, calibration would not have
 * ended; there the network's word that nobody took the call is all that is known. Where the route reports no ringing, and
 * the profile says that it does, the profile is wrong too. Mode ring takes nobody's silence for a word about the gate.
 */
const isKnowable = ({ farEnd, mode, verdict }: TruthCall) =>
  mode === 'ring' || (fittingMode(farEnd) === mode && verdict.setupMs !== null)

function isFalse(call: TruthCall): boolean {
  const { hasMoved, mode, noAnswerOpens, verdict } = call
  const { confidence, endToken, opened, status } = verdict
  if (hasMoved && opened === 'no')
    return confidence === 'certain' || (confidence === 'likely' && isKnowable(call))
  if (hasMoved) return false
  if (opened === 'yes') return true
  if (status !== 'completed') return false
  // Against the network's word that nobody took the call, not even `assumed`; in mode ring nobody ever takes it.
  const isSaidUnanswered = endToken === 'NO ANSWER' && mode !== 'ring' && !noAnswerOpens
  return isSaidUnanswered || confidence === 'certain' || confidence === 'likely'
}

/** Calls of which more was said than was true: an opening that was not, or none where there was one, surer than is known. */
export function falseReports(calls: readonly TruthCall[]): readonly TruthCall[] {
  return calls.filter(isFalse)
}

export interface ToldApart {
  /** Far ends, by mode and family, none of whose traces one of the opposite truth has left too. */
  readonly distinct: number
  /** Those of them whose every call was reported completed exactly where the relay moved. */
  readonly told: number
  /** The others, as `family farEnd mode`. */
  readonly missed: readonly string[]
}

/**
 * A far end that opens counts in the mode that fits it, one that does not in every mode; as the presets are, since of ends
 * that are drawn any may be like any other.
 */
export function toldApart(all: readonly TruthCall[]): ToldApart {
  const calls = all.filter(({ seed }) => !isVaried(seed))
  const movesByTrace = new Map<string, Set<boolean>>()
  const groups = new Map<string, TruthCall[]>()
  const traceKey = ({ family, mode, trace }: TruthCall) => `${family} ${mode} ${trace}`
  for (const call of calls) {
    const moves = movesByTrace.get(traceKey(call)) ?? new Set()
    movesByTrace.set(traceKey(call), moves.add(call.hasMoved))
    const fitting = fittingMode(call.farEnd)
    if (fitting !== null && fitting !== call.mode) continue
    const name = `${call.family} ${call.farEnd} ${call.mode}`
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
    told: distinct.length - missed.length,
    missed: missed.map(([name]) => name),
  }
}
