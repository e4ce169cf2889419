// Which keys of the cloud a gateway trusts, and which statements may change them. Pure.

import type { KeyStatement } from '@callgate/contract/wire/messages'

/** The keys by their ids, oldest first. */
export interface KeyTrust {
  /** The number of the last statement that was followed; 0: the keys are those of the configuration, in any order. */
  readonly number: number
  readonly keyIds: readonly string[]
}

/** `known`: the statement names the keys that are trusted already. The last three say why it is not followed. */
export type StatementCheck = 'follow' | 'known' | 'old' | 'not_in_it' | 'not_by_newest'

/**
 * Whether a gateway follows a statement that the trusted key `signer` has signed; `keyIds` are the keys in it. The statement must
 * be newer than the last one, so that a recorded statement cannot bring an old key back. Its signer must be among its keys, so
 * that no key is trusted that the cloud cannot sign with. Only the newest key may change the keys, so that a thief of the old key
 * cannot stop the rotation that is meant to end it.
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
