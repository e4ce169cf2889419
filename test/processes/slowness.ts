// The current slowness of this machine: work with a limit of seconds takes longer where other programs run as well.

import { availableParallelism, loadavg } from 'node:os'

/** The number of programs that want each processor, by the load average, and at least 1. Limits are multiplied by it. */
export function slowness(): number {
  const [lastMinute = 0] = loadavg()
  return Math.max(1, lastMinute / availableParallelism())
}
