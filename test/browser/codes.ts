// The codes of an authenticator app, as a phone shows them.

import { createHmac } from 'node:crypto'

/** The code of an authenticator app for a time (RFC 6238, with SHA-1, 30 s and 6 digits). */
export function codeAt(base32: string, atMs: number): string {
  const bits = [...base32].map(digit =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(digit).toString(2).padStart(5, '0'),
  )
  const bytes = bits.join('').match(/.{8}/g) ?? []
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(atMs / 30_000)))
  const hash = createHmac('sha1', Buffer.from(bytes.map(byte => Number.parseInt(byte, 2)))).update(step)
  const digest = hash.digest()
  const place = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(place) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}
