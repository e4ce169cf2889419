// The rights of an API key: its scopes, and the gates that it is limited to. Pure.

import { isScope, type Scope } from '@callgate/contract/rest/scope'

export interface KeyRights {
  readonly scopes: readonly Scope[]
  /** Null: all gates of its Space, those of the future included. */
  readonly gateIds: readonly string[] | null
}

/** The columns of a key's rights. */
export interface RightsColumns {
  /** JSON. */
  readonly scopes: string
  /** JSON; null where the key has all gates. */
  readonly limited: string | null
}

function scopesIn(value: unknown): readonly Scope[] {
  return Array.isArray(value) ? value.filter(scope => typeof scope === 'string').filter(isScope) : []
}

export function readRights({ limited, scopes }: RightsColumns): KeyRights {
  if (limited === null) return { scopes: scopesIn(JSON.parse(scopes)), gateIds: null }
  const read = JSON.parse(limited) as { readonly scopes: unknown; readonly gateIds: readonly string[] }
  return { scopes: scopesIn(read.scopes), gateIds: read.gateIds }
}

/**
 * The rights as columns. The scopes of a limited key stand beside its gates: a program that knows no limits reads `scopes` alone, finds
 * none, and refuses the key.
 */
export function rightsColumns({ gateIds, scopes }: KeyRights): RightsColumns {
  if (gateIds === null) return { scopes: JSON.stringify(scopes), limited: null }
  return { scopes: '[]', limited: JSON.stringify({ gateIds, scopes }) }
}

/** Whether the gate is one of those that somebody is limited to. Who has no limit reaches every gate of the Space. */
export function reachesGate(
  { gateIds = null }: { readonly gateIds?: readonly string[] | null },
  gateId: string | null,
): boolean {
  return gateIds === null || (gateId !== null && gateIds.includes(gateId))
}
