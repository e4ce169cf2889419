import type { Schedule, ScheduleInput, TimeWindow } from '@callgate/contract/rest/schedule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decide, hoursAt } from './decide.ts'
import { boundsOf, naiveDecision, offsetChangesOf, wallText } from './naiveSchedule.kit.ts'
import { readSchedules } from './readSchedules.ts'
import { instantOf, zoneOf } from './zone.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const runs = 1_050
const instantsPerRun = 200

/** Zones with unusual clock changes, and the years that are tested. */
const places = [
  ['Europe/Bucharest', '2025-12', '2027-01'],
  ['America/New_York', '2025-12', '2027-01'],
  ['Australia/Lord_Howe', '2025-12', '2027-01'], // half an hour
  ['America/St_Johns', '2025-12', '2027-01'],
  ['America/St_Johns', '2010-01', '2010-12'], // at 00:01, so that the previous day returns
  ['Pacific/Chatham', '2025-12', '2027-01'], // an offset with a quarter of an hour
  ['Antarctica/Troll', '2025-12', '2027-01'], // two hours
  ['America/Santiago', '2025-12', '2027-01'], // midnight itself is skipped
  ['Asia/Beirut', '2025-12', '2027-01'],
  ['Africa/Casablanca', '2025-12', '2027-01'], // a month of winter time in Ramadan
  ['America/Sao_Paulo', '2018-06', '2019-04'],
  ['America/Recife', '2000-08', '2000-12'], // a summer time of a week
  ['Asia/Gaza', '2040-08', '2040-12'],
  ['Asia/Kathmandu', '1985-10', '1986-03'], // a quarter of an hour, once
  ['Pacific/Apia', '2011-08', '2012-05'], // no 30 December
  ['Pacific/Kiritimati', '1994-11', '1995-03'],
  ['UTC', '2026-01', '2026-02'],
] as const

interface TestZone {
  readonly timezone: string
  /** Instants of clock changes, and some midnights. */
  readonly anchors: readonly number[]
}

function placeOf([timezone, from, to]: (typeof places)[number]): TestZone {
  const fromMs = Date.parse(`${from}-01T00:00:00Z`)
  const toMs = Date.parse(`${to}-01T00:00:00Z`)
  const zone = zoneOf(timezone)
  if (!zone) throw new Error(`no ${timezone}`)
  const changes = offsetChangesOf(timezone, fromMs, toMs)
  const days = [...changes.flatMap(at => [at - dayMs, at, at + dayMs]), (fromMs + toMs) / 2]
  // Anchors may be inexact: they only say where to test.
  const midnights = days.map(at => instantOf(Math.floor(at / dayMs) * dayMs, zone, 'later'))
  return { timezone, anchors: [...changes, ...changes, ...midnights] }
}

const clocks = fc.oneof(
  fc.constantFrom('00:00', '00:30', '01:00', '01:30', '02:00', '02:30', '03:00', '03:15', '03:45', '04:00'),
  fc.constantFrom('08:00', '12:30', '22:00', '23:00', '23:30', '23:59'),
  fc.integer({ min: 0, max: 1_439 }).map(minute => new Date(minute * minuteMs).toISOString().slice(11, 16)),
)
const windows = fc.option(
  fc.array(
    fc.record<TimeWindow>({ from: clocks, to: clocks }).filter(({ from, to }) => from !== to),
    { minLength: 1, maxLength: 4 },
  ),
  { nil: null, freq: 6 },
)
const days = fc.array(fc.integer({ min: 0, max: 6 }), { minLength: 1, maxLength: 7 })

/** A time near an anchor, with an offset or on the wall clock, which may then occur twice or never. */
const bounds = fc.option(
  fc.record({
    anchor: fc.nat(),
    minutes: fc.oneof(
      fc.constantFrom(-60, -45, -30, 0, 15, 30, 45, 60),
      fc.integer({ min: -20_000, max: 20_000 }),
    ),
    isWall: fc.boolean(),
  }),
  { nil: null, freq: 2 },
)
const drafts = fc.record({
  type: fc.constantFrom(
    'always',
    'weekdays',
    'weekdays',
    'weekends',
    'custom',
    'custom',
    'custom',
    'one-shot',
  ),
  days,
  windows,
  startsAt: bounds,
  expiresAt: bounds,
})
type Draft = typeof drafts extends fc.Arbitrary<infer T> ? T : never

function boundText(place: TestZone, bound: Draft['startsAt']): string | null {
  if (!bound) return null
  const anchor = place.anchors[bound.anchor % place.anchors.length] ?? 0
  const text = (atMs: number) => new Date(atMs).toISOString().slice(0, 19)
  if (!bound.isWall) return `${text(anchor + bound.minutes * minuteMs)}Z`
  const beforeMs = Date.parse(`${wallText(place.timezone, anchor - dayMs)}Z`) + dayMs
  return text(beforeMs + bound.minutes * minuteMs)
}

function inputOf(
  { days: daysOfWeek, type, windows: timeWindows }: Draft,
  bounds: Pick<ScheduleInput, 'startsAt' | 'expiresAt' | 'timezone'>,
): ScheduleInput {
  if (type === 'custom') return { type, daysOfWeek, timeWindows, ...bounds }
  if (type === 'weekdays' || type === 'weekends') return { type, timeWindows, ...bounds }
  return { type, ...bounds }
}

function scheduleOf(place: TestZone, draft: Draft): Schedule {
  const input = inputOf(draft, {
    startsAt: boundText(place, draft.startsAt),
    expiresAt: boundText(place, draft.expiresAt),
    timezone: place.timezone,
  })
  const read = readSchedules([input], 'schedules')
  if (read.ok) return read.schedules[0] as Schedule
  // The only reason to refuse here is the wrong order of the bounds.
  expect(read.problem.message).toContain('expiresAt must be after startsAt')
  const open = readSchedules([{ ...input, expiresAt: null }], 'schedules')
  if (!open.ok) throw new Error(open.problem.message)
  return open.schedules[0] as Schedule
}

/** A number as an instant: on an anchor, beside it, near it, or some way off. */
function instantNear(place: TestZone, pick: number): number {
  const anchor = place.anchors[pick % place.anchors.length] ?? 0
  const rest = Math.floor(pick / place.anchors.length)
  const shift = Math.floor(rest / 4)
  if (rest % 4 === 0) return anchor + (shift % 5) - 2
  if (rest % 4 === 1) return anchor + ((shift % 400) - 200) * minuteMs - (Math.floor(shift / 400) % 2)
  if (rest % 4 === 2) return anchor + (shift % (4 * dayMs)) - 2 * dayMs
  return anchor + ((shift % 40_000) - 20_000) * 7 * minuteMs
}

function spread(fromMs: number, toMs: number, count: number): number[] {
  return Array.from({ length: count }, (_, step) => Math.floor(fromMs + ((toMs - fromMs) * step) / count))
}

/** Checks that the checker's answer changes at the instants that a decision names, and that its reason is true. */
function checkRest(schedules: readonly Schedule[], decideNaively: (atMs: number) => number, atMs: number) {
  const decision = decide(schedules, atMs)
  const endMs = decision.allowed ? decision.untilMs : decision.nextMs
  const same = spread(atMs, endMs ?? atMs + 390 * dayMs, 8)
  if (endMs !== null) same.push(endMs - 1)
  const wrong = same.filter(near => decideNaively(near) >= 0 !== decision.allowed)
  const isEnd = endMs !== null && !(decision.allowed && decision.isAtLeast)
  if (isEnd && decideNaively(endMs) >= 0 === decision.allowed) wrong.push(endMs)
  expect({ atMs, wrong }).toEqual({ atMs, wrong: [] })
  expect(decision).toMatchObject(hoursAt(schedules, atMs))
  if (decision.allowed) return
  const left = schedules.map(boundsOf).filter(({ expiresMs }) => atMs < expiresMs)
  const isBefore = left.every(({ startsMs }) => atMs < startsMs)
  expect(decision.why).toBe(left.length === 0 ? 'expired' : isBefore ? 'not_yet' : 'outside_windows')
}

describe('decide', () => {
  it('agrees with the naive checker on 200,000 instants around DST changes and midnights', () => {
    const known = places.map(placeOf)
    expect(known.filter(({ anchors }) => anchors.length > 1)).toHaveLength(places.length - 1)
    let compared = 0
    let bounded = 0
    fc.assert(
      fc.property(
        fc.constantFrom(...known),
        fc.array(drafts, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(), { minLength: instantsPerRun, maxLength: instantsPerRun }),
        (place, drawn, picks) => {
          const schedules = drawn.map(draft => scheduleOf(place, draft))
          if (schedules.some(one => one.startsAt ?? one.expiresAt)) bounded++
          const decideNaively = naiveDecision(schedules)
          for (const [index, pick] of picks.entries()) {
            const atMs = instantNear(place, pick)
            const decision = decide(schedules, atMs)
            const decided = decideNaively(atMs)
            if ((decision.allowed ? decision.scheduleIndex : -1) !== decided)
              throw new Error(`${new Date(atMs).toISOString()} by ${decided} in ${JSON.stringify(schedules)}`)
            if (index % 50 === 0) checkRest(schedules, decideNaively, atMs)
            compared++
          }
        },
      ),
      // A fixed seed repeats the same instants; another seed gives another 200,000.
      { numRuns: runs, seed: 20260329 },
    )
    expect(compared).toBeGreaterThanOrEqual(200_000)
    expect(bounded).toBeGreaterThan(runs / 4)
    // The test takes some three seconds; the limit is for a busy machine.
  })
})
