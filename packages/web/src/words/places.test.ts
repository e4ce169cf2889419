import { expect, it } from 'vitest'
import { countries, countryName, languageChoices, zones } from './places.ts'

it('lists countries by name in the language, without unions and withdrawn codes', () => {
  const listed = countries('ro-RO')
  const codes = listed.map(({ value }) => value)
  expect(listed).toContainEqual({ value: 'DE', label: 'Germania' })
  expect(codes.length).toBeGreaterThan(200)
  expect(new Set(listed.map(({ label }) => label)).size).toBe(codes.length)
  for (const none of ['EU', 'UN', 'ZZ', 'DD', 'SU', 'UK', 'XA']) expect(codes).not.toContain(none)
  const labels = listed.map(({ label }) => label)
  expect(labels).toEqual(labels.toSorted((a, b) => a.localeCompare(b, 'ro-RO')))
})

it('names a country and languages in the language of the person', () => {
  expect(countryName('MD', 'en-GB')).toBe('Moldova')
  expect(languageChoices(['de'], 'ro-RO')).toEqual([{ value: 'de', label: 'germană' }])
})

it('offers a zone even where this browser does not know it', () => {
  expect(zones('Europe/Bucharest')).toContain('Europe/Vienna')
  expect(zones('Moon/Tranquility')[0]).toBe('Moon/Tranquility')
})
