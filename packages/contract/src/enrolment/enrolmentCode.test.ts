import fc from 'fast-check'
import { expect, it } from 'vitest'
import { groupedCode, newEnrolmentCode, readEnrolmentCode } from './enrolmentCode.ts'

const randoms = fc.uint8Array({ minLength: 10, maxLength: 10 })
const letters = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

it('is read in any spelling as it was made', () => {
  fc.assert(
    fc.property(randoms, random => {
      const code = newEnrolmentCode(random)
      const read = { ok: true, code, name: code.slice(0, 6) }
      expect(readEnrolmentCode(groupedCode(code))).toEqual(read)
      expect(readEnrolmentCode(` ${groupedCode(code).toLowerCase().replaceAll('-', ' ')}\n`)).toEqual(read)
      expect(readEnrolmentCode(code.replaceAll('0', 'o').replaceAll('1', 'l'))).toEqual(read)
      expect(readEnrolmentCode(code.replaceAll('1', 'I'))).toEqual(read)
    }),
  )
})

it('detects each wrong character and each swapped pair', () => {
  fc.assert(
    fc.property(
      randoms,
      fc.tuple(fc.integer({ min: 0, max: 17 }), fc.constantFrom(...letters)),
      (random, [place, letter]) => {
        const code = newEnrolmentCode(random)
        const other = code.slice(0, place) + letter + code.slice(place + 1)
        expect(readEnrolmentCode(other).ok).toBe(other === code)
        const swapped = code.replace(/^(.{0,16})(.)(.)/, '$1$3$2')
        const at = Math.min(place, 16)
        const pair = code.slice(0, at) + (code[at + 1] ?? '') + (code[at] ?? '') + code.slice(at + 2)
        for (const typed of [swapped, pair]) expect(readEnrolmentCode(typed).ok).toBe(typed === code)
      },
    ),
  )
})

it.each([
  ['', 'this has 0'],
  ['ABCDEF-ABCDEF', 'this has 12'],
  ['ABCDEF-ABCDEF-ABCDEU', 'No code has the character "U"'],
  ['ABCDEF-ABCDEF-ABCDEF', 'has a typo'],
])('names the fault of %j', (typed, message) => {
  expect(readEnrolmentCode(typed)).toMatchObject({ ok: false, message: expect.stringContaining(message) })
})

it('has 80 bits, and rejects any other number of bytes', () => {
  const codes = [new Uint8Array(10), new Uint8Array(10).fill(255)].map(newEnrolmentCode)
  expect(codes[0]).toBe('0'.repeat(18))
  expect(codes[1]?.slice(0, 16)).toBe('Z'.repeat(16))
  expect(() => newEnrolmentCode(new Uint8Array(9))).toThrow('10 bytes')
})
