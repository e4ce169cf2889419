// The declared fields of a form: their texts, their limits by the contract, and the errors in their values.

import type { Limit } from '@callgate/contract/limits'
import type { Failure } from '../client/client.ts'
import type { InputGiven } from '../kit/Field.tsx'
import { refusedField } from '../words/problems.ts'
import type { FirstWords } from '../words/words.tsx'
import { lengthOf } from './checks.ts'

/** A field. Kinds other than text and choice have only a `check`, and are shown by a part of their own. */
export interface Declared<Value, Values> {
  readonly label?: string
  readonly hint?: string | undefined
  /** The limits of the contract for the length of the text. */
  readonly limit?: Limit
  /** Shown where a required text is empty. */
  readonly missing?: string
  /** Other errors, where the length is right. */
  readonly check?: (value: Value, values: Values) => string | undefined
  /** It depends on other fields, so no error shows before the form is sent. */
  readonly isCheckedLate?: true
  /** Shown in place of the API's message about the field. */
  readonly refused?: string
  readonly isPassword?: true
  /** One of these is chosen. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  readonly input?: InputGiven
}

/** The fields of a form: one for each value, so that the compiler reports a missing one. */
export type Fields<Values> = { readonly [Name in keyof Values]: Declared<Values[Name], Values> }

/** The error in the value of a field; undefined when there is none. */
export function faultOf<Values, Name extends keyof Values>(
  fields: Fields<Values>,
  name: Name,
  values: Values,
  { long }: FirstWords['form'],
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

/** Whether there is no obvious error. */
export function isSendable<Values>(
  fields: Fields<Values>,
  values: Values,
  says: FirstWords['form'],
): boolean {
  return (Object.keys(fields) as (keyof Values)[]).every(
    name => faultOf(fields, name, values, says) === undefined,
  )
}

/** Codes of problems that concern one field, with their texts there. */
export type Refusals<Values> = Readonly<Record<string, readonly [field: keyof Values, says: string]>>

/** The field of a failure and its text: by the code, else by the name in the message. */
export function refusalOf<Values>(
  failure: Failure | undefined,
  {
    fields,
    refusals = {},
  }: { readonly fields: Fields<Values>; readonly refusals?: Refusals<Values> | undefined },
  words: FirstWords,
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
