import fc from 'fast-check'
import { expect, it } from 'vitest'
import { canonicalJson } from './canonicalJson.ts'

/** The same value with the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  )
}

it('writes one text for one value, whatever the order of its members', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const text = canonicalJson(value)
      expect(canonicalJson(JSON.parse(text))).toBe(text)
      expect(canonicalJson(reversed(value))).toBe(text)
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

it('writes different texts for different values, and leaves out what JSON leaves out', () => {
  expect(canonicalJson({ b: [1, { d: 1, c: 'é' }], a: undefined })).toBe('{"b":[1,{"c":"é","d":1}]}')
  expect(canonicalJson({ a: 1, b: [{ a: 2, c: 3 }] }, new Set(['a']))).toBe('{"b":[{"c":3}]}')
  expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]))
  expect(canonicalJson('1')).not.toBe(canonicalJson(1))
  expect(canonicalJson([undefined, 1])).toBe(JSON.stringify([undefined, 1]))
})

it('keeps a member named __proto__, which an assignment would lose', () => {
  const given: unknown = JSON.parse('{"b":{"c":1},"__proto__":{"a":1}}')
  expect(canonicalJson(given)).toBe('{"__proto__":{"a":1},"b":{"c":1}}')
})

it('writes null where there is no value', () => {
  expect(canonicalJson(undefined)).toBe('null')
})
