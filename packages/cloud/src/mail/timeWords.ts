// Times in a mail: the wall clock of a zone, which is named.

import type { Language } from '@callgate/contract/language'
import { dateTogether, lastTwoTogether, rangeDash } from '../text/lines.ts'
import { wallClockMs, zonedWords, zonedWordsAndClock } from '../text/zonedTime.ts'
import { wordings } from './wording.ts'

const dayMs = 24 * 60 * 60 * 1000
const day = { day: 'numeric', month: 'long', year: 'numeric' } as const
const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const

export const timeWords = (atMs: number, timezone: string, language: Language) =>
  dateTogether(
    lastTwoTogether(zonedWordsAndClock(atMs, timezone, wordings[language].locale, { ...day, ...clock })),
  )

/** From when to when. A day is said once, and so is the abbreviation of the zone, unless the clocks change between. */
export function rangeWords(fromMs: number, toMs: number, timezone: string, language: Language): string {
  const { locale } = wordings[language]
  const [from, to] = [wallClockMs(fromMs, timezone), wallClockMs(toMs, timezone)]
  if (Math.floor(from / dayMs) !== Math.floor(to / dayMs))
    return `${timeWords(fromMs, timezone, language)} – ${timeWords(toMs, timezone, language)}`
  const date = dateTogether(zonedWords(fromMs, timezone, locale, day))
  const end = lastTwoTogether(zonedWordsAndClock(toMs, timezone, locale, clock))
  return from - fromMs === to - toMs
    ? `${date}, ${zonedWords(fromMs, timezone, locale, clock)}${rangeDash}${end}`
    : `${date}, ${lastTwoTogether(zonedWordsAndClock(fromMs, timezone, locale, clock))} – ${end}`
}
