// The erasure of a member's personal data: the person at once, the history in turns, by any process.

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
  /** The mails in files on this machine. */
  readonly mailFiles?: MailFiles
}

/** How many rows one transaction handles: about 20 ms of the database, where each is on a page of its own. */
const openingsAtOnce = 200
const entriesAtOnce = 50
/** After this time, presses and mails that were on their way when the erasure began have ended; a second pass erases them. */
const settledMs = 60_000

const erasedMail = 'the member was erased'

/** Erases the person: all the data in rows of which there are few. A repetition changes nothing. */
async function erasePerson(tx: Db, { memberId, spaceId }: Of, nowMs: number): Promise<void> {
  const of = { memberId, spaceId }
  await tx('accesses').where(of).delete()
  await tx('userRoles').where(of).update({ memberId: null })
  await tx('members')
    .where({ id: memberId, spaceId })
    .update({
      name: deletedMember,
      email: null,
      phone: null,
      note: null,
      externalId: null,
      metadata: null,
      preferredLanguage: null,
      isAdmin: false,
      isActive: false,
      ...noLink,
    })
  await forgetLinkUses(tx, { id: memberId, spaceId })
  // The mailer gives up the waiting mails by itself, because the member is inactive.
  await tx('outbox').where(of).whereNotNull('lastError').update({ lastError: erasedMail })
  await tx('mailRecords').where(of).update({ recipient: deletedMember })
  await forgetCountedMails(tx, of, nowMs)
}

/**
 * Begins an erasure in the transaction `tx`, with its activity entry. False where the Space has no such member; a member who was
 * erased before stays unchanged.
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

/** Removes the identity from the openings after `place`. Returns the place to continue; undefined at the end. */
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

/** Erases the history of a member in turns. It can be repeated, and two processes can do it at once, because it only removes. */
async function eraseHistory(parts: ErasureParts, of: Of, isStopped: () => boolean): Promise<void> {
  for (const erase of [eraseOpenings, eraseEntries])
    for (let place: RowPosition | undefined; !isStopped(); ) {
      await parts.world.turn(of.spaceId)
      place = await erase(parts, of, place)
      if (!place) break
    }
  await forgetAnswersOn(parts, of, isStopped)
}

/** How many parts of a history a request waits for: 2,000 openings take about 0.2 s. */
const partsAtFirst = 10

/** Erases the beginning of a history, which is usually all of it. */
export async function eraseFirst(parts: ErasureParts, of: Of): Promise<void> {
  let done = 0
  await eraseHistory(parts, of, () => ++done > partsAtFirst)
}

/** Removes the mails to a member that are kept as files. Where that fails it returns false, and the erasure is not complete. */
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

/** How many erasures one round handles. */
const mostInRound = 100

/** Some incomplete erasures, the Spaces in turns, so that many or failing ones of one Space delay no other. */
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
 * Continues every incomplete erasure; interrupted ones begin again. An erasure is complete after a pass that began a minute after
 * it, so that nothing that was on its way is missed.
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
