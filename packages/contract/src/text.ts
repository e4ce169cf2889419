// Schema pieces that all schemas share: closed objects, trimmed text, times.

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
 * A closed set of words to which later versions may add. Requests and messages may contain these words only. The OpenAPI
 * document tells readers of answers to expect others.
 */
export function growingWords<const Values extends readonly string[]>(values: Values, options: object = {}) {
  return words(values, { 'x-grows': true, ...options })
}

/** An object that may have further members, since a newer sender may add some. They are ignored. */
export function open<Properties extends TProperties>(properties: Properties) {
  return Type.Object(properties, { additionalProperties: true })
}

/** One of `values`, or a word of a newer sender that this reader does not know. */
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
 * What no text may contain, as part of a character class: control characters, line separators, and the marks that reverse
 * the direction of the text after them. These are ranges, since many languages do not support `\p{…}` in a pattern.
 */
const unreadable = '\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069'

/** The text in one line, to show to a person: characters that no text may contain become a blank. */
export const inOneLine = (text: string): string => text.replace(new RegExp(`[${unreadable}]+`, 'gu'), ' ')

/**
 * One line of text. It is trimmed before its length is checked; lengths count code points. A text that must not be empty
 * must have a visible character. `x-text` is the validator's keyword that trims and checks what no portable pattern can say.
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

/** The beginning of a web address. */
const linkMark = '://|[wW][wW][wW]\\.'

/**
 * A name that mails print: a `line` without the beginnings of addresses that every mail client turns into a link.
 * `booking.com` is allowed, since it can be the name of a company. The mails prevent clients from turning it into a link.
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

/** A field of a request that the validator sets to `value` where it is not sent. `SentQuery` reads this from its type. */
export function filledIn<Schema extends TSchema, const Value>(schema: Schema, value: Value) {
  return { ...schema, default: value } as Schema & { readonly default: Value }
}

/** The keywords of a schema for the length of a text. */
export const characters = ({ least, most }: Limit) => ({
  ...(least > 0 && { minLength: least }),
  maxLength: most,
})

/** The keywords of a schema for the length of a list. */
export const items = ({ least, most }: Limit) => ({ ...(least > 0 && { minItems: least }), maxItems: most })

/** The keywords of a schema for the range of a number. */
export const between = ({ least, most }: Limit) => ({ minimum: least, maximum: most })

/** The description of the greatest length of a text. */
export const atMost = ({ most }: Limit) => `At most ${most} characters`

/** A time as every answer writes it: UTC, with milliseconds and Z. */
export function instant(description: string) {
  return Type.String({
    format: 'date-time',
    description,
    examples: ['2026-03-29T00:15:00.000Z'],
  })
}
