// A log that a stranger cannot fill: what comes from outside is complained about at most once in a while.

import type { LogFields, World } from './world.ts'

const everyMs = 1_000

/** Warns at most once a second; says how many warnings were left out since the one before. */
export function limitedLog(world: World): (message: string, fields?: LogFields) => void {
  let lastMs = Number.NEGATIVE_INFINITY
  let leftOut = 0
  return (message, fields = {}) => {
    if (world.monotonicMs() - lastMs < everyMs) {
      leftOut++
      return
    }
    world.log.warn(message, leftOut > 0 ? { ...fields, leftOut } : fields)
    lastMs = world.monotonicMs()
    leftOut = 0
  }
}
