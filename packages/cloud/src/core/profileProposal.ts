// Calibration: computes a call profile from test calls and what a person saw of the gate after each, or says why there is none.

import type { CannotTell } from '@callgate/contract/call/calibrationWords'
import { type CallProfile, callProfile } from '@callgate/contract/call/callProfile'
import { type CallSigns, readsAsOpened } from './callSigns.ts'

/** A test call, and what was seen of the gate. Times are milliseconds. */
export interface TestCall {
  readonly signs: CallSigns
  readonly hasMoved: boolean
  /** From ATD to the moment when the gate moved, as a person counted it; null where nobody counted. */
  readonly movedAfterMs: number | null
  /** With our number hidden, so that the module does not know the caller. */
  readonly isHidden: boolean
}

export type Proposal =
  | { readonly kind: 'more_calls'; readonly left: number }
  | { readonly kind: 'cannot_tell'; readonly why: CannotTell }
  | { readonly kind: 'proposed'; readonly profile: CallProfile }

/** The number of calls that a proposal needs. */
export const callsNeeded = 3

/** A call that still rings after this time is hung up. An answered call is observed for 15 s. */
const observedRingMs = 45_000
/** A module that rejects within this time does so at once. A later rejection is a programmed ring time. */
const atOnceWithinMs = 12_000
/** The same limit where no ringing is reported: the time is measured from the dialling. */
const atOnceFromDialMs = 18_000
/** The ring times of a module with a programmed ring time differ by at most this. */
const programmedWithinMs = 4_000
/** A module answers within this time. A voicemail answers later. */
const answersWithinMs = 10_000
/** The error of a person who counts: a difference up to the first value is no difference, one from the second value on is one. */
const sameWithinMs = 4_000
const apartFromMs = 5_000

/** The profile for a test call: it waits for everything that the module may do. Gateways of every version know its mode. */
export function observingProfile(profile: CallProfile, isHidden: boolean): CallProfile {
  const { callerId, coolDownMs, confirm } = profile
  return callProfile({
    mode: 'answer_release',
    callerId: isHidden ? 'hide' : callerId,
    coolDownMs,
    maxRingMs: observedRingMs,
    reactMaxMs: 45_000,
    answerNotAfterMs: null,
    ...(confirm && { confirm }),
  })
}

/** Whether a call shows what the module did. An unclear call is repeated. */
export const isClear = ({ signs }: TestCall) => signs.end !== 'unclear'

const cannotTell = (why: CannotTell): Proposal => ({ kind: 'cannot_tell', why })
const most = (values: readonly number[]) => Math.max(...values)
const least = (values: readonly number[]) => Math.min(...values)
const clamp = (value: number, from: number, to: number) => Math.round(Math.min(to, Math.max(from, value)))

/** All values; undefined where one is unknown. */
function known(values: readonly (number | null)[]): readonly number[] | undefined {
  const all = values.filter(value => value !== null)
  return all.length === values.length ? all : undefined
}

/** The time from the ringing to the movement of the gate. */
const movedAfterRingingMs = ({ movedAfterMs, signs }: TestCall) =>
  movedAfterMs === null || signs.setupMs === null ? null : Math.max(0, movedAfterMs - signs.setupMs)

/** Whether a gate that opens while it rings is rung until it has moved, by a person's count at each of these calls. */
export const ringsUntilMoved = (calls: readonly TestCall[], { mode, ringHangupMs }: CallProfile): boolean =>
  mode !== 'ring' || calls.every(call => (movedAfterRingingMs(call) ?? 0) <= ringHangupMs)

type Learned = Partial<CallProfile> & Pick<CallProfile, 'mode'>
type Found = Learned | CannotTell

/**
 * The window of time in which this gate ends a call: from half of the shortest time to one and a half times the longest plus 3 s.
 */
const windowOf = (tookMs: readonly number[]) => ({
  reactMinMs: clamp(least(tookMs) / 2, 0, 45_000),
  reactMaxMs: clamp(most(tookMs) * 1.5 + 3_000, 0, 45_000),
})

/** The gate opens while the call rings. It is rung a little longer than it took to move. */
function asRinging(calls: readonly TestCall[]): Found {
  const moved = known(calls.map(movedAfterRingingMs))
  if (!moved) return 'seconds_missing'
  if (most(moved) > observedRingMs - 4_000) return 'moved_late'
  return { mode: 'ring', ringHangupMs: clamp(most(moved) + 4_000, 8_000, observedRingMs) }
}

/** Whether the gate moved well before the calls ended, by a person's count; undefined where that is unclear. */
function movedBeforeEnd(calls: readonly TestCall[]): boolean | undefined {
  const gapsMs = calls.map(call => {
    const movedMs = movedAfterRingingMs(call)
    return movedMs === null ? 0 : (call.signs.tookMs ?? 0) - movedMs
  })
  if (gapsMs.every(gapMs => gapMs <= sameWithinMs)) return false
  return gapsMs.every(gapMs => gapMs >= apartFromMs) ? true : undefined
}

/** The far end or the network ended the ringing. */
function asRejecting(calls: readonly TestCall[]): Found {
  const tookMs = known(calls.map(({ signs }) => signs.tookMs))
  if (!tookMs) return 'no_ringing'
  if (calls.some(({ signs }) => signs.isForwarded || signs.isWaiting)) return 'diverted'
  const isBefore = movedBeforeEnd(calls)
  if (isBefore === undefined) return 'seconds_differ'
  if (isBefore) return asRinging(calls)
  const isNoAnswer = calls.some(({ signs }) => signs.isNoAnswer)
  const isByNetwork = calls.some(({ signs }) => !signs.isNoAnswer && !signs.isRejectCause)
  if (isByNetwork) return 'ended_by_network'
  const signs = { ...windowOf(tookMs), ...(isNoAnswer && { noAnswerOpens: true }) }
  if (most(tookMs) < atOnceWithinMs) return { mode: 'reject', ...signs }
  // At such a late end, the network may have given up, and the ringing alone may have opened the gate.
  if (isNoAnswer) return 'ended_by_network'
  if (least(tookMs) < atOnceWithinMs || most(tookMs) - least(tookMs) > programmedWithinMs) return 'differs'
  if (!known(calls.map(movedAfterRingingMs))) return 'seconds_missing'
  const ringTimeMs = clamp(most(tookMs), 0, 45_000)
  const maxRingMs = clamp(ringTimeMs + 8_000, 0, 45_000)
  return maxRingMs <= ringTimeMs ? 'moved_late' : { mode: 'reject_delayed', ringTimeMs, maxRingMs, ...signs }
}

/** The same on a route that reports no ringing: times are measured from the dialling. */
function asSilentlyRejecting(calls: readonly TestCall[]): Found {
  const tookMs = known(calls.map(({ signs }) => signs.tookMs))
  if (!tookMs || most(tookMs) >= atOnceFromDialMs) return 'no_ringing'
  const found = asRejecting(calls.map(call => ({ ...call, movedAfterMs: null })))
  if (typeof found !== 'string') return { ...found, silentAlerting: true }
  const isLonger = found === 'differs' || found === 'seconds_missing'
  return isLonger ? { mode: 'reject', silentAlerting: true, ...windowOf(tookMs) } : found
}

/** The rejected call is diverted to a voicemail, which answers. */
function asDiverting(calls: readonly TestCall[]): Found {
  const rangMs = known(calls.map(({ signs }) => signs.ringMs))
  if (!rangMs) return 'no_ringing'
  const learned = { ...windowOf(rangMs), rejectDiverts: true }
  if (most(rangMs) < atOnceWithinMs) return { mode: 'reject', ...learned }
  if (least(rangMs) < atOnceWithinMs || most(rangMs) - least(rangMs) > programmedWithinMs) return 'differs'
  const ringTimeMs = clamp(most(rangMs), 0, 37_000)
  return { mode: 'reject_delayed', ringTimeMs, maxRingMs: ringTimeMs + 8_000, ...learned }
}

/** Something answered each call. */
function asAnswering(calls: readonly TestCall[]): Found {
  if (calls.some(({ signs }) => signs.isSaidUntaken)) return 'ended_by_network'
  const forwarded = calls.filter(({ signs }) => signs.isForwarded).length
  if (forwarded > 0) return forwarded === calls.length ? asDiverting(calls) : 'diverted'
  if (calls.some(({ signs }) => signs.isWaiting)) return 'diverted'
  // Without ringing, the answer may be an announcement of the network, or the modem reports ringing as an answer.
  const rangMs = known(calls.map(({ signs }) => signs.ringMs))
  const tookMs = known(calls.map(({ signs }) => signs.tookMs))
  if (!rangMs || !tookMs) return 'no_ringing'
  if (most(rangMs) > answersWithinMs) return 'answered_late'
  const learned = windowOf(tookMs)
  if (calls.every(({ signs }) => signs.end === 'answered_released'))
    return { mode: 'answer_release', ...learned }
  // The time that it took, and 3 s more; where nobody counted, the time for which the call was held.
  const moved = known(
    calls.map(({ movedAfterMs, signs }) =>
      movedAfterMs === null ? null : movedAfterMs - (signs.setupMs ?? 0) - (signs.ringMs ?? 0),
    ),
  )
  const holdMs = moved ? clamp(most(moved) + 3_000, 3_000, 15_000) : 15_000
  return { mode: 'answer_hold', holdMs, ...learned }
}

/** What the calls show about the module, where all of them moved the gate and ended in the same way. */
function find(calls: readonly TestCall[]): Found {
  const ends = new Set(calls.map(({ signs }) => (signs.end === 'untaken' ? 'rejected' : signs.end)))
  const [end] = ends
  if (ends.has('blind')) return 'modem_blind'
  if (ends.size !== 1) return 'differs'
  switch (end) {
    case 'rejected':
      return calls.some(({ signs }) => signs.ringMs === null)
        ? asSilentlyRejecting(calls)
        : asRejecting(calls)
    case 'ended_unrung':
      return asSilentlyRejecting(calls)
    case 'answered_released':
    case 'answered_held':
      return asAnswering(calls)
    case 'rang':
      return asRinging(calls)
    default:
      return 'no_ringing'
  }
}

/** The profile with the newly learned values, and without the earlier ones. */
function withLearned(before: CallProfile, learned: Learned): CallProfile {
  const { callerId, confirm, coolDownMs, setupTimeoutMs } = before
  const kept = { callerId, coolDownMs, setupTimeoutMs, ...(confirm && { confirm }) }
  // Ringing in vain and ringing that opens look the same.
  return callProfile({ ...kept, ...learned, learned: true, discriminating: learned.mode !== 'ring' })
}

/**
 * What the test calls show about how the gate's module takes a call. The proposed profile reads each of these calls correctly:
 * none of them would have been reported as failed. `before` is the current profile of the gate.
 */
export function proposalOf(before: CallProfile, calls: readonly TestCall[]): Proposal {
  const clear = calls.filter(isClear)
  const own = clear.filter(({ isHidden }) => !isHidden)
  if (own.length < callsNeeded) return { kind: 'more_calls', left: callsNeeded - own.length }
  const moved = own.filter(({ hasMoved }) => hasMoved).length
  if (moved === 0) return cannotTell('never_moved')
  if (moved < own.length) return cannotTell('moved_sometimes')
  const found = find(own)
  if (typeof found === 'string') return cannotTell(found)
  const profile = withLearned(before, found)
  if (!own.every(({ signs }) => readsAsOpened(signs, profile))) return cannotTell('differs')
  const hidden = clear.filter(({ isHidden }) => isHidden)
  const isAlike = hidden.some(({ signs }) => readsAsOpened(signs, profile))
  return { kind: 'proposed', profile: isAlike ? { ...profile, discriminating: false } : profile }
}
