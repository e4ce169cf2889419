// Identities in activity entries: removes an erased member, or every person, from an entry. Pure.

import { deletedMember, notKept } from '@callgate/contract/identityWords'

/** An entry as it is stored, with its details read. */
export interface NamedEntry {
  readonly actor: string
  readonly targetType: string
  readonly targetLabel: string
  readonly details: Readonly<Record<string, unknown>>
}

type Change = { readonly from: unknown; readonly to: unknown }

/** The details with `word` as each value of these changed fields. A null value stays, because it names nobody. */
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

const persons = ['member', 'user']

/**
 * The entry without any identity: without the person who did it, the person it is about, and the contact of the Space. An entry
 * without identities is returned itself.
 */
export function withoutIdentities(entry: NamedEntry): NamedEntry {
  const isOfPerson = persons.includes(entry.targetType)
  const isByPerson = entry.actor.startsWith('user:')
  const { memberName, ...rest } = entry.details as { memberName?: unknown }
  const details: Record<string, unknown> = {
    ...rest,
    ...(memberName !== undefined && { memberName: memberName === null ? null : notKept, memberId: null }),
    ...(isByPerson && { actorId: null }),
  }
  if (isOfPerson) delete details['targetId']
  const fields = isOfPerson ? ['name'] : entry.targetType === 'space' ? ['contactName', 'contactPhone'] : []
  return {
    actor: isByPerson ? `user:${notKept}` : entry.actor,
    targetType: entry.targetType,
    targetLabel: isOfPerson ? notKept : entry.targetLabel,
    details: withoutValues(details, fields, notKept),
  }
}

/** The ids of persons by which an entry is found, until its identities are removed. */
export function personsOf({ details, targetType }: NamedEntry): readonly string[] {
  const ids = [persons.includes(targetType) ? details['targetId'] : undefined, details['memberId']]
  return ids.filter(id => typeof id === 'string')
}
