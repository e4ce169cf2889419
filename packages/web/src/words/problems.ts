// The text of a refusal of the cloud, in the language of the person.

import type { Refusal } from '@callgate/contract/rest/problem'
import type { Failure } from '../client/client.ts'
import type { FirstWords } from './words.tsx'

/** Texts of a page for some codes, in place of the usual ones. */
type Own = Readonly<Record<string, string | undefined>>

/** The prefix of a refusal about this field. */
export type PlaceOf = (field: string) => string

const noPlace: PlaceOf = () => ''

/**
 * The texts of refusals in the language of the page. Undefined in English, the language of the cloud's message, and where one of
 * the refusals is newer than this page.
 */
export function sayRefusals(
  told: readonly Refusal[] = [],
  { refusals }: FirstWords,
  placeOf = noPlace,
): string | undefined {
  const texts = told.flatMap(({ name, values }) => {
    if (!refusals || !Object.hasOwn(refusals, name)) return []
    const say = refusals[name as keyof typeof refusals] as (values: Refusal['values']) => string
    return placeOf(String(values['field'] ?? '')) + say(values)
  })
  return texts.length > 0 && texts.length === told.length ? texts.join(' ') : undefined
}

/**
 * The text for a failure: that of the page, else of the refusals, else of its code, else the cloud's, for a code that is newer
 * than this page.
 */
export function sayProblem(
  { code, message, refusals, retryAfterS }: Failure,
  words: FirstWords,
  own: Own = {},
  placeOf = noPlace,
): string {
  const ofPage = Object.hasOwn(own, code) ? own[code] : undefined
  if (ofPage !== undefined) return ofPage
  const refused = sayRefusals(refusals, words, placeOf)
  if (refused !== undefined) return refused
  // In English, a message about refusals says more than the text of its code.
  if (words.locale === 'en-GB' && refusals && refusals.length > 0) return message
  const { problems } = words
  const known = Object.hasOwn(problems, code) ? problems[code as keyof typeof problems] : undefined
  return known ? known(message, retryAfterS ?? 60) : message
}

/**
 * The field of a refusal among these, and its text: `phoneNumber is …` and `password: …` without the name, or in the language of
 * the page. Undefined where it concerns none of them.
 */
export function refusedField<Name extends string>(
  failure: Failure | undefined,
  fields: readonly Name[],
  words: FirstWords,
): { readonly field: Name; readonly says: string } | undefined {
  if (failure?.code !== 'validation_error') return undefined
  const [, named, rule = ''] = /^(\w+):? (.+)$/s.exec(failure.message) ?? []
  const field = fields.find(name => name === named)
  if (!field) return undefined
  const refused = sayRefusals(failure.refusals, words)
  return { field, says: refused ?? rule.charAt(0).toUpperCase() + rule.slice(1) }
}
