// Which of its keys the cloud uses towards a gateway, by what that gateway trusts, and what it has to be told. Pure.

import type { Beat } from '@callgate/contract/wire/messages'

/** What a beat says that its gateway trusts; undefined: the daemon is too old to say. */
export type Trusts = Beat['trusts']

interface Named {
  readonly keyId: string
}

/** The keys of the cloud, oldest first, and the number of the last step of a rotation. */
export interface Held<Key extends Named = Named> {
  readonly keys: readonly Key[]
  readonly number: number
}

/**
 * The newest key that the gateway trusts. The oldest one where nothing is known: no gateway is told to forget a key that
 * the cloud still has.
 */
export function keyFor<Key extends Named>({ keys }: Held<Key>, trusts: Trusts): Key {
  const key = keys.findLast(({ keyId }) => trusts?.keyIds.includes(keyId)) ?? keys[0]
  // Not tested: a cloud without a key; none starts without.
  if (!key) throw new Error('the cloud has no signing key')
  return key
}

/** What a gateway makes of the keys of the cloud. */
export type Trust<Key extends Named = Named> =
  /** It trusts all of them and no other. */
  | { readonly kind: 'same' }
  /** It is to be told them, signed with `by`. */
  | { readonly kind: 'tell'; readonly by: Key }
  /** It trusts the newest one, and cannot be told: somebody else has told it more, or wrote its configuration. */
  | { readonly kind: 'trusts' }
  /** It does not trust the newest one, and cannot be told. */
  | { readonly kind: 'left_behind' }
  /** Its daemon does not know how to say it. */
  | { readonly kind: 'says_nothing' }

/**
 * What a gateway that trusts `trusts` has to be told. It follows only its newest key, or any of those in its configuration,
 * and only a larger number (`keyTrust.ts` of the gateway).
 */
export function trustOf<Key extends Named>({ keys, number }: Held<Key>, trusts: Trusts): Trust<Key> {
  if (!trusts) return { kind: 'says_nothing' }
  const { keyIds } = trusts
  const isSame = keyIds.length === keys.length && keys.every(({ keyId }) => keyIds.includes(keyId))
  if (isSame) return { kind: 'same' }
  const by = keys.findLast(({ keyId }) => keyIds.includes(keyId))
  const isHeard = by && (trusts.number === 0 || by.keyId === keyIds.at(-1))
  if (isHeard && number > trusts.number) return { kind: 'tell', by }
  const newest = keys.at(-1)
  return { kind: newest && keyIds.includes(newest.keyId) ? 'trusts' : 'left_behind' }
}
