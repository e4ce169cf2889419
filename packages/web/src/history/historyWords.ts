// The texts of the history about an opening, as pure functions.

import type { OpeningRecord } from '@callgate/contract/app/openingRecord'
import { type Reader, sayReason } from '../gates/gateWords.ts'
import { capital } from '../words/capital.ts'
import { sayPerson } from '../words/person.ts'
import { dayName, daysBack } from '../words/time.ts'
import type { Words } from '../words/words.tsx'

/** The name of the presser; a key has its own. */
export function sayName({ openedBy }: Pick<OpeningRecord, 'openedBy'>, words: Pick<Words, 'frame'>): string {
  return sayPerson(openedBy.name, words).replace(/^api:/, '')
}

/** The means of the press: `by link`, `API key`, `dashboard`. */
export function sayHow({ by }: Pick<OpeningRecord, 'by'>, { words }: Reader): string {
  const { byKey, byLink, byUser } = words.history
  return { member: byLink, key: byKey, user: byUser }[by.kind]
}

/** The reason of the end, as a sentence of its own; empty where the result says enough, as of a gate that has opened. */
export function sayWhy({ class: kind, reason, step }: OpeningRecord, { words }: Reader): string {
  if (kind === 'running') return words.openings.steps[step ?? 'asked']
  if (kind === 'opened') return ''
  return capital(sayReason(reason, words) ?? '', words)
}

/** `Today, Friday 20 March`. */
export function sayDay(at: string, { nowMs, times, words }: Reader): string {
  const { dayToday, dayYesterday } = words.history
  const day = dayName(at, nowMs, times)
  const days = daysBack(at, nowMs, times)
  if (days === 0) return dayToday(day)
  return days === 1 ? dayYesterday(day) : capital(day, words)
}
