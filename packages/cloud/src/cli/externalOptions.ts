// The id that a gate or a member has in another program, on the command line, and its metadata in words.

import type { Metadata } from '@callgate/contract/rest/external'

export const externalIdFlags = '--external-id <id>'
export const externalIdSays = 'what another program calls it; empty: nothing'

/** In words; null where there is none. */
export function sayExternal({
  externalId,
  metadata,
}: {
  readonly externalId?: string | undefined
  readonly metadata?: Metadata | undefined
}): string | null {
  const told = [
    ...(externalId === undefined ? [] : [`external id ${externalId}`]),
    ...Object.entries(metadata ?? {}).map(([key, value]) => `${key}: ${value}`),
  ]
  return told.length === 0 ? null : told.join('\n')
}
