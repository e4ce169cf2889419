import fc from 'fast-check'
import { expect, it } from 'vitest'
import { submission } from './submit.ts'

it('writes the message of 3GPP TS 23.040 9.2.2.2', () => {
  // `hellohello` is E8329BFD4697D9EC37 in seven bits, in every text on this alphabet.
  expect(submission('+46708251358', 'hellohello')).toEqual({
    octets: 23,
    pdu: '0011000B916407281553F800000B0AE8329BFD4697D9EC37',
  })
  expect(submission('+4074000011', 'PC')?.pdu).toBe('0011000A91044700001100000B02D021')
})

it('sends to no number that is never dialled, and no letters that need another alphabet', () => {
  for (const number of ['112', '0740000111', '+112000000', '+4074000011\r', '+407400001112345678'])
    expect(submission(number, 'PC')).toBeUndefined()
  for (const text of ['', 'x'.repeat(71), 'a\x1ab', 'a\x1bb', 'a\rb', 'é', '@', '€', '_'])
    expect(submission('+40740000111', text)).toBeUndefined()
})

const letters = [...'ABCabcXYZxyz0123456789 #=:,+']
/** The letters of seven bits, read back bit by bit. */
function unpacked(bytes: Buffer, count: number): string {
  const bits = [...bytes].map(byte => [...byte.toString(2).padStart(8, '0')].reverse().join('')).join('')
  const sevens = Array.from({ length: count }, (_, index) => bits.slice(index * 7, index * 7 + 7))
  return sevens.map(seven => String.fromCharCode(Number.parseInt([...seven].reverse().join(''), 2))).join('')
}

it('writes a message that reads back the same, for every number and text', () => {
  const number = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 6, maxLength: 13 })
  const text = fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 70 })
  fc.assert(
    fc.property(number, text, (rest, said) => {
      const digits = `40${rest}`
      const { octets, pdu } = submission(`+${digits}`, said) ?? { octets: 0, pdu: '' }
      const bytes = Buffer.from(pdu, 'hex')
      expect(bytes.length).toBe(octets + 1)
      const addressBytes = Math.ceil(digits.length / 2)
      const address = bytes.subarray(5, 5 + addressBytes).toString('hex')
      expect(address.replace(/(.)(.)/g, '$2$1').slice(0, digits.length)).toBe(digits)
      const data = bytes.subarray(5 + addressBytes + 3)
      expect(unpacked(data.subarray(1), data[0] ?? 0)).toBe(said)
    }),
  )
})
