// After every fault the modem is ready again within the documented time, and nothing is dialled twice.

import type { Trouble } from '@callgate/modem/modem'
import type { ModelName } from '@callgate/simulator/core/model'
import { faultNames } from '@callgate/simulator/presets'
import { describe, expect, it } from 'vitest'
import { episode, type Strike, strikes } from './episode.ts'
import { pageFile, recoveryPage } from './recoveryPage.ts'
import { recoveries } from './recoveryTable.ts'

/** Three seeds, so that the first call meets each of three far ends. Each other model meets one of them. */
const runs: readonly (readonly [ModelName, number])[] = [
  ['sim800', 1],
  ['sim800', 2],
  ['sim800', 3],
  ['sim7600', 1],
  ['a7672', 2],
  ['ec25', 4],
]
const onLteRuns: readonly ModelName[] = ['sim7600', 'a7672']
const cases = faultNames.flatMap(name => strikes.map(strike => [name, strike] as const))

describe('a modem', () => {
  it.each(cases)('with %s, %s a call, is ready again in time', async (name, strike: Strike) => {
    const { cure, onLte, trouble, withinMs } = recoveries[name]
    for (const [model, seed] of onLte ? runs.filter(([model]) => onLteRuns.includes(model)) : runs) {
      const done = await episode(name, strike, seed, model)
      const { dials, hooksRun, isReady, lastReason, readyAfterMs, troubles, truth } = done
      expect(isReady, `${model}, seed ${seed}`).toBe(true)
      expect(readyAfterMs, `${model}, seed ${seed}`).toBeLessThanOrEqual(withinMs)
      expect(lastReason, `${model}, seed ${seed}`).toBe('rejected_after_ring')
      expect(truth, `${model}, seed ${seed}`).toMatchObject({ modem: { calling: false }, violations: 0 })
      expect(truth.calls, `${model}, seed ${seed}`).toHaveLength(dials)
      expect(hooksRun, `${model}, seed ${seed}`).toBe(cure === 'hook' ? 1 : 0)
      // On USB the port disappears for a moment during a restart.
      const isTold = (told: Trouble) => told === trouble || told !== 'port_missing' || model === 'sim800'
      // A fault during a call may be too late to be noticed.
      if (strike === 'before' && trouble !== null && !recoveries[name].also)
        expect(troubles.filter(isTold), `${model}, seed ${seed}`).toEqual([trouble])
    }
  })
})

describe('the documented times', () => {
  it('equal those of the test', async () => {
    await expect(recoveryPage()).toMatchFileSnapshot(pageFile)
  })
})
