// Readings: a reply that is whole, one that says nothing, and none at all.

import { describe, expect, it } from 'vitest'
import { readLine } from './lines.ts'
import {
  causeReading,
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

  it('is empty where the reply has no such value', () => {
    expect(registrationReading('+CREG: 2,9')).toBe('unknown')
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
