import { expect, it } from 'vitest'
import { space as says } from '../words/en/space.ts'
import { allowedOf, codesOf, contactFaults, isSendable, nameFault, spaceBody } from './spaceFields.ts'

it('sends what was typed alone, with null for what is empty', () => {
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

it('keeps the codes of countries in an order of their own', () => {
  expect(allowedOf(['UA', 'MD'])).toBe(allowedOf(['MD', 'UA']))
  expect(codesOf(allowedOf([]))).toEqual([])
})

it('finds what the API would refuse in the name', () => {
  expect(nameFault(' ', says)).toBe(says.nameMissing)
  expect(nameFault('a'.repeat(121), says)).toBe(says.nameLong)
  expect(nameFault('See http://example.com', says)).toBe(says.nameLink)
  expect(nameFault('WWW.example.com', says)).toBe(says.nameLink)
  expect(nameFault('Casa Lalelelor', says)).toBeUndefined()
})

it('asks for both fields of the contact, or neither', () => {
  const faults = (contactName: string, contactPhone: string) =>
    contactFaults({ contactName, contactPhone }, says)
  expect(faults('', '')).toEqual({})
  expect(faults('Desk', '').phone).toBe(says.contactMissing)
  expect(faults('', '+40 21 555 0100').name).toBe(says.contactMissing)
  expect(faults('Desk', 'call me').phone).toBe(says.phoneWrong)
  const values = {
    name: 'Casa',
    country: 'RO',
    timezone: 'Europe/Bucharest',
    language: 'ro',
    keepIdentities: 'P12M',
  } as const
  const contact = { contactName: 'Desk', contactPhone: '+40 21 555 0100', allowed: null }
  expect(isSendable({ ...values, ...contact }, says)).toBe(true)
  expect(isSendable({ ...values, ...contact, contactPhone: '' }, says)).toBe(false)
})
