// The SQL of one opening's row: how it begins, how it ends, and who ends with it.

import { isoTime } from '@callgate/world/world'
import { type Ending, handOver, type OpeningRow } from './core/opening.ts'
import type { Db } from './database.ts'

/** A new row; what is not given is null or false. */
export type NewOpening = Pick<
  OpeningRow,
  'id' | 'spaceId' | 'gateId' | 'gateName' | 'phoneNumber' | 'calledAt' | 'grantBefore'
> &
  Pick<OpeningRow, 'actorType' | 'actorName' | 'actorEmail' | 'apiKeyId'> &
  Partial<OpeningRow>

export async function insertOpening(tx: Db, row: NewOpening): Promise<void> {
  await tx('openings').insert({ status: 'initiated', usageHeld: false, isSettled: false, ...row })
}

export function findOpening(db: Db, openingId: string): Promise<OpeningRow | undefined> {
  return db<OpeningRow>('openings').where({ id: openingId }).first()
}

/** The opening that holds a number in a Space now. */
export function findHolder(db: Db, spaceId: string, phoneNumber: string): Promise<OpeningRow | undefined> {
  return db<OpeningRow>('openings').where({ spaceId, lockedNumber: phoneNumber }).first()
}

/** The last call on a number since `sinceMs` that may have moved the gate. */
export function findLastCall(
  db: Db,
  place: { spaceId: string; phoneNumber: string; sinceMs: number },
): Promise<OpeningRow | undefined> {
  const { phoneNumber, sinceMs, spaceId } = place
  return db<OpeningRow>('openings')
    .where({ spaceId, phoneNumber, joinedOpeningId: null })
    .where('completedAt', '>=', isoTime(sinceMs))
    .whereNotNull('grantedAt')
    .whereNot({ opened: 'no' })
    .orderBy('completedAt', 'desc')
    .first()
}

export interface End {
  readonly row: OpeningRow
  readonly ending: Ending
  /** Milliseconds since the epoch. */
  readonly atMs: number
  /** The gateway's own word, after which nothing changes any more. */
  readonly isSettled: boolean
  /** Whether the number is free now. It stays locked when the cloud gives up before the gateway has spoken. */
  readonly freesNumber: boolean
  /** Whether a call was placed, as far as anybody knows: if not, a joiner may take over and the usage is given back. */
  readonly dialled: boolean
  /** Which joiner is still in time to take over. */
  readonly isInTime: (joiner: OpeningRow) => boolean
}

export interface Ended {
  readonly endedIds: readonly string[]
  /** The joiner that leads now. */
  readonly heir: OpeningRow | undefined
}

/** Ends an opening and whoever joined it, or hands over to a joiner; counts a completed call at its gate. */
export async function endOpening(tx: Db, end: End): Promise<Ended> {
  const { atMs, ending, row } = end
  const completedAt = isoTime(atMs)
  await tx<OpeningRow>('openings')
    .where({ id: row.id })
    .update({
      ...ending,
      completedAt,
      usageHeld: Boolean(row.usageHeld) && end.dialled,
      ...(end.isSettled && { isSettled: true }),
      ...(end.freesNumber && { lockedNumber: null }),
    })
  if (ending.status === 'completed' && row.joinedOpeningId === null)
    await tx('gates')
      .where({ id: row.gateId, spaceId: row.spaceId })
      .update({
        openCount: tx.raw('"openCount" + 1'),
        lastOpenedAt: tx.raw('case when "lastOpenedAt" > ? then "lastOpenedAt" else ? end', [
          completedAt,
          completedAt,
        ]),
      })

  const joiners = await tx<OpeningRow>('openings').where({ joinedOpeningId: row.id })
  const { followers, heir, tooLate } = handOver(joiners, joiner => !end.dialled && end.isInTime(joiner))
  for (const joiner of tooLate)
    await tx<OpeningRow>('openings')
      .where({ id: joiner.id })
      .update({ ...ending, completedAt: joiner.calledAt > completedAt ? joiner.calledAt : completedAt })
  if (heir) {
    await tx<OpeningRow>('openings')
      .where({ id: heir.id })
      .update({ joinedOpeningId: null, lockedNumber: heir.phoneNumber })
    await tx<OpeningRow>('openings')
      .whereIn(
        'id',
        followers.map(follower => follower.id),
      )
      .update({ joinedOpeningId: heir.id })
  }
  return { endedIds: [row.id, ...tooLate.map(joiner => joiner.id)], heir }
}
