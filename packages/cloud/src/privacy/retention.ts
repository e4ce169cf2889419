// Removes identities after the time for which a Space keeps who opened and who changed what. In turns.

import { notKept } from '@callgate/contract/identityWords'
import { isoTime, type World } from '@callgate/world/world'
import { byIndex } from '../database/byIndex.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { unlocked } from '../database/dialect.ts'
import { statement, type Values } from '../database/statement.ts'
import { forgetUnfetched } from '../enrolment/enrolmentRows.ts'
import { answersOver } from '../http/keptAnswers.ts'
import { readKeepingRow, writeKeeping } from '../space/keepingRows.ts'
import { personsOf, withoutIdentities } from './core/identities.ts'
import { keptSinceMs } from './core/keeping.ts'
import {
  type EntryOf,
  forgetCountedMails,
  forgetOpening,
  namedEntry,
  removing,
  writeEntry,
} from './identityRows.ts'
import { forgetOldRows } from './oldRows.ts'

interface RetentionParts {
  readonly database: Database
  readonly world: World
  /** Waits after each transaction; the argument is its time in milliseconds. By default it waits for a turn of the event loop. */
  readonly pause?: (workedMs: number) => Promise<void>
}

/** How many rows one transaction handles: about 5 ms, because presses of other Spaces wait for it. */
const openingsAtOnce = 50
const entriesAtOnce = 50

interface Span extends Values {
  readonly spaceId: string
  readonly before: string
  readonly afterAt: string
  readonly afterId: string
  readonly rows: number
}

interface OldOpening {
  readonly id: string
  readonly calledAt: string
  readonly memberId: string | null
  readonly userId: string | null
  readonly accessId: string | null
  /** SQLite has 0 and 1. */
  readonly usageHeld: boolean | number
}

/** The openings of a span, oldest first. Exported for the test of its query plan. */
export const oldOpenings = statement<Span, OldOpening>((db, { afterAt, afterId, before, rows, spaceId }) =>
  byIndex(db, 'openings', 'openings_spaceid_calledat_id_index')
    .where({ spaceId })
    .where('calledAt', '<', before)
    .whereRaw('(??, ??) > (?, ?)', ['calledAt', 'id', afterAt, afterId])
    .orderBy(['calledAt', 'id'])
    .limit(rows)
    .select('id', 'calledAt', 'memberId', 'userId', 'accessId', 'usageHeld'),
)

/** The entries of a span, oldest first. Exported for the test of its query plan. */
export const oldEntries = statement<Span, EntryOf>((db, { afterAt, afterId, before, rows, spaceId }) =>
  db('activity')
    .where({ spaceId })
    .where('timestamp', '<', before)
    .whereRaw('(??, ??) > (?, ?)', ['timestamp', 'id', afterAt, afterId])
    .orderBy(['timestamp', 'id'])
    .limit(rows)
    .select('id', 'actor', 'targetType', 'targetLabel', 'details', 'timestamp'),
)

/** Returns `more` where work is left. */
type Step = (tx: Db, spaceId: string, nowMs: number) => Promise<'more' | undefined>

/** How far a removal has come, and how far it may go; read in its transaction, because an owner may choose a longer time. */
async function readSpan(tx: Db, spaceId: string, nowMs: number) {
  const row = await readKeepingRow(tx, spaceId)
  return { ...row, before: isoTime(keptSinceMs(row.keeping, nowMs)) }
}

/**
 * Removes the identity from the next openings. Keys are not persons, and stay. The uses of an access are counted, because the
 * openings no longer name it. The progress of other processes is read in the same transaction, so nothing is counted twice.
 */
const removeFromOpenings: Step = async (tx, spaceId, nowMs) => {
  const { before, openingsAt, openingsId } = await readSpan(tx, spaceId, nowMs)
  const after = { afterAt: openingsAt ?? '', afterId: openingsId ?? '' }
  const rows = await oldOpenings(tx, { spaceId, before, ...after, rows: openingsAtOnce })
  const named = rows.filter(({ memberId, userId }) => memberId !== null || userId !== null)
  const uses = new Map<string, number>()
  for (const { accessId, usageHeld } of named)
    if (accessId !== null && usageHeld) uses.set(accessId, (uses.get(accessId) ?? 0) + 1)
  for (const [id, count] of uses) await tx('accesses').where({ id, spaceId }).increment('usesNotKept', count)
  for (const { id } of named) await forgetOpening(tx, { spaceId, id, actorName: notKept, actorEmail: null })
  const last = rows.at(-1)
  if (!last) return undefined
  await writeKeeping(tx, spaceId, { openingsAt: last.calledAt, openingsId: last.id })
  return rows.length === openingsAtOnce ? 'more' : undefined
}

/** The same for the activity entries, which are no longer found by a person. */
const removeFromActivity: Step = async (tx, spaceId, nowMs) => {
  const { activityAt, activityId, before } = await readSpan(tx, spaceId, nowMs)
  const after = { afterAt: activityAt ?? '', afterId: activityId ?? '' }
  const rows = await oldEntries(tx, { spaceId, before, ...after, rows: entriesAtOnce })
  const last = rows.at(-1)
  if (!last) return undefined
  await removing(tx, spaceId, async () => {
    for (const row of rows) {
      const entry = namedEntry(row)
      const bare = withoutIdentities(entry)
      if (JSON.stringify(bare) === JSON.stringify(entry)) continue
      await writeEntry(tx, spaceId, row.id, bare)
      await tx('activityConcerns')
        .where({ spaceId, activityId: row.id, timestamp: row.timestamp })
        .whereIn('concernedId', [...personsOf(entry)])
        .delete()
    }
  })
  await writeKeeping(tx, spaceId, { activityAt: last.timestamp, activityId: last.id })
  return rows.length === entriesAtOnce ? 'more' : undefined
}

/** Deletes rows that name persons and are no longer needed, also where no new rows come that would cause it. */
const removeOldRows: Step = async (tx, spaceId, nowMs) => {
  const { before } = await readSpan(tx, spaceId, nowMs)
  return (await forgetOldRows(tx, { spaceId, before, nowMs })) ? 'more' : undefined
}

const erasedMembers = (tx: Db, spaceId: string) =>
  tx('members').where({ spaceId }).whereNotNull('erasedAt').select('id')

/**
 * Removes the identities of a Space that are older than it keeps them, and passwords that no gateway has fetched. Two processes
 * may do it at once. Where several clouds share a database, its clock decides: a machine with a wrong clock must not remove data
 * for good. `more`: the steps were not enough, or the sweep was stopped.
 */
export async function sweepIdentities(
  parts: RetentionParts,
  spaceId: string,
  isStopped = () => false,
  mostSteps = Number.POSITIVE_INFINITY,
): Promise<'done' | 'more'> {
  const { database, pause, world } = parts
  let left = mostSteps
  const { keeping } = await readKeepingRow(database.knex, spaceId)
  for (const step of [removeFromOpenings, removeFromActivity, removeOldRows])
    for (;;) {
      if (isStopped() || left-- === 0) return 'more'
      await world.turn(spaceId)
      const startedMs = world.monotonicMs()
      if (!(await database.write(tx => step(tx, spaceId, timeIn(tx, world)), { spaceId }))) break
      await pause?.(world.monotonicMs() - startedMs)
    }
  await database.write(
    async tx => {
      const nowMs = timeIn(tx, world)
      await forgetCountedMails(tx, { spaceId, memberId: erasedMembers(tx, spaceId) }, nowMs)
      await forgetUnfetched(tx, spaceId, nowMs)
      // Where the time was shortened meanwhile, the sweep is repeated.
      if ((await readKeepingRow(tx, spaceId)).keeping === keeping)
        await writeKeeping(tx, spaceId, { sweptAt: isoTime(nowMs) })
    },
    { spaceId },
  )
  return 'done'
}

const answersAtOnce = 200

/**
 * Deletes answers that were kept for an Idempotency-Key, and may name persons, after their time; no later request may ever do it.
 */
async function forgetAnswers({ database, world }: RetentionParts, isStopped: () => boolean): Promise<void> {
  for (let deleted = answersAtOnce; deleted === answersAtOnce && !isStopped(); await world.turn())
    deleted = await database.write(
      tx => {
        const expired = answersOver(tx('keptAnswers'), timeIn(tx, world))
          .select('askerId', 'requestHash')
          .orderBy('createdAt')
          .limit(answersAtOnce)
        return tx('keptAnswers').whereIn(['askerId', 'requestHash'], unlocked(tx, expired)).delete()
      },
      { spaceId: null },
    )
}

const sweptEveryMs = 24 * 60 * 60 * 1000

/** How many Spaces are read in one turn of the event loop. */
const spacesInTurn = 50

/** The next Spaces that were not swept for a day, in the order of their ids. */
async function dueAfter(db: Db, spaceId: string, until: string): Promise<readonly string[]> {
  const rows = await db('spaces as s')
    .leftJoin('identityKeeping as k', 'k.spaceId', 's.id')
    .where('s.id', '>', spaceId)
    .where(due => due.whereNull('k.sweptAt').orWhere('k.sweptAt', '<=', until))
    .orderBy('s.id')
    .limit(spacesInTurn)
    .select('s.id as id')
  return rows.map(row => String(row.id))
}

/**
 * How many steps of one Space come before the next one's turn. It must be more than three, because steps without a result count,
 * too.
 */
const stepsInTurn = 100

/** Sweeps every due Space, each once a day and in turns, and the kept answers. A failing Space delays no other. */
export async function sweepDue(
  parts: RetentionParts,
  isStopped = () => false,
  mostSteps = stepsInTurn,
): Promise<void> {
  const { world } = parts
  await forgetAnswers(parts, isStopped)
  while ((await sweepInTurn(parts, isStopped, mostSteps)) === 'more') await world.turn()
}

/** One turn of every due Space. `more`: at least one has work left. */
async function sweepInTurn(
  parts: RetentionParts,
  isStopped: () => boolean,
  mostSteps: number,
): Promise<'done' | 'more'> {
  const { database, world } = parts
  const until = isoTime(world.nowMs() - sweptEveryMs)
  let left: 'done' | 'more' = 'done'
  for (let last = ''; ; ) {
    const spaceIds = await dueAfter(database.knex, last, until)
    for (const spaceId of spaceIds) {
      const swept = await sweepIdentities(parts, spaceId, isStopped, mostSteps).catch((error: unknown) =>
        world.log.warn('old identities of a Space were not removed', { spaceId, why: String(error) }),
      )
      if (isStopped()) return 'done'
      if (swept === 'more') left = 'more'
    }
    const end = spaceIds.at(-1)
    if (end === undefined) return left
    last = end
    await world.turn()
  }
}
