import type { Schedule } from '@callgate/contract/rest/schedule'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { allowedBy, decide, hoursAt, nextWindows } from './decide.ts'
import { naiveDecision } from './naiveSchedule.kit.ts'
import { zoneOf } from './zone.ts'

const minuteMs = 60_000
const dayMs = 86_400_000
const now = Date.parse('2026-06-01T05:00:00Z')
const timezone = 'Europe/Bucharest'
const everyDay = [0, 1, 2, 3, 4, 5, 6]

const clock = (minute: number) => new Date((minute % 1_440) * minuteMs).toISOString().slice(11, 16)

type Custom = Extract<Schedule, { type: 'custom' }>

/** The most that one access may hold: 20 schedules of 10 windows, which follow each other around the clock. */
function worst<Form extends Schedule>(of: (schedule: Custom, place: number) => Form): readonly Form[] {
  return Array.from({ length: 20 }, (_, place) => {
    const timeWindows = Array.from({ length: 10 }, (_window, round) => {
      const slot = round * 20 + place
      return { from: clock(Math.floor(slot * 7.2)), to: clock(Math.floor((slot + 1) * 7.2)) }
    })
    return of({ type: 'custom', daysOfWeek: everyDay, timeWindows, timezone }, place)
  })
}

/** Gives each schedule its own start, long ago. */
const apart = (schedule: Custom, place: number): Custom => ({
  ...schedule,
  startsAt: `2020-01-01T00:${10 + place}`,
})

/** Zones that have had the same time as Bucharest for long. */
const neighbours = ['Europe/Bucharest', 'Europe/Athens', 'Europe/Helsinki', 'Europe/Sofia', 'Europe/Riga']

/** The same times, each in another zone than the next schedule. */
const abroad = (schedule: Schedule, place: number): Schedule => ({
  ...schedule,
  timezone: neighbours[place % 5] ?? timezone,
})

/** How many steps `ask` takes: each step asks a zone once. */
function stepsOf(ask: () => unknown): number {
  const spies = neighbours.map(name => {
    const zone = zoneOf(name)
    if (!zone) throw new Error(`no ${name}`)
    return vi.spyOn(zone, 'periodAt')
  })
  ask()
  const steps = spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
  vi.restoreAllMocks()
  return steps
}

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the work of a decision', () => {
  const lists: readonly (readonly [string, readonly Schedule[]])[] = [
    ['touching windows', worst(schedule => schedule)],
    ['touching windows with bounds of their own', worst(apart)],
    ['touching windows in several zones, which cannot be joined', worst(abroad)],
    [
      'windows with gaps',
      worst((schedule, place) => ({
        ...schedule,
        timeWindows: (schedule.timeWindows ?? []).map(({ from }) => ({
          from,
          to: clock(Number(from.slice(0, 2)) * 60 + Number(from.slice(3)) + 1 + (place % 2)),
        })),
      })),
    ],
    [
      'schedules that begin in other centuries',
      worst((schedule, place) => ({ ...schedule, startsAt: `${3000 + place * 100}-01-01T00:00` })),
    ],
  ]

  it.each(lists)('is one step for each schedule for yes or no: %s', (_, schedules) => {
    expect(stepsOf(() => allowedBy(schedules, now))).toBeLessThanOrEqual(20)
  })

  it.each(lists)('is within the budget for the next change: %s', (_, schedules) => {
    // The last turn may exceed the limit: 20 rules, each with a few steps.
    expect(stepsOf(() => decide(schedules, now))).toBeLessThanOrEqual(4_200)
    expect(stepsOf(() => nextWindows(schedules, now, 1))).toBeLessThanOrEqual(4_200)
  })

  it('is small for the next allowed instant, or for whether there is one, whatever the schedules', () => {
    const sunday: Schedule = { ...worst(apart)[0], type: 'custom', daysOfWeek: [0], timezone }
    const gap = { ...sunday, timeWindows: [{ from: '03:15', to: '03:45' }] }
    const saturday = Date.parse('2026-03-28T12:00:00Z')
    const schedules = Array.from({ length: 20 }, () => gap)
    expect(stepsOf(() => decide(schedules, saturday))).toBeLessThanOrEqual(20 * 10)
    expect(stepsOf(() => hoursAt(schedules, saturday))).toBeLessThanOrEqual(20 * 10)
    const over = schedules.map(one => ({ ...one, expiresAt: '2026-03-29T03:20' }))
    expect(hoursAt(over, saturday)).toMatchObject({ allowed: false, nextMs: null })
    expect(stepsOf(() => hoursAt(over, saturday))).toBeLessThanOrEqual(20 * 10)
  })

  it('ends with a minimum for how long an access lasts, where its end is too much work', () => {
    const decision = decide(worst(abroad), now)
    if (!decision.allowed || decision.untilMs === null) throw new Error('nobody knows that')
    expect(decision.isAtLeast).toBe(true)
    expect(decision.untilMs).toBeGreaterThan(now + dayMs / 2)
    expect(nextWindows(worst(abroad), now, 3)).toEqual([
      { fromMs: now, toMs: decision.untilMs, isAtLeast: true },
    ])
  })

  it.each([
    ['with the same bounds', worst(schedule => schedule)],
    ['with bounds of their own', worst(apart)],
  ])('finds that windows which touch each other around the clock do not end, %s', (_, schedules) => {
    expect(decide(schedules, now)).toMatchObject({ allowed: true, untilMs: null, isAtLeast: false })
  })
})

describe('an access that alternates between schedules for years', () => {
  const timezones = fc.constantFrom(timezone, timezone, timezone, 'Europe/Athens', 'Europe/Berlin')
  const bounds = fc.option(
    fc.integer({ min: -300, max: 2_000 }).map(days => new Date(now + days * dayMs).toISOString()),
    { nil: undefined },
  )
  const wide = fc.record({
    type: fc.constantFrom('weekdays', 'weekends', 'always', 'custom' as const),
    timezone: timezones,
    bounds: fc.tuple(bounds, bounds).map(([one, other]) => [one, other].sort()),
    hours: fc.constantFrom(undefined, ['00:00', '12:00'], ['12:00', '00:00'], ['06:00', '05:00']),
  })
  type Wide = typeof wide extends fc.Arbitrary<infer T> ? T : never

  function scheduleOf({ bounds: [startsAt, expiresAt], hours, timezone: zone, type }: Wide): Schedule {
    const [from = '', to = ''] = hours ?? []
    const base = {
      ...(startsAt !== undefined && startsAt !== expiresAt && { startsAt }),
      ...(expiresAt !== undefined && startsAt !== expiresAt && { expiresAt }),
      timezone: zone,
    }
    const windows = hours && { timeWindows: [{ from, to }] }
    if (type === 'always') return { type, ...base }
    return type === 'custom'
      ? { type, daysOfWeek: everyDay, ...windows, ...base }
      : { type, ...windows, ...base }
  }

  it('ends at its end, and goes on for ever where it has none', () => {
    let late = 0
    let endless = 0
    fc.assert(
      fc.property(fc.array(wide, { minLength: 2, maxLength: 8 }), drawn => {
        const schedules = drawn.map(scheduleOf)
        const decision = decide(schedules, now)
        if (!decision.allowed) return
        const decideNaively = naiveDecision(schedules)
        const lastMs = Math.max(
          now,
          ...drawn.flatMap(({ bounds: all }) => all.map(at => Date.parse(at ?? ''))).filter(Number.isFinite),
        )
        const endMs = decision.untilMs ?? lastMs + 21 * dayMs
        const samples = Array.from({ length: 400 }, (_, step) => now + ((endMs - now) * step) / 400)
        if (decision.untilMs === null) {
          endless++
          for (let atMs = lastMs; atMs < endMs; atMs += 15 * minuteMs) samples.push(atMs)
        } else if (!decision.isAtLeast) {
          if (decision.untilMs > now + 400 * dayMs) late++
          expect([decideNaively(decision.untilMs - 1) >= 0, decideNaively(decision.untilMs)]).toEqual([
            true,
            -1,
          ])
        }
        expect(samples.filter(atMs => decideNaively(Math.floor(atMs)) < 0)).toEqual([])
      }),
      { numRuns: 300, seed: 400 },
    )
    expect(Math.min(late, endless)).toBeGreaterThan(20)
  })
})

describe('joined schedules', () => {
  const clocks = fc.integer({ min: 0, max: 95 }).map(quarter => clock(quarter * 15))
  const windows = fc
    .array(
      fc.record({ from: clocks, to: clocks }).filter(({ from, to }) => from !== to),
      { minLength: 1, maxLength: 10 },
    )
    .map(timeWindows => ({ timeWindows }))
  const schedules = fc.array(
    fc.record({ days: fc.subarray(everyDay, { minLength: 1 }), windows: fc.option(windows, { freq: 9 }) }),
    { minLength: 1, maxLength: 20 },
  )
  const instants = fc.integer({ min: 0, max: 400 * 24 * 60 }).map(minute => now + minute * minuteMs)

  it('decide like schedules that are asked one by one', () => {
    let ends = 0
    fc.assert(
      fc.property(schedules, instants, (drawn, atMs) => {
        const whole = drawn.map(
          ({ days, windows }): Custom => ({ type: 'custom', daysOfWeek: days, timezone, ...windows }),
        )
        const alone = whole.map(abroad)
        const decision = decide(whole, atMs)
        const slow = decide(alone, atMs)
        // What is too much work alone is at least that much together.
        if (slow.allowed && slow.isAtLeast) expect(decision.allowed).toBe(true)
        else expect(decision).toEqual(slow)
        const decideNaively = naiveDecision(whole)
        expect(allowedBy(whole, atMs) ?? -1).toBe(decideNaively(atMs))
        if (!decision.allowed || decision.untilMs === null || decision.isAtLeast) return
        ends++
        expect([decideNaively(decision.untilMs - 1) >= 0, decideNaively(decision.untilMs)]).toEqual([
          true,
          -1,
        ])
      }),
      { numRuns: 400, seed: 20260329 },
    )
    expect(ends).toBeGreaterThan(50)
  })
})
