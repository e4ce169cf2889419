import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLine } from './lines.ts'
import { type HeldText, joinDelivered, joinUssd, shownText, ussdOf } from './ussdLine.ts'

/** The lines that are read when each comes `gapMs` after the one before. */
function read(lines: readonly string[], gapMs = 10): string[] {
  let held: HeldText | undefined
  return lines.flatMap((line, place) => {
    const taken = joinUssd(held, line, place * gapMs)
    held = taken.held
    return taken.lines
  })
}

describe('the answer to a USSD code', () => {
  it.each([
    ['+CUSD: 0,"Credit 5.00 EUR",15', 0, 'Credit 5.00 EUR'],
    ['+CUSD: 0,"He said "hi" to you",0', 0, 'He said "hi" to you'],
    ['+CUSD: 1,"1 More"', 1, '1 More'],
    ['+CUSD: 4', 4, null],
    ['+CUSD: 0,"0041021B0062",72', 0, 'Ațb'],
    // The same digits in the default alphabet are a text.
    ['+CUSD: 0,"00410062",15', 0, '00410062'],
    ['+CUSD: 0,"00410062",17', 0, 'Ab'],
    // Blanks, small letters, and a language code before UCS2.
    ['+cusd:0 , "0041021b0062" , 72 ', 0, 'Ațb'],
    ['+CUSD: 0,"653700410062",17', 0, 'Ab'],
    ['+CUSD: 4 ', 4, null],
    // Letters of eight bits in hexadecimal, where AT+CSCS is HEX; and a number that only looks like hexadecimal.
    ['+CUSD: 0,"43726564697420352E303020455552",15', 0, 'Credit 5.00 EUR'],
    ['+CUSD: 0,"40721000456407210004",15', 0, '40721000456407210004'],
    ['+CUSD: 0,"4F4B",68', 0, '4F4B'],
  ])('%s is read', (line, mode, text) => {
    expect(ussdOf(line)).toEqual({ mode, text })
  })

  it.each(['+CUSD: (0,1,2)', '+CUSD: 0,"Credit', 'CUSD: 0', '+CUSD: 12'])('%s is none', line => {
    expect(ussdOf(line)).toBeUndefined()
  })

  it('of several lines is one, whatever the lines contain, also without the code of the alphabet', () => {
    expect(read(['+CUSD: 0,"Credit 5.00', 'RDY', '', 'OK', 'EUR",15', 'OK'])).toEqual([
      '+CUSD: 0,"Credit 5.00 RDY OK EUR",15',
      'OK',
    ])
    expect(read(['+CUSD: 1,"a', 'b"', 'RING'])).toEqual(['+CUSD: 1,"a b"', 'RING'])
  })

  it.each([
    ['with blanks', ['+CUSD: 0, "Credit', 'NO CARRIER', 'BUSY', 'EUR", 15']],
    ['where a line of the text ends with a quote', ['+CUSD: 0,"He said "no"', 'NO CARRIER', 'to me",15']],
  ])('holds a line NO CARRIER in itself, %s', (_, lines) => {
    expect(read(lines)).toEqual([lines.join(' ')])
  })

  it('without its end holds up only the lines that come with it: for 400 ms, a second in all, and only a few lines', () => {
    const cut = '+CUSD: 0,"Credit'
    expect(read([cut, 'RING', 'RDY'], 401)).toEqual([cut, 'RING', 'RDY'])
    expect(read([cut, 'RING', 'RING', 'RDY'], 400)).toEqual([`${cut} RING RING`, 'RDY'])
    const many = Array.from({ length: 40 }, () => 'RING')
    expect(read([cut, ...many]).filter(line => line === 'RING')).toHaveLength(25)
    expect(read([cut, '+CUSD: 4', 'RING'])).toEqual([cut, '+CUSD: 4', 'RING'])
    // The place of a message is where a text has its code.
    expect(read([cut, '+CMTI: "SM",1'])).toEqual([cut, '+CMTI: "SM",1'])
    expect(read([cut, '+CUSD: 0,"5.00', 'EUR",15'])).toEqual([cut, '+CUSD: 0,"5.00 EUR",15'])
  })

  it('changes no other line', () => {
    fc.assert(
      fc.property(fc.array(fc.string().filter(line => !line.startsWith('+CUSD:'))), lines => {
        expect(read(lines)).toEqual(lines)
      }),
    )
  })

  it('is shown as one short line of visible text', () => {
    expect(shownText('  Credit\u0000\u202e 5\u2028EUR ', 200)).toBe('Credit 5 EUR')
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), text => {
        const shown = shownText(text, 200)
        expect([...shown].length).toBeLessThanOrEqual(200)
        expect(shown).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u)
      }),
    )
  })
})

describe('a message that is delivered at once', () => {
  const pdu = '0004' + '0B910427010054F6' + '0008' + '62105180000000' + '04' + '004F004B'
  function read(lines: readonly string[], stepMs = 0): string[] {
    let held: HeldText | undefined
    return lines.flatMap((line, index) => {
      const next = joinDelivered(held, line, index * stepMs)
      held = next.held
      return next.lines
    })
  }

  it('is one line with its head, which no other command takes for its reply', () => {
    const [line = ''] = read(['+CMT: ,23', pdu])
    expect(readLine(line)).toEqual({ kind: 'urc', urc: { urc: 'delivered', pdu } })
    expect(read(['RING', '+CMT: "",23', pdu, 'OK'])).toEqual(['RING', `+CMT: "",23 ${pdu}`, 'OK'])
  })

  it('holds up nothing where its second line is lost or late', () => {
    expect(read(['+CMT: ,23', 'RDY'])).toEqual(['+CMT: ,23', 'RDY'])
    expect(read(['+CMT: ,23', '+CMT: ,23', pdu])).toEqual(['+CMT: ,23', `+CMT: ,23 ${pdu}`])
    expect(read(['+CMT: ,23', pdu], 1_001)).toEqual(['+CMT: ,23', pdu])
  })

  it('changes no other line', () => {
    fc.assert(
      fc.property(fc.array(fc.string().filter(line => !line.startsWith('+CMT: '))), lines => {
        expect(read(lines)).toEqual(lines)
      }),
    )
  })
})
