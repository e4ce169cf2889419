import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { simTexts } from '../words/simTexts.ts'
import { sayMoney, simBody, simFields, valuesOfSim } from './simFields.ts'

it('shows an amount in the reader’s notation', () => {
  expect(sayMoney({ hundredths: 123_450, currency: 'EUR' }, 'ro')).toBe('1.234,50 EUR')
})

it('sends the typed values, and clears empty ones', () => {
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

it('finds obvious errors before sending', () => {
  const { form: says } = simTexts(en)
  const { code, warnBelow } = simFields(en)
  const none = { code: '', warnBelow: '', expiresOn: '' }
  const codes = (...given: string[]) => given.map(value => code.check?.(value, none))
  const amounts = (...given: string[]) => given.map(value => warnBelow.check?.(value, none))
  expect(codes('', '*100#', '*100*1#')).toEqual([undefined, undefined, undefined])
  expect(codes('100', '*100', 'abc')).toEqual(Array(3).fill(says.codeWrong))
  expect(amounts('', '5')).toEqual([undefined, undefined])
  expect(amounts('much')).toEqual([says.amountWrong])
})
