// Who reads the page of gates: the language, the zone of the Space, and a time that goes on.

import { useSpace } from '../client/session.tsx'
import { useNow } from '../clock.ts'
import { useWords } from '../words/words.tsx'
import type { Reader } from './gateWords.ts'

/** What is shown is read again so often, milliseconds, until an event says what has changed. */
export const readEveryMs = 5_000

/** The time is read again every so many milliseconds. */
export function useReader(everyMs = 1_000): Reader {
  const words = useWords()
  const { session, space } = useSpace()
  const nowMs = useNow(everyMs)
  return { words, times: { locale: words.locale, zone: space.timezone }, nowMs, userId: session.user.id }
}
