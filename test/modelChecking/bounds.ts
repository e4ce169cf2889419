// The bounds within which every interleaving is walked: small ones in the tests, larger ones by command.

import type { Bounds } from './explore.ts'

/** Before and behind the 12 s of a grant, and behind the 100 s of a number, twice: for what a restart puts off. */
const clockMs = [0, 5_000, 15_000, 130_000, 150_000]
const leftovers = ['kept', 'torn', 'wiped'] as const

/** One opening and one gateway, nothing starts anew. */
export const smallest: Bounds = {
  openings: 1,
  isOneNumber: false,
  gateways: 1,
  clockMs,
  troubleUntilMs: 5_000,
  gatewayRestarts: 0,
  leftovers,
  cloudRestarts: 0,
  mostStates: 200_000,
}

const whole: Bounds = { ...smallest, clockMs: [0, 5_000, 10_000, 15_000, 20_000, 130_000, 150_000] }
const twice = { openings: 2, gateways: 2, gatewayRestarts: 1, cloudRestarts: 1 } as const

/** What the tests walk through, whole. Nothing is put off where nothing starts anew. */
export const tested: Readonly<Record<string, Bounds>> = {
  'one opening, one gateway': whole,
  'one opening, one gateway, restarts of both sides': { ...smallest, gatewayRestarts: 1, cloudRestarts: 1 },
  'one opening, two gateways': { ...smallest, gateways: 2, clockMs: [0, 15_000, 130_000] },
  'two openings on one number, one gateway': {
    ...smallest,
    openings: 2,
    isOneNumber: true,
    clockMs: [0, 15_000, 130_000],
  },
  'two openings on one number, one gateway, a restart of the cloud': {
    ...smallest,
    openings: 2,
    isOneNumber: true,
    clockMs: [0, 130_000, 150_000],
    cloudRestarts: 1,
  },
  'two openings on two numbers, one gateway': { ...smallest, openings: 2, clockMs: [0, 130_000] },
}

/** What the command walks through, whole; a test walks through the beginning. */
export const walkedByCommand: Readonly<Record<string, Bounds>> = {
  'two openings on one number, one gateway that may restart': {
    ...smallest,
    openings: 2,
    isOneNumber: true,
    clockMs: [0, 130_000],
    gatewayRestarts: 1,
  },
  'two openings on two numbers, two gateways': { ...smallest, openings: 2, gateways: 2, clockMs: [0] },
  'two openings on one number, two gateways': {
    ...smallest,
    openings: 2,
    isOneNumber: true,
    gateways: 2,
    clockMs: [0, 130_000],
  },
}

/** Everything at once, too much to be walked whole: the command takes the nearest states, as many as it is told. */
export const nearestOnly: Readonly<Record<string, Bounds>> = {
  'two openings on one number, two gateways, restarts of both sides': {
    ...whole,
    ...twice,
    isOneNumber: true,
  },
  'two openings on two numbers, two gateways, restarts of both sides': { ...whole, ...twice },
}
