// The fields of a proposed profile that may be changed before it is stored: their limits, the request, and contradictions to the
// test calls.

import type { CalibrationCall } from '@callgate/contract/app/calibration'
import type { CallProfile } from '@callgate/contract/call/callProfile'
import { type Limit, limits } from '@callgate/contract/limits'
import { secondsOf } from '../form/checks.ts'

/** The editable times of a profile, with the limits of the API. */
const { reactMinMs, reactMaxMs, ringTimeMs, ringHangupMs, holdMs } = limits.profile
const timeLimits = { reactMinMs, reactMaxMs, ringTimeMs, ringHangupMs, holdMs }
export type TimeName = keyof typeof timeLimits

const timesOfMode = {
  reject: ['reactMinMs', 'reactMaxMs'],
  reject_delayed: ['reactMinMs', 'reactMaxMs', 'ringTimeMs'],
  answer_release: ['reactMinMs', 'reactMaxMs'],
  answer_hold: ['holdMs'],
  ring: ['ringHangupMs'],
} as const satisfies Readonly<Record<string, readonly TimeName[]>>

/** The modes in which a profile can be stored as measured. */
export const proposedModes = Object.keys(timesOfMode) as readonly (keyof typeof timesOfMode)[]

/** The times that count in a mode. */
export const timesOf = (mode: string): readonly TimeName[] =>
  Object.hasOwn(timesOfMode, mode) ? timesOfMode[mode as keyof typeof timesOfMode] : []

/** The chosen mode and the typed texts, in seconds. */
export interface ProposalValues {
  readonly mode: string
  readonly times: Readonly<Record<TimeName, string>>
}

/** As somebody who reads this language would type it: with a comma or a point. */
const typedSeconds = (ms: number | null, locale: string) =>
  ms === null
    ? ''
    : new Intl.NumberFormat(locale, { maximumFractionDigits: 3, useGrouping: false }).format(ms / 1_000)

export function valuesOfProposal(profile: CallProfile, locale: string): ProposalValues {
  const names = Object.keys(timeLimits) as TimeName[]
  const times = Object.fromEntries(names.map(name => [name, typedSeconds(profile[name], locale)]))
  return { mode: profile.mode, times: times as ProposalValues['times'] }
}

const msOf = (typed: string) => Math.round(Number(typed.trim().replace(',', '.')) * 1_000)

/** The limits, in seconds, that a typed time breaks; undefined where it is within them. */
export function outOfLimits(name: TimeName, typed: string): Limit | undefined {
  const { least, most } = timeLimits[name]
  const ms = msOf(typed)
  const isNumber = /^\d{1,2}([.,]\d{1,3})?$/.test(typed.trim())
  return isNumber && ms >= least && ms <= most ? undefined : secondsOf(timeLimits[name])
}

/** The request: the mode, and the times of that mode that differ from the proposal. */
export function changesOf(profile: CallProfile, { mode, times }: ProposalValues): Partial<CallProfile> {
  const changed = timesOf(mode).filter(name => msOf(times[name]) !== profile[name])
  return {
    ...(mode !== profile.mode && { mode: mode as CallProfile['mode'] }),
    ...Object.fromEntries(changed.map(name => [name, msOf(times[name])])),
  }
}

/** The profile with what is typed, as far as it can be drawn: a time that is out of its limits stays as proposed. */
export function typedProfile(profile: CallProfile, { mode, times }: ProposalValues): CallProfile {
  const changed = timesOf(mode).filter(name => outOfLimits(name, times[name]) === undefined)
  const typed = { ...profile, ...Object.fromEntries(changed.map(name => [name, msOf(times[name])])) }
  const { reactMaxMs, reactMinMs } = typed.reactMinMs <= typed.reactMaxMs ? typed : profile
  return { ...typed, mode: mode as CallProfile['mode'], reactMinMs, reactMaxMs }
}

/** How long a call took from ringing to its end, in milliseconds; null where nothing of that was reported. */
const tookMs = ({ ringMs, talkMs }: CalibrationCall) => (ringMs === null ? null : ringMs + (talkMs ?? 0))

/**
 * How long the gate rang in the call before it moved, in milliseconds. A little too long, because it is counted from the press.
 */
const movedAfterMs = ({ afterS, setupMs }: CalibrationCall) =>
  afterS === null || setupMs === null ? 0 : afterS * 1_000 - setupMs

/** How long a gate moves where nobody has said it, in milliseconds: as profiles have it. */
const usualMoveMs = 5_000

/**
 * The seconds in which another press does not call again: what was set, or the usual time to move, begun as late after the end of
 * its call as somebody saw the gate begin. Never 0.
 */
export function coolDownOf({ coolDownMs }: CallProfile, calls: readonly CalibrationCall[]): number {
  const lateMs = calls
    .filter(({ hasMoved, isHidden }) => hasMoved && !isHidden)
    .map(call => movedAfterMs(call) - (tookMs(call) ?? 0))
  const seenMs = usualMoveMs + Math.max(0, ...lateMs)
  return Math.min(secondsOf(limits.profile.coolDownMs).most, Math.ceil(Math.max(coolDownMs, seenMs) / 1_000))
}

/**
 * The contradictions between the typed values and the test calls. `mode`: the calls went in another way. `calls`: at least one of
 * them took longer or shorter, or moved the gate later than it is now rung. `order`: the window ends before it begins.
 */
export function contradictions(
  profile: CallProfile,
  { mode, times }: ProposalValues,
  calls: readonly CalibrationCall[],
): readonly ('mode' | 'calls' | 'order')[] {
  const hasWindow = timesOf(mode).includes('reactMinMs')
  const [least, most] = [msOf(times.reactMinMs), msOf(times.reactMaxMs)]
  const moved = calls.filter(call => call.hasMoved && !call.isHidden)
  const took = moved.flatMap(call => tookMs(call) ?? [])
  const isOutside = hasWindow && least <= most && took.some(ms => ms < least || ms > most)
  const rungMs = timesOf(mode).includes('ringHangupMs') ? msOf(times.ringHangupMs) : Number.POSITIVE_INFINITY
  const isAsProposed = profile.mode === 'ring' && rungMs >= profile.ringHangupMs
  const isTooShort = !isAsProposed && moved.some(call => movedAfterMs(call) > rungMs)
  return [
    ...(mode === profile.mode ? [] : (['mode'] as const)),
    ...(hasWindow && least > most ? (['order'] as const) : []),
    ...(isOutside || isTooShort ? (['calls'] as const) : []),
  ]
}
