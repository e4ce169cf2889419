// The axis of time that all charts of a gateway share: the position of an instant, and the ticks.

import type { Zone } from '../words/zone.ts'

export interface TimeAxis {
  readonly fromMs: number
  readonly toMs: number
}

/** The position of an instant as a share of the axis: 0 at its beginning, 1 at its end. */
export function placeOf(atMs: number, { fromMs, toMs }: TimeAxis): number {
  return (atMs - fromMs) / (toMs - fromMs)
}

export interface Tick {
  readonly atMs: number
  /** The wall clock at the tick. */
  readonly wallMs: number
  /** Whether a day begins there. */
  readonly isDay: boolean
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** The steps between two ticks, by the wall clock. */
const steps = [1, 2, 3, 6, 12, 24, 2 * 24, 5 * 24, 10 * 24, 20 * 24].map(hours => hours * hourMs)

function ticksEach(stepMs: number, { fromMs, toMs }: TimeAxis, zone: Zone): Tick[] {
  const ticks: Tick[] = []
  // A clock change moves the wall clock by hours, so the range is a day wider on both sides.
  const lastWall = zone.wallMsAt(toMs) + dayMs
  const firstWall = Math.floor((zone.wallMsAt(fromMs) - dayMs) / stepMs) * stepMs
  for (let wallMs = firstWall; wallMs <= lastWall; wallMs += stepMs) {
    const isDay = wallMs % dayMs === 0
    const atMs = isDay ? zone.startOfDay(wallMs) : zone.instantOf(wallMs)
    if (atMs !== undefined && atMs >= fromMs && atMs <= toMs) ticks.push({ atMs, wallMs, isDay })
  }
  return ticks
}

/**
 * At most this many ticks, in order, at round times of the zone's wall clock: also after a clock change they are at 06:00 and not
 * at 07:00.
 */
export function ticksOf(axis: TimeAxis, zone: Zone, most: number): readonly Tick[] {
  for (const stepMs of steps) {
    // A cheap check first: whether this step can fit at all.
    if ((axis.toMs - axis.fromMs) / stepMs > most + 2) continue
    const ticks = ticksEach(stepMs, axis, zone)
    if (ticks.length <= most) return ticks
  }
  return []
}
