// The fields of a gate's form, as they are declared, and what is sent of them.

import { limits } from '@callgate/contract/limits'
import type { Gate, GateUpdate } from '@callgate/contract/rest/gate'
import { phoneCheck } from '../form/checks.ts'
import type { Fields } from '../form/fields.ts'
import type { Words } from '../words/words.tsx'

/** All that a change takes, but for the switch, which has a button of its own. */
type Edited = Omit<Required<GateUpdate>, 'isActive'>
type Name = keyof Edited
export type GateValues = Readonly<Record<Name, string>>

/** What a field is where nothing is in it. A field that can be null is null then. */
const empty = { name: '', phoneNumber: '', location: '', description: null } satisfies {
  readonly [Field in Name]: null extends Edited[Field] ? null : ''
}
const names = Object.keys(empty) as readonly Name[]

const valuesBy = (textOf: (name: Name) => string) =>
  Object.fromEntries(names.map(name => [name, textOf(name)])) as GateValues

export const newGate: GateValues = valuesBy(() => '')

export function valuesOfGate(gate: Gate): GateValues {
  return valuesBy(name => gate[name] ?? '')
}

/** The body of a change: what is typed, as the API takes it. */
export function gateBody(typed: Partial<GateValues>): Partial<Edited> {
  const sent = names.flatMap(name => {
    const value = typed[name]?.trim()
    return value === undefined ? [] : [[name, value === '' ? empty[name] : value]]
  })
  return Object.fromEntries(sent)
}

/** The fields in their order. They are called as in the activity. */
export function gateFields(words: Words): Fields<GateValues> {
  const { form } = words
  const says = words.gates.form
  const { gate: limit } = limits
  const fields: Fields<GateValues> = {
    name: {
      limit: limit.name,
      missing: form.nameMissing,
      input: { 'data-autofocus': true, autoComplete: 'off' },
    },
    phoneNumber: {
      hint: says.numberHint,
      check: phoneCheck(form, { isNational: true }),
      input: { type: 'tel', inputMode: 'tel', autoComplete: 'off' },
    },
    location: { hint: says.placeHint, limit: limit.location },
    description: { limit: limit.description },
  }
  const called = (name: Name) => ({ label: words.activity.fields[name] ?? name, ...fields[name] })
  return Object.fromEntries(names.map(name => [name, called(name)])) as Fields<GateValues>
}
