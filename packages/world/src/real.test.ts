import { expect, it } from 'vitest'
import { realWorld } from './real.ts'

it('gives as many random bytes as it is asked for, and none twice', () => {
  const world = realWorld({ logLevel: 'silent' })
  const counts = [0, 1, 12, 4_095, 4_096, 4_097, 10_000]
  expect(counts.map(count => world.randomBytes(count).length)).toEqual(counts)
  const draws = Array.from({ length: 5_000 }, () => Buffer.from(world.randomBytes(10)).toString('hex'))
  expect(new Set(draws).size).toBe(draws.length)
  const counted = new Map<number, number>()
  for (const byte of Buffer.from(draws.join(''), 'hex')) counted.set(byte, (counted.get(byte) ?? 0) + 1)
  // 50,000 bytes: about 195 of each value. A value that comes too often would show a wiped or stuck byte.
  expect(Math.max(...counted.values())).toBeLessThan(300)
  expect(counted.size).toBe(256)
})

it('does not change bytes that it gave earlier', () => {
  const world = realWorld({ logLevel: 'silent' })
  const first = world.randomBytes(32)
  const copy = Uint8Array.from(first)
  for (let draw = 0; draw < 1_000; draw++) world.randomBytes(32)
  expect(first).toEqual(copy)
})
