// Seeds of the house: no violation, and every kind of fault, state and transition met.

import { transitions } from '@callgate/cloud/core/opening'
import { expect, it } from 'vitest'
import { runMany } from './manySeeds.ts'
import { faultKinds } from './plan.ts'
import { runSeed } from './runSeed.ts'

const seeds = 2_000
/** Beyond those, the seeds in which a promise was broken once; what broke it has a case of its own as well. */
const brokenOnce = [9_128, 14_993, 15_749, 15_982, 83_846]
/** Less than a minute on a machine that does nothing else, and many where others work as well. */
const timeoutMs = 1_800_000

/** Every change of an opening's status that the cloud allows, and all that an opening may begin as. */
const openingMoves = [
  ...Object.entries(transitions).flatMap(([was, next]) => next.map(now => `opening: ${was} → ${now}`)),
  ...['initiated', 'completed', 'failed', 'timeout'].map(now => `opening: nothing → ${now}`),
]

/** Every change of the opener's phase, by what brings it about. */
const openerMoves = [
  ...['hint', 'timePassed', 'modemReady'].map(by => `opener: idle → reserving by ${by}`),
  'opener: reserving → claiming by reserved',
  ...['reserved', 'notReserved'].map(by => `opener: reserving → idle by ${by}`),
  'opener: claiming → intending by grant',
  ...['grant', 'timePassed', 'stop'].map(by => `opener: claiming → idle by ${by}`),
  ...['grant', 'timePassed'].map(by => `opener: claiming → reserving by ${by}`),
  'opener: intending → calling by intentKept',
  ...['intentKept', 'intentRefused', 'timePassed'].map(by => `opener: intending → idle by ${by}`),
  ...['intentRefused', 'timePassed'].map(by => `opener: intending → reserving by ${by}`),
  ...['idle', 'reserving'].map(phase => `opener: calling → ${phase} by callEnded`),
]

it('holds what was promised under every kind of fault', { timeout: timeoutMs }, async () => {
  const sum = await runMany(1, seeds)
  expect(sum.violations).toEqual([])
  expect(sum.seeds).toBe(seeds)
  expect(faultKinds.filter(kind => !sum.faults[kind])).toEqual([])
  expect([...openingMoves, ...openerMoves].filter(move => !sum.moves[move])).toEqual([])
  expect(sum.calls).toBeGreaterThan(seeds)
})

it.each(brokenOnce)('holds in seed %i as well, where it did not once', async seed => {
  expect((await runSeed(seed)).violations).toEqual([])
})
