import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readBody, readEnvelope } from '../validate.ts'
import type { Envelope } from './messages.ts'
import { canonicalBytes, isSignedBy, seal, signingKey, verifyingKey } from './signature.ts'

const key = signingKey(new Uint8Array(32).fill(7))
const other = signingKey(new Uint8Array(32).fill(8))
const header = {
  gatewayId: 'gw_01kdhx3m8e2w7q5v9z4r6t8y0a',
  openingId: 'open_01kdhx3m8e2w7q5v9z4r6t8y0a',
  nonce: 'AAAAAAAAAAAAAAAAAAAAAA',
  bootId: 'BBBBBBBBBBBBBBBBBBBBBB',
}
const payload = Buffer.from(
  seal(key, { type: 'claim', ...header, body: '{"modemId":"861230041","sinceBootMs":1}' }),
)

function read(bytes: Uint8Array): Envelope {
  const envelope = readEnvelope(bytes)
  if (!envelope.ok) throw new Error(envelope.message)
  return envelope.value
}
function keysOf(...of: (typeof key)[]) {
  return of.map(one => verifyingKey(one.publicKey)).filter(one => one !== undefined)
}

describe('a signed message', () => {
  it('is valid for its key and for no other', () => {
    expect(isSignedBy(read(payload), keysOf(key))).toBe(true)
    expect(isSignedBy(read(payload), keysOf(other, key))).toBe(true)
    expect(isSignedBy(read(payload), keysOf(other))).toBe(false)
    expect(readBody(read(payload), 'claim')).toEqual({
      ok: true,
      value: { modemId: '861230041', sinceBootMs: 1 },
    })
    expect(readBody(read(payload), 'report').ok).toBe(false)
  })

  it('G2: is rejected when any bit of it is flipped', () => {
    // Among them are the unused bits at the end of a base64url text.
    const unnoticed = Array.from({ length: payload.length * 8 }, (_, bit) => bit).filter(bit => {
      const altered = Buffer.from(payload)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      const envelope = readEnvelope(altered)
      // Either it is no longer a message, or its signature is not valid.
      return envelope.ok && isSignedBy(envelope.value, keysOf(key))
    })
    expect(unnoticed).toEqual([])
  })

  it('G2: signs exactly the bytes of the design, with absent fields empty', () => {
    const bytes = canonicalBytes({
      type: 'beat',
      keyId: key.keyId,
      gatewayId: 'gw_x',
      bootId: 'b',
      seq: 3,
      body: '{}',
    })
    const digest = '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
    expect(bytes.toString()).toBe(`v1|beat|${key.keyId}|gw_x|||b|3|${digest}`)
  })

  it('is read from any bytes without an exception', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 300 }),
          fc.json().map(text => Buffer.from(text)),
        ),
        bytes => {
          expect(readEnvelope(bytes).ok).toBe(false)
        },
      ),
    )
    expect(readEnvelope(Buffer.alloc(40_000, 'a')).ok).toBe(false)
  })
})

describe('a public key', () => {
  it('is the one of RFC 8032, section 7.1, test 1', () => {
    const seed = Buffer.from('9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60', 'hex')
    const raw = 'd75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a'
    expect(Buffer.from(signingKey(seed).publicKey, 'base64url').toString('hex')).toBe(raw)
  })
  it('is rejected in any other form', () => {
    for (const text of [
      '',
      'x',
      `${key.publicKey}=`,
      key.publicKey.slice(1),
      `${key.publicKey.slice(0, 42)}_`.replace(/..$/, '__'),
    ])
      expect(verifyingKey(text)).toBeUndefined()
  })
})
