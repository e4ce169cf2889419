// The SQL of replicas: renews a lease, takes a new one, reads whether it holds, and gives it back.

import { isoTime } from '@callgate/world/world'
import { isLive, type Lease, leaseForMs, type Owner, seemsAtMostMs } from '../core/lease.ts'
import type { Db } from '../database/database.ts'
import { statement, type Values } from '../database/statement.ts'

const leaseAt = statement<{ readonly id: string }, Lease>((db, { id }) => db('replicas').where({ id }))

export async function findLease(db: Db, id: string): Promise<Lease | undefined> {
  const [lease] = await leaseAt(db, { id })
  return lease
}

/** Whether a row of an owner's id is its lease, which holds at `nowMs`. */
export function isLease(lease: Lease | undefined, { epoch }: Owner, nowMs: number): boolean {
  return lease !== undefined && Number(lease.epoch) === epoch && isLive(lease, nowMs)
}

interface Renewal extends Values {
  readonly id: string
  readonly epoch: number
  readonly leaseUntil: string
  readonly isListening: boolean
  readonly isDraining: boolean
  readonly now: string
}

const renewal = statement<Renewal, object>((db, { epoch, id, now, ...lease }) =>
  db('replicas').where({ id, epoch }).where('leaseUntil', '>', now).update(lease).returning('id'),
)

/** The state that a replica publishes with each renewal. */
export type Said = Pick<Lease, 'schema'> & { readonly isListening: boolean; readonly isDraining: boolean }

/** Renews a lease that still holds. Returns false, and writes nothing, where it does not hold. */
export async function renewLease(tx: Db, owner: Owner, said: Said, nowMs: number): Promise<boolean> {
  const { isDraining, isListening } = said
  const leaseUntil = isoTime(nowMs + leaseForMs)
  const { epoch, id } = owner
  const renewed = await renewal(tx, { id, epoch, leaseUntil, isListening, isDraining, now: isoTime(nowMs) })
  return renewed.length === 1
}

/** Takes a lease with a new epoch. */
export async function takeLease(tx: Db, owner: Owner, said: Said, nowMs: number): Promise<void> {
  const lease = { ...owner, ...said, leaseUntil: isoTime(nowMs + leaseForMs) }
  await tx('replicas').insert(lease).onConflict('id').merge()
}

/** Gives a lease back, so that no other replica waits for its end. */
export async function endLease(tx: Db, { epoch, id }: Owner, nowMs: number): Promise<void> {
  await tx('replicas')
    .where({ id, epoch })
    .update({ leaseUntil: isoTime(nowMs) })
}

/** How long the row of a replica that is gone is kept, for the operator to see, milliseconds. */
const keptForMs = 60_000

/**
 * A lease that ends later than any lease can end was given before the database's clock was set back. Shortens it to one that was
 * renewed just now; a live replica then renews it. Otherwise it would hold again when the clock reaches its time. Called before a
 * replica locks its own row, because two replicas that did this at once would deadlock.
 */
export async function shortenLeases(tx: Db, nowMs: number): Promise<void> {
  const leaseUntil = isoTime(nowMs + leaseForMs)
  await tx('replicas')
    .where('leaseUntil', '>', isoTime(nowMs + seemsAtMostMs))
    .update({ leaseUntil })
}

/** The replicas whose leases hold. Deletes the rows of those that are long gone. */
export async function readLive(tx: Db, nowMs: number): Promise<readonly Lease[]> {
  await tx('replicas')
    .where('leaseUntil', '<', isoTime(nowMs - keptForMs))
    .delete()
  const leases: Lease[] = await tx('replicas').orderBy('id')
  return leases.filter(lease => isLive(lease, nowMs)).map(lease => ({ ...lease, epoch: Number(lease.epoch) }))
}
