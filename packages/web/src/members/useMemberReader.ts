// Who reads the pages of members: the language, the zone of the Space, and a time that goes on.

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
