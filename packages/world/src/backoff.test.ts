import { expect, it } from 'vitest'
import { backoff } from './backoff.ts'
import { fakeWorld } from './fake.ts'

/** When a client that lost its connection at 0 reconnects, where the other end is back after `outageMs`. */
async function backAfter(seed: number, outageMs: number): Promise<number> {
  const world = fakeWorld(seed)
  const tries = backoff(world)
  const startMs = world.monotonicMs()
  do await world.advance(tries.nextMs())
  while (world.monotonicMs() - startMs < outageMs)
  return world.monotonicMs() - startMs
}

const seeds = Array.from({ length: 300 }, (_, seed) => seed)

it('reconnects within 5 s of the beginning of a short outage, and within 20 s after a long one', async () => {
  for (const seed of seeds) {
    expect(await backAfter(seed, 0)).toBeLessThanOrEqual(3_000)
    expect(await backAfter(seed, 2_000)).toBeLessThanOrEqual(5_000)
    expect((await backAfter(seed, 60_000)) - 60_000).toBeLessThanOrEqual(20_000)
  }
})

it('spreads clients that lost their connection together', async () => {
  const seconds = await Promise.all(seeds.map(async seed => Math.floor((await backAfter(seed, 0)) / 1_000)))
  for (const second of [0, 1, 2]) expect(seconds.filter(one => one === second).length).toBeGreaterThan(60)
  const late = await Promise.all(seeds.map(async seed => (await backAfter(seed, 60_000)) - 60_000))
  expect(late.filter(ms => ms < 5_000).length).toBeLessThan(200)
})

it('restarts with the short window after a success', async () => {
  const world = fakeWorld(1)
  const tries = backoff(world)
  tries.nextMs()
  await world.advance(60_000)
  expect(Math.max(...seeds.map(() => tries.nextMs()))).toBeGreaterThan(10_000)
  tries.reset()
  expect(Math.max(...seeds.map(() => tries.nextMs()))).toBeLessThanOrEqual(3_000)
})
