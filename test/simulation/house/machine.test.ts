// The clocks of a simulated machine.

import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { createMachine } from './machine.ts'

it('has clocks that never go back, whatever fractions its stalls last', async () => {
  const world = fakeWorld()
  const { clock, goOn, setRate, stall } = createMachine(world, 'cloud')
  let lastMs = 0
  let lastSinceBootMs = 0
  for (let round = 0; round < 1_000; round++) {
    if (round % 10 === 0) setRate(1 + (world.random() - 0.5) / 100)
    stall()
    const frozenMs = clock.monotonicMs()
    await world.advance(world.random() * 30_000)
    expect(clock.monotonicMs()).toBe(frozenMs)
    goOn(round % 3 === 0)
    const [nowMs, sinceBootMs] = [clock.monotonicMs(), clock.sinceBootMs()]
    expect(nowMs).toBeGreaterThanOrEqual(Math.max(lastMs, frozenMs))
    expect(sinceBootMs).toBeGreaterThanOrEqual(lastSinceBootMs)
    lastMs = nowMs
    lastSinceBootMs = sinceBootMs
    await world.advance(world.random())
  }
})
