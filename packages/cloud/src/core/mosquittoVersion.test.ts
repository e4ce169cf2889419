import { expect, it } from 'vitest'
import { readMosquittoVersion } from './mosquittoVersion.ts'

it.each([
  ['mosquitto version 2.0.11', '2.0.11', true],
  ['mosquitto version 1.6.15', '1.6.15', true],
  ['mosquitto version 2.0.21', '2.0.21', true],
  ['mosquitto version 2.0.22', '2.0.22', false],
  ['mosquitto version 2.0.22-rc1', '2.0.22', false],
  ['mosquitto version 2.1.0', '2.1.0', false],
  ['mosquitto version 3.0.0', '3.0.0', false],
])('reads "%s"', (said, text, isOld) => {
  expect(readMosquittoVersion(said)).toEqual({ text, isOld })
})

it.each(['', 'EMQX 5.8', 'mosquitto version', 'mosquitto version 2.0', 'mosquitto version 99999.0.1'])(
  'knows no version in "%s"',
  said => {
    expect(readMosquittoVersion(said)).toBeUndefined()
  },
)
