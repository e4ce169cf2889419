// Tickets: what a browser holds between two steps of one thing, sealed, good once and for five minutes.

import type { World } from '@callgate/world/world'
import type { Bounds } from '../bound/bounds.ts'
import type { Seal } from '../secrets/sealing.ts'

const validMs = 5 * 60_000

export type TicketKind = 'code' | 'passkey sign-in' | 'passkey'

export interface Tickets {
  make(kind: TicketKind, content: string): string
  /** What the ticket holds; undefined where it is none of this kind, or is too old. */
  read(kind: TicketKind, ticket: string): string | undefined
  /** Whether this is the first time. */
  spend(ticket: string): boolean | Promise<boolean>
}

export function createTickets({
  bounds,
  seal,
  world,
}: {
  readonly bounds: Bounds
  readonly seal: Seal
  readonly world: World
}): Tickets {
  // Longer than a ticket is read: the clocks of replicas differ.
  const spend = bounds.once('tickets', 2 * validMs)
  return {
    make: (kind, content) => seal.seal(`${world.nowMs()} ${content}`, `ticket: ${kind}`),
    read(kind, ticket) {
      const [, at, content] = /^(\d+) (.*)$/s.exec(seal.unseal(ticket, `ticket: ${kind}`) ?? '') ?? []
      const ageMs = world.nowMs() - Number(at)
      return content !== undefined && ageMs >= 0 && ageMs < validMs ? content : undefined
    },
    spend,
  }
}
