import { exampleGate } from '@callgate/contract/rest/gate'
import { expect, it } from 'vitest'
import { faultOf } from '../form/fields.ts'
import { en } from '../words/en.ts'
import { type GateValues, gateBody, gateFields, newGate, valuesOfGate } from './gateFields.ts'

const fields = gateFields(en, 'live')
const fault = (name: keyof GateValues, value: string) =>
  faultOf(fields, name, { ...newGate, [name]: value }, en.form)

it.each([
  ['0040 722', 'Too short: 8 to 15 digits.'],
  ['0722 123 456', undefined],
  ['+40 (722) 123-456', undefined],
  ['0722 123 456 x', 'Digits, spaces and + only.'],
  ['+4072212345612345678', 'Too long: 8 to 15 digits.'],
])('names the error in the number %s', (number, wrong) => {
  expect(fault('phoneNumber', number)).toBe(wrong)
})

it('counts a name as the API does', () => {
  expect(fault('name', '  ')).toBe('Type a name.')
  expect(fault('name', '🚪'.repeat(120))).toBeUndefined()
  expect(fault('name', 'a'.repeat(121))).toBe('At most 120 characters.')
})

it('sends only the typed values, and an empty note as none', () => {
  expect(gateBody({ name: 'Back', description: ' ' })).toEqual({ name: 'Back', description: null })
  expect(gateBody({ location: '' })).toEqual({ location: '' })
  expect(valuesOfGate(exampleGate).description).toBe('')
})
