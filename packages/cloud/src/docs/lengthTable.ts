// The table of the longest texts, made from the contract, so that the page cannot miss one.

import { GateCreate } from '@callgate/contract/rest/gate'
import { MemberCreate } from '@callgate/contract/rest/member'

interface TextSchema {
  readonly anyOf?: readonly TextSchema[]
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  /** Of metadata: its values. */
  readonly additionalProperties?: TextSchema | false
}

function lengthText({ maxLength = 0, minLength = 0, pattern = '' }: TextSchema): string {
  if (minLength > 0) return `${minLength} to ${maxLength}`
  return `at most ${maxLength}${pattern.includes('\\n') ? ', line breaks allowed' : ''}`
}

/** Markdown: every text of a gate and of a member. */
export function lengthTable(): string {
  const rows = Object.entries({ gate: GateCreate, member: MemberCreate }).flatMap(([noun, { properties }]) =>
    Object.entries(properties as Readonly<Record<string, TextSchema>>).flatMap(([field, schema]) => {
      const one = schema.anyOf?.[0] ?? schema
      const text = one.additionalProperties || one
      // The rules for a phone number are in words.
      return text.maxLength === undefined || field === 'phoneNumber'
        ? []
        : [`| ${noun} \`${field}\` | ${lengthText(text)} |`]
    }),
  )
  return ['| Text | Length |', '|--|--|', ...rows].join('\n')
}
