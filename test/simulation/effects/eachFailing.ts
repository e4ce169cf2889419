// One opening, run again for each fault of a kind of effect.

import type { HouseGate } from '../house/furnish.ts'
import { type Effect, faultsOf } from './faults.ts'
import { oneOpening } from './oneOpening.ts'

/** The results of all runs with one fault each. */
export interface EachFailing {
  readonly violations: readonly string[]
  readonly runs: number
  /** The different endings. */
  readonly endings: ReadonlySet<string>
  /** Rejected promises that nothing handled. */
  readonly unhandled: readonly unknown[]
}

interface Chosen {
  /** Only effects whose description matches. */
  readonly what?: RegExp
  /** Another Space presses at the same moment. */
  readonly otherSpace?: boolean
}

/** Lets each effect of that kind fail in turn, in each of its ways. */
export async function eachFailing(
  gate: HouseGate,
  kind: Effect['kind'],
  { otherSpace = false, what = /^/ }: Chosen = {},
): Promise<EachFailing> {
  const unhandled: unknown[] = []
  const note = (reason: unknown) => void unhandled.push(reason)
  process.on('unhandledRejection', note)
  try {
    const { effects } = await oneOpening(gate, undefined, { otherSpace })
    const faults = faultsOf(effects).filter(({ effect }) => effect.kind === kind && what.test(effect.what))
    const violations: string[] = []
    const endings = new Set<string>()
    for (const { effect, ...fault } of faults) {
      const run = await oneOpening(gate, fault, { otherSpace })
      endings.add(run.ending)
      const name = `${effect.who}: ${effect.what} (${fault.at}), ${fault.way} for ${fault.forMs} ms`
      violations.push(...run.violations.map(violation => `${name}: ${violation}`))
    }
    process.stdout.write(`failing effects, ${gate.farEnd}, ${kind}: ${faults.length} runs\n`)
    return { violations, runs: faults.length, endings, unhandled }
  } finally {
    process.off('unhandledRejection', note)
  }
}
