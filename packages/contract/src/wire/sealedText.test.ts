import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openText, sealText } from './sealedText.ts'
import { signingKey } from './signature.ts'

const bytes32 = fc.uint8Array({ minLength: 32, maxLength: 32 })
const seed = new Uint8Array(32).fill(7)
const { publicKey } = signingKey(seed)
const randomBytes = new Uint8Array(32).fill(9)
const sealing = { publicKey, about: 'gate 1', randomBytes }

it('opens with the key for which it was sealed, and with no other', () => {
  const sealed = sealText('1234', sealing)
  expect(sealed).toMatch(/^[A-Za-z0-9_-]{107}$/)
  expect(openText(sealed, 'gate 1', seed)).toBe('1234')
  expect(openText(sealed, 'gate 2', seed)).toBeUndefined()
  expect(openText(sealed, 'gate 1', randomBytes)).toBeUndefined()
  expect(Buffer.from(sealed, 'base64url').includes('1234')).toBe(false)
})

it('has the same length for every text', () => {
  const lengths = ['', 'PC', 'x'.repeat(31)].map(text => sealText(text, sealing).length)
  expect(new Set(lengths).size).toBe(1)
  expect(() => sealText('x'.repeat(32), sealing)).toThrow('less than 32 bytes')
})

it('opens with any keys and text, and never after a change', () => {
  const text = fc.string({ unit: 'grapheme-ascii', maxLength: 31 })
  fc.assert(
    fc.property(bytes32, bytes32, text, fc.nat(79), (ofKey, random, said, at) => {
      const sealed = sealText(said, {
        ...sealing,
        publicKey: signingKey(ofKey).publicKey,
        randomBytes: random,
      })
      expect(openText(sealed, 'gate 1', ofKey)).toBe(said)
      const changed = Buffer.from(sealed, 'base64url')
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(openText(changed.toString('base64url'), 'gate 1', ofKey)).toBeUndefined()
    }),
    { numRuns: 50 },
  )
})

it('rejects an invalid text, and a key of small order', () => {
  expect(openText('', 'gate 1', seed)).toBeUndefined()
  expect(openText('A'.repeat(107), 'gate 1', seed)).toBeUndefined()
})
