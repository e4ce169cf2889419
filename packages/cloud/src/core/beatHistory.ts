// The history of a gateway's beats: how one beat changes the figures of the periods that it concerns.

import { registrationWords } from '@callgate/contract/rest/gatewayView'
import { offlineAfterMs } from '@callgate/contract/wire/timing'

/** The lengths of the periods that have figures, each with its retention. */
export const historySteps = [
  { stepS: 60, keptS: 86_400 },
  { stepS: 900, keptS: 7 * 86_400 },
  { stepS: 3_600, keptS: 90 * 86_400 },
] as const
export type HistoryStepS = (typeof historySteps)[number]['stepS']

type Registration = (typeof registrationWords)[number]

/** What a beat says about the modem. */
export interface BeatFigures {
  readonly signalDbm: number | null
  readonly supplyMv: number | null
  readonly registration: string
}

/** What a beat adds to the figures of one period, which begins at `startMs`. */
export interface Addition {
  readonly stepS: HistoryStepS
  readonly startMs: number
  readonly onlineMs: number
  readonly signalDbm: number | null
  readonly supplyMv: number | null
  /** An index in `registrationWords`; null where the beat does not say it. */
  readonly worstRegistration: number | null
}

/** When a gateway was heard last, and whether it was online then. */
export interface Heard {
  readonly atMs: number
  readonly isOnline: boolean
  /** The gateway may have been heard up to this much later, in milliseconds: an earlier run of the cloud wrote `atMs`. */
  readonly orLaterMs?: number
}

function placeOf(registration: string): number {
  const place = registrationWords.indexOf(registration as Registration)
  return place < 0 ? registrationWords.indexOf('unknown') : place
}

/** Whether a gateway that was heard last at `last` counted as online until `nowMs`. A clock that was set back proves nothing. */
export function wasOnlineUntil(last: Heard | undefined, nowMs: number): boolean {
  if (last?.isOnline !== true || nowMs < last.atMs) return false
  return nowMs - last.atMs < offlineAfterMs + (last.orLaterMs ?? 0)
}

/**
 * What a beat at `nowMs` adds. The time since `last` counts as online where the gateway was not silent for too long. A beat that
 * says offline has no `figures`: it was written when its connection began.
 */
export function additionsOf(
  last: Heard | undefined,
  nowMs: number,
  figures: BeatFigures | undefined,
): readonly Addition[] {
  const sinceMs = last && wasOnlineUntil(last, nowMs) ? last.atMs : nowMs
  const said = {
    signalDbm: figures?.signalDbm ?? null,
    supplyMv: figures?.supplyMv ?? null,
    worstRegistration: figures ? placeOf(figures.registration) : null,
  }
  const unsaid = { signalDbm: null, supplyMv: null, worstRegistration: null }
  return historySteps.flatMap(({ stepS }) => {
    const stepMs = stepS * 1000
    const added: Addition[] = []
    const nowStartMs = Math.floor(nowMs / stepMs) * stepMs
    for (let startMs = Math.floor(sinceMs / stepMs) * stepMs; startMs <= nowStartMs; startMs += stepMs) {
      const onlineMs = Math.min(nowMs, startMs + stepMs) - Math.max(sinceMs, startMs)
      if (startMs === nowStartMs) {
        if (figures || onlineMs > 0) added.push({ stepS, startMs, onlineMs, ...said })
      } else added.push({ stepS, startMs, onlineMs, ...unsaid })
    }
    return added
  })
}

type Figures = Pick<Addition, 'onlineMs' | 'signalDbm' | 'supplyMv' | 'worstRegistration'>

/** Chooses between two values by `which`; where one is null, returns the other. */
function either(which: (...of: number[]) => number, one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : which(one, other)
}

/** Adds up the figures of two parts of one period. */
function together<Of extends Figures>(one: Of, other: Figures): Of {
  return {
    ...one,
    onlineMs: one.onlineMs + other.onlineMs,
    signalDbm: either(Math.min, one.signalDbm, other.signalDbm),
    supplyMv: either(Math.min, one.supplyMv, other.supplyMv),
    worstRegistration: either(Math.max, one.worstRegistration, other.worstRegistration),
  }
}

/** Merges two lists of additions into one with one entry for each period. The oldest periods come first. */
export function addedUp(some: readonly Addition[], more: readonly Addition[]): readonly Addition[] {
  const all = [...some]
  for (const one of more) {
    const place = all.findIndex(({ startMs, stepS }) => startMs === one.startMs && stepS === one.stepS)
    const known = all[place]
    if (known) all[place] = together(known, one)
    else all.push(one)
  }
  return all
}

/**
 * The instant before which figures of each step are deleted. A step has none where the last beat was in the same period, so that
 * the deletion runs once for each period.
 */
export function forgottenBefore(
  last: Heard | undefined,
  nowMs: number,
): readonly { readonly stepS: HistoryStepS; readonly beforeMs: number }[] {
  return historySteps.flatMap(({ keptS, stepS }) => {
    const stepMs = stepS * 1000
    const startMs = Math.floor(nowMs / stepMs) * stepMs
    if (last && Math.floor(last.atMs / stepMs) * stepMs === startMs) return []
    return [{ stepS, beforeMs: startMs + stepMs - keptS * 1000 }]
  })
}

/** The stored figures of one period. */
export interface KeptFigures {
  readonly startsAt: string
  readonly onlineMs: number
  readonly signalDbm: number | null
  readonly supplyMv: number | null
  readonly worstRegistration: number | null
}

/** An axis of time: periods of one length. The last one is not over. */
export interface Axis {
  readonly fromMs: number
  readonly stepS: number
  readonly stretches: number
}

/** The axis that ends with the period in which `nowMs` lies. */
export function axisOf(
  { stepS, stretches }: { readonly stepS: number; readonly stretches: number },
  nowMs: number,
): Axis {
  const stepMs = stepS * 1000
  return { fromMs: (Math.floor(nowMs / stepMs) - stretches + 1) * stepMs, stepS, stretches }
}

/** The stored figures of the periods of one axis, with the additions that are not yet stored. */
export function withAdditions(
  kept: readonly KeptFigures[],
  additions: readonly Addition[],
  { fromMs, stepS }: Pick<Axis, 'fromMs' | 'stepS'>,
): readonly KeptFigures[] {
  const all = new Map(kept.map(one => [Date.parse(one.startsAt), one]))
  for (const { startMs, ...added } of additions) {
    if (added.stepS !== stepS || startMs < fromMs) continue
    const known = all.get(startMs)
    all.set(startMs, known ? together(known, added) : { startsAt: new Date(startMs).toISOString(), ...added })
  }
  return [...all.values()]
}

/** The stored figures as columns with a value for each period of the axis; null where nothing is known. */
export function columnsOf(kept: readonly KeptFigures[], { fromMs, stepS, stretches }: Axis) {
  const empty = () => new Array<number | null>(stretches).fill(null)
  const [onlineS, signalDbm, supplyMv] = [empty(), empty(), empty()]
  const registration = new Array<Registration | null>(stretches).fill(null)
  for (const one of kept) {
    const place = (Date.parse(one.startsAt) - fromMs) / (stepS * 1000)
    // Figures that were written before the wall clock was set back lie beyond the axis.
    if (place >= stretches) continue
    onlineS[place] = Math.round(one.onlineMs / 1000)
    signalDbm[place] = one.signalDbm
    supplyMv[place] = one.supplyMv
    registration[place] = registrationWords[one.worstRegistration ?? -1] ?? null
  }
  return { onlineS, signalDbm, supplyMv, registration }
}
