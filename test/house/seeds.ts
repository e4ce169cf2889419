// What one test file runs of the seeds: no violation, and every kind of fault, state and transition met.

import { transitions } from '@callgate/cloud/core/opening'
import { expect } from 'vitest'
import { faultKinds } from './plan.ts'
import { runSeed } from './runSeed.ts'
import { addUp, noSeeds } from './sum.ts'

/** How many seeds each of the two files runs; the files run side by side. */
export const seedsPerFile = 1_000
/** Less than a minute on a machine that does nothing else. */
export const seedsTimeoutMs = 600_000

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
  ...['intentKept', 'intentRefused'].map(by => `opener: intending → idle by ${by}`),
  ...['intentKept', 'intentRefused'].map(by => `opener: intending → reserving by ${by}`),
  ...['idle', 'reserving'].map(phase => `opener: calling → ${phase} by callEnded`),
]

/** Runs the seeds from `from` on, and expects that what was promised held under every kind of fault. */
export async function expectSeedsToHold(from: number): Promise<void> {
  let sum = noSeeds
  for (let seed = from; seed < from + seedsPerFile; seed++) sum = addUp(sum, await runSeed(seed))
  expect(sum.violations).toEqual([])
  expect(faultKinds.filter(kind => !sum.faults[kind])).toEqual([])
  expect([...openingMoves, ...openerMoves].filter(move => !sum.moves[move])).toEqual([])
  expect(sum.calls).toBeGreaterThan(seedsPerFile)
}
