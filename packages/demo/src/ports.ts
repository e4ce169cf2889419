// Ports: the usual ones when they are free, otherwise any free ones.

import { createServer } from 'node:net'

export interface PortProbe {
  isFree(port: number): Promise<boolean>
  /** A port that is free now. */
  anyFree(): Promise<number>
}

export interface ChosenPort {
  readonly port: number
  /** The usual port, when it is in use. */
  readonly insteadOf?: number
}

/** The usual port; a free one when the usual one is in use, or is in `given`. */
export async function choosePort(
  usual: number,
  given: readonly number[],
  probe: PortProbe,
): Promise<ChosenPort> {
  if (!given.includes(usual) && (await probe.isFree(usual))) return { port: usual }
  let port = await probe.anyFree()
  while (given.includes(port)) port = await probe.anyFree()
  return { port, insteadOf: usual }
}

/** Listens on `port` of every address for a moment; returns the port, or undefined when it is in use. */
function tryPort(port: number): Promise<number | undefined> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', () => resolve(undefined))
    server.listen({ port, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : undefined))
    })
  })
}

/** The machine's own ports. */
export const machinePorts: PortProbe = {
  isFree: async port => (await tryPort(port)) !== undefined,
  async anyFree() {
    const port = await tryPort(0)
    if (port === undefined) throw new Error('this machine has no free port')
    return port
  },
}
