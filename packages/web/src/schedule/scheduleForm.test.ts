import fc from 'fast-check'
import { expect, it } from 'vitest'
import { anySchedule } from './schedule.kit.ts'
import { formOf, isWhole, newForm, problemsOf, scheduleOf, timeTyped, withRepeats } from './scheduleForm.ts'

it('returns every schedule that the contract accepts unchanged', () => {
  fc.assert(
    fc.property(anySchedule, schedule => {
      expect(scheduleOf(formOf(schedule))).toEqual(schedule)
    }),
  )
})

it.each([
  ['22:00', '22:00'],
  ['7', '07:00'],
  ['730', '07:30'],
  ['0730', '07:30'],
  [' 7.30 ', '07:30'],
  ['24:00', '00:00'],
  ['24:01', undefined],
  ['25', undefined],
  ['7:60', undefined],
  ['', undefined],
  ['noon', undefined],
])('reads %j as %j', (text, time) => {
  expect(timeTyped(text)).toBe(time)
})

const form = newForm('Europe/Bucharest')

it('guesses working hours for the first week, and keeps the typed hours when the repetition changes back', () => {
  const weekdays = withRepeats(form, 'weekdays')
  expect(weekdays.windows).toEqual([{ from: '08:00', to: '18:00' }])
  const typed = { ...weekdays, windows: [{ from: '22:00', to: '6' }] }
  const back = withRepeats(withRepeats(typed, 'always'), 'custom')
  expect(scheduleOf(back)).toEqual({
    type: 'custom',
    daysOfWeek: [1, 2, 3, 4, 5],
    timeWindows: [{ from: '22:00', to: '06:00' }],
    timezone: 'Europe/Bucharest',
  })
  // Removed hours stay removed: the whole day is a choice.
  expect(withRepeats({ ...weekdays, windows: [] }, 'weekends').windows).toEqual([])
})

it('names the errors', () => {
  expect(isWhole(form)).toBe(true)
  const custom = { ...form, repeats: 'custom', days: [], windows: [] } as const
  expect(problemsOf(custom).days).toBe(true)
  const windows = [
    { from: '9', to: '17' },
    { from: '', to: '17:00' },
    { from: '9', to: '09:00' },
  ]
  expect(problemsOf({ ...form, repeats: 'weekdays', windows }).windows).toEqual([
    undefined,
    'noTime',
    'noLength',
  ])
  const once = { ...form, repeats: 'one-shot', startsAt: '2026-03-18T10:00' } as const
  expect(problemsOf(once).bounds).toBe('oneShotOpen')
  expect(problemsOf({ ...once, expiresAt: '2026-03-18T10:00' }).bounds).toBe('order')
  expect(isWhole({ ...once, expiresAt: '2026-03-18T12:00' })).toBe(true)
  // Only the cloud knows whether an instant is before or after a wall clock.
  expect(problemsOf({ ...once, expiresAt: '2026-03-18T09:00:00Z' }).bounds).toBeUndefined()
})
