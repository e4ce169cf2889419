// Signatures: Ed25519 over the canonical bytes of a message (docs/exchange.md, "Messages").

import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import type { Envelope } from './messages.ts'
import { openText } from './sealedText.ts'

/** A private key with what names and shows its public half. */
export interface SigningKey {
  readonly keyId: string
  /** The public half: the raw 32 bytes as base64url. */
  readonly publicKey: string
  /** The 64 bytes of the signature over `bytes`. */
  sign(bytes: Uint8Array): Buffer
  /** Reads a text that was sealed for this key (`sealText`); undefined where it was not, or is about something else. */
  open(sealed: string, about: string): string | undefined
}

/** A public key that may check signatures. */
export interface VerifyingKey {
  readonly keyId: string
  /** Whether `signature` is one over `bytes` by the private half. */
  verify(bytes: Uint8Array, signature: Uint8Array): boolean
}

// RFC 8410: what stands before the 32 bytes of an Ed25519 key in PKCS #8; in SubjectPublicKeyInfo they come last, too.
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex')

function keyIdOf(rawPublicKey: Uint8Array): string {
  return createHash('sha256').update(rawPublicKey).digest('hex').slice(0, 16)
}

/** The key pair that follows from 32 secret bytes (RFC 8032, section 5.1.5). */
export function signingKey(seed: Uint8Array): SigningKey {
  if (seed.length !== 32) throw new Error(`an Ed25519 seed has 32 bytes, not ${seed.length}`)
  const privateKey = createPrivateKey({
    key: Buffer.concat([privatePrefix, seed]),
    format: 'der',
    type: 'pkcs8',
  })
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(-32)
  return {
    keyId: keyIdOf(raw),
    publicKey: raw.toString('base64url'),
    sign: bytes => sign(null, bytes, privateKey),
    open: (sealed, about) => openText(sealed, about, seed),
  }
}

/** Reads a public key as `SigningKey.publicKey` shows it; undefined when it is none. */
export function verifyingKey(publicKey: string): VerifyingKey | undefined {
  if (!/^[A-Za-z0-9_-]{43}$/.test(publicKey)) return undefined
  const raw = Buffer.from(publicKey, 'base64url')
  if (raw.toString('base64url') !== publicKey) return undefined
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: publicKey }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return { keyId: keyIdOf(raw), verify: (bytes, signature) => verify(null, bytes, key, signature) }
}

type Unsigned = Omit<Envelope, 'signature'>

/** `v1|type|keyId|gatewayId|openingId|nonce|bootId|seq|sha256(body)`, absent fields empty. */
export function canonicalBytes(message: Unsigned): Buffer {
  const digest = createHash('sha256').update(message.body, 'utf8').digest('hex')
  const { type, keyId, gatewayId, openingId = '', nonce = '', bootId = '', seq = '' } = message
  return Buffer.from(
    `v1|${type}|${keyId}|${gatewayId}|${openingId}|${nonce}|${bootId}|${seq}|${digest}`,
    'utf8',
  )
}

/** Signs a message. */
export function signed(key: SigningKey, message: Omit<Unsigned, 'keyId'>): Envelope {
  const unsigned: Unsigned = { ...message, keyId: key.keyId }
  return { ...unsigned, signature: key.sign(canonicalBytes(unsigned)).toString('base64url') }
}

/** Signs a message; the answer is the payload to publish. */
export const seal = (key: SigningKey, message: Omit<Unsigned, 'keyId'>): string =>
  JSON.stringify(signed(key, message))

/** Whether one of `keys` is the one that the envelope names and has signed it. */
export function isSignedBy(envelope: Envelope, keys: readonly VerifyingKey[]): boolean {
  const key = keys.find(candidate => candidate.keyId === envelope.keyId)
  const signature = Buffer.from(envelope.signature, 'base64url')
  // Another text can decode to the same bytes (RFC 4648, section 3.5), but a message has one form.
  if (!key || signature.toString('base64url') !== envelope.signature) return false
  return key.verify(canonicalBytes(envelope), signature)
}
