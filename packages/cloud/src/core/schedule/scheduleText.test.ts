import type { Schedule } from '@callgate/contract/rest/schedule'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scheduleInputs, scheduleText } from './scheduleText.ts'

const timezone = 'Europe/Bucharest'
const clock = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(parts => parts.map(part => String(part).padStart(2, '0')).join(':'))
const windows = fc.option(fc.array(fc.record({ from: clock, to: clock }), { minLength: 1, maxLength: 3 }), {
  nil: undefined,
})
const zone = fc.constantFrom(timezone, 'Europe/Lisbon')
const schedule = fc
  .record({
    type: fc.constantFrom('always', 'weekdays', 'weekends', 'custom', 'one-shot'),
    windows,
    zone,
    ends: fc.boolean(),
  })
  .chain(({ ends, type, windows: given, zone: name }) =>
    fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }).map(daysOfWeek => {
      const hasWindows = type !== 'always' && type !== 'one-shot' && given
      return {
        type,
        ...(type === 'custom' && { daysOfWeek }),
        ...(hasWindows && { timeWindows: given }),
        ...(ends && { expiresAt: '2026-06-30T00:00' }),
        timezone: name,
      } as Schedule
    }),
  )

it('reads back what it has written, whatever the schedules are', () => {
  fc.assert(
    fc.property(fc.array(schedule, { minLength: 1, maxLength: 4 }), schedules => {
      expect(scheduleInputs(scheduleText(schedules, timezone), timezone)).toEqual(schedules)
    }),
  )
})

it('writes words where they can say the schedule, and JSON where they cannot', () => {
  const night: Schedule = {
    type: 'custom',
    daysOfWeek: [5, 6],
    timeWindows: [{ from: '22:00', to: '06:00' }],
    timezone,
  }
  const days: Schedule = { type: 'weekdays', timeWindows: [{ from: '07:00', to: '19:00' }], timezone }
  expect(scheduleText([days, night], timezone)).toBe('weekdays 07:00-19:00; Fri,Sat 22:00-06:00')
  expect(scheduleText([{ type: 'always', timezone }], timezone)).toBe('always')
  expect(scheduleText([days], 'Europe/Lisbon')).toMatch(/^\[/)
})

it.each([
  ['Mon-Fri 08:00-18:00', [1, 2, 3, 4, 5], [['08:00', '18:00']]],
  ['Mon–Fri 8:00 – 18:00', [1, 2, 3, 4, 5], [['08:00', '18:00']]],
  ['Sat Sun', [6, 0], undefined],
  ['Fri-Mon, Wednesday 22:00–24:00', [5, 6, 0, 1, 3], [['22:00', '00:00']]],
  [
    'Lun–vin, sâmbătă 07:00–12:00, 13:00–19:00',
    [1, 2, 3, 4, 5, 6],
    [
      ['07:00', '12:00'],
      ['13:00', '19:00'],
    ],
  ],
  ['Every day 08:00-18:00', [0, 1, 2, 3, 4, 5, 6], [['08:00', '18:00']]],
  ['08:00-18:00', [0, 1, 2, 3, 4, 5, 6], [['08:00', '18:00']]],
] as const)('reads %s', (text, daysOfWeek, windows) => {
  const timeWindows = windows?.map(([from, to]) => ({ from, to }))
  expect(scheduleInputs(text, timezone)).toEqual([
    { type: 'custom', daysOfWeek, ...(timeWindows && { timeWindows }), timezone },
  ])
})

it('reads an empty text as always, ignores case and spaces, and refuses unknown words', () => {
  const always = [{ type: 'always', timezone }]
  expect(scheduleInputs('', timezone)).toEqual(always)
  expect(scheduleInputs(' Always ', timezone)).toEqual(always)
  expect(scheduleInputs('fri,SAT  22:00-06:00;', timezone)).toEqual([
    { type: 'custom', daysOfWeek: [5, 6], timeWindows: [{ from: '22:00', to: '06:00' }], timezone },
  ])
  for (const text of [
    'sometimes',
    'Mon,Freitag',
    'weekdays 7',
    'weekdays 07:00-19:00 late',
    '[{',
    'always;x',
  ])
    expect(scheduleInputs(text, timezone)).toBeUndefined()
})

it('reads a long run of blanks in linear time', { timeout: 5_000 }, () => {
  const blanks = ' '.repeat(200_000)
  expect(scheduleInputs(`${blanks}x`, 'Europe/Bucharest')).toBeUndefined()
  expect(scheduleInputs(`Mon${blanks}-${blanks}Fri`, 'Europe/Bucharest')).toEqual(
    scheduleInputs('Mon-Fri', 'Europe/Bucharest'),
  )
})
