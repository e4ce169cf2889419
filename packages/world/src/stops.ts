// Stops the parts of a program: the last started first, each within a limited time.

import type { Timer, World } from './world.ts'

type Step = () => Promise<void> | void

interface Manner {
  /** The step's own time limit, in milliseconds, because the step waits for another party. */
  readonly withinMs?: number
  /** The step is left out once a part was given up, because that part may still write. */
  readonly onlyIfClean?: boolean
}

export interface Stops {
  /** Adds the step that stops a part which has just been started. `part` is its name in the log. */
  add(part: string, step: Step, manner?: Manner): void
  /** Runs all steps, once. A step that fails or takes too long is logged and given up. */
  run(): Promise<void>
}

/** The time that all parts without their own limit have together. Mails and requests take 5 s each at most. Milliseconds. */
const stopsWithinMs = 15_000

/**
 * Why the step did not succeed within this time, in milliseconds; undefined where it did. A late step is no longer waited for.
 */
export async function troubleOf(
  world: Pick<World, 'after'>,
  withinMs: number,
  step: Step,
): Promise<string | undefined> {
  let timer: Timer | undefined
  const isLate = new Promise<string>(resolve => {
    timer = world.after(withinMs, () => resolve('it takes too long'))
  })
  const work = async () => {
    await step()
    return undefined
  }
  const trouble = await Promise.race([work().catch(String), isLate])
  timer?.cancel()
  return trouble
}

export function createStops(world: Pick<World, 'after' | 'log' | 'monotonicMs'>): Stops {
  const steps: (Manner & { readonly part: string; readonly step: Step })[] = []

  async function run() {
    let leftMs = stopsWithinMs
    let isClean = true
    for (const { onlyIfClean, part, step, withinMs } of steps.splice(0).reverse()) {
      if (onlyIfClean && !isClean) continue
      const beganMs = world.monotonicMs()
      const why = await troubleOf(world, withinMs ?? leftMs, step)
      if (withinMs === undefined) leftMs = Math.max(0, leftMs - (world.monotonicMs() - beganMs))
      if (why === undefined) continue
      isClean = false
      world.log.error('a part could not be stopped', { part, why })
    }
  }

  return { add: (part, step, manner) => void steps.push({ part, step, ...manner }), run }
}
