// Leases of replicas: which of the clouds on one database live, whose an opening is, and which of them owns a gateway.

import type { OpeningRow } from './opening.ts'

/** How long a lease lasts, and how often it is renewed; milliseconds. Two renewals may fail. */
export const leaseForMs = 4_000
export const renewEveryMs = 1_000

/**
 * How far a transaction's time may be behind the database's clock, milliseconds: by as long as its process needed to take the
 * first answer. After this long without a next statement, the server ends the transaction.
 */
export const longestIdleMs = 10_000

/** The longest that a lease may seem to last to such a transaction: another one may have renewed it since. */
export const seemsAtMostMs = leaseForMs + longestIdleMs

/** One start of a cloud, and how often it has taken a lease. A lease that was lost is never taken up again. */
export interface Owner {
  readonly id: string
  readonly epoch: number
}

/** A row of the table `replicas`; on SQLite a boolean is a number. */
export interface Lease extends Owner {
  /** ISO 8601, by the clock of the database. */
  readonly leaseUntil: string
  /** The newest schema that it knows. */
  readonly schema: string
  /** Whether it hears the gateways. */
  readonly isListening: boolean | number
  readonly isDraining: boolean | number
}

/**
 * Whether a lease holds. One that lasts longer than any may seem to was given before the database's clock was set back: its
 * replica renews it within a second, if it lives.
 */
export function isLive({ leaseUntil }: Pick<Lease, 'leaseUntil'>, nowMs: number): boolean {
  const untilMs = Date.parse(leaseUntil)
  return nowMs < untilMs && untilMs <= nowMs + seemsAtMostMs
}

/** The owner that a row of an opening names; undefined where a cloud that was alone took the press. */
export function ownerOf(row: Pick<OpeningRow, 'owner' | 'ownerEpoch'>): Owner | undefined {
  const { owner, ownerEpoch } = row
  return owner === null || ownerEpoch === null ? undefined : { id: owner, epoch: Number(ownerEpoch) }
}

export function isSameOwner(one: Owner | undefined, other: Owner | undefined): boolean {
  return one !== undefined && one.id === other?.id && one.epoch === other.epoch
}

/** 32 bits of a text, mixed so that texts that differ in one place have nothing in common (FNV-1a, then the end of MurmurHash3). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let place = 0; place < text.length; place++)
    hash = Math.imul(hash ^ text.charCodeAt(place), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/**
 * The replica that owns a gateway: it challenges its boots and writes down its beats. Rendezvous hashing: when a replica
 * comes or goes, only its own gateways change hands. A replica that hears no gateway owns none, unless none hears any.
 */
export function gatewayOwner(gatewayId: string, live: readonly Lease[]): string | undefined {
  const listening = live.filter(({ isListening }) => isListening)
  const ranked = (listening.length > 0 ? listening : live).map(({ id }) => ({
    id,
    rank: hashOf(`${gatewayId} ${id}`),
  }))
  return ranked.sort((a, b) => b.rank - a.rank || (a.id < b.id ? -1 : 1))[0]?.id
}
