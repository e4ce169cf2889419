// Weeks: the wall-clock times of a week at which a schedule allows access, whatever the zone and the date.

import type { Schedule, TimeWindow } from '@callgate/contract/rest/schedule'

const minuteMs = 60_000
const dayMinutes = 24 * 60
const weekMinutes = 7 * dayMinutes
export const weekMs = weekMinutes * minuteMs

const everyDay = [0, 1, 2, 3, 4, 5, 6]
const wholeDay: TimeWindow = { from: '00:00', to: '00:00' }

function daysOf(schedule: Schedule): readonly number[] {
  switch (schedule.type) {
    case 'weekdays':
      return [1, 2, 3, 4, 5]
    case 'weekends':
      return [0, 6]
    case 'custom':
      return schedule.daysOfWeek
    case 'always':
    case 'one-shot':
      return everyDay
    default:
      // A newer version stored it, or it is damaged. An unknown type must not allow access.
      throw new Error(
        `readSchedules did not let this pass: ${String((schedule satisfies never as Schedule).type)}`,
      )
  }
}

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3))

/** A window's minutes from the midnight at which its day begins; across midnight it ends on the next day. */
function minutesOf({ from, to }: TimeWindow): { from: number; to: number } {
  const start = minuteOf(from)
  // 23:59 stands for the end of the day, because 24:00 cannot be written.
  const end = to === '23:59' ? dayMinutes : minuteOf(to)
  return { from: start, to: end > start ? end : end + dayMinutes }
}

/** A span of a week, [fromMs, toMs): milliseconds of wall clock from Sunday 00:00. */
interface Piece {
  readonly fromMs: number
  readonly toMs: number
}

/** The edges of the union of the pieces: pieces that overlap or touch are one. Undefined for the whole week. */
function edgesOf(pieces: readonly Piece[]): readonly number[] | undefined {
  const edges: number[] = []
  for (const { fromMs, toMs } of pieces.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const lastEnd = edges.at(-1)
    if (lastEnd === undefined || fromMs > lastEnd) edges.push(fromMs, toMs)
    else edges[edges.length - 1] = Math.max(lastEnd, toMs)
  }
  return edges[0] === 0 && edges[1] === weekMs ? undefined : edges
}

/**
 * The times at which a week's access begins and ends, in turn: milliseconds of wall clock from Sunday 00:00, ascending. A time
 * lies in a window when an odd number of edges is not after it. Undefined when the whole week is allowed. Throws for an unknown
 * type.
 */
export function weekEdges(schedule: Schedule): readonly number[] | undefined {
  const pieces: Piece[] = []
  const windows = 'timeWindows' in schedule ? schedule.timeWindows : undefined
  for (const window of windows ?? [wholeDay]) {
    const { from, to } = minutesOf(window)
    for (const day of daysOf(schedule)) {
      const fromMs = (day * dayMinutes + from) * minuteMs
      const toMs = (day * dayMinutes + to) * minuteMs
      pieces.push({ fromMs, toMs: Math.min(toMs, weekMs) })
      // Saturday's window goes on into Sunday, where the week begins.
      if (toMs > weekMs) pieces.push({ fromMs: 0, toMs: toMs - weekMs })
    }
  }
  return edgesOf(pieces)
}

/** The edges of the union of several weeks. */
export function joinedEdges(
  weeks: readonly (readonly number[] | undefined)[],
): readonly number[] | undefined {
  const pieces: Piece[] = []
  for (const edges of weeks) {
    if (!edges) return undefined
    for (let place = 0; place < edges.length; place += 2)
      // Not tested: a missing edge; edges come in pairs.
      pieces.push({ fromMs: edges[place] ?? 0, toMs: edges[place + 1] ?? 0 })
  }
  return edgesOf(pieces)
}
