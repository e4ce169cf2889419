// The bounds of the model checking: small ones for the tests, larger ones for the command.

import type { Bounds } from './explore.ts'

/**
 * Before and after the 12 s of a grant, and after the 100 s of a number's lock; that one twice, because a restart delays ends.
 */
const clockMs = [0, 5_000, 15_000, 130_000, 150_000]
const leftovers = ['kept', 'torn', 'wiped'] as const

/** One opening, one gateway, no restarts. */
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

/** The complete walks of the tests. */
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

/** The complete walks of the command. A test walks through their first states. */
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

/** Everything at once. There are too many states, so the command visits only the nearest ones. */
export const nearestOnly: Readonly<Record<string, Bounds>> = {
  'two openings on one number, two gateways, restarts of both sides': {
    ...whole,
    ...twice,
    isOneNumber: true,
  },
  'two openings on two numbers, two gateways, restarts of both sides': { ...whole, ...twice },
}
