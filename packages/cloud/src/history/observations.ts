// What a person saw of a gate after a call. It is stored beside the opening, and does not change it.

import type { Db } from '../database/database.ts'
import { statement } from '../database/statement.ts'

/** `moving`: the gate is open, or moves. `still`: it does not move. */
export const observations = ['moving', 'still'] as const
export type Observation = (typeof observations)[number]

export interface ObservedOpening {
  readonly spaceId: string
  readonly openingId: string
}

/** Stores what was seen; for each kind of person only the last report counts. `seenAt` is ISO 8601, UTC. */
export async function recordObservation(
  tx: Db,
  opening: ObservedOpening,
  seen: { readonly actorType: 'guest' | 'owner'; readonly seen: Observation; readonly seenAt: string },
): Promise<void> {
  await tx('openingObservations')
    .insert({ ...opening, ...seen })
    .onConflict(['openingId', 'actorType'])
    .merge()
}

/** What a guest has reported about the opening; undefined without a report. */
export async function readObservation(
  db: Db,
  { openingId, spaceId }: ObservedOpening,
): Promise<Observation | undefined> {
  const row = await db('openingObservations').where({ spaceId, openingId, actorType: 'guest' }).first('seen')
  return row?.seen
}

const observedLast = statement<{ readonly openingId: string }, { readonly seen: Observation }>(
  (db, { openingId }) =>
    db('openingObservations').select('seen').where({ openingId }).orderBy('seenAt', 'desc').limit(1),
)

/** The last report about an opening, by whomever; undefined without a report. */
export async function lastObservation(db: Db, openingId: string): Promise<Observation | undefined> {
  const [row] = await observedLast(db, { openingId })
  return row?.seen
}

/** The last report about each of some openings, by whomever. */
export async function lastObservations(
  db: Db,
  openingIds: readonly string[],
): Promise<ReadonlyMap<string, Observation>> {
  const rows: readonly { openingId: string; seen: Observation }[] = await db('openingObservations')
    .whereIn('openingId', openingIds)
    .orderBy('seenAt')
    .select('openingId', 'seen')
  return new Map(rows.map(({ openingId, seen }) => [openingId, seen]))
}
