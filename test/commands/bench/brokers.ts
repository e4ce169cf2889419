// The path of one opening through the embedded broker and through one apart with TLS, in turn, with the baseline of both.

import { setTimeout as pause } from 'node:timers/promises'
import type { BundlePaths } from '../../../packages/demo/src/bundles.ts'
import { type Baseline, startBaseline } from './baseline.ts'
import { type BrokerHouse, startBrokerHouse } from './brokerHouse.ts'
import type { Leg } from './figures.ts'
import { legOf, type OpeningBench, openingBench, pauseMs } from './opening.ts'

/** The rounds at one broker. */
export interface BrokerLegs {
  readonly broker: string
  readonly legs: readonly Leg[]
}

/** While the gateway connects, presses fail. */
const mostTries = 20

async function untilOpens({ round }: OpeningBench): Promise<void> {
  for (let tries = 0; tries < mostTries; tries++) {
    if (!('failure' in (await round()))) return
    await pause(pauseMs)
  }
  throw new Error('no gate was opened')
}

/** A round at each broker and one of the baseline, with a pause before each, the given number of times. */
export async function measureBrokers(
  bundles: BundlePaths,
  rounds: number,
): Promise<{ readonly ours: readonly BrokerLegs[]; readonly baseline: readonly Leg[] }> {
  const houses: BrokerHouse[] = []
  let baseline: Baseline | undefined
  try {
    for (const isApart of [false, true]) houses.push(await startBrokerHouse(bundles, isApart))
    baseline = await startBaseline()
    const sides: { broker: string; bench: OpeningBench; legs: Leg[] }[] = []
    for (const house of houses) {
      const bench = await openingBench(house, rounds + mostTries)
      await untilOpens(bench)
      sides.push({ broker: house.broker, bench, legs: [] })
    }
    const bare: Leg[] = []
    await baseline.round()
    for (let count = 0; count < rounds; count++) {
      for (const { bench, broker, legs } of sides) {
        await pause(pauseMs)
        const measured = await bench.round()
        if ('failure' in measured) throw new Error(`${broker}: ${measured.failure}`)
        legs.push(legOf(measured))
      }
      await pause(pauseMs)
      bare.push(await baseline.round())
    }
    return { ours: sides.map(({ broker, legs }) => ({ broker, legs })), baseline: bare }
  } finally {
    await baseline?.stop()
    for (const house of houses) await house.remove()
  }
}
