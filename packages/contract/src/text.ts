// Schema pieces that every noun uses: closed objects, trimmed text, times.

import Type, { type TProperties, type TSchema } from 'typebox'
import type { Limit } from './limits.ts'

/** An object that refuses members it does not name. */
export function closed<Properties extends TProperties>(properties: Properties, options: object = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** A closed set of words. */
export function words<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...options,
  })
}

/**
 * A closed set of words that grows with the versions. Requests and messages may have these words only. The document tells
 * readers of answers to expect others.
 */
export function growingWords<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return words(values, { 'x-grows': true, ...options })
}

/** An object that may have further members, since a newer sender may add some. They are ignored. */
export function open<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: true })
}

/** One of `values`, or a word that a newer sender says and this reader does not know. */
export function openWords<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return Type.Unsafe<Values[number] | (string & {})>({
    type: 'string',
    maxLength: 64,
    examples: [...values],
    ...options,
  })
}

export function nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

/**
 * What no text may hold, as part of a character class: control characters, line separators, and the marks that reverse
 * the direction of the text after them. These are ranges, since many languages cannot read `\p{…}` in a pattern.
 */
const unreadable = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'

/** The text in one line, as it may be shown to a person: what no text may hold becomes a blank. */
export const inOneLine = (text: string): string => text.replace(new RegExp(`[${unreadable}]+`, 'gu'), ' ')

/**
 * One line of text. It is trimmed before it is measured; lengths count code points. One that must not be empty must not
 * be invisible either. `x-text` is the validator's keyword for the trimming and for what no portable pattern can say.
 */
export function line({ least: minLength, most: maxLength }: Limit, description: string) {
  return Type.String({
    minLength,
    maxLength,
    pattern: `^[^${unreadable}]*$`,
    'x-text': minLength > 0 ? 'visible' : 'any',
    description,
  })
}

/** What begins a web address. */
const linkMark = '://|[wW][wW][wW]\\.'

/**
 * A name that mails print: as `line`, and without what every mail client turns into a link. `booking.com` is allowed,
 * since it can be the name of a company; the mails prevent that a client turns such a name into a link.
 */
export function mailedName(limit: Limit, description: string) {
  const plain = line(limit, description)
  return { ...plain, not: { type: 'string', pattern: linkMark } } as typeof plain
}

/** Text of several lines; otherwise as `line`. */
export function paragraph({ most: maxLength }: Limit, description: string) {
  return Type.String({
    maxLength,
    pattern: `^(?:[^${unreadable}]|[\\n\\r\\t])*$`,
    'x-text': 'any',
    description,
  })
}

/** A field of a request that the validator fills in with `value` where it is not sent. Its type says so, for `SentQuery`. */
export function filledIn<Schema extends TSchema, const Value>(schema: Schema, value: Value) {
  return { ...schema, default: value } as Schema & { readonly default: Value }
}

/** What a schema says of the length of a text. */
export const characters = ({ least, most }: Limit) => ({
  ...(least > 0 && { minLength: least }),
  maxLength: most,
})

/** What a schema says of the length of a list. */
export const items = ({ least, most }: Limit) => ({ ...(least > 0 && { minItems: least }), maxItems: most })

/** What a schema says of a number. */
export const between = ({ least, most }: Limit) => ({ minimum: least, maximum: most })

/** The sentence that documents the length of a text. */
export const atMost = ({ most }: Limit) => `At most ${most} characters`

/** A time as every answer writes it: UTC, milliseconds, Z. */
export function instant(description: string) {
  return Type.String({
    format: 'date-time',
    description,
    examples: ['2026-03-29T00:15:00.000Z'],
  })
}
