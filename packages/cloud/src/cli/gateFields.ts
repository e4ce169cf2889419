// The options of the commands on gates for the fields of a gate: one for each text of the contract.

import { limits } from '@callgate/contract/limits'

type Field = keyof typeof limits.gate

interface FieldOption {
  /** The option's name, where it differs from that of the field. */
  readonly name?: string
  /** What stands for the value in the help; `text` where nothing else is given. */
  readonly value?: string
  readonly says: string
}

const described: Readonly<Record<Field, FieldOption>> = {
  name: { value: 'name', says: 'as guests and mails show it' },
  phoneNumber: {
    name: 'phone',
    value: 'number',
    says: "of its GSM module: +…, 00… or national, in the Space's country",
  },
  location: { says: 'where it is, for guests' },
  description: { says: 'a note for admins' },
}

/** `openingHours` → `opening-hours`. */
const flagOf = (name: string) => name.replaceAll(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

/** Each field with the name of its option among the given ones, and the option for commander. */
export const gateFields = (Object.keys(limits.gate) as Field[]).map(field => {
  const { name = field, says, value = 'text' } = described[field]
  return { field, name, flags: `--${flagOf(name)} <${value}>`, says }
})
