// Chooses the key that the cloud uses towards a gateway by what that gateway trusts, and decides what to tell it. Pure.

import type { Beat } from '@callgate/contract/wire/messages'

/** The keys that a gateway trusts, from its beat; undefined: the daemon is too old to say. */
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
 * The newest key that the gateway trusts. The oldest key where nothing is known: no gateway is told to forget a key that the
 * cloud still has.
 */
export function keyFor<Key extends Named>({ keys }: Held<Key>, trusts: Trusts): Key {
  const key = keys.findLast(({ keyId }) => trusts?.keyIds.includes(keyId)) ?? keys[0]
  // Not tested: a cloud without a key; a cloud does not start without one.
  if (!key) throw new Error('the cloud has no signing key')
  return key
}

/** How a gateway's trusted keys compare with the keys of the cloud. */
export type Trust<Key extends Named = Named> =
  /** The gateway trusts exactly the cloud's keys. */
  | { readonly kind: 'same' }
  /** The gateway must be told the keys, signed with `by`. */
  | { readonly kind: 'tell'; readonly by: Key }
  /**
   * The gateway trusts the newest key, and cannot be told: another cloud has told it more, or somebody wrote its configuration.
   */
  | { readonly kind: 'trusts' }
  /** The gateway does not trust the newest key, and cannot be told. */
  | { readonly kind: 'left_behind' }
  /** The gateway's daemon is too old to say what it trusts. */
  | { readonly kind: 'says_nothing' }

/**
 * What must be told to a gateway that trusts `trusts`. A gateway accepts new keys only under its newest key, or any key of its
 * configuration, and only with a larger number (`keyTrust.ts` of the gateway).
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
