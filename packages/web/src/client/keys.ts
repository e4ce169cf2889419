// The keys of readings: each names its Space, its noun and its id, so that an event can select what to read again.

import type { AppOperationId } from '@callgate/contract/app/appOperations'
import { appRoutes } from '@callgate/contract/app/appRoutes'

/** Space, noun (`gates`, `openings`, …), id or null for a list, operation, and the part that distinguishes two lists. */
export type ReadKey = readonly [
  spaceId: string | null,
  noun: string,
  id: string | null,
  operation: AppOperationId,
  input: object,
]

/** The key of one reading: noun and id are those in its path after the Space. */
export function keyOf(
  operation: AppOperationId,
  {
    body,
    params = {},
    query = {},
  }: { readonly body?: unknown; readonly params?: Readonly<Record<string, string>>; readonly query?: object },
): ReadKey {
  const { path } = appRoutes[operation]
  const [noun = '', id] = path.replace(/^\/app\/v1\/(spaces\/:spaceId\/)?/, '').split('/')
  const named = id?.startsWith(':') ? (params[id.slice(1)] ?? null) : null
  return [
    params['spaceId'] ?? null,
    noun,
    named,
    operation,
    { params, query, ...(body !== undefined && { body }) },
  ]
}

/** Whether a change of one thing shows in a reading: in its own, and in the lists of its noun unless it is alone. */
export function isTouched(
  key: readonly unknown[],
  change: {
    readonly spaceId: string
    readonly noun: string
    readonly id?: string
    readonly isAlone?: boolean
  },
): boolean {
  const [ofSpace, ofNoun, ofId] = key
  const { id, isAlone = false, noun, spaceId } = change
  if (ofSpace !== spaceId || ofNoun !== noun) return false
  return id === undefined || ofId === id || (ofId === null && !isAlone)
}
