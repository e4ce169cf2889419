// The names of fields that have texts on pages, by the contract's fields; types only.

import type { AppBodyOf, AppOperationId } from '@callgate/contract/app/appOperations'
import type { ActivityAction, ActivityDetails } from '@callgate/contract/rest/activity'

/** A field with a name of its own; a map by ids has none. */
type Named<Key> = Key extends string ? (string extends Key ? never : Key) : never

/** The fields of an object, and the fields inside them. A list is one value. */
type FieldsIn<Value> = Value extends readonly unknown[]
  ? never
  : Value extends object
    ? { [Key in keyof Value]-?: Named<Key> | FieldsIn<Value[Key]> }[keyof Value]
    : never

type ChangedIn<Change> = NonNullable<Change> extends { readonly from: infer Value } ? FieldsIn<Value> : never
type FieldsOfChanges<Details> = Details extends { readonly changes: infer Changes }
  ? { [Field in keyof Changes]-?: Named<Field> | ChangedIn<Changes[Field]> }[keyof Changes]
  : never

/** Every field whose change an entry of the activity can contain. */
export type RecordedField = {
  [Action in ActivityAction]: FieldsOfChanges<ActivityDetails<Action>>
}[ActivityAction]

/** The same, and the fields of list items. */
type AllFieldsIn<Value> = Value extends readonly (infer Item)[]
  ? AllFieldsIn<Item>
  : Value extends object
    ? { [Key in keyof Value]-?: Named<Key> | AllFieldsIn<Value[Key]> }[keyof Value]
    : never

/** Fields that pages fill in by themselves, so that no person can get them wrong. */
type FilledIn =
  | 'alerts'
  | 'auth'
  | 'credential'
  | 'endpoint'
  | 'fingerprint'
  | 'gateId'
  | 'gateIds'
  | 'hasMoved'
  | 'id'
  | 'isDryRun'
  | 'isForCard'
  | 'isHidden'
  | 'keys'
  | 'memberId'
  | 'openingId'
  | 'openings'
  | 'p256dh'
  | 'profile'
  | 'replaces'
  | 'seen'
  | 'sendsMails'
  | 'ticket'
  | 'token'
  | 'type'

/** Every field that a person can fill in, and so every field that the cloud can refuse to a person. */
export type RefusedField = Exclude<
  { [Id in AppOperationId]: AllFieldsIn<AppBodyOf<Id>> }[AppOperationId],
  FilledIn
>
