// Schedules in words: a whole sentence for the page of a member, and a few words for a list.

import { dayBeside, wallDay, wallOf } from '../words/time.ts'
import type { Words } from '../words/words.tsx'
import { daysOf, type ScheduleForm, weekDays } from './scheduleForm.ts'
import { clockOf, dayMinutes, stretchesOf } from './weekBars.ts'

/** A piece of a sentence. Times are strong. */
export interface Said {
  readonly text: string
  readonly isStrong: boolean
}

type Speech = Pick<Words, 'locale' | 'schedule'>

const list = (parts: readonly string[], locale: string) =>
  new Intl.ListFormat(locale, { type: 'conjunction' }).format(parts)
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** The days in runs of consecutive days, Monday first: `[[1, 2, 3], [6]]`. */
function runsOf(days: readonly number[]): readonly (readonly number[])[] {
  const runs: number[][] = []
  let wasIn = false
  for (const day of weekDays) {
    const isIn = days.includes(day)
    if (isIn && wasIn) runs.at(-1)?.push(day)
    else if (isIn) runs.push([day])
    wasIn = isIn
  }
  return runs
}

/** `Monday to Friday and Sunday`. */
function longDays(form: ScheduleForm, { locale, schedule: words }: Speech): string {
  const days = daysOf(form)
  if (days.length === 0) return words.noDay
  if (weekDays.every(day => days.includes(day))) return isNight(form) ? words.everyNight : words.everyDay
  const name = (day = 0) => words.days[day] ?? ''
  const parts = runsOf(days).flatMap(run =>
    run.length < 3 ? run.map(name) : [words.run(name(run[0]), name(run.at(-1)))],
  )
  return list(parts, locale)
}

/** `Mon–Fri, Sun`. */
function shortDays(days: readonly number[], words: Words['schedule']): string {
  const name = (day = 0) => words.shortDays[day] ?? ''
  return runsOf(days)
    .flatMap(run => (run.length < 3 ? run.map(name) : [`${name(run[0])}–${name(run.at(-1))}`]))
    .join(', ')
}

const isWholeDay = (form: ScheduleForm) => {
  const [first, ...others] = stretchesOf(form)
  return first !== undefined && others.length === 0 && first.from === 0 && first.to === dayMinutes
}
const isNight = (form: ScheduleForm) => {
  const stretches = stretchesOf(form)
  return stretches.length > 0 && stretches.every(({ to }) => to > dayMinutes)
}

const endClock = (to: number) => (to === dayMinutes ? '24:00' : clockOf(to))

/** `07:00–19:00`, and for a night `from 22:00 until 06:00`, with the words for the next day. */
function longHours(form: ScheduleForm, { locale, schedule: words }: Speech): readonly Said[] {
  if (isWholeDay(form)) return [{ text: words.allDay, isStrong: true }]
  const stretches = stretchesOf(form)
  const hours = stretches.map(({ from, to }) =>
    (to > dayMinutes ? words.overNight : words.hours)(clockOf(from), endClock(to)),
  )
  const last = stretches.at(-1)?.to ?? 0
  const after = last <= dayMinutes ? '' : last <= dayMinutes * 1.5 ? words.nextMorning : words.nextDay
  return [
    { text: list(hours, locale), isStrong: true },
    ...(after === '' ? [] : [{ text: after, isStrong: false }]),
  ]
}

const withYear = { day: 'numeric', month: 'long', year: 'numeric' } as const

/** A bound as a day; with its time where that is not midnight. */
function saidBound(
  bound: string,
  isEnd: boolean,
  form: ScheduleForm,
  { locale, schedule: words }: Speech,
): string {
  const wall = wallOf(bound, form.timezone) ?? bound
  const time = wall.slice(11, 16)
  if (time !== '00:00')
    return (isEnd ? words.until : words.from)(`${wallDay(wall, locale, withYear)} ${time}`)
  return isEnd
    ? words.untilEndOf(wallDay(dayBeside(wall.slice(0, 10), -1), locale, withYear))
    : words.from(wallDay(wall, locale, withYear))
}

function saidBounds(form: ScheduleForm, speech: Speech): readonly string[] {
  return [
    ...(form.startsAt === '' ? [] : [saidBound(form.startsAt, false, form, speech)]),
    ...(form.expiresAt === '' ? [] : [saidBound(form.expiresAt, true, form, speech)]),
  ]
}

/** `18 March 10:00–12:00`; over several days each end has its date: `from … until …`, even while one is not typed. */
function onceText({ expiresAt, startsAt, timezone }: ScheduleForm, { locale, schedule: words }: Speech) {
  const [from = '', to = ''] = [startsAt, expiresAt].map(bound => wallOf(bound, timezone) ?? bound)
  const said = (wall: string) => (wall === '' ? '…' : `${wallDay(wall, locale)} ${wall.slice(11, 16)}`)
  if (from !== '' && from.slice(0, 10) === to.slice(0, 10))
    return `${wallDay(from, locale)} ${words.hours(from.slice(11), to.slice(11))}`
  return words.fromTo(said(from), said(to))
}

const commaAtEnd = (piece: Said, place: number, all: readonly Said[]) =>
  place === all.length - 1 ? { ...piece, text: `${piece.text},` } : piece

/** The text of one schedule, in pieces that a space separates. */
function saidOf(form: ScheduleForm, speech: Speech): readonly Said[] {
  const words = speech.schedule
  if (form.repeats === 'one-shot') return [{ text: onceText(form, speech), isStrong: true }]
  const bounds = saidBounds(form, speech).map(text => ({ text, isStrong: false }))
  if (form.repeats === 'always') return [{ text: words.anyTime, isStrong: true }, ...bounds]
  const [hours, ...after] = longHours(form, speech)
  const days = longDays(form, speech)
  const isApart = isWholeDay(form)
  const said = [
    { text: `${days}${isApart ? ',' : ''} ${hours?.text ?? ''}`.trim(), isStrong: true },
    ...after,
  ]
  return [...(bounds.length > 0 ? said.map(commaAtEnd) : said), ...bounds]
}

/** All schedules of an access as one sentence. */
export function sentenceOf(forms: readonly ScheduleForm[], speech: Speech): readonly Said[] {
  const pieces = forms.flatMap((form, place): Said[] => {
    const isLast = place === forms.length - 1
    const said = saidOf(form, speech)
    const link = place > 0 && isLast ? [{ text: speech.schedule.and, isStrong: false }] : []
    const end = isLast ? '.' : ','
    const ended = said.map((piece, at) =>
      at === said.length - 1 ? { ...piece, text: piece.text + end } : piece,
    )
    return [...link, ...ended]
  })
  return pieces.map((piece, place) => (place === 0 ? { ...piece, text: capital(piece.text) } : piece))
}

/** The sentence without emphasis. */
export const sentenceText = (forms: readonly ScheduleForm[], speech: Speech) =>
  sentenceOf(forms, speech)
    .map(({ text }) => text)
    .join(' ')

/** One schedule in a few words: `Mon–Fri 07:00–19:00`. */
export function shortOf(form: ScheduleForm, speech: Speech): string {
  const { schedule: words } = speech
  if (form.repeats === 'one-shot') return capital(onceText(form, speech))
  if (form.repeats === 'always') return words.anyTime
  const days = daysOf(form)
  const isAll = days.length === 7
  const named = isAll ? longDays(form, speech) : capital(shortDays(days, words))
  if (isWholeDay(form)) return isAll ? words.anyTime : named
  const hours = stretchesOf(form).map(({ from, to }) => words.hours(clockOf(from), endClock(to)))
  return `${named} ${hours.join(', ')}`
}

/** The text of each schedule's tab; a number distinguishes two with one name. */
export function namesOf(forms: readonly ScheduleForm[], { schedule: words }: Speech): readonly string[] {
  const names = forms.map(form => {
    if (form.repeats !== 'custom') return words.names[form.repeats]
    const days = form.days.length === 0 ? words.noDay : capital(shortDays(form.days, words))
    return isNight(form) ? `${days} ${words.night}` : days
  })
  return names.map((name, place) => {
    const before = names.slice(0, place).filter(other => other === name).length
    return before === 0 ? name : `${name} ${before + 1}`
  })
}
