// The signing keys of the simulation. A digest replaces Ed25519, which would take most of the run time.

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
  /** A key that nobody trusts. */
  readonly thief: KeyPair
  readonly gateways: readonly KeyPair[]
}

/** Each is made only once in a process, because making one takes longer than a whole opening. */
function truePair(secret: number): KeyPair {
  const signing = signingKey(new Uint8Array(32).fill(secret))
  const verifying = verifyingKey(signing.publicKey)
  if (!verifying) throw new Error('a key of ours cannot be read')
  return { signing, verifying }
}

const signByDigest = (keyId: string, bytes: Uint8Array) => createHmac('sha512', keyId).update(bytes).digest()

/** A key with the same ids as a real one. Its signatures have the same length, and depend on the key and the bytes. */
export const digestKey = (key: SigningKey): SigningKey => ({
  ...key,
  sign: bytes => signByDigest(key.keyId, bytes),
})

/** Reads a public key, for signatures of a `digestKey`. */
export function readDigestKey(publicKey: string): VerifyingKey | undefined {
  const keyId = verifyingKey(publicKey)?.keyId
  return keyId === undefined
    ? undefined
    : { keyId, verify: (bytes, signature) => signByDigest(keyId, bytes).equals(signature) }
}

function digestPair({ signing }: KeyPair): KeyPair {
  const verifying = readDigestKey(signing.publicKey)
  if (!verifying) throw new Error('a key of ours cannot be read')
  return { signing: digestKey(signing), verifying }
}

/** The secret of the cloud's first key, as the file of a rotation contains it. */
export const firstSecret = new Uint8Array(32).fill(1)

/** Real Ed25519 keys. */
export const trueKeys: HouseKeys = {
  cloud: truePair(1),
  thief: truePair(2),
  gateways: [truePair(3), truePair(4), truePair(5)],
}

export const digestKeys: HouseKeys = {
  cloud: digestPair(trueKeys.cloud),
  thief: digestPair(trueKeys.thief),
  gateways: trueKeys.gateways.map(digestPair),
}

/** Finds the gateway's key by its public key. */
export const readerOf =
  ({ gateways }: HouseKeys) =>
  (publicKey: string): VerifyingKey | undefined =>
    gateways.find(({ signing }) => signing.publicKey === publicKey)?.verifying
