// The history of a gateway, evaluated for people: its online time, the results of its calls, and its warnings.

import type { GatewayHistory } from '@callgate/contract/app/gateway'
import type { TimeAxis } from '../charts/timeAxis.ts'

/** The axis that all charts of a history share. It ends with the current stretch. */
export function axisOf({ from, onlineS, stepS }: GatewayHistory): TimeAxis {
  const fromMs = Date.parse(from)
  return { fromMs, toMs: fromMs + onlineS.length * stepS * 1000 }
}

/** `part`: it was online for some of the stretch. */
export type OnlineState = 'on' | 'part' | 'off'

/** The time between two beats, in seconds: the current stretch is known only up to the last beat. */
const beatS = 10
/** A missing share of a stretch that is no gap yet: beats are not exact to the second. */
const slack = 0.01

/** Whether the gateway was online in each stretch; null before it was added, and where the current stretch has just begun. */
export function onlineStates(history: GatewayHistory): readonly (OnlineState | null)[] {
  const { onlineS, sinceS, stepS, to } = history
  const { fromMs } = axisOf(history)
  const nowMs = Date.parse(to)
  const addedMs = nowMs - sinceS * 1000
  return onlineS.map((seconds, place) => {
    const startMs = Math.max(fromMs + place * stepS * 1000, addedMs)
    const endMs = Math.min(fromMs + (place + 1) * stepS * 1000, nowMs)
    const isLast = place === onlineS.length - 1
    if (endMs <= startMs || (isLast && seconds === null)) return null
    if (seconds === null || seconds === 0) return isLast ? null : 'off'
    const missingS = (endMs - startMs) / 1000 - seconds
    return missingS <= Math.max(1, slack * stepS) + (isLast ? beatS : 0) ? 'on' : 'part'
  })
}

/** A gap of this share at the beginning of the axis is not worth a word. */
const shortShare = 0.02

/**
 * When the data of a history begin: `all` from the beginning of the axis, `none` where nothing is known of it, else in
 * milliseconds since 1970.
 */
export function knownSince(history: GatewayHistory): 'all' | 'none' | number {
  const { onlineS, registration, signalDbm, stepS, supplyMv } = history
  const first = onlineS.findIndex(
    (seconds, place) =>
      (seconds ?? 0) > 0 || [registration, signalDbm, supplyMv].some(column => column[place] != null),
  )
  if (first < 0) return 'none'
  return first <= onlineS.length * shortShare ? 'all' : axisOf(history).fromMs + first * stepS * 1000
}

/** A stretch of time, in milliseconds since 1970. */
export interface Gap {
  readonly fromMs: number
  readonly toMs: number
}

/** The times in which the gateway was not heard, or not all the time. As exact as the length of a stretch. */
export function gapsOf(history: GatewayHistory): readonly Gap[] {
  const { fromMs } = axisOf(history)
  const stepMs = history.stepS * 1000
  const gaps: { fromMs: number; toMs: number }[] = []
  for (const [place, state] of onlineStates(history).entries()) {
    if (state === null || state === 'on') continue
    const startMs = fromMs + place * stepMs
    const last = gaps.at(-1)
    if (last?.toMs === startMs) last.toMs += stepMs
    else gaps.push({ fromMs: startMs, toMs: startMs + stepMs })
  }
  return gaps
}

/** The result of a call, as the chart of the calls distinguishes it. */
export type CallEnd = 'well' | 'didNot' | 'unknown' | 'running'

/** The result for the chart by the class of a call. */
export function callEnd(kind: GatewayHistory['calls'][number]['class']): CallEnd {
  if (kind === 'opened' || kind === 'probably_opened') return 'well'
  if (kind === 'unknown' || kind === 'running') return kind
  return 'didNot'
}

/** The results in the order of drawing: where marks meet, a good call hides no other one. */
const drawn: readonly CallEnd[] = ['well', 'running', 'unknown', 'didNot']

/** The marks of the calls, the ones that cover the others last. */
export function callMarks({ calls }: Pick<GatewayHistory, 'calls'>) {
  return calls
    .map(({ calledAt, class: kind, openingId }) => ({
      id: openingId,
      atMs: Date.parse(calledAt),
      look: callEnd(kind),
    }))
    .sort((a, b) => drawn.indexOf(a.look) - drawn.indexOf(b.look))
}

/** The number of calls by result. */
export function countCalls({ calls }: GatewayHistory): Readonly<Record<CallEnd, number>> {
  const counts = { well: 0, didNot: 0, unknown: 0, running: 0 }
  for (const call of calls) counts[callEnd(call.class)] += 1
  return counts
}

/** The known values of a column: the lowest, the highest and the last; undefined where none is known. */
export function spanOf(
  values: readonly (number | null)[],
): { readonly low: number; readonly high: number; readonly last: number } | undefined {
  const known = values.filter(value => value !== null)
  const last = known.at(-1)
  if (last === undefined) return undefined
  return { low: Math.min(...known), high: Math.max(...known), last }
}
