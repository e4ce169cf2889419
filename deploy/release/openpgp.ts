// The release key as apt and gpg read it: an OpenPGP key and signatures of version 4 with Ed25519 and SHA-256, RFC 9580. The same
// key and text give the same bytes. A signature is over a digest of 32 bytes, so none can pass for that of a release.

import { createHash } from 'node:crypto'
import type { SigningKey } from '../../packages/contract/src/wire/signature.ts'

/** The time of the key, 1 January 2026. It is part of the fingerprint, so it never changes. */
const keySeconds = 1_767_225_600
/** EdDSALegacy: gpg of Debian 12 knows no other form of Ed25519. */
const algorithm = 22
const sha256Number = 8
const kinds = { binary: 0x00, text: 0x01, certification: 0x13 } as const

const bytes = (...parts: (number | Uint8Array)[]) =>
  Buffer.concat(parts.map(part => (typeof part === 'number' ? Buffer.of(part) : part)))

function number32(value: number): Buffer {
  const buffer = Buffer.alloc(4)
  buffer.writeUInt32BE(value)
  return buffer
}
const number16 = (value: number) => number32(value).subarray(2)

/** A whole number of any size, section 3.2. */
function wholeNumber(value: Uint8Array): Buffer {
  const first = value.findIndex(byte => byte !== 0)
  const digits = first < 0 ? new Uint8Array() : value.subarray(first)
  const bits = digits.length * 8 - (digits.length > 0 ? Math.clz32(digits[0] ?? 0) - 24 : 0)
  return bytes(number16(bits), digits)
}

/** A packet with a length of four bytes, section 4.2.1. */
const packet = (tag: number, body: Uint8Array) => bytes(0xc0 | tag, 0xff, number32(body.length), body)

function keyBody(key: SigningKey): Buffer {
  const curve = Buffer.from('092b06010401da470f01', 'hex')
  const point = bytes(0x40, Buffer.from(key.publicKey, 'base64url'))
  return bytes(4, number32(keySeconds), algorithm, curve, wholeNumber(point))
}

/** The key as a certification hashes it, and as the fingerprint does. */
function hashedKey(key: SigningKey): Buffer {
  const body = keyBody(key)
  return bytes(0x99, number16(body.length), body)
}

const rawFingerprint = (key: SigningKey) => createHash('sha1').update(hashedKey(key)).digest()

/** The fingerprint, in groups of four digits as gpg shows it. */
export const fingerprintOf = (key: SigningKey): string =>
  (rawFingerprint(key).toString('hex').toUpperCase().match(/.{4}/g) ?? []).join(' ')

const subpacket = (type: number, ...body: (number | Uint8Array)[]) => {
  const content = bytes(type, ...body)
  return bytes(content.length, content)
}

interface Statement {
  readonly kind: keyof typeof kinds
  readonly seconds: number
  readonly more?: Uint8Array
}

/** A signature packet over the bytes, section 5.2.3. */
function signaturePacket(key: SigningKey, over: Uint8Array, statement: Statement): Buffer {
  const { kind, more = new Uint8Array(), seconds } = statement
  const about = bytes(
    subpacket(33, 4, rawFingerprint(key)),
    subpacket(2, number32(Math.max(seconds, keySeconds))),
    more,
  )
  const hashed = bytes(4, kinds[kind], algorithm, sha256Number, number16(about.length), about)
  const digest = createHash('sha256')
    .update(bytes(over, hashed, 4, 0xff, number32(hashed.length)))
    .digest()
  const signature = key.sign(digest)
  const issuer = subpacket(16, rawFingerprint(key).subarray(-8))
  const values = [wholeNumber(signature.subarray(0, 32)), wholeNumber(signature.subarray(32))]
  return packet(2, bytes(hashed, number16(issuer.length), issuer, digest.subarray(0, 2), ...values))
}

/** The checksum of an armoured text, section 6.1.1. gpg of Debian 12 cannot read every text without one. */
function checksum(content: Uint8Array): Buffer {
  let crc = 0xb704ce
  for (const byte of content) {
    crc ^= byte << 16
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1
      if (crc & 0x1000000) crc ^= 0x1864cfb
    }
  }
  return number32(crc & 0xffffff).subarray(1)
}

function armoured(name: string, content: Buffer): string {
  const lines = content.toString('base64').match(/.{1,64}/g) ?? []
  const sum = `=${checksum(content).toString('base64')}`
  return [`-----BEGIN PGP ${name}-----`, '', ...lines, sum, `-----END PGP ${name}-----`, ''].join('\n')
}

/** The public key in its armoured form, bound to its name. */
export function publicKeyBlock(key: SigningKey): string {
  const name = Buffer.from(`Callgate releases (${key.keyId})`)
  const over = bytes(hashedKey(key), 0xb4, number32(name.length), name)
  // It may certify and sign.
  const more = subpacket(27, 0x03)
  const binding = signaturePacket(key, over, { kind: 'certification', seconds: keySeconds, more })
  return armoured('PUBLIC KEY BLOCK', bytes(packet(6, keyBody(key)), packet(13, name), binding))
}

/** A signature of its own for a file, armoured. */
export const detachedSignature = (key: SigningKey, content: Uint8Array, seconds: number): string =>
  armoured('SIGNATURE', signaturePacket(key, content, { kind: 'binary', seconds }))

/** A text with its signature after it, section 7. No line may begin with a hyphen or end with a space. */
export function signedText(key: SigningKey, text: string, seconds: number): string {
  if (/^-|[ \t\r]$/m.test(text)) throw new Error('a line of the text would have to be changed')
  const signed = text.replace(/\n$/, '')
  const over = Buffer.from(signed.replaceAll('\n', '\r\n'))
  const signature = armoured('SIGNATURE', signaturePacket(key, over, { kind: 'text', seconds }))
  return `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\n${signed}\n${signature}`
}
