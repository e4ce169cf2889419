// Listens on a port, and explains to the operator why that fails.

import type { Server } from 'node:http'
import type { World } from '@callgate/world/world'

/** An address of this machine and a port there. */
export interface Listening {
  readonly host: string
  readonly port: number
}

export interface RefusedPort {
  readonly ok: false
  readonly code: 'port_in_use' | 'port_refused'
  readonly message: string
}

/** Why listening on a port failed, with the variables that name it. */
export function refusedPort(
  { host, port }: Listening,
  error: Error,
  what: 'cloud' | 'metrics' = 'cloud',
): RefusedPort {
  const [portVariable, hostVariable] = what === 'cloud' ? ['PORT', 'HOST'] : ['METRICS_PORT', 'METRICS_HOST']
  const isTaken = 'code' in error && error.code === 'EADDRINUSE'
  const message = isTaken
    ? `Port ${port} is taken by another program. Stop that program, or set ${portVariable} to a free port.`
    : `The ${what} cannot listen on ${host}, port ${port}: ${error.message}. Set ${hostVariable} to an address of this machine and ${portVariable} to a port that it may use.`
  return { ok: false, code: isTaken ? 'port_in_use' : 'port_refused', message }
}

/** Listens on the port; resolves with the error where that fails. */
export function listen(server: Server, { host, port }: Listening): Promise<Error | undefined> {
  return new Promise(resolve => {
    server.once('error', resolve)
    server.listen({ host, port }, () => {
      server.off('error', resolve)
      resolve(undefined)
    })
  })
}

const closedWithinMs = 5_000

/** Resolves when the running requests have ended, and cuts off those that take longer than 5 s. */
export async function closed(server: Server, world: Pick<World, 'after'>): Promise<void> {
  const isClosed = new Promise<void>(resolve => server.close(() => resolve()))
  const timer = world.after(closedWithinMs, () => server.closeAllConnections())
  server.closeIdleConnections()
  await isClosed
  timer.cancel()
}
