// Sealing: a text opens with its key and context only, and cannot be read otherwise.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { createSeal } from './sealing.ts'

const world = fakeWorld(1)
const keyOf = (byte: number) => new Uint8Array(32).fill(byte)
const old = createSeal(world, new Map([[1, keyOf(1)]]))
const rotated = createSeal(
  world,
  new Map([
    [1, keyOf(1)],
    [2, keyOf(2)],
  ]),
)

it('opens what it has sealed, in the same context', () => {
  const sealed = old.seal('secret ✓', 'space|member')
  expect(sealed).not.toContain('secret')
  expect(old.seal('secret ✓', 'space|member')).not.toBe(sealed)
  expect(old.unseal(sealed, 'space|member')).toBe('secret ✓')
  expect(old.unseal(sealed, 'space|other')).toBeUndefined()
})

it('seals with the newest key and opens with the older ones', () => {
  expect(rotated.unseal(old.seal('a', 'c'), 'c')).toBe('a')
  const sealed = rotated.seal('a', 'c')
  expect(sealed).toMatch(/^2\./)
  expect(old.unseal(sealed, 'c')).toBeUndefined()
})

it('rejects any alteration', () => {
  const sealed = old.seal('a text', 'c')
  const altered = `${sealed.slice(0, -3)}${sealed.endsWith('AAA') ? 'BBB' : 'AAA'}`
  for (const text of [altered, '', '1.', '1.AAAA', sealed.slice(0, 20), `9${sealed}`])
    expect(old.unseal(text, 'c')).toBeUndefined()
})
