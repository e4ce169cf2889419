import { describe, expect, it } from 'vitest'
import { fakeWorld } from './fake.ts'
import { seededRandom } from './random.ts'

describe('seeded randomness', () => {
  // A seed in a bug report or a test must mean the same run forever.
  it('keeps the numbers of each seed and name', () => {
    const modem = seededRandom(7, 'modem')
    expect([modem(), modem(), modem()]).toEqual([0.09662054269574583, 0.3863820636179298, 0.8581779801752418])
    expect(seededRandom(4_294_967_295, '+40722000001')()).toBe(0.17303699348121881)
    const world = fakeWorld(1)
    expect([world.random(), world.random()]).toEqual([0.6270739405881613, 0.002735721180215478])
    expect(fakeWorld(2 ** 32 + 5).random()).toBe(0.6897749109193683)
  })

  it('gives each name a stream of its own', () => {
    expect(seededRandom(1, 'modem')()).not.toBe(seededRandom(1, 'network')())
    expect(seededRandom(1, 'modem')()).not.toBe(seededRandom(1)())
  })
})
