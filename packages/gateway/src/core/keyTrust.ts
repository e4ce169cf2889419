// Which keys of the cloud a gateway trusts, and what may change that. Pure.

import type { KeyStatement } from '@callgate/contract/wire/messages'

/** The keys by their ids, oldest first. */
export interface KeyTrust {
  /** Of the statement that was followed last; 0: the keys are those of the configuration, in any order. */
  readonly number: number
  readonly keyIds: readonly string[]
}

/** `known`: it says what is trusted already. Otherwise why it is not followed. */
export type StatementCheck = 'follow' | 'known' | 'old' | 'not_in_it' | 'not_by_newest'

/**
 * Whether a statement is followed that the trusted key `signer` has signed; `keyIds` are the keys in it. It must be newer
 * than the last one, so that no recorded one brings an old key back. Its signer must be among its keys: nobody is trusted
 * that the cloud cannot sign with. And only the newest key may change the keys: whoever has stolen the old one cannot stop
 * the rotation that is to end it.
 */
export function checkStatement(
  trust: KeyTrust,
  { keyIds, number }: { readonly keyIds: readonly string[] } & Pick<KeyStatement, 'number'>,
  signer: string,
): StatementCheck {
  if (number === trust.number) return 'known'
  if (number < trust.number) return 'old'
  if (!keyIds.includes(signer)) return 'not_in_it'
  if (trust.number > 0 && signer !== trust.keyIds.at(-1)) return 'not_by_newest'
  return 'follow'
}
