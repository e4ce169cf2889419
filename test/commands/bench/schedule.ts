// Decisions a second of the schedule core, beside a clock without zones and beside Intl, in the same run.

import { allowedBy } from '@callgate/cloud/core/schedule/decide'
import type { Schedule } from '@callgate/contract/rest/schedule'
import { percentile } from './figures.ts'

const timezone = 'Europe/Bucharest'
const hours = [
  { from: '08:00', to: '12:00' },
  { from: '13:00', to: '18:00' },
]

/** Typical accesses: mostly office hours, a cleaner, a guest house, somebody who may always come. */
const accesses: readonly (readonly Schedule[])[] = [
  [{ type: 'weekdays', timeWindows: hours, timezone }],
  [{ type: 'custom', daysOfWeek: [1, 4], timeWindows: [{ from: '07:00', to: '10:00' }], timezone }],
  [
    {
      type: 'weekdays',
      timeWindows: hours,
      startsAt: '2026-01-01T00:00',
      expiresAt: '2027-01-01T00:00',
      timezone,
    },
  ],
  [{ type: 'custom', daysOfWeek: [5, 6], timeWindows: [{ from: '22:00', to: '06:00' }], timezone }],
  [
    { type: 'weekdays', timeWindows: hours, timezone },
    { type: 'weekends', timeWindows: [{ from: '10:00', to: '12:00' }], timezone },
  ],
  [{ type: 'always', timezone }],
]

/** Instants of all of 2026 in random order, like presses from many Spaces: caching the last one does not help. */
const instants = Float64Array.from(
  { length: 65_536 },
  (_, index) => Date.UTC(2026, 0) + ((index * 40_503_000_001) % (365 * 86_400_000)),
)

export interface ScheduleFigures {
  /** Decisions a second of `allowedBy`: which schedule allows an instant, if any. */
  readonly ours: number
  /** Yes or no for office hours with a fixed offset, by hand: no zone, no end. */
  readonly baseline: number
  /** Yes or no for office hours through Intl's wall clock. */
  readonly slow: number
}

function isOfficeHour(day: number, minute: number): boolean {
  return day >= 1 && day <= 5 && ((minute >= 480 && minute < 720) || (minute >= 780 && minute < 1_080))
}

function baselineDecide(atMs: number): boolean {
  const wall = new Date(atMs + 7_200_000)
  return isOfficeHour(wall.getUTCDay(), wall.getUTCHours() * 60 + wall.getUTCMinutes())
}

const format = new Intl.DateTimeFormat('sv-SE', {
  timeZone: timezone,
  dateStyle: 'short',
  timeStyle: 'medium',
})

function slowDecide(atMs: number): boolean {
  const text = format.format(atMs)
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`).getUTCDay()
  return isOfficeHour(day, Number(text.slice(11, 13)) * 60 + Number(text.slice(14, 16)))
}

/** Times `count` decisions. Allowed ones are counted, so that the work cannot be optimised away. */
function perSecond(count: number, from: number, isAllowed: (atMs: number, index: number) => boolean): number {
  const start = process.hrtime.bigint()
  let allowed = 0
  for (let index = from; index < from + count; index++)
    if (isAllowed(instants[index % instants.length] as number, index)) allowed++
  const seconds = Number(process.hrtime.bigint() - start) / 1e9
  if (allowed === 0 || allowed === count) throw new Error('the accesses allow nothing, or all')
  return count / seconds
}

/** Medians of `rounds` rounds of some milliseconds, in turn: a stall of the machine affects a round, not the figure. */
export function measureSchedule(rounds: number): ScheduleFigures {
  const ours: number[] = []
  const baseline: number[] = []
  const slow: number[] = []
  const ask = (atMs: number, index: number) =>
    allowedBy(accesses[index % accesses.length] ?? [], atMs) !== undefined
  perSecond(100_000, 0, ask)
  perSecond(100_000, 0, baselineDecide)
  for (let round = 0; round < rounds; round++) {
    ours.push(perSecond(5_000, round * 5_000, ask))
    baseline.push(perSecond(5_000, round * 5_000, baselineDecide))
    slow.push(perSecond(500, round * 500, slowDecide))
  }
  return { ours: percentile(ours, 0.5), baseline: percentile(baseline, 0.5), slow: percentile(slow, 0.5) }
}
