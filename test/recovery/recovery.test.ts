// After every fault the modem is ready again by itself, in the time that the documents say, with nothing dialled twice.

import { faultNames, isFaultName } from '@callgate/simulator/presets'
import { describe, expect, it } from 'vitest'
import { episode, type Strike, strikes } from './episode.ts'
import { pageFile, recoveryPage } from './page.ts'
import { recoveries } from './table.ts'

/** Three, so that the first call meets each of three far ends. */
const seeds = [1, 2, 3]
const cases = faultNames.filter(isFaultName).flatMap(name => strikes.map(strike => [name, strike] as const))

describe('a modem', () => {
  it.each(cases)('with %s, struck %s a call, is ready again', async (name, strike: Strike) => {
    const { cure, trouble, withinMs } = recoveries[name]
    for (const seed of seeds) {
      const done = await episode(name, strike, seed)
      const { dials, hooksRun, isReady, lastReason, readyAfterMs, troubles, truth } = done
      expect(isReady, `seed ${seed}`).toBe(true)
      expect(readyAfterMs, `seed ${seed}`).toBeLessThanOrEqual(withinMs)
      expect(lastReason, `seed ${seed}`).toBe('rejected_after_ring')
      expect(truth).toMatchObject({ modem: { calling: false }, violations: 0 })
      expect(truth.calls).toHaveLength(dials)
      expect(hooksRun).toBe(cure === 'hook' ? 1 : 0)
      // During a call a fault may strike too late to be noticed at all.
      if (strike === 'before' && trouble !== null && !recoveries[name].also)
        expect(troubles).toEqual([trouble])
    }
  })
})

describe('the documented times', () => {
  it('are those of the test', async () => {
    await expect(recoveryPage()).toMatchFileSnapshot(pageFile)
  })
})
