// A call of a page without a session, which loads meanwhile the words of its refusals and of the page that follows.

import type { Client } from '../client/client.ts'
import { useClient } from '../client/connection.tsx'
import { useSpeech } from '../words/words.tsx'

export function useEntranceCall(): Client['call'] {
  const client = useClient()
  const { readAll } = useSpeech()
  return async (id, input) => {
    // Without these words a refusal is said in general terms.
    const words = readAll().catch(() => {})
    const answer = await client.call(id, input)
    await words
    return answer
  }
}
