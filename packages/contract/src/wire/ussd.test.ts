import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUssdCode, mayBuy } from './ussd.ts'

it.each(['*100#', '*133#', '*1345#', '*12345#', '*100*1#', '*133*1*12#'])('%s may be sent', code => {
  expect(isUssdCode(code)).toBe(true)
})

/** 3GPP TS 22.030: annex B, 6.5.3 and 6.6, as a phone knows them. */
const services = [
  ...['21', '67', '61', '62', '002', '004', '43', '33', '331', '332', '35', '351', '330', '333', '353'],
  ...['30', '31', '76', '77', '300', '66', '96', '214', '88', '75', '591', '592', '593', '594'],
  ...['360', '361', '362', '363', '37', '371', '372', '373', '374', '375', '750', '751', '752', '753', '754'],
  ...['03', '04', '042', '05', '052', '06'],
]

it('a code that a phone takes for a setting of the network or of the card may not be sent', () => {
  const digits = fc.stringMatching(/^[0-9]{0,8}$/)
  fc.assert(
    fc.property(
      fc.constantFrom('*', '#', '*#', '**', '##'),
      fc.constantFrom(...services),
      fc.array(digits, { maxLength: 3 }),
      (prefix, service, parts) => {
        expect(isUssdCode(`${[`${prefix}${service}`, ...parts].join('*')}#`)).toBe(false)
      },
    ),
  )
})

it('a code has no letter, quote, line end, phone number or sum of money', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 24 }), fc.stringMatching(/^[*#0-9"\r\n;,]{1,24}$/)),
      text => {
        if (!isUssdCode(text)) return
        expect(text).toMatch(/^\*[0-9]{3,5}(\*[0-9]{1,2})*#$/)
        expect(text.length).toBeLessThanOrEqual(13)
      },
    ),
    { numRuns: 2_000 },
  )
  for (const text of [
    '*100#\n',
    '*100#\r',
    '*100#;',
    '100#',
    '*100',
    '#100#',
    '*123456#',
    '*105*0722123456*5#',
  ])
    expect(isUssdCode(text)).toBe(false)
})

it('codes with a group, by which networks sell options, are recognised', () => {
  for (const code of ['*100#', '*12345#']) expect(mayBuy(code), code).toBe(false)
  for (const code of ['*100*1#', '*100*1*2#', '*12345*0#']) expect(mayBuy(code), code).toBe(true)
})
