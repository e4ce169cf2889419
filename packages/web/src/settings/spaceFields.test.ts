import { expect, it } from 'vitest'
import { faultOf, isSendable } from '../form/fields.ts'
import { en } from '../words/en.ts'
import { allowedOf, codesOf, type SpaceValues, spaceBody, spaceFields } from './spaceFields.ts'

const { form, space: says } = en
const values: SpaceValues = {
  name: 'Casa',
  country: 'RO',
  timezone: 'Europe/Bucharest',
  language: 'ro',
  keepIdentities: 'P12M',
  contactName: 'Desk',
  contactPhone: '+40 21 555 0100',
  allowed: null,
}
const fields = spaceFields(en, [], values)
const fault = (name: keyof SpaceValues, typed: Partial<SpaceValues>) =>
  faultOf(fields, name, { ...values, ...typed }, form)

it('sends only the typed values, with null for empty ones', () => {
  expect(spaceBody({})).toEqual({})
  expect(spaceBody({ name: ' Casa ', contactName: ' ', contactPhone: '' })).toEqual({
    name: 'Casa',
    contactName: null,
    contactPhone: null,
  })
  expect(spaceBody({ allowed: null })).toEqual({ allowedCountries: null })
  expect(spaceBody({ allowed: '' })).toEqual({ allowedCountries: [] })
  expect(spaceBody({ allowed: allowedOf(['UA', 'MD']) })).toEqual({ allowedCountries: ['MD', 'UA'] })
})

it('sorts the codes of countries', () => {
  expect(allowedOf(['UA', 'MD'])).toBe(allowedOf(['MD', 'UA']))
  expect(codesOf(allowedOf([]))).toEqual([])
})

it('finds what the API would refuse in the name', () => {
  const faultOfName = (name: string) => fault('name', { name })
  expect(faultOfName(' ')).toBe('Type a name.')
  expect(faultOfName('a'.repeat(121))).toBe('At most 120 characters.')
  expect(faultOfName('See http://example.com')).toBe(says.nameLink)
  expect(faultOfName('WWW.example.com')).toBe(says.nameLink)
  expect(faultOfName('Casa Lalelelor')).toBeUndefined()
})

it('requires both fields of the contact, or neither', () => {
  const faults = (contactName: string, contactPhone: string) => ({
    name: fault('contactName', { contactName, contactPhone }),
    phone: fault('contactPhone', { contactName, contactPhone }),
  })
  expect(faults('', '')).toEqual({})
  expect(faults('Desk', '').phone).toBe(says.contactMissing)
  expect(faults('', '+40 21 555 0100').name).toBe(says.contactMissing)
  expect(faults('Desk', 'call me').phone).toBe(says.phoneWrong)
  expect(faults('a'.repeat(121), '+40 21 555 0100').name).toBe('At most 120 characters.')
  expect(isSendable(fields, values, form)).toBe(true)
  expect(isSendable(fields, { ...values, contactPhone: '' }, form)).toBe(false)
})
