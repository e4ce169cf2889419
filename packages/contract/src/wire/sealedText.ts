// Sealed texts: a short secret that only the holder of a signing key can read, and only in its context.

// Each text has a key pair of its own (X25519). The receiver's key is the X25519 form of its Ed25519 key (RFC 7748, section
// 4.1: the same curve by another name), so that a gateway needs no second key.

import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  type KeyObject,
} from 'node:crypto'

/** The longest text that is sealed, in bytes. All are padded to this length, so that the length reveals nothing. */
const textBytes = 32
const tagBytes = 16
const keyBytes = 32

const prime = 2n ** 255n - 19n

function power(base: bigint, exponent: bigint): bigint {
  let [result, square] = [1n, base % prime]
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % prime
    square = (square * square) % prime
  }
  return result
}

/** `u = (1 + y) / (1 - y)`: the same point, as X25519 names it. */
function montgomeryOf(ed25519Public: Uint8Array): Buffer {
  const reversed = Buffer.from(ed25519Public).reverse()
  const y = BigInt(`0x${reversed.toString('hex')}`) & (2n ** 255n - 1n)
  const u = ((1n + y) * power((1n - y + prime) % prime, prime - 2n)) % prime
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse()
}

const publicKeyOf = (raw: Uint8Array): KeyObject =>
  createPublicKey({
    key: { kty: 'OKP', crv: 'X25519', x: Buffer.from(raw).toString('base64url') },
    format: 'jwk',
  })

// RFC 8410: what stands before the 32 bytes of an X25519 key in PKCS #8.
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const privateKeyOf = (raw: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([privatePrefix, raw]), format: 'der', type: 'pkcs8' })

const rawPublic = (key: KeyObject) =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-keyBytes)

/** A key for one text: it depends on both public halves. */
function keyFor(secret: Uint8Array, ownPublic: Uint8Array, receiverPublic: Uint8Array): Buffer {
  const salt = Buffer.concat([ownPublic, receiverPublic])
  return Buffer.from(hkdfSync('sha256', secret, salt, 'callgate sealed text v1', 32))
}

const cipher = 'chacha20-poly1305'
/** The key is used once, so the nonce may be the same each time. */
const nonce = Buffer.alloc(12)
const tagOptions = { authTagLength: tagBytes } as const

interface Sealing {
  /** The receiver's Ed25519 key, as `SigningKey.publicKey` shows it. */
  readonly publicKey: string
  /** The context of the text, without which it cannot be read. */
  readonly about: string
  /** 32 random bytes, used for nothing else. */
  readonly randomBytes: Uint8Array
}

/** Seals a text of at most 31 bytes. Throws for a longer one. */
export function sealText(text: string, { about, publicKey, randomBytes }: Sealing): string {
  const bytes = Buffer.from(text, 'utf8')
  if (bytes.length >= textBytes) throw new Error(`a sealed text has less than ${textBytes} bytes`)
  const filled = Buffer.alloc(textBytes)
  filled[0] = bytes.length
  bytes.copy(filled, 1)
  const own = privateKeyOf(randomBytes)
  const receiver = montgomeryOf(Buffer.from(publicKey, 'base64url'))
  const secret = diffieHellman({ privateKey: own, publicKey: publicKeyOf(receiver) })
  const ownPublic = rawPublic(own)
  const sealing = createCipheriv(cipher, keyFor(secret, ownPublic, receiver), nonce, tagOptions)
  sealing.setAAD(Buffer.from(about, 'utf8'), { plaintextLength: textBytes })
  const sealed = Buffer.concat([sealing.update(filled), sealing.final()])
  return Buffer.concat([ownPublic, sealed, sealing.getAuthTag()]).toString('base64url')
}

/** Opens a sealed text with the 32 secret bytes of the Ed25519 key; undefined where it is for another key or context. */
export function openText(sealed: string, about: string, seed: Uint8Array): string | undefined {
  const all = Buffer.from(sealed, 'base64url')
  if (all.length !== keyBytes + textBytes + tagBytes) return undefined
  // RFC 8032, section 5.1.5: the first half of the hash is the secret scalar.
  const own = privateKeyOf(createHash('sha512').update(seed).digest().subarray(0, keyBytes))
  const senderPublic = all.subarray(0, keyBytes)
  try {
    const secret = diffieHellman({ privateKey: own, publicKey: publicKeyOf(senderPublic) })
    const opening = createDecipheriv(cipher, keyFor(secret, senderPublic, rawPublic(own)), nonce, tagOptions)
    opening.setAAD(Buffer.from(about, 'utf8'), { plaintextLength: textBytes })
    opening.setAuthTag(all.subarray(-tagBytes))
    const filled = Buffer.concat([opening.update(all.subarray(keyBytes, -tagBytes)), opening.final()])
    return filled.subarray(1, 1 + (filled[0] ?? 0)).toString('utf8')
  } catch {
    // A key of small order, or a tag that does not fit.
    return undefined
  }
}
