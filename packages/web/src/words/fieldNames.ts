// The names of fields that pages have words for, as the contract has the fields. Types alone.

import type { AppBodyOf, AppOperationId } from '@callgate/contract/app/appOperations'
import type { ActivityAction, ActivityDetails } from '@callgate/contract/rest/activity'

/** A field with a name of its own; of a map by ids, none. */
type Named<Key> = Key extends string ? (string extends Key ? never : Key) : never

/** The fields of an object, and those of what it holds. A list is one value. */
type FieldsIn<Value> = Value extends readonly unknown[]
  ? never
  : Value extends object
    ? { [Key in keyof Value]-?: Named<Key> | FieldsIn<Value[Key]> }[keyof Value]
    : never

type ChangedIn<Change> = NonNullable<Change> extends { readonly from: infer Value } ? FieldsIn<Value> : never
type FieldsOfChanges<Details> = Details extends { readonly changes: infer Changes }
  ? { [Field in keyof Changes]-?: Named<Field> | ChangedIn<Changes[Field]> }[keyof Changes]
  : never

/** Every field that an entry of the activity can say a change of. */
export type RecordedField = {
  [Action in ActivityAction]: FieldsOfChanges<ActivityDetails<Action>>
}[ActivityAction]

/** The same, and those of what its lists hold. */
type AllFieldsIn<Value> = Value extends readonly (infer Item)[]
  ? AllFieldsIn<Item>
  : Value extends object
    ? { [Key in keyof Value]-?: Named<Key> | AllFieldsIn<Value[Key]> }[keyof Value]
    : never

/** What pages fill in by themselves, so that no person can get it wrong. */
type FilledIn =
  | 'credential'
  | 'fingerprint'
  | 'gateId'
  | 'hasMoved'
  | 'id'
  | 'isDryRun'
  | 'isForCard'
  | 'isHidden'
  | 'memberId'
  | 'openingId'
  | 'profile'
  | 'replaces'
  | 'seen'
  | 'sendsMails'
  | 'ticket'
  | 'token'
  | 'type'

/** Every field that a person can fill in, and so every one that the cloud can refuse to a person. */
export type RefusedField = Exclude<
  { [Id in AppOperationId]: AllFieldsIn<AppBodyOf<Id>> }[AppOperationId],
  FilledIn
>
