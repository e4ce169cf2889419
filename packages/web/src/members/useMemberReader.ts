// The reader of the members' pages: the language, the zone of the Space, and a running time.

import { useSpace } from '../client/session.tsx'
import { useNow } from '../clock.ts'
import { useWords } from '../words/words.tsx'
import type { Reader } from './memberWords.ts'

const everyMs = 20_000

export function useReader(): Reader {
  const words = useWords()
  const { space } = useSpace()
  const nowMs = useNow(everyMs)
  return { words, times: { locale: words.locale, zone: space.timezone }, nowMs }
}
