// The texts of the own account's page about times and failures.

import type { Failure } from '../client/client.ts'
import { useNow } from '../clock.ts'
import type { Reader } from '../members/memberWords.ts'
import { sayProblem } from '../words/problems.ts'
import { deviceZone } from '../words/time.ts'
import { useWords, type Words } from '../words/words.tsx'

const everyMs = 20_000

/** The account belongs to no Space, so its times are in the zone of the device. */
export function useAccountReader(): Reader {
  const words = useWords()
  const nowMs = useNow(everyMs)
  return { words, times: { locale: words.locale, zone: deviceZone() }, nowMs }
}

/** Why something was not done. `byCode` has the texts for codes with a special meaning there. */
export function sayFailure(
  failure: Failure,
  words: Words,
  byCode: Readonly<Record<string, string>> = {},
): string {
  return sayProblem(failure, words, { network_error: words.account.noAnswer, ...byCode })
}
