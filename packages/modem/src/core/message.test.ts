// Messages from PDUs: published examples, and arbitrary input.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isFrom, isSameNumber, messageOf } from './message.ts'

/** The example of TS 23.038's packing that every SMS tutorial has: "hellohello" from +27838890001. */
const hello = '07917283010010F5040BC87238880900F10000993092516195800AE8329BFD4697D9EC37'

describe('a message', () => {
  it('is read in the default alphabet and in UCS2', () => {
    expect(messageOf(hello)?.text).toBe('hellohello')
    expect(messageOf(hello)?.from).toContain('27838890001')
    const gate = '0004' + '0B910427010054F6' + '0008' + '62105180000000' + '08' + '0047006100740065'
    expect(messageOf(gate)).toEqual({ from: '+40721000456', text: 'Gate', part: null })
  })

  it('is read from a sender with a name, in 8 bits, and in parts', () => {
    // "Gate" packed into 7-bit letters: a sender with a name.
    const named = '0004' + '07D0C730BD0C' + '0000' + '62105180000000' + '04' + 'C730BD0C'
    expect(messageOf(named)).toEqual({ from: 'Gate', text: 'Gate', part: null })
    const binary = '0004' + '0B910427010054F6' + '0004' + '62105180000000' + '02' + '4F4B'
    expect(messageOf(binary)?.text).toBe('OK')
    const part = '0044' + '0B910427010054F6' + '0008' + '62105180000000' + '08' + '050003010201' + '0041'
    expect(messageOf(part)).toMatchObject({ text: 'A', part: { reference: 1, count: 2, place: 1 } })
    const wide = '0044' + '0B910427010054F6' + '0008' + '62105180000000' + '09' + '06080401020302' + '0041'
    expect(messageOf(wide)).toMatchObject({ text: 'A', part: { reference: 0x102, count: 3, place: 2 } })
    // A port before the part, and impossible places of parts.
    const behind =
      '0044' + '0B910427010054F6' + '0008' + '62105180000000' + '0E' + '0B05040B8400000003050202' + '0041'
    expect(messageOf(behind)?.part).toEqual({ reference: 5, count: 2, place: 2 })
    for (const header of ['050003010203', '050003010200', '050003010001', '0500', '00', '0500040102'])
      expect(
        messageOf(`0044${'0B910427010054F6'}0008${'62105180000000'}08${header}0041`)?.part ?? null,
      ).toBeNull()
  })

  it('is read as far as it goes where its length says more', () => {
    const cut = '0004' + '0B910427010054F6' + '0000' + '62105180000000' + '0A' + 'C7'
    expect(messageOf(cut)?.text).toHaveLength(10)
    expect(messageOf(cut)?.text).toMatch(/^G/)
    // A header that ends before its length, and a digit that is none.
    const headless = '0044' + '0B910427010054F6' + '0008' + '62105180000000' + '04'
    expect(messageOf(headless)?.text).toBe('')
    const odd = '0004' + '0B910427A10054F6' + '0008' + '62105180000000' + '00'
    expect(messageOf(odd)?.from).toBe('+4072100456')
  })

  it.each([
    ['C8', 'abc'],
    ['D8', 'abc'],
    ['F1', 'abc'],
    // Reserved.
    ['88', 'abc'],
    ['E0', '\u61f1\u1800'],
    ['08', '\u61f1\u1800'],
    ['48', '\u61f1\u1800'],
    ['F5', 'a\u00f1\u0018'],
  ])('of coding %s is read by the section for messages', (coding, text) => {
    const isLetters = text === 'abc'
    const data = isLetters ? '0361F118' : coding === 'F5' ? '0361F118' : '0461F11800'
    expect(messageOf(`0004${'0B910427010054F6'}00${coding}${'62105180000000'}${data}`)?.text).toBe(text)
  })

  it('is undefined for a PDU that we sent, that is cut, or that is not hexadecimal', () => {
    expect(messageOf(`0001${hello.slice(4)}`)).toBeUndefined()
    for (const cut of [0, 1, 2, 10, 20, 35]) expect(messageOf(hello.slice(0, cut))).toBeUndefined()
    expect(messageOf('RDY')).toBeUndefined()
  })

  it('never makes the reader throw, and is no longer than its bytes allow', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 220 }), bytes => {
        const message = messageOf(Buffer.from(bytes).toString('hex'))
        expect((message?.text ?? '').length).toBeLessThanOrEqual(200)
        expect((message?.from ?? '').length).toBeLessThanOrEqual(21)
      }),
      { numRuns: 500 },
    )
  })
})

it('recognises two notations of one number, and neither short numbers nor others', () => {
  expect(isSameNumber('+40721000456', '0721000456')).toBe(true)
  expect(isSameNumber('0040 721 000 456', '+40721000456')).toBe(true)
  expect(isSameNumber('+40721000456', '+40721000457')).toBe(false)
  expect(isSameNumber('456', '456')).toBe(false)
})

it('matches only the given number', () => {
  expect(isFrom({ from: '+40721000456' }, '+40721000456')).toBe(true)
  expect(isFrom({ from: '0721000456' }, '+40721000456')).toBe(true)
  // The same last digits in another country.
  expect(isFrom({ from: '+49721000456' }, '+40721000456')).toBe(false)
  expect(isFrom({ from: 'Orange' }, '+40721000456')).toBe(false)
})
