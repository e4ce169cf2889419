import type { Schedule } from '@callgate/contract/rest/schedule'
import { describe, expect, it } from 'vitest'
import { allowedBy, type Decision, decide, hoursAt, nextWindows } from './decide.ts'

const timezone = 'Europe/Bucharest'
const always: Schedule = { type: 'always', timezone }
const weekdays: Schedule = { type: 'weekdays', timezone }
const weekends: Schedule = { type: 'weekends', timezone }
const office: Schedule = {
  type: 'weekdays',
  timeWindows: [
    { from: '08:00', to: '12:00' },
    { from: '13:00', to: '18:00' },
  ],
  timezone,
}
const saturdayNight: Schedule = {
  type: 'custom',
  daysOfWeek: [6],
  timeWindows: [{ from: '22:00', to: '06:00' }],
  timezone,
}

const at = (text: string) => Date.parse(text)
const text = (atMs: number | null) => (atMs === null ? null : new Date(atMs).toISOString())

/** A decision with its instants as text. */
function told(schedules: readonly Schedule[], now: string): unknown[] {
  const decision: Decision = decide(schedules, at(now))
  return decision.allowed
    ? [decision.scheduleIndex, text(decision.untilMs)]
    : [decision.why, text(decision.nextMs)]
}

describe('decide', () => {
  it.each<[string, Schedule[], string, unknown[]]>([
    ['always does not end', [always], '2026-06-01T00:00Z', [0, null]],
    ['one-shot without bounds is always', [{ type: 'one-shot', timezone }], '2026-06-01T00:00Z', [0, null]],
    ['a window ends', [office], '2026-06-01T05:00Z', [0, '2026-06-01T09:00:00.000Z']],
    ['lunch', [office], '2026-06-01T09:00Z', ['outside_windows', '2026-06-01T10:00:00.000Z']],
    ['the weekend', [office], '2026-06-05T15:00Z', ['outside_windows', '2026-06-08T05:00:00.000Z']],
    ['whole days are one', [weekdays], '2026-06-01T05:00Z', [0, '2026-06-05T21:00:00.000Z']],
    ['a night over the end of a week', [saturdayNight], '2026-06-06T19:00Z', [0, '2026-06-07T03:00:00.000Z']],
    ['a window of a DST day', [weekends], '2026-03-28T12:00Z', [0, '2026-03-29T21:00:00.000Z']],
    ['the second of two allows', [office, weekends], '2026-06-06T05:00Z', [1, '2026-06-07T21:00:00.000Z']],
    ['the first of two that allow', [office, weekdays], '2026-06-01T05:00Z', [0, '2026-06-05T21:00:00.000Z']],
    ['turns that never end', [weekends, weekdays], '2026-06-01T05:00Z', [1, null]],
    [
      'turns that do not last a year',
      [{ ...weekends, expiresAt: '2026-12-05T12:00' }, weekdays],
      '2026-06-01T05:00Z',
      [1, '2026-12-05T10:00:00.000Z'],
    ],
    [
      'turns that end after years',
      [{ ...weekends, expiresAt: '2028-12-05T12:00' }, weekdays],
      '2026-06-01T05:00Z',
      [1, '2028-12-08T22:00:00.000Z'],
    ],
    [
      'turns of many, the last of which ends after years',
      [
        { ...weekends, expiresAt: '2027-12-05T12:00' },
        { ...weekdays, expiresAt: '2029-01-01T00:00' },
        { ...always, startsAt: '2027-06-01T00:00', expiresAt: '2031-03-03T03:00' },
        { ...office, startsAt: '2031-03-03T00:00' },
      ],
      '2026-06-01T05:00Z',
      [1, '2031-03-03T01:00:00.000Z'],
    ],
    [
      'turns that begin to be endless later',
      [
        { ...always, expiresAt: '2028-12-05T12:00' },
        { ...weekdays, startsAt: '2027-01-01T00:00' },
        { ...weekends, startsAt: '2028-01-01T00:00' },
      ],
      '2026-06-01T05:00Z',
      [0, null],
    ],
    [
      'the earliest of two',
      [office, saturdayNight],
      '2026-06-05T16:00Z',
      ['outside_windows', '2026-06-06T19:00:00.000Z'],
    ],
    [
      'not yet',
      [{ ...office, startsAt: '2026-06-06T12:00' }],
      '2026-06-01T05:00Z',
      ['not_yet', '2026-06-08T05:00:00.000Z'],
    ],
    [
      'begins within a window',
      [{ ...office, startsAt: '2026-06-01T09:30' }],
      '2026-05-01T05:00Z',
      ['not_yet', '2026-06-01T06:30:00.000Z'],
    ],
    [
      'expires',
      [{ ...always, expiresAt: '2036-06-01T09:30Z' }],
      '2026-06-01T05:00Z',
      [0, '2036-06-01T09:30:00.000Z'],
    ],
    ['is over', [{ ...always, expiresAt: '2026-06-01T09:30Z' }], '2026-06-01T09:30Z', ['expired', null]],
    [
      'no window is left',
      [{ ...office, expiresAt: '2026-06-06T09:30Z' }],
      '2026-06-05T15:00Z',
      ['outside_windows', null],
    ],
    [
      'one is over, one has not begun',
      [
        { ...always, expiresAt: '2026-06-01T09:30Z' },
        { ...always, startsAt: '2027-01-01T00:00Z' },
      ],
      '2026-06-05T15:00Z',
      ['not_yet', '2027-01-01T00:00:00.000Z'],
    ],
    [
      'one is over, one has no window now',
      [{ ...always, expiresAt: '2026-06-01T09:30Z' }, office],
      '2026-06-05T15:00Z',
      ['outside_windows', '2026-06-08T05:00:00.000Z'],
    ],
    [
      'one has not begun, one has no window now',
      [{ ...always, startsAt: '2027-01-01T00:00Z' }, office],
      '2026-06-05T15:00Z',
      ['outside_windows', '2026-06-08T05:00:00.000Z'],
    ],
    [
      'a window that the DST change leaves out',
      [{ type: 'custom', daysOfWeek: [0], timeWindows: [{ from: '03:15', to: '03:45' }], timezone }],
      '2026-03-28T12:00Z',
      ['outside_windows', '2026-04-05T00:15:00.000Z'],
    ],
    ['no schedules allow nothing', [], '2026-06-05T15:00Z', ['expired', null]],
  ])('%s', (_what, schedules, now, expected) => {
    expect(told(schedules, now)).toEqual(expected)
    const hours = hoursAt(schedules, at(now))
    expect(hours.allowed).toBe(allowedBy(schedules, at(now)) !== undefined)
    expect(decide(schedules, at(now))).toMatchObject(hours)
  })

  it('throws for a schedule that readSchedules refuses, and does not allow it', () => {
    expect(() => decide([{ ...always, timezone: 'Mars/Olympus' }], 0)).toThrow('Mars/Olympus')
    expect(() => decide([{ ...always, expiresAt: 'soon' }], 0)).toThrow('soon')
    const unknown = { ...always, type: 'full-moon' } as unknown as Schedule
    expect(() => decide([unknown], 0)).toThrow('full-moon')
  })
})

describe('nextWindows', () => {
  const windowsOf = (schedules: readonly Schedule[], now: string, count: number) =>
    nextWindows(schedules, at(now), count).map(({ fromMs, toMs }) => [text(fromMs), text(toMs)])

  it('begins with the current window, and merges the schedules', () => {
    const noon: Schedule = { ...weekdays, timeWindows: [{ from: '11:00', to: '14:00' }] }
    expect(windowsOf([office, noon, saturdayNight], '2026-06-05T06:30:00.001Z', 3)).toEqual([
      ['2026-06-05T06:30:00.001Z', '2026-06-05T15:00:00.000Z'],
      ['2026-06-06T19:00:00.000Z', '2026-06-07T03:00:00.000Z'],
      ['2026-06-08T05:00:00.000Z', '2026-06-08T15:00:00.000Z'],
    ])
  })

  it('shows a repeated hour as two windows', () => {
    const repeated: Schedule = {
      type: 'custom',
      daysOfWeek: [0],
      timeWindows: [{ from: '03:15', to: '03:45' }],
      timezone,
    }
    expect(windowsOf([repeated], '2026-10-24T12:00Z', 2)).toEqual([
      ['2026-10-25T00:15:00.000Z', '2026-10-25T00:45:00.000Z'],
      ['2026-10-25T01:15:00.000Z', '2026-10-25T01:45:00.000Z'],
    ])
  })

  it('ends with the last window', () => {
    expect(windowsOf([{ ...office, expiresAt: '2026-06-01T09:00' }], '2026-05-31T00:00Z', 10)).toEqual([
      ['2026-06-01T05:00:00.000Z', '2026-06-01T06:00:00.000Z'],
    ])
    expect(windowsOf([always, office], '2026-05-31T00:00Z', 10)).toEqual([['2026-05-31T00:00:00.000Z', null]])
    expect(windowsOf([{ ...always, expiresAt: '2026-01-01T00:00Z' }], '2026-05-31T00:00Z', 10)).toEqual([])
    expect(windowsOf([always], '2026-05-31T00:00Z', 0)).toEqual([])
  })
})
