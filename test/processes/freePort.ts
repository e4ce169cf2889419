// A port that no program listens on, and that no other program is given.

import { randomInt } from 'node:crypto'
import { machinePorts } from '../../packages/demo/src/ports.ts'

/**
 * A port of this machine for a program that needs it before it starts. It is below the range that Linux uses for connections and
 * for programs that ask for any port (net.ipv4.ip_local_port_range). So it stays free until the program listens, and during a
 * restart of the program.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768)
  return (await machinePorts.isFree(port)) ? port : freePort()
}
