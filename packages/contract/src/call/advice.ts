// Advice after each reason: when another press can help, and what an admin can do about it. None after a word of a newer cloud
// on the same database.

import type { ReasonWord } from './reason.ts'
import type { Again, Remedy } from './reasonRow.ts'
import { rowOf } from './reasonRows.ts'

export interface Advice {
  readonly again?: Again
  readonly remedy?: Remedy
}

/** Whether pressing again can help where another gateway is asked then. */
export function isHelpedByAnother(word: ReasonWord): boolean {
  return rowOf(word)?.again === 'another'
}

/** Whether pressing again within a minute can help, as far as the reason alone can tell. */
export function passesByItself(word: ReasonWord): boolean {
  return (rowOf(word)?.again ?? null) !== null && !isHelpedByAnother(word)
}

/** The advice after an opening. Another press is advised only where it is safe as well. */
export function adviceAfter(word: ReasonWord, safeToRetry: boolean): Advice {
  const { again, remedy } = rowOf(word) ?? {}
  return { ...(safeToRetry && again && { again }), ...(remedy && { remedy }) }
}
