// A log that a stranger cannot fill: at most one message in a second.

import type { LogFields, World } from './world.ts'

const everyMs = 1_000

/** Logs at most once a second, as a warning or at `level`, with the number of messages that were left out before. */
export function limitedLog(
  world: World,
  level: 'warn' | 'error' = 'warn',
): (message: string, fields?: LogFields) => void {
  let lastMs = Number.NEGATIVE_INFINITY
  let leftOut = 0
  return (message, fields = {}) => {
    if (world.monotonicMs() - lastMs < everyMs) {
      leftOut++
      return
    }
    world.log[level](message, leftOut > 0 ? { ...fields, leftOut } : fields)
    lastMs = world.monotonicMs()
    leftOut = 0
  }
}
