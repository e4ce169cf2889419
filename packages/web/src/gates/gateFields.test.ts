import { exampleGate } from '@callgate/contract/rest/gate'
import { expect, it } from 'vitest'
import { en } from '../words/en.ts'
import { gateBody, gateChecks, valuesOfGate } from './gateFields.ts'

const checks = gateChecks(en.gates.form)

it.each([
  ['0040 722', 'Too short: 8 to 15 digits.'],
  ['0722 123 456', undefined],
  ['+40 (722) 123-456', undefined],
  ['0722 123 456 x', 'Digits, spaces and + only.'],
  ['+4072212345612345678', 'Too long: 8 to 15 digits.'],
])('says of the number %s what is wrong', (number, wrong) => {
  expect(checks.phoneNumber(number)).toBe(wrong)
})

it('counts a name as the API does', () => {
  expect(checks.name('  ')).toBe('Type a name.')
  expect(checks.name('🚪'.repeat(120))).toBeUndefined()
  expect(checks.name('a'.repeat(121))).toBe('At most 120 characters.')
})

it('sends only what was typed, and an empty note as none', () => {
  expect(gateBody({ name: 'Back', description: ' ' })).toEqual({ name: 'Back', description: null })
  expect(valuesOfGate(exampleGate).description).toBe('')
})
