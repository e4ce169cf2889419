import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { isWhole, lengthOf, phoneCheck } from './checks.ts'

it('counts code points, without the blanks around them', () => {
  expect(lengthOf(' 🚪🚪 ')).toBe(2)
})

it('takes whole numbers within their limits', () => {
  const seconds = { least: 1, most: 45 }
  expect(['1', ' 45 '].filter(text => isWhole(text, seconds))).toHaveLength(2)
  expect(['', '0', '46', '1.5', '-1', '1e1', 'one'].filter(text => isWhole(text, seconds))).toEqual([])
})

it('counts the digits of a number with its country code, which a national number lacks', () => {
  const national = phoneCheck(en.form, { isNational: true })
  const any = phoneCheck(en.form, { isNational: false })
  expect(national('0722 123')).toBeUndefined()
  expect(any('0722 123')).toBe('Too short: 8 to 15 digits.')
  // Two zeros replace the +.
  expect(national('00407221')).toBe('Too short: 8 to 15 digits.')
  expect([national('+40722123456'), any('+40722123456')]).toEqual([undefined, undefined])
  expect(any('+4072212345678901')).toBe('Too long: 8 to 15 digits.')
  expect(any('call me')).toBe('Digits, spaces and + only.')
})
