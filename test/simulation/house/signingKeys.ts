// The keys of the house. Ed25519 takes longer than anything else that a message brings about: a digest stands in for it.

import { createHmac } from 'node:crypto'
import {
  type SigningKey,
  signingKey,
  type VerifyingKey,
  verifyingKey,
} from '@callgate/contract/wire/signature'

/** A key with its public half. */
export interface KeyPair {
  readonly signing: SigningKey
  readonly verifying: VerifyingKey
}

export interface HouseKeys {
  readonly cloud: KeyPair
  /** Nobody trusts it. */
  readonly thief: KeyPair
  readonly gateways: readonly KeyPair[]
}

/** Made once in a process: making them takes longer than whole openings. */
function truePair(secret: number): KeyPair {
  const signing = signingKey(new Uint8Array(32).fill(secret))
  const verifying = verifyingKey(signing.publicKey)
  if (!verifying) throw new Error('a key of ours cannot be read')
  return { signing, verifying }
}

/** The names of a true pair with signatures that are as long, and that follow from the key and the bytes as well. */
function digestPair({ signing: { keyId, publicKey } }: KeyPair): KeyPair {
  const sign = (bytes: Uint8Array) => createHmac('sha512', keyId).update(bytes).digest()
  return {
    signing: { keyId, publicKey, sign },
    verifying: { keyId, verify: (bytes, signature) => sign(bytes).equals(signature) },
  }
}

/** Ed25519, as outside the house. */
export const trueKeys: HouseKeys = {
  cloud: truePair(1),
  thief: truePair(2),
  gateways: [truePair(3), truePair(4)],
}

export const digestKeys: HouseKeys = {
  cloud: digestPair(trueKeys.cloud),
  thief: digestPair(trueKeys.thief),
  gateways: trueKeys.gateways.map(digestPair),
}

/** The gateway's key that has this public half. */
export const readerOf =
  ({ gateways }: HouseKeys) =>
  (publicKey: string): VerifyingKey | undefined =>
    gateways.find(({ signing }) => signing.publicKey === publicKey)?.verifying
