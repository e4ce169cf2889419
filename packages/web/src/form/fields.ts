// The fields of a form as they are declared: their words, their limits by the contract, and what is wrong with a value.

import type { Limit } from '@callgate/contract/limits'
import type { TextInputProps } from '@mantine/core'
import type { Failure } from '../client/client.ts'
import { refusedField } from '../words/problems.ts'
import type { Words } from '../words/words.tsx'
import { lengthOf } from './checks.ts'

/** A field. Those of other kinds than text and choice have only a `check`, and a part of their own that shows them. */
export interface Declared<Value, Values> {
  readonly label?: string
  readonly hint?: string | undefined
  /** What the contract says of the length of the text. */
  readonly limit?: Limit
  /** Said where the limit asks for a text and there is none. */
  readonly missing?: string
  /** What else is wrong, where the length is right. */
  readonly check?: (value: Value, values: Values) => string | undefined
  /** It depends on other fields, so nothing is said before the form is sent. */
  readonly isCheckedLate?: true
  /** Said in the place of what the API says of the field. */
  readonly refused?: string
  readonly isPassword?: true
  /** One of these is chosen. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  readonly input?: Omit<TextInputProps, 'value' | 'onChange' | 'label' | 'error' | 'description'> & {
    /** The first field of a dialog, where the focus begins. */
    readonly 'data-autofocus'?: true
  }
}

/** The fields of a form: one for each value, so that the compiler names one that is missing. */
export type Fields<Values> = { readonly [Name in keyof Values]: Declared<Values[Name], Values> }

/** What is wrong with the value of a field; undefined when nothing is. */
export function faultOf<Values, Name extends keyof Values>(
  fields: Fields<Values>,
  name: Name,
  values: Values,
  { long }: Words['form'],
): string | undefined {
  const { check, limit, missing } = fields[name]
  const value = values[name]
  if (limit && typeof value === 'string') {
    const length = lengthOf(value)
    if (length < limit.least) return missing
    if (length > limit.most) return long(limit.most)
  }
  return check?.(value, values)
}

/** Whether nothing is plainly wrong. */
export function isSendable<Values>(fields: Fields<Values>, values: Values, says: Words['form']): boolean {
  return (Object.keys(fields) as (keyof Values)[]).every(
    name => faultOf(fields, name, values, says) === undefined,
  )
}

/** Codes of problems that are about one field, and what is said there. */
export type Refusals<Values> = Readonly<Record<string, readonly [field: keyof Values, says: string]>>

/** Which field a failure is about, and what it says of it: by the code, else by the name in the message. */
export function refusalOf<Values>(
  failure: Failure | undefined,
  {
    fields,
    refusals = {},
  }: { readonly fields: Fields<Values>; readonly refusals?: Refusals<Values> | undefined },
  words: Words,
): { readonly field: keyof Values; readonly says: string } | undefined {
  if (!failure) return undefined
  const byCode = Object.hasOwn(refusals, failure.code) ? refusals[failure.code] : undefined
  if (byCode) return { field: byCode[0], says: byCode[1] }
  const shown = (Object.keys(fields) as (keyof Values & string)[]).filter(
    name => fields[name].label !== undefined,
  )
  const named = refusedField(failure, shown, words)
  return named && { ...named, says: fields[named.field].refused ?? named.says }
}
