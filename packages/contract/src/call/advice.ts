// Advice after each reason: when another press can help, and what an admin can do about it. None after a word of a newer cloud
// on the same database.

import type { ReasonWord } from './reason.ts'
import type { Again, Remedy } from './reasonRow.ts'
import { rowOf } from './reasonRows.ts'

export interface Advice {
  readonly again?: Again
  readonly remedy?: Remedy
}

/** Whether another press can help because it asks another gateway. */
export function isHelpedByAnother(word: ReasonWord): boolean {
  return rowOf(word)?.again === 'another'
}

/** Whether another press within a minute can help, by the reason alone. */
export function passesByItself(word: ReasonWord): boolean {
  return (rowOf(word)?.again ?? null) !== null && !isHelpedByAnother(word)
}

/** The advice after an opening. Another press is advised only where it is also safe. */
export function adviceAfter(word: ReasonWord, safeToRetry: boolean): Advice {
  const { again, remedy } = rowOf(word) ?? {}
  return { ...(safeToRetry && again && { again }), ...(remedy && { remedy }) }
}
