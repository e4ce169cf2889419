// Tickets: what a browser keeps between two steps of one operation, sealed, valid once and for five minutes.

import type { World } from '@callgate/world/world'
import type { Limits } from '../limit/limits.ts'
import type { Seal } from '../secrets/sealing.ts'

const validMs = 5 * 60_000

export type TicketKind = 'code' | 'passkey sign-in' | 'passkey'

export interface Tickets {
  make(kind: TicketKind, content: string): string
  /** The content of the ticket; undefined where it is of another kind or too old. */
  read(kind: TicketKind, ticket: string): string | undefined
  /** Whether this is the first use. */
  spend(ticket: string): boolean | Promise<boolean>
}

export function createTickets({
  limits,
  seal,
  world,
}: {
  readonly limits: Limits
  readonly seal: Seal
  readonly world: World
}): Tickets {
  // Longer than a ticket is valid, because the clocks of replicas differ.
  const spend = limits.once('tickets', 2 * validMs)
  const processId = Buffer.from(world.randomBytes(12)).toString('base64url')
  // A cloud alone remembers used tickets only in this run, by a clock that nobody sets. So its tickets belong to this run, too.
  const [maker, nowMs] = limits.isShared
    ? ['shared', world.nowMs]
    : [processId, () => Math.floor(world.monotonicMs())]
  return {
    make: (kind, content) => seal.seal(`${maker} ${nowMs()} ${content}`, `ticket: ${kind}`),
    read(kind, ticket) {
      const text = seal.unseal(ticket, `ticket: ${kind}`) ?? ''
      const [, from, at, content] = /^([\w-]+) (\d+) (.*)$/s.exec(text) ?? []
      const ageMs = nowMs() - Number(at)
      return from === maker && ageMs >= 0 && ageMs < validMs ? content : undefined
    },
    spend,
  }
}
