// Identities in entries of the activity: what an entry says without the names of an erased member. Pure.

import { deletedMember } from '@callgate/contract/identityWords'

/** An entry as it is stored, with its details read. */
export interface NamedEntry {
  readonly actor: string
  readonly targetType: string
  readonly targetLabel: string
  readonly details: Readonly<Record<string, unknown>>
}

type Change = { readonly from: unknown; readonly to: unknown }

/** The details in which each value of these changed fields is `word`. A value that is null stays, since it names nobody. */
export function withoutValues(
  details: NamedEntry['details'],
  fields: readonly string[],
  word: string,
): NamedEntry['details'] {
  const { changes } = details as { changes?: Readonly<Record<string, Change>> }
  const named = Object.entries(changes ?? {}).filter(([field]) => fields.includes(field))
  if (named.length === 0) return details
  const unnamed = (value: unknown) => (value === null ? null : word)
  const hidden = named.map(([field, { from, to }]) => [field, { from: unnamed(from), to: unnamed(to) }])
  return { ...details, changes: { ...changes, ...Object.fromEntries(hidden) } }
}

/** The entry without the name of this member, whether the member is its target or is linked to a user in it. */
export function withoutMember(entry: NamedEntry, memberId: string): NamedEntry {
  const { details, targetType } = entry
  if (targetType === 'member' && details['targetId'] === memberId)
    return { ...entry, targetLabel: deletedMember, details: withoutValues(details, ['name'], deletedMember) }
  if (details['memberId'] === memberId && details['memberName'] !== null)
    return { ...entry, details: { ...details, memberName: deletedMember } }
  return entry
}
