// The erasure of a member's personal data: the person at once, the history in turns, by whichever process comes to it.

import { deletedMember } from '@callgate/contract/identityWords'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { actorOf, recordActivity } from '../activity/activity.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import type { Principal } from '../http/handler.ts'
import type { MailFiles } from '../mail/mailFolder.ts'
import { forgetLinkUses } from '../member/linkUses.ts'
import { noLink } from '../member/memberLinks.ts'
import type { Seal } from '../secrets/sealing.ts'
import { withoutMember } from './core/identities.ts'
import { forgetAnswersOn } from './erasedAnswers.ts'
import {
  afterOf,
  entriesOf,
  forgetCountedMails,
  namedEntry,
  nameNobody,
  type Of,
  openingsOf,
  type RowPosition,
  removing,
  writeEntry,
} from './identityRows.ts'

interface ErasureParts {
  readonly database: Database
  readonly seal: Seal
  readonly world: World
  /** The mails that this machine keeps as files. */
  readonly mailFiles?: MailFiles
}

/** Rows that one transaction looks at: some 20 ms of the database, where each lies on a page of its own. */
const openingsAtOnce = 200
const entriesAtOnce = 50
/** A press or a mail that was on its way when the erasure began has ended by then, and is erased by a second look. */
const settledMs = 60_000

const erasedMail = 'the member was erased'

/** What is erased of the person: all that stands in rows of which there are few. Again, it changes nothing. */
async function erasePerson(tx: Db, { memberId, spaceId }: Of, nowMs: number): Promise<void> {
  const of = { memberId, spaceId }
  await tx('accesses').where(of).delete()
  await tx('userRoles').where(of).update({ memberId: null })
  await tx('members')
    .where({ id: memberId, spaceId })
    .update({
      ...{ name: deletedMember, email: null, phone: null, note: null, preferredLanguage: null },
      ...{ isAdmin: false, isActive: false, ...noLink },
    })
  await forgetLinkUses(tx, { id: memberId, spaceId })
  // The mails that wait are given up by themselves, since the member is not active.
  await tx('outbox').where(of).whereNotNull('lastError').update({ lastError: erasedMail })
  await tx('mailRecords').where(of).update({ recipient: deletedMember })
  await forgetCountedMails(tx, of, nowMs)
}

/**
 * Begins an erasure in the transaction `tx`, with its entry in the activity. False where the Space has no such member; a
 * member who was erased before is left as they are.
 */
export async function beginErasure(
  tx: Knex.Transaction,
  world: World,
  principal: Principal,
  memberId: string,
): Promise<boolean> {
  const { spaceId } = principal
  const row = await tx('members').where({ id: memberId, spaceId }).first('erasedAt')
  if (!row) return false
  if (row.erasedAt !== null) return true
  const nowMs = timeIn(tx, world)
  await erasePerson(tx, { memberId, spaceId }, nowMs)
  await tx('members')
    .where({ id: memberId, spaceId })
    .update({ erasedAt: isoTime(nowMs) })
  const of = { spaceId, ...actorOf(principal), targetId: memberId, targetLabel: deletedMember }
  await recordActivity(tx, world, { ...of, action: 'member.erased', details: {} })
  return true
}

/** Takes the identity out of the openings after `place`. Where to go on; undefined at the end. */
async function eraseOpenings(
  { database }: ErasureParts,
  of: Of,
  place: RowPosition | undefined,
): Promise<RowPosition | undefined> {
  const { spaceId } = of
  const rows = await openingsOf(database.knex, { ...of, ...afterOf(place, openingsAtOnce) })
  const named = rows.filter(row => row.actorName !== deletedMember || row.actorEmail !== null)
  if (named.length > 0) {
    const nobody = { actorName: deletedMember, actorEmail: null }
    await database.write(
      async tx => {
        for (const { id } of named) await nameNobody(tx, { spaceId, id, ...nobody })
      },
      { spaceId },
    )
  }
  const last = rows.at(-1)
  return last && rows.length === openingsAtOnce ? { at: last.calledAt, id: last.id } : undefined
}

/** The same for the entries of the activity. */
async function eraseEntries(
  { database }: ErasureParts,
  of: Of,
  place: RowPosition | undefined,
): Promise<RowPosition | undefined> {
  const { memberId, spaceId } = of
  const rows = await entriesOf(database.knex, { ...of, ...afterOf(place, entriesAtOnce) })
  const changed = rows.flatMap(row => {
    const before = namedEntry(row)
    const entry = withoutMember(before, memberId)
    return JSON.stringify(entry) === JSON.stringify(before) ? [] : [{ id: row.id, entry }]
  })
  if (changed.length > 0)
    await database.write(
      tx =>
        removing(tx, spaceId, async () => {
          for (const { entry, id } of changed) await writeEntry(tx, spaceId, id, entry)
        }),
      { spaceId },
    )
  const last = rows.at(-1)
  return last && rows.length === entriesAtOnce ? { at: last.timestamp, id: last.id } : undefined
}

/** Erases the history of a member in turns. It may be done again, and by two processes at once: it only takes away. */
async function eraseHistory(parts: ErasureParts, of: Of, isStopped: () => boolean): Promise<void> {
  for (const erase of [eraseOpenings, eraseEntries])
    for (let place: RowPosition | undefined; !isStopped(); ) {
      await parts.world.turn(of.spaceId)
      place = await erase(parts, of, place)
      if (!place) break
    }
  await forgetAnswersOn(parts, of, isStopped)
}

/** Parts of a history that whoever erases waits for: 2,000 openings take some 0.2 s. */
const partsAtFirst = 10

/** Erases the beginning of a history, which is mostly the whole of it. */
export async function eraseFirst(parts: ErasureParts, of: Of): Promise<void> {
  let done = 0
  await eraseHistory(parts, of, () => ++done > partsAtFirst)
}

/** Removes the mails to a member that are kept as files. False where that failed: then the erasure is not done. */
async function removeFiles({ database, mailFiles, world }: ErasureParts, of: Of): Promise<boolean> {
  const { memberId, spaceId } = of
  try {
    await mailFiles?.remove(await database.knex('outbox').where({ memberId, spaceId }).pluck('id'))
    return true
  } catch (error) {
    world.log.warn('the files of mails to an erased member were not removed', {
      memberId,
      why: String(error),
    })
    return false
  }
}

interface Erased {
  readonly spaceId: string
  readonly id: string
  readonly erasedAt: string
}

/** Erasures that are looked at in one round. */
const mostInRound = 100

/** Some that are not done, the Spaces in turns: the many of one, or those that cannot be done, hold up no other. */
async function openErasures(db: Db): Promise<readonly Erased[]> {
  const inTurns = 'row_number() over (partition by "spaceId" order by "erasedAt", "id") as "turn"'
  const open = db('members')
    .whereNotNull('erasedAt')
    .whereNull('erasureDoneAt')
    .select('spaceId', 'id', 'erasedAt', db.raw(inTurns))
  return db<Erased & { readonly turn: number }>(open.as('open'))
    .orderBy(['turn', 'erasedAt', 'id'])
    .limit(mostInRound)
    .select('spaceId', 'id', 'erasedAt')
}

/**
 * Goes on with every erasure that is not done: those that were interrupted begin anew. One is done with a look that began a
 * minute after it, so that nothing is missed which was on its way.
 */
export async function continueErasures(parts: ErasureParts, isStopped = () => false): Promise<void> {
  for (const erased of await openErasures(parts.database.knex)) {
    if (isStopped()) return
    await continueErasure(parts, erased, isStopped).catch((error: unknown) =>
      parts.world.log.warn('an erasure is not done yet', { memberId: erased.id, why: String(error) }),
    )
  }
}

async function continueErasure(
  parts: ErasureParts,
  { erasedAt, id, spaceId }: Erased,
  isStopped: () => boolean,
): Promise<void> {
  const { database, world } = parts
  const of = { spaceId, memberId: id }
  const isSettled = await database.write(
    async tx => {
      const nowMs = timeIn(tx, world)
      const isOver = nowMs - Date.parse(erasedAt) >= settledMs
      if (isOver) await erasePerson(tx, of, nowMs)
      return isOver
    },
    { spaceId },
  )
  await eraseHistory(parts, of, isStopped)
  const areFilesGone = await removeFiles(parts, of)
  if (!isSettled || !areFilesGone || isStopped()) return
  const done = { erasureDoneAt: isoTime(world.nowMs()) }
  await database.write(tx => tx('members').where({ id, spaceId }).update(done), { spaceId })
}
