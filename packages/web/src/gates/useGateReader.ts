// The reader of the page of gates: the language, the zone of the Space, and a running time.

import { useSpace } from '../client/session.tsx'
import { useNow } from '../clock.ts'
import { useWords } from '../words/words.tsx'
import type { Reader } from './gateWords.ts'

/** The interval of reading until events report the changes, in milliseconds. */
export const readEveryMs = 5_000

/** The interval at which the time is updated, in milliseconds. */
export function useReader(everyMs = 1_000): Reader {
  const words = useWords()
  const { session, space } = useSpace()
  const nowMs = useNow(everyMs)
  return { words, times: { locale: words.locale, zone: space.timezone }, nowMs, userId: session.user.id }
}
