import { expect, it } from 'vitest'
import { dayBeside } from '../words/time.ts'
import { dayByKey, firstWeekday, monthsLater, readDay, sayDay, weeksOf } from './dayText.ts'

const locales = ['en-GB', 'ro-RO']

it('reads each day as it is shown, in each language', () => {
  for (const locale of locales)
    for (let day = '2027-12-31'; day < '2029-01-10'; day = dayBeside(day, 4))
      expect(readDay(sayDay(day, locale), locale), sayDay(day, locale)).toBe(day)
})

it.each([
  ['en-GB', '30 Jun 2026', '2026-06-30'],
  ['en-GB', ' 30 june, 2026 ', '2026-06-30'],
  ['en-GB', '30jun26', '2026-06-30'],
  ['en-GB', '30/06/2026', '2026-06-30'],
  ['ro-RO', '30.6.26', '2026-06-30'],
  ['ro-RO', '1 Mai 2026', '2026-05-01'],
  ['ro-RO', '2026-6-30', '2026-06-30'],
] as const)('reads in %s %s', (locale, text, day) => {
  expect(readDay(text, locale)).toBe(day)
})

it.each([
  '',
  '30',
  '30 Jun',
  '31 Jun 2026',
  '29 Feb 2027',
  '30 ju 2026',
  '0.6.2026',
  '30.13.2026',
  '30 6 202',
  '1 2 3 4',
])('reads no day in “%s”', text => {
  expect(readDay(text, 'en-GB')).toBeUndefined()
})

it('shows the whole weeks of a month, from the first day of the week', () => {
  expect(weeksOf('2026-06-15', 1).map(([first]) => first)).toEqual([
    '2026-06-01',
    '2026-06-08',
    '2026-06-15',
    '2026-06-22',
    '2026-06-29',
  ])
  // A week that begins on Sunday.
  expect(weeksOf('2026-06-15', 7)[0]).toEqual(
    Array.from({ length: 7 }, (_, place) => dayBeside('2026-05-31', place)),
  )
  expect(weeksOf('2026-02-01', 7)).toHaveLength(4)
})

it('begins a week by the locale', () => {
  expect(['en-GB', 'ro-RO', 'en-US'].map(firstWeekday)).toEqual([1, 1, 7])
})

it('stays in the month where the next one is shorter', () => {
  expect(monthsLater('2026-01-31', 1)).toBe('2026-02-28')
  expect(monthsLater('2024-02-29', 12)).toBe('2025-02-28')
  expect(monthsLater('2026-01-15', -1)).toBe('2025-12-15')
})

it('moves by keys over days, weeks, months and years', () => {
  const to = (key: string, isShifted = false) => dayByKey('2026-06-30', { key, isShifted }, 1)
  expect([to('ArrowLeft'), to('ArrowRight')]).toEqual(['2026-06-29', '2026-07-01'])
  expect([to('ArrowUp'), to('ArrowDown')]).toEqual(['2026-06-23', '2026-07-07'])
  expect([to('Home'), to('End')]).toEqual(['2026-06-29', '2026-07-05'])
  expect([to('PageUp'), to('PageDown')]).toEqual(['2026-05-30', '2026-07-30'])
  expect([to('PageUp', true), to('PageDown', true)]).toEqual(['2025-06-30', '2027-06-30'])
  expect(to('x')).toBeUndefined()
})
