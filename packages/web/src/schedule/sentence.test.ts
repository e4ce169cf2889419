import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { ro } from '../words/ro.ts'
import { anySchedule } from './schedule.kit.ts'
import { formOf, newForm, type ScheduleForm } from './scheduleForm.ts'
import { namesOf, sentenceOf, sentenceText, shortOf } from './sentence.ts'

const form = newForm('Europe/Bucharest')
const weekdays: ScheduleForm = { ...form, repeats: 'weekdays', windows: [{ from: '07:00', to: '19:00' }] }
const nights: ScheduleForm = {
  ...form,
  repeats: 'custom',
  days: [6, 5],
  windows: [{ from: '22:00', to: '06:00' }],
}
const once: ScheduleForm = {
  ...form,
  repeats: 'one-shot',
  startsAt: '2026-03-18T10:00',
  expiresAt: '2026-03-18T10:00:00Z',
}

it('describes the schedules of an access in one sentence, with emphasis', () => {
  const said = sentenceOf([weekdays, nights], en)
  expect(said.map(({ isStrong, text }) => (isStrong ? `*${text}*` : text)).join(' ')).toBe(
    '*Monday to Friday 07:00–19:00,* and *Friday and Saturday from 22:00 until 06:00* the next morning.',
  )
})

it.each<[string, ScheduleForm, string]>([
  ['Any time.', form, 'Any time'],
  ['Monday to Friday, all day.', { ...weekdays, windows: [] }, 'Mon–Fri'],
  [
    'Every night from 22:00 until 06:00 the next morning.',
    { ...nights, days: [0, 1, 2, 3, 4, 5, 6] },
    'Every night 22:00–06:00',
  ],
  [
    'Monday to Wednesday and Sunday, all day.',
    { ...nights, days: [0, 3, 2, 1], windows: [] },
    'Mon–Wed, Sun',
  ],
  ['18 March 10:00–12:00.', once, '18 March 10:00–12:00'],
  [
    'From 18 March 10:00 until 20 March 00:00.',
    { ...once, expiresAt: '2026-03-20T00:00' },
    'From 18 March 10:00 until 20 March 00:00',
  ],
  // It allows nothing until both are typed.
  ['From 18 March 10:00 until ….', { ...once, expiresAt: '' }, 'From 18 March 10:00 until …'],
  ['From … until ….', { ...once, startsAt: '', expiresAt: '' }, 'From … until …'],
  [
    'Any time from 1 January 2026 until the end of 30 June 2026.',
    { ...form, startsAt: '2026-01-01T00:00', expiresAt: '2026-07-01T00:00' },
    'Any time',
  ],
  ['Any time until 30 June 2026 14:30.', { ...form, expiresAt: '2026-06-30T11:30:00Z' }, 'Any time'],
  [
    'Saturday and Sunday 08:00–12:00 and 14:00–24:00.',
    {
      ...weekdays,
      repeats: 'weekends',
      windows: [
        { from: '14:00', to: '00:00' },
        { from: '08:00', to: '12:00' },
      ],
    },
    'Sat, Sun 08:00–12:00, 14:00–24:00',
  ],
  [
    'Friday and Saturday from 22:00 until 14:00 the next day.',
    { ...nights, windows: [{ from: '22:00', to: '14:00' }] },
    'Fri, Sat 22:00–14:00',
  ],
])('describes %s', (sentence, said, short) => {
  expect(sentenceText([said], en)).toBe(sentence)
  expect(shortOf(said, en)).toBe(short)
})

it('separates the hours from the days between which they apply', () => {
  expect(sentenceText([{ ...nights, expiresAt: '2026-07-01T00:00' }], en)).toBe(
    'Friday and Saturday from 22:00 until 06:00 the next morning, until the end of 30 June 2026.',
  )
})

it('speaks Romanian', () => {
  expect(sentenceText([weekdays, nights], ro)).toBe(
    'De luni până vineri 07:00–19:00, și vineri și sâmbătă de la 22:00 până la 06:00 în dimineața următoare.',
  )
})

it('names the tabs, and distinguishes two with one name', () => {
  expect(namesOf([weekdays, nights, weekdays, once], en)).toEqual([
    'Weekdays',
    'Fri, Sat night',
    'Weekdays 2',
    'From … until …',
  ])
})

describe.each([
  ['en', en],
  ['ro', ro],
])('in %s', (_, speech) => {
  it('describes every schedule in whole words, with each of its hours', () => {
    fc.assert(
      fc.property(fc.array(anySchedule, { minLength: 1, maxLength: 3 }), schedules => {
        const forms = schedules.map(formOf)
        const text = sentenceText(forms, speech)
        expect(text).toMatch(/^\p{Lu}|^\d/u)
        expect(text).toMatch(/[^.]\.$/)
        expect(text).not.toMatch(/undefined|NaN|Invalid| {2}| ,|,,/)
        expect(shortOf(formOf(schedules[0] ?? { type: 'always', timezone: 'UTC' }), speech)).not.toMatch(
          /undefined|Invalid/,
        )
      }),
      { numRuns: 60 },
    )
  })
})
