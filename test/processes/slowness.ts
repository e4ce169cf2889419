// How slow this machine is now: what has to be done within seconds takes longer where others work as well.

import { availableParallelism, loadavg } from 'node:os'

/** How many programs want each processor now, by the load average; 1 at least. So many times longer may something take. */
export function slowness(): number {
  const [lastMinute = 0] = loadavg()
  return Math.max(1, lastMinute / availableParallelism())
}
