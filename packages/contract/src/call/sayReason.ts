// How an opening ended, as one sentence for a person, with its advice.

import { adviceAfter } from './advice.ts'
import { type ReasonWord, reasons } from './reason.ts'
import type { Again } from './reasonRow.ts'
import { isKnownReason } from './reasonRows.ts'

const againSaid: Readonly<Record<Again, string>> = {
  now: 'Try again.',
  tenSeconds: 'Try again in about 10 seconds.',
  moment: 'Try again in a moment.',
  minute: 'Try again in a minute.',
  another: 'Try again: another gateway is asked first now.',
}

/** How an opening of a gate ended, for a person, who is told to try again only where that is safe and can help. */
export function sayReason(
  word: ReasonWord,
  { gateId, safeToRetry }: { readonly gateId: string; readonly safeToRetry: boolean },
): string {
  // A newer cloud on the same database may have ended it.
  const said = isKnownReason(word)
    ? reasons[word].replace('{gateId}', gateId)
    : `The opening ended for a reason that this version of Callgate does not know: ${word}.`
  const { again } = adviceAfter(word, safeToRetry)
  return again === undefined ? said : `${said} ${againSaid[again]}`
}
