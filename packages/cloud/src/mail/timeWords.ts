// Times in a mail: the wall clock of a zone, which the foot of the mail names once.

import type { Language } from '@callgate/contract/language'
import { fill } from '../text/fill.ts'
import { dateTogether, endTogether, rangeDash } from '../text/lines.ts'
import { wallClockMs, zonedWords, zonedWordsAndClock, zoneWords } from '../text/zonedTime.ts'
import { wordings } from './wording.ts'

const dayMs = 24 * 60 * 60 * 1000
const day = { day: 'numeric', month: 'long', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

/** `{zone}` is in the form that Intl gives: in Ukrainian an adverbial, elsewhere a name. */
const zoneNotes: Readonly<Record<Language, string>> = {
  en: 'Times are in {zone}.',
  ro: 'Fus orar: {zone}.',
  hu: 'Időszámítás: {zone}.',
  de: 'Zeitzone: {zone}.',
  fr: 'Fuseau horaire\u00a0: {zone}.',
  it: 'Fuso orario: {zone}.',
  es: 'Zona horaria: {zone}.',
  uk: 'Час указано {zone}.',
}

/** The sentence at the foot of a mail with times. */
export const zoneNote = (atMs: number, timezone: string, language: Language) =>
  fill(zoneNotes[language], { zone: zoneWords(atMs, timezone, wordings[language].locale) })

export const timeWords = (atMs: number, timezone: string, language: Language) =>
  dateTogether(endTogether(zonedWords(atMs, timezone, wordings[language].locale, { ...day, ...clock })))

/** From when to when. A day is said once. Where the clocks change between, both are named. */
export function rangeWords(fromMs: number, toMs: number, timezone: string, language: Language): string {
  const { locale } = wordings[language]
  const [from, to] = [wallClockMs(fromMs, timezone), wallClockMs(toMs, timezone)]
  const words = from - fromMs === to - toMs ? zonedWords : zonedWordsAndClock
  const at = (atMs: number, parts: Intl.DateTimeFormatOptions) =>
    dateTogether(endTogether(words(atMs, timezone, locale, parts)))
  if (Math.floor(from / dayMs) !== Math.floor(to / dayMs))
    return `${at(fromMs, { ...day, ...clock })} – ${at(toMs, { ...day, ...clock })}`
  const dash = words === zonedWords ? rangeDash : ' – '
  return `${dateTogether(zonedWords(fromMs, timezone, locale, day))}, ${at(fromMs, clock)}${dash}${at(toMs, clock)}`
}
