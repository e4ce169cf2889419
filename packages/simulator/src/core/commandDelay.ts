// The duration of each command: those that ask the SIM or the network, or end a call, take longer.

import type { Command } from './commandLine.ts'
import { hangsUp } from './hangUp.ts'
import { drawMs } from './latency.ts'
import type { Sim800 } from './modemState.ts'

const simCommands: ReadonlySet<string> = new Set([
  ...['+CPIN', '+CCID', '+CICCID', '+QCCID', '+CIMI', '+CNUM', '+SPIC', '+QPINC', '+CSCA', '+CLCK'],
  ...['+CMGR', '+CMGL', '+CMGD'],
])

/** The time from reading a command to its answer. */
export function delayMs({ calls, random, latencies, fault }: Sim800, command: Command): number {
  const { name, form } = command
  if (name === 'D') return drawMs(random, latencies.dialOkMs)
  // With nothing to release, the command takes no extra time.
  if (hangsUp(command) && calls.size > 0)
    return fault.hangUpMs === undefined
      ? drawMs(random, latencies.hangUpMs)
      : fault.hangUpMs * latencies.scale
  if (name === '+COPS' && form === 'test') return drawMs(random, latencies.searchMs)
  return drawMs(random, simCommands.has(name) ? latencies.simCommandMs : latencies.commandMs)
}
