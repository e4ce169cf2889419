// The connections of a server, from accept to end: how many are allowed, and which are cut to make room.

import type { World } from '@callgate/world/world'
import { ConnectionLimiter, type ConnectionLimits, type Rank } from '../core/connectionLimiter.ts'

/**
 * The limits of the REST API and of the broker, each. An office or a provider with many people behind one address stays far below
 * 4,096. Four full addresses are needed to fill a server, and then the one with more connections loses one. There is room besides
 * the event streams, of which there are at most 12,000.
 */
export const usualLimits: ConnectionLimits = { perAddress: 4_096, total: 16_384, promptMs: 2_000 }

/** A connection as it was accepted, below TLS. */
export interface Accepted {
  readonly remoteAddress?: string | undefined
  destroy(): unknown
  once(event: 'close', then: () => void): unknown
  on(event: 'error', then: (error: Error) => void): unknown
}

export interface Connections<C extends Accepted> {
  /** Adds a new connection with the rank of a stranger; false when there was no room and it was closed. */
  add(connection: C): boolean
  /** Sets the rank of a connection; no effect on one that has ended. */
  become(connection: C, rank: Rank): void
}

export interface ConnectionRules {
  readonly limits?: ConnectionLimits
  /** Recognises addresses with the connections of many clients, such as proxies; none by default. */
  readonly isTrustedProxy?: (address: string) => boolean
}

const logEveryMs = 10_000

/** Counts the connections of one server, which is called `what` in the log. */
export function createConnections<C extends Accepted>(
  world: World,
  what: string,
  { limits = usualLimits, isTrustedProxy = () => false }: ConnectionRules = {},
): Connections<C> {
  const limiter = new ConnectionLimiter<C>(limits, isTrustedProxy)
  let loggedMs = Number.NEGATIVE_INFINITY
  let cut = 0

  function logCut(address: string) {
    cut++
    if (world.monotonicMs() - loggedMs < logEveryMs) return
    loggedMs = world.monotonicMs()
    world.log.warn('connections were cut to make room', { what, address, cut })
    cut = 0
  }

  return {
    add(connection) {
      // Without a listener, a reset would end the process, and Node removes its own listener before it passes on the connection
      // of a CONNECT. This listener stays. It does nothing, because Node destroys a failed connection.
      connection.on('error', () => {})
      const address = connection.remoteAddress
      // A connection that was reset before it was accepted has no address any more.
      if (address === undefined) {
        connection.destroy()
        return false
      }
      const evicted = limiter.arrive(connection, address, world.monotonicMs())
      if (evicted) {
        logCut(evicted.remoteAddress ?? address)
        evicted.destroy()
      }
      if (evicted === connection) return false
      connection.once('close', () => limiter.leave(connection))
      return true
    },
    become: (connection, rank) => limiter.become(connection, rank, world.monotonicMs()),
  }
}
