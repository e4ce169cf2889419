import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usualCountries } from './countries.ts'
import { maskedNumber, readPhoneNumber } from './phoneNumber.ts'

const read = (raw: string, country = 'RO') => {
  const number = readPhoneNumber(raw, { country, allowedCountries: usualCountries })
  return number.ok ? number.phoneNumber : number.problem.message
}

describe('readPhoneNumber', () => {
  it.each([
    ['+40722123456', '+40722123456'],
    ['0040722123456', '+40722123456'],
    ['0722 123 456', '+40722123456'],
    ['(0722) 123-456', '+40722123456'],
    ['+40 (0) 722.123.456', '+40722123456'],
    ['+491512345678', '+491512345678'],
    // A wrong trunk prefix is dropped.
    ['+1 1 212 555 1234', '+12125551234'],
    // Unassigned or too short for its country, but written with its country: accepted.
    ['+40999999999', '+40999999999'],
    ['+40722123', '+40722123'],
  ])('%s is %s', (raw, phoneNumber) => expect(read(raw)).toBe(phoneNumber))

  it.each([
    ['+40722123456;AT+CMGS', 'may contain only'],
    ['+40722123456\n', 'may contain only'],
    ['+４０７２２１２３４５６', 'may contain only'],
    ['++40722123456', 'at most one +'],
    ['4+0722123456', 'at most one +'],
    ['', 'must have digits'],
    ['112', 'emergency'],
    ['+911', 'emergency'],
    ['+40112', '8 to 15 digits'],
    ['0721', '8 to 15 digits'],
    ['+4072212345678901', '8 to 15 digits'],
    ['+407221234567', 'too long for its country'],
    ['072212345678', 'too long for its country'],
    ['07221234', 'not a possible number in RO'],
    // When a trunk prefix is doubled, one 1 is left.
    [
      '+1 1 1 212 555 1234',
      'begins with +1 1, a range without any line, since an area code begins with 2 to 9',
    ],
    ['+1 121 234 5678', 'begins with +1 1, a range without any line'],
    ['+1 012 345 6789', 'begins with +1 0, a range without any line'],
    ['+112123456', 'begins with +1 1'],
    ['+40900123456', 'premium'],
    ['+40801123456', 'shared-cost'],
    ['+881612345678', 'satellite'],
    ['+870773123456', 'satellite'],
    ['+25261234567', 'country that may not be called (SO)'],
    ['+18095551234', 'country that may not be called (DO)'],
    ['+97912345678', 'begins with +979, a premium-rate range'],
    ['+80012345678', 'calling code that may not be called (+800)'],
    ['+0722123456', 'is not a phone number'],
  ])('%j is refused: %s', (raw, rule) => expect(read(raw)).toContain(rule))

  it('allows the country of the Space, whatever the list says', () => {
    expect(read('061234567', 'SO')).toBe('+25261234567')
    expect(readPhoneNumber('+40722123456', { country: 'US', allowedCountries: ['DE'] })).toEqual({
      ok: false,
      problem: {
        problem: 'validation_error',
        message:
          'phoneNumber belongs to a country that may not be called (RO); allowed are DE, US. The operator of the service can change this list',
        refusals: [
          { name: 'number_country', values: { field: 'phoneNumber', allowed: 'DE, US', country: 'RO' } },
        ],
      },
    })
  })

  it('makes E.164 or a message of any text, and returns E.164 unchanged', () => {
    const typed = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'+0123456789 ()-.') }),
      fc.stringMatching(/^(\+|00)(40|44|1|39|881|252)[0-9 ]{6,12}$/),
    )
    fc.assert(
      fc.property(typed, raw => {
        const number = read(raw)
        if (number.startsWith('phoneNumber ')) return true
        return /^\+[1-9][0-9]{7,14}$/.test(number) && read(number) === number
      }),
    )
  })
})

it('masks a number for the log', () => {
  expect(maskedNumber('+40722123456')).toBe('+40*****456')
  expect(maskedNumber('+4072')).toBe('*****')
})
