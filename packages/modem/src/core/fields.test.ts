import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldsOf, informationNamed, informationOf, numberOf } from './fields.ts'
import { readLine } from './lines.ts'

describe('the fields of a line', () => {
  it.each([
    ['+CREG: 2,1,"1816","F9A1"', ['2', '1', '1816', 'F9A1']],
    ['+creg:2 , 1 ,1816, "f9a1" ', ['2', '1', '1816', 'f9a1']],
    ['+CLIP: "",128,,', ['', '128', '', '']],
    ['+COPS: 0,0,"One, two"', ['0', '0', 'One, two']],
    // Cut inside a field with quotes.
    ['+CLCC: 1,0,6,0,0,"+407', ['1', '0', '6', '0', '0']],
  ])('of %s are read', (line, fields) => {
    expect(informationOf(line)?.fields).toEqual(fields)
  })

  it('are none where the line has no name, or another one', () => {
    expect(informationOf('RING')).toBeUndefined()
    expect(fieldsOf('+CSQ: 20,0', '+CREG')).toEqual([])
    expect(fieldsOf(undefined, '+CREG')).toEqual([])
  })

  it('are numbers only where they hold one', () => {
    expect([numberOf('12'), numberOf('1a'), numberOf(''), numberOf('12345'), numberOf(undefined)]).toEqual([
      12,
      ...Array.from({ length: 4 }, () => undefined),
    ])
  })
})

it('tell the answer to a question from an unsolicited line', () => {
  const reply = informationNamed('+CREG', 2)
  for (const line of ['+CREG: 2,1', '+CREG:2 , 10,"1816"']) expect(line).toMatch(reply)
  for (const line of ['+CREG: 1', '+CREG: 1,"1816","F9A1"', '+CREG: 1,1816,F9A1']) {
    expect(line).not.toMatch(reply)
    expect(readLine(line)).toEqual({ kind: 'urc', urc: { urc: 'registration', stat: 1 } })
  }
})

it.each([
  '+CLCC: 1,0,3,0,0,"+40721000456",145,""',
  '+CMTI: "SM",3',
  '+CLIP: "+40721000456",145,"",0,"",0',
  '+CPIN: NOT READY',
  '+CREG: 10,"1816","F9A1"',
  '+CSSI: 2',
  '^DSCI: 1,0,6,0,0,"10086",129,,16,130',
  '+QIND: "ccinfo",1,0,-1,0,0,"10086",129',
  '+CUSD: 0, "Credit 5.00 EUR", 15',
  'VOICE CALL: BEGIN',
  'MISSED_CALL: 11:53AM 08020866256',
])('are read the same from %s with blanks, and with the name in small letters', line => {
  const plain = readLine(line)
  expect(plain.kind).toBe('urc')
  const [name = ''] = line.split(':')
  const rest = line.slice(name.length + 1)
  for (const said of [
    `${name}:${rest.trimStart()}`,
    `${name.toLowerCase()}: ${rest}`,
    ...(name.startsWith('MISSED') ? [] : [`${name} :  ${rest.trim().replace(/,(?! )/g, ' , ')} `]),
  ])
    expect(readLine(said), said).toEqual(plain)
})

it('give no more from a line that is cut than from the whole one', () => {
  const line = '+CLCC: 1,0,6,0,0,"+40721000456",145,""'
  fc.assert(
    fc.property(fc.nat(line.length), end => {
      const cut = readLine(line.slice(0, end))
      expect(cut.kind === 'urc' ? cut : readLine(line)).toEqual(readLine(line))
    }),
  )
})
