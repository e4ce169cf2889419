import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountIn, simWarningsOf, spentOf } from './simBalance.ts'

describe('the amount in an answer', () => {
  it.each([
    ['Credit 5.00 EUR', 500, 'EUR'],
    ['Aveți 5,50 euro până la 31.12.2026', 550, 'EUR'],
    ['Soldul tau este de 12 lei.', 1_200, 'lei'],
    ['Ai €3.5 si 100 minute', 350, 'EUR'],
    ['Balance: £1,234.50', 123_450, 'GBP'],
    ['1.234,5 RON', 123_450, 'RON'],
    ['Credit: -0.25 EUR', -25, 'EUR'],
    ['Valid 31.12.2026, credit 7.05EUR', 705, 'EUR'],
    ['1 Credit 2 Options, 4 EUR', 400, 'EUR'],
  ])('%s', (text, hundredths, currency) => {
    expect(amountIn(text)).toEqual({ hundredths, currency })
  })

  it.each([
    ...['', '100 minute', 'Valid until 31.12.2026', 'EUR', '12345678901 EUR', '5.00 EURO2026'],
    ...['1.000.000,01 EUR', '-1.000.001 EUR', '999.999.999.999.999.999 EUR'],
  ])('%s has none', text => {
    expect(amountIn(text)).toBeUndefined()
  })

  it('is a whole number of hundredths, up to a million of a currency, whatever the text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.stringMatching(/^[0-9., -]{0,40}EUR$/),
      fc.stringMatching(/^-?[0-9]{1,3}([.][0-9]{3}){0,7} EUR$/),
    )
    fc.assert(
      fc.property(text, said => {
        const found = amountIn(said)
        if (!found) return
        expect(Number.isInteger(found.hundredths)).toBe(true)
        expect(Math.abs(found.hundredths)).toBeLessThanOrEqual(100_000_000)
      }),
    )
  })
})

it('adds up the decreases of the balance, and ignores top-ups', () => {
  const eur = (hundredths: number) => ({ hundredths, currency: 'EUR' })
  expect(spentOf([500, 420, 1_420, 1_400].map(eur))).toEqual(eur(100))
  expect(spentOf([eur(500)])).toBeUndefined()
  expect(spentOf([100_000_000, 0, 100_000_000, 0].map(eur))).toBeUndefined()
  expect(spentOf([])).toBeUndefined()
  expect(spentOf([eur(500), { hundredths: 20, currency: 'lei' }])).toBeUndefined()
})

describe('a SIM card has a warning', () => {
  const nowMs = Date.parse('2026-11-20T12:00:00.000Z')
  const none = { balance: null, warnBelow: null, expiresOn: null }
  const left = (hundredths: number) => ({ hundredths, currency: 'EUR' })

  it('when less is left than its threshold', () => {
    expect(simWarningsOf({ ...none, balance: left(499), warnBelow: 500 }, nowMs)).toEqual(['credit_low'])
    expect(simWarningsOf({ ...none, balance: left(500), warnBelow: 500 }, nowMs)).toEqual([])
    expect(simWarningsOf({ ...none, balance: left(1) }, nowMs)).toEqual([])
    expect(simWarningsOf({ ...none, warnBelow: 500 }, nowMs)).toEqual([])
  })

  it.each([
    ['2026-12-05', []],
    ['2026-12-04', ['expires_soon']],
    ['2026-11-20', ['expires_soon']],
    ['2026-11-19', ['expired']],
  ])('when it ends on %s', (expiresOn, warnings) => {
    expect(simWarningsOf({ ...none, expiresOn }, nowMs)).toEqual(warnings)
  })
})
