// Readings: of complete replies, of replies that say nothing, and of none.

import { describe, expect, it } from 'vitest'
import { causeReading } from './causes.ts'
import { readLine } from './lines.ts'
import {
  imsReading,
  operatorReading,
  registrationReading,
  signalReading,
  voltageReading,
} from './readings.ts'

describe('a reading', () => {
  it('is the value in the reply', () => {
    expect(registrationReading('+CREG: 2,1,"1816","F9A1"')).toBe('home')
    expect(signalReading('+CSQ: 21,0')).toBe(-71)
    expect(voltageReading('+CBC: 0,95,4123')).toBe(4_123)
    expect(operatorReading('+COPS: 0,0,"ORANGE"')).toBe('ORANGE')
    expect(causeReading('+CEER: Cause:17')).toBe(17)
  })

  it.each([
    ['+CREG: 2,5', 'roaming'],
    // Messages alone, and emergency calls.
    ['+CREG: 2,6', 'denied'],
    ['+CREG: 2,7', 'denied'],
    ['+CREG: 2,8', 'denied'],
    // Calls are possible, though the network would prefer not to fall back for them.
    ['+CREG: 2,9', 'home'],
    ['+CREG: 2,10,"1816","F9A1",7', 'roaming'],
  ])('%s is %s', (line, registration) => {
    expect(registrationReading(line)).toBe(registration)
  })

  it.each([
    ['+CBC: 3.978V', 3_978],
    ['+CBC: 4.1V', 4_100],
    ['+CBC: 0,0,3812', 3_812],
    ['+CBC: 3.978', null],
  ])('%s is %s mV', (line, mV) => {
    expect(voltageReading(line)).toBe(mV)
  })

  it.each([
    ['+CIREG: 2,1,15', true],
    ['+CIREG: 0,1', true],
    // Messages alone: the first bit, for voice, is not there.
    ['+CIREG: 2,1,4', false],
    ['+CIREG: 2,0,0', false],
    ['+CIREG: 2', false],
    [undefined, false],
  ])('%s: calls over LTE %s', (line, isCalling) => {
    expect(imsReading(line)).toBe(isCalling)
  })

  it.each([
    ['+CEER: "16 Normal call clearing"', 16],
    ['+CEER: "0 Unknown"', 0],
    ['+CEER: 17', 17],
    ['+CEER: User busy', 17],
    ['+CEER: Unassigned (unallocated) number', 1],
    ['+CEER: "CC setup error",21,"Call rejected"', 21],
    // Actions of our own side, and causes of the data connection with the same numbers.
    ['+CEER: Client ended call', 'unknown'],
    ['+CEER: User bus', 'unknown'],
    ['+CEER: No cause information available', null],
    ['+CEER: "User alerting: no answer"', 19],
    ['+CEER: NORMAL_CALL_CLEARING', 16],
    ['+CEER: 17, CM_USER_BUSY', 17],
    ['+ceer:cause: 21', 21],
    // Cut inside its quotes.
    ['+CEER: "1', null],
    ['+CEER: 0,-1', null],
    ['+CEER: 5,36', null],
    ['+CEER: 5,38', null],
    ['+CEER: 5,33 Requested service option not subscribed', null],
    ['+CEER: "SM detach",38,"Network failure"', null],
    ['+CEER: 8,34,0', null],
  ])('%s: cause %s', (line, cause) => {
    expect(causeReading(line)).toBe(cause)
  })

  it('is empty where the reply holds no such value', () => {
    expect(registrationReading('+CREG: 2,12')).toBe('unknown')
    expect(registrationReading('+CREG: 2')).toBeUndefined()
    expect(signalReading('+CSQ: 99,99')).toBeNull()
    expect(voltageReading('+CBC: 0,95')).toBeNull()
    expect(operatorReading('+COPS: 0')).toBeNull()
    expect(causeReading('+CEER: Cause:999')).toBeNull()
    expect(causeReading('+CEER: none')).toBeNull()
  })

  it('is empty without a reply', () => {
    expect(registrationReading(undefined)).toBeUndefined()
    for (const reading of [signalReading, voltageReading, operatorReading, causeReading])
      expect(reading(undefined)).toBeNull()
  })
})

it('reads an error with a number, with a known text, and with neither', () => {
  const codeOf = (text: string) => {
    const line = readLine(text)
    return line.kind === 'error' ? line.error.code : undefined
  }
  expect(codeOf('+CME ERROR: 10')).toBe(10)
  expect(codeOf('+CME ERROR: SIM not inserted')).toBe(10)
  expect(codeOf('+CME ERROR: something else')).toBeNull()
})

it('reads the lines with which a modem rings and powers down', () => {
  expect(readLine('+CRING: VOICE')).toEqual({ kind: 'urc', urc: { urc: 'ring' } })
  const text = 'UNDER-VOLTAGE POWER DOWN'
  expect(readLine(text)).toEqual({ kind: 'urc', urc: { urc: 'poweredDown', text } })
})
