// Farewells of revoked gateways at the embedded broker: each gets a moment to hear from the cloud, signed, that it is refused for
// good.

// A refusal by the broker alone must not stop a daemon for good: nobody signs it, so any attacker on the way could send one. The
// cloud's answer to a beat is signed. So a revoked gateway with the right password is accepted, but only for that answer.

import type { Timer, World } from '@callgate/world/world'
import type { Client } from 'aedes'

/** Long enough for a beat and its answer on a slow uplink. */
const farewellMs = 10_000
/** A stolen password gets at most one such moment in this time. */
const againAfterMs = 60_000
/** A daemon that connects sends a beat and at most 32 reports. */
const mostMessages = 64

export interface Farewells {
  /** Accepts the client for 10 s; false when its gateway was accepted within the last minute. */
  begin(client: Client): boolean
  /** Whether the client is accepted only for its farewell. */
  isOn(client: Client): boolean
  /** Counts a message of the client; false when it is one too many for a farewell. */
  maySend(client: Client): boolean
  end(client: Client): void
  /** Stops all timers. */
  stop(): void
}

export function createFarewells(world: World): Farewells {
  const going = new Map<Client, { readonly timer: Timer; messages: number }>()
  /** When the last farewell of each gateway began. */
  const begun = new Map<string, number>()

  function forgetOld(nowMs: number) {
    for (const [gatewayId, atMs] of begun) {
      if (nowMs - atMs < againAfterMs) return
      begun.delete(gatewayId)
    }
  }

  function end(client: Client) {
    going.get(client)?.timer.cancel()
    going.delete(client)
  }

  return {
    begin(client) {
      const nowMs = world.monotonicMs()
      forgetOld(nowMs)
      if (begun.has(client.id)) return false
      begun.set(client.id, nowMs)
      const timer = world.after(farewellMs, () => client.close())
      going.set(client, { timer, messages: 0 })
      world.log.warn('a revoked gateway is let in to be told so', { gatewayId: client.id })
      return true
    },
    isOn: client => going.has(client),
    maySend(client) {
      const farewell = going.get(client)
      return !farewell || ++farewell.messages <= mostMessages
    },
    end,
    stop() {
      for (const client of [...going.keys()]) end(client)
    },
  }
}
