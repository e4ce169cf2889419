// Details of activity entries: the schemas that the actions have in common.

import Type, { type TOptional, type TSchema } from 'typebox'
import { closed, nullable, words } from '../text.ts'

type Changes<Fields extends Readonly<Record<string, TSchema>>> = {
  [Field in keyof Fields]: TOptional<ReturnType<typeof closed<{ from: Fields[Field]; to: Fields[Field] }>>>
}

/** The old and the new value of each field that changed. */
export function changesSchema<const Fields extends Readonly<Record<string, TSchema>>>(fields: Fields) {
  const changes = Object.entries(fields).map(([field, value]) => [
    field,
    Type.Optional(closed({ from: value, to: value })),
  ])
  return closed(Object.fromEntries(changes) as Changes<Fields>)
}

export const text = Type.String()
export const textOrNull = nullable(text)
export const numberOrNull = nullable(Type.Integer())
/** Takes the place of a personal value: entries are never deleted, and a key with `history:read` may lack `members:read`. */
export const isSet = nullable(words(['(set)']))

/**
 * The fields that an entry records: all fields of `Resource` except `Unrecorded`. A new field of a resource does not
 * compile until it is recorded below, or is named in `Unrecorded`.
 */
export type RecordedFields<Resource, Unrecorded extends keyof Resource> = Readonly<
  Record<Exclude<keyof Resource, Unrecorded>, TSchema>
>

/**
 * The ids of the actor and the target, in every entry. They are optional for a reader, since entries from before the ids were
 * recorded do not have them.
 */
export const entryIds = {
  /** The id of the API key or user; null for the operator and the system. */
  actorId: Type.Optional(textOrNull),
  targetId: Type.Optional(text),
} as const

/** The details of an action: its own, and the ids. */
export function told<const Details extends Readonly<Record<string, TSchema>>>(details: Details) {
  return closed({ ...details, ...entryIds })
}

export interface Action {
  readonly targetType: 'gate' | 'member' | 'api_key' | 'gateway' | 'user' | 'space' | 'webhook'
  /** What happened, for the documentation. */
  readonly says: string
  /** The entry's `details`. Never a secret, a token or a link. */
  readonly details: TSchema
}
