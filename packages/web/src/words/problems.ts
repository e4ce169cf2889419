// What a refusal of the cloud says to a person, in their language.

import type { Refusal } from '@callgate/contract/rest/problem'
import type { Failure } from '../client/client.ts'
import type { Words } from './words.tsx'

/** Texts of a page for some codes, in the place of the usual ones. */
type Own = Readonly<Record<string, string | undefined>>

/** What stands before the text of a refusal that is about this field. */
export type PlaceOf = (field: string) => string

const noPlace: PlaceOf = () => ''

/**
 * What refusals say in the language of the page; undefined in English, which the cloud's message is, and where one of them
 * is newer than this page.
 */
export function sayRefusals(
  told: readonly Refusal[] = [],
  { refusals }: Words,
  placeOf = noPlace,
): string | undefined {
  const texts = told.flatMap(({ name, values }) => {
    if (!refusals || !Object.hasOwn(refusals, name)) return []
    const say = refusals[name as keyof typeof refusals] as (values: Refusal['values']) => string
    return placeOf(String(values['field'] ?? '')) + say(values)
  })
  return texts.length > 0 && texts.length === told.length ? texts.join(' ') : undefined
}

/** The text for a failure: that of the page, else of the refusals, else of its code; of a code that is newer than this page, the cloud's. */
export function sayProblem(
  { code, message, refusals, retryAfterS }: Failure,
  words: Words,
  own: Own = {},
  placeOf = noPlace,
): string {
  const ofPage = Object.hasOwn(own, code) ? own[code] : undefined
  if (ofPage !== undefined) return ofPage
  const refused = sayRefusals(refusals, words, placeOf)
  if (refused !== undefined) return refused
  // In English, a message that is made of refusals says more than the text of its code.
  if (!words.refusals && refusals && refusals.length > 0) return message
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
  const refused = sayRefusals(failure.refusals, words)
  return { field, says: refused ?? rule.charAt(0).toUpperCase() + rule.slice(1) }
}
