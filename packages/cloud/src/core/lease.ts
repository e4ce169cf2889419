// Leases of replicas: which clouds on one database live, which one owns an opening, and which one owns a gateway.

import type { OpeningRow } from './opening.ts'

/** How long a lease lasts, and how often it is renewed; milliseconds. Two renewals may fail before it ends. */
export const leaseForMs = 4_000
export const renewEveryMs = 1_000

/**
 * How far a transaction's time may be behind the database's clock, in milliseconds: the time that its process took to read the
 * first answer. The server ends a transaction that is idle for longer.
 */
export const longestIdleMs = 10_000

/** The longest rest of a lease that such a transaction can see: the lease may have been renewed since its time was taken. */
export const seemsAtMostMs = leaseForMs + longestIdleMs

/** One start of a cloud, and how often it has taken a lease. A lost lease is never resumed. */
export interface Owner {
  readonly id: string
  readonly epoch: number
}

/** A row of the table `replicas`; on SQLite a boolean is a number. */
export interface Lease extends Owner {
  /** ISO 8601, by the clock of the database. */
  readonly leaseUntil: string
  /** The newest schema that the replica knows. */
  readonly schema: string
  /** Whether the replica hears the gateways. */
  readonly isListening: boolean | number
  readonly isDraining: boolean | number
}

/**
 * Whether a lease holds. A lease that seems to last longer than possible was given before the database's clock was set back. Its
 * replica renews it within a second, if it lives.
 */
export function isLive({ leaseUntil }: Pick<Lease, 'leaseUntil'>, nowMs: number): boolean {
  const untilMs = Date.parse(leaseUntil)
  return nowMs < untilMs && untilMs <= nowMs + seemsAtMostMs
}

/** The owner of an opening's row; undefined where a cloud without replicas took the press. */
export function ownerOf(row: Pick<OpeningRow, 'owner' | 'ownerEpoch'>): Owner | undefined {
  const { owner, ownerEpoch } = row
  return owner === null || ownerEpoch === null ? undefined : { id: owner, epoch: Number(ownerEpoch) }
}

export function isSameOwner(one: Owner | undefined, other: Owner | undefined): boolean {
  return one !== undefined && one.id === other?.id && one.epoch === other.epoch
}

/** A 32-bit hash in which similar texts have unrelated values (FNV-1a, then the finalizer of MurmurHash3). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place++)
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * The replica that owns a gateway: it challenges the gateway's boots and writes its beats. Rendezvous hashing: when a replica
 * comes or goes, only its own gateways change their owner. A replica that does not hear the gateways owns none, unless no replica
 * hears them.
 */
export function gatewayOwner(gatewayId: string, live: readonly Lease[]): string | undefined {
  const listening = live.filter(({ isListening }) => isListening)
  const ranked = (listening.length > 0 ? listening : live).map(({ id }) => ({
    id,
    rank: hashOf(`${gatewayId} ${id}`),
  }))
  return ranked.sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1))[0]?.id
}
