// Seeds of the house on a faulty wire: no violation, and each fault of the wire met.

import { expect, it } from 'vitest'
import { runSeed } from './runSeed.ts'

it('holds what was promised on a wire that loses, repeats and delays', async () => {
  const met = { lose: 0, repeat: 0, delay: 0 }
  let calls = 0
  for (let seed = 1; seed <= 40; seed++) {
    const run = await runSeed(seed)
    expect(run.violations).toEqual([])
    calls += run.calls
    met.lose += run.faults.lose
    met.repeat += run.faults.repeat
    met.delay += run.faults.delay
  }
  expect(calls).toBeGreaterThan(20)
  expect(Math.min(met.lose, met.repeat, met.delay)).toBeGreaterThan(20)
})
