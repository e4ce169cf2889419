// What a refusal of the cloud says to a person, in their language.

import type { Failure } from '../client/client.ts'
import type { Words } from './words.tsx'

/** Texts of a page for some codes, in the place of the usual ones. */
type Own = Readonly<Record<string, string | undefined>>

/** The text for a failure: that of the page, else that of its code; of a code that is newer than this page, the cloud's. */
export function sayProblem(
  { code, message, retryAfterS }: Failure,
  { problems }: Words,
  own: Own = {},
): string {
  const ofPage = Object.hasOwn(own, code) ? own[code] : undefined
  if (ofPage !== undefined) return ofPage
  const known = Object.hasOwn(problems, code) ? problems[code as keyof typeof problems] : undefined
  return known ? known(message, retryAfterS ?? 60) : message
}

/**
 * Which of these fields a refusal is about, and what it says of it: `phoneNumber is …` and `password: …` without the name.
 * Undefined where it is about none of them.
 */
export function refusedField<Name extends string>(
  failure: Failure | undefined,
  fields: readonly Name[],
): { readonly field: Name; readonly says: string } | undefined {
  if (failure?.code !== 'validation_error') return undefined
  const [, named, rule = ''] = /^(\w+):? (.+)$/s.exec(failure.message) ?? []
  const field = fields.find(name => name === named)
  return field && { field, says: rule.charAt(0).toUpperCase() + rule.slice(1) }
}
