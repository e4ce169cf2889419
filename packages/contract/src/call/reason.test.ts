import { expect, it } from 'vitest'
import { type ReasonWord, reasons, sayReason } from './reason.ts'

it('tells nobody to try again where another call could reverse a moving gate', () => {
  const words = Object.keys(reasons) as ReasonWord[]
  // Nothing was dialled, or the network itself refused the call: another one is always safe.
  const alwaysSafe = [
    'gateway_offline',
    'modem_busy',
    'modem_not_ready',
    'no_network',
    'not_dialled',
    'interrupted',
    'number_changed',
    'line_in_use',
    'congestion',
  ]
  expect(words.filter(word => sayReason(word, false).includes('Try again'))).toEqual(alwaysSafe)
  expect(sayReason('busy', false)).toBe("The gate's number was busy.")
  expect(sayReason('busy', true)).toBe("The gate's number was busy. Try again in about 10 seconds.")
})
