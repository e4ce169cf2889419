// A time in a mail: the wall clock of a zone, which is named.

import type { Language } from '@callgate/contract/language'
import { zonedWordsAndClock } from '../text/zonedTime.ts'
import { wordings } from './wording.ts'

const parts = {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
} as const

export const timeWords = (atMs: number, timezone: string, language: Language) =>
  zonedWordsAndClock(atMs, timezone, wordings[language].locale, parts)
