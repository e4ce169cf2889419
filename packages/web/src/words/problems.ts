// What a refusal of the cloud says to a person, in their language.

import type { Failure, Refusal } from '../client/client.ts'
import type { Words } from './words.tsx'

/** Texts of a page for some codes, in the place of the usual ones. */
type Own = Readonly<Record<string, string | undefined>>

/**
 * A refusal in the language of the page; undefined in English, which the cloud's message is, and for a refusal that is newer
 * than this page.
 */
function sayRefusal({ name, values }: Refusal, { refusals }: Words): string | undefined {
  if (!refusals || !Object.hasOwn(refusals, name)) return undefined
  const say = refusals[name as keyof typeof refusals] as (values: Refusal['values']) => string
  return say(values)
}

/** The text for a failure: that of the page, else of the refusal, else of its code; of a code that is newer than this page, the cloud's. */
export function sayProblem(
  { code, message, refusal, retryAfterS }: Failure,
  words: Words,
  own: Own = {},
): string {
  const ofPage = Object.hasOwn(own, code) ? own[code] : undefined
  if (ofPage !== undefined) return ofPage
  const refused = refusal && sayRefusal(refusal, words)
  if (refused !== undefined) return refused
  const { problems } = words
  const known = Object.hasOwn(problems, code) ? problems[code as keyof typeof problems] : undefined
  return known ? known(message, retryAfterS ?? 60) : message
}

/**
 * Which of these fields a refusal is about, and what it says of it: `phoneNumber is …` and `password: …` without the name, or
 * in the language of the page. Undefined where it is about none of them.
 */
export function refusedField<Name extends string>(
  failure: Failure | undefined,
  fields: readonly Name[],
  words: Words,
): { readonly field: Name; readonly says: string } | undefined {
  if (failure?.code !== 'validation_error') return undefined
  const [, named, rule = ''] = /^(\w+):? (.+)$/s.exec(failure.message) ?? []
  const field = fields.find(name => name === named)
  if (!field) return undefined
  const refused = failure.refusal && sayRefusal(failure.refusal, words)
  return { field, says: refused ?? rule.charAt(0).toUpperCase() + rule.slice(1) }
}
