import { expect, it } from 'vitest'
import { sim as says } from '../words/en/sim.ts'
import { amountCheck, codeCheck, sayMoney, simBody, valuesOfSim } from './simFields.ts'

it('shows an amount as the reader writes it', () => {
  expect(sayMoney({ hundredths: 123_450, currency: 'EUR' }, 'ro')).toBe('1.234,50 EUR')
})

it('sends what is typed, and clears what is empty', () => {
  expect(simBody({ code: ' *100# ', warnBelow: '5', expiresOn: '2026-12-31' })).toEqual({
    code: '*100#',
    warnBelow: 500,
    expiresOn: '2026-12-31',
  })
  expect(simBody({ code: '', warnBelow: '', expiresOn: '' })).toEqual({
    code: null,
    warnBelow: null,
    expiresOn: null,
  })
  const now = { canAsk: true, asked: null, answer: null, spent: null, warnings: [] }
  expect(valuesOfSim({ code: '*100#', warnBelow: 505, expiresOn: null, now })).toEqual({
    code: '*100#',
    warnBelow: '5.05',
    expiresOn: '',
  })
})

it('finds what is plainly wrong before it is sent', () => {
  expect(['', '*100#', '*100*1#'].map(codeCheck(says.form))).toEqual([undefined, undefined, undefined])
  expect(['100', '*100', 'abc'].map(codeCheck(says.form))).toEqual(Array(3).fill(says.form.codeWrong))
  expect(['', '5'].map(amountCheck(says.form))).toEqual([undefined, undefined])
  expect(amountCheck(says.form)('much')).toBe(says.form.amountWrong)
})
