// When a link ends: in words for the person who gets it, and the ends that a visitor's link offers.

import { dayBeside, wallDay } from '../words/time.ts'
import type { Words } from '../words/words.tsx'
import { lateTexts } from './lateTexts.ts'

/** `Until Friday, 20 March 2026, 18:00.` `wall` is the wall clock of the end, such as `2026-03-20T18:00`. */
export function sayEnd(wall: string, words: Pick<Words, 'locale'>): string {
  const says = lateTexts(words).sheet
  const [date = '', time = ''] = wall.split('T')
  const say = (day: string) =>
    wallDay(day, words.locale, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
  return time === '00:00' ? says.untilEndOf(say(dayBeside(date, -1))) : says.until(say(date), time)
}

export const visitorEnds = ['evening', 'today', 'tomorrow', 'other'] as const
export type VisitorEnd = (typeof visitorEnds)[number]

/** An evening that is nearer than an hour is not offered. */
const eveningUntil = '17:00'

/** The ends to choose from, the usual one first. `now` is a wall clock. */
export function offeredEnds(now: string): readonly VisitorEnd[] {
  return now.slice(11) < eveningUntil ? visitorEnds : visitorEnds.filter(end => end !== 'evening')
}

/** The wall clock at which a link ends; `typed` is the one of `other`. */
export function endOf(end: VisitorEnd, now: string, typed: string): string {
  const today = now.slice(0, 10)
  const next = dayBeside(today, 1)
  switch (end) {
    case 'evening':
      return `${today}T18:00`
    case 'today':
      return `${next}T00:00`
    case 'tomorrow':
      return `${dayBeside(next, 1)}T00:00`
    case 'other':
      return typed
  }
}

/**
 * The wall clock at which a link ends that is made at `now`, in a dialog that was opened at `opened`. What has passed meanwhile, such
 * as a midnight, is that of the day which has begun.
 */
export function endAhead(end: VisitorEnd, opened: string, now: string, typed: string): string {
  if (end === 'other') return typed
  const ends = [endOf(end, opened, typed), endOf(end, now, typed), endOf('today', now, typed)]
  return ends.find(wall => wall > now) ?? typed
}
