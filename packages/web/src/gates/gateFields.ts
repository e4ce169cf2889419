// The declared fields of a gate's form, and the request that they make.

import { limits } from '@callgate/contract/limits'
import type { Gate, GateUpdate } from '@callgate/contract/rest/gate'
import type { SpaceMode } from '@callgate/contract/sandbox/magicNumbers'
import { phoneCheck } from '../form/checks.ts'
import type { Fields } from '../form/fields.ts'
import { activityTexts } from '../words/activityTexts.ts'
import { sayNumber } from '../words/number.ts'
import type { Words } from '../words/words.tsx'
import { gateFormTexts } from './gateFormTexts.ts'

/** All fields of a change except the switch, which has a button of its own, and what only programs set. */
type Edited = Omit<Required<GateUpdate>, 'isActive' | 'externalId' | 'metadata'>
type Name = keyof Edited
export type GateValues = Readonly<Record<Name, string>>

/** The fields in their order: each text that the contract has. */
const names = Object.keys(limits.gate) as readonly Name[]

/** The fields whose empty value is an empty text. In the others it is null. */
const emptyTexts: { readonly [Field in Name as null extends Edited[Field] ? never : Field]: '' } = {
  name: '',
  phoneNumber: '',
  location: '',
}

const valuesBy = (textOf: (name: Name) => string) =>
  Object.fromEntries(names.map(name => [name, textOf(name)])) as GateValues

export const newGate: GateValues = valuesBy(() => '')

export function valuesOfGate(gate: Gate): GateValues {
  return valuesBy(name => (name === 'phoneNumber' ? sayNumber(gate[name]) : (gate[name] ?? '')))
}

/** The body of a change: the typed values in the API's form. */
export function gateBody(typed: Partial<GateValues>): Partial<Edited> {
  const sent = names.flatMap(name => {
    const value = typed[name]?.trim()
    return value === undefined
      ? []
      : [[name, value === '' && !Object.hasOwn(emptyTexts, name) ? null : value]]
  })
  return Object.fromEntries(sent)
}

/** Each field has its name from the activity and its limits from the contract; further checks are here. */
export function gateFields(words: Words, mode: SpaceMode): Fields<GateValues> {
  const { form } = words
  const says = gateFormTexts(words)
  const more: Fields<GateValues> = {
    name: { missing: form.nameMissing, input: { 'data-autofocus': true, autoComplete: 'off' } },
    phoneNumber: {
      hint: mode === 'sandbox' ? says.sandboxNumberHint : says.numberHint,
      check: phoneCheck(form, { isNational: true }),
      input: { type: 'tel', inputMode: 'tel', autoComplete: 'off' },
    },
    location: { hint: says.placeHint },
    description: {},
  }
  const field = (name: Name) => ({
    label: activityTexts(words).fields[name] ?? name,
    // The length of a number is counted in digits.
    ...(name !== 'phoneNumber' && { limit: limits.gate[name] }),
    ...more[name],
  })
  return Object.fromEntries(names.map(name => [name, field(name)])) as Fields<GateValues>
}
