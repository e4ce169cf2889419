// Advice after each reason: when another press can help, and what an admin can do about it.

import type { ReasonWord } from './reason.ts'
import type { Again, Remedy } from './reasonRow.ts'
import { reasonRows } from './reasonRows.ts'

export interface Advice {
  readonly again?: Again
  readonly remedy?: Remedy
}

/** Whether pressing again can help where another gateway is asked then. */
export function isHelpedByAnother(word: ReasonWord): boolean {
  return reasonRows[word].again === 'another'
}

/** Whether pressing again within a minute can help, as far as the reason alone can tell. */
export function passesByItself(word: ReasonWord): boolean {
  return reasonRows[word].again !== null && !isHelpedByAnother(word)
}

/** The advice after an opening. Another press is advised only where it is safe as well. */
export function adviceAfter(word: ReasonWord, safeToRetry: boolean): Advice {
  const { again, remedy } = reasonRows[word]
  return { ...(safeToRetry && again && { again }), ...(remedy && { remedy }) }
}
