// A port that nobody listens on, and that nobody else is given.

import { randomInt } from 'node:crypto'
import { machinePorts } from '../../packages/demo/src/ports.ts'

/**
 * A port of this machine for a program that has to know it before it starts. It lies below those that Linux gives to whoever
 * asks for any port and to connections (net.ipv4.ip_local_port_range): so it stays free until the program listens, and while
 * the program is restarted.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768)
  return (await machinePorts.isFree(port)) ? port : freePort()
}
