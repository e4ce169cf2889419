// The records of mails: who caused which mail to whom, and whether one more is within the limits.

import type { Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type FullLimit, fullLimit, mailLimits, mailRefusal, maskedAddress } from '../core/mailLimits.ts'
import type { Database, Db } from '../database/database.ts'
import { unlocked } from '../database/dialect.ts'
import { statement, type Values } from '../database/statement.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { countedAddress, fullForSpace, inboxHash } from './spaceMailLimits.ts'

export interface MailRecord {
  readonly mailId: string
  readonly spaceId: string
  /** The member; for an invitation of a user, the invitation. */
  readonly memberId: string
  readonly kind: string
  readonly actor: string
  /** Masked. */
  readonly recipient: string
  readonly createdAt: string
}

/** A record with the state of its mail in the outbox. */
export interface LoggedMail extends MailRecord {
  readonly sentAt: string | null
  /** When it is due; null once it was sent or given up. */
  readonly nextAttemptAt: string | null
  /** Why it was not sent so far: the limit that holds it back, the last failure, or why it was given up. */
  readonly why: string | null
}

const wentAt = (db: Db) => db.raw('coalesce(??, ??)', ['outbox.sentAt', 'outbox.givenUpAt'])
const dueAt = (db: Db) => db.raw('coalesce(?, ??)', [wentAt(db), 'outbox.nextAttemptAt'])

/** The mails to an inbox that count since a given time, the newest first. */
const mailsToInbox = (countedAt: (db: Db) => Knex.Raw) =>
  statement<
    { readonly inboxHash: string; readonly since: string },
    { readonly goneAt: string | null; readonly at: string }
  >((db, { inboxHash: inbox, since }) =>
    db('mailRecords')
      .join('outbox', join =>
        join.on('outbox.id', 'mailRecords.mailId').andOn('outbox.spaceId', 'mailRecords.spaceId'),
      )
      .where({ inboxHash: inbox })
      .where(countedAt(db), '>', since)
      .orderByRaw('? desc', [countedAt(db)])
      .limit(mailLimits.recipient)
      .select({ goneAt: wentAt(db), at: countedAt(db) }),
  )
const ofInbox = { name: 'mails_to_inbox', most: mailLimits.recipient } as const
const counted = { gone: mailsToInbox(wentAt), all: mailsToInbox(dueAt) } as const

/**
 * The limit of all Spaces together that one more mail to `address` would exceed. `which`: the sent mails only; or also the
 * waiting ones, each at its due time, so that a new one gets its place behind them.
 */
async function fullForInbox(
  tx: Db,
  nowMs: number,
  address: string,
  which: keyof typeof counted,
): Promise<FullLimit | undefined> {
  const since = isoTime(nowMs - mailLimits.windowMs)
  const rows = await counted[which](tx, { inboxHash: inboxHash(address), since })
  // A mail that was sent in the future, by a clock that was set back since, counts as sent now.
  const timesMs = rows.map(({ at, goneAt }) =>
    goneAt === null ? Date.parse(at) : Math.min(Date.parse(at), nowMs),
  )
  const fullSinceMs = rows.length < mailLimits.recipient ? undefined : Math.min(...timesMs)
  return fullLimit([{ ...ofInbox, fullSinceMs }], nowMs)
}

const sendingTo = statement<{ readonly inboxHash: string; readonly mailId: string }, { readonly id: string }>(
  (db, { inboxHash: inbox, mailId }) =>
    db('mailRecords')
      .join('outbox', join =>
        join.on('outbox.id', 'mailRecords.mailId').andOn('outbox.spaceId', 'mailRecords.spaceId'),
      )
      .where({ inboxHash: inbox, sentAt: null, givenUpAt: null, lastError: null })
      .where('attempts', '>', 0)
      .whereNot('outbox.id', mailId)
      .limit(mailLimits.recipient)
      .select('outbox.id'),
)

/** How long a mail waits for the mails of other replicas to the same inbox, milliseconds: at random, up to twice as long. */
const othersForMs = 2_000

/**
 * The limit of all Spaces together that the claimed mail `mailId` would exceed if it were sent to `address` now. Other replicas
 * may be sending to the inbox: where they could fill it, the mail waits a moment. All mails are claimed before any is counted
 * here, so of two that would exceed the limit together, at most one is sent.
 */
async function fullToSend(
  { db, world }: { readonly db: Db; readonly world: World },
  address: string,
  mailId: string,
): Promise<FullLimit | undefined> {
  const nowMs = world.nowMs()
  const sending = await sendingTo(db, { inboxHash: inboxHash(address), mailId })
  const full = await fullForInbox(db, nowMs, address, 'gone')
  if (full || sending.length === 0) return full
  const since = isoTime(nowMs - mailLimits.windowMs)
  const gone = await counted.gone(db, { inboxHash: inboxHash(address), since })
  if (gone.length + sending.length < mailLimits.recipient) return undefined
  const [chance = 0] = world.randomBytes(1)
  return { ...ofInbox, freeMs: nowMs + othersForMs + Math.round((othersForMs * chance) / 255) }
}

/** How long a record is kept, milliseconds. */
export const recordsKeptMs = 30 * 24 * 60 * 60 * 1000
/** Each new record deletes this many expired ones, which keeps the table as small as the use of a month. */
const purgedAtOnce = 20

const purge = statement<{ readonly until: string }, never>((db, { until }) => {
  const expired = db('mailRecords')
    .select('mailId')
    .where('createdAt', '<=', until)
    .orderBy('createdAt')
    .limit(purgedAtOnce)
  return db('mailRecords').whereIn('mailId', unlocked(db, expired)).delete()
})
const insertRecord = statement<Values, never>((db, record) => db('mailRecords').insert(record))

/**
 * Counts a mail against the limits of its Space, inside the transaction that queues it; returns the problem 429 when a limit is
 * reached. The mail is counted when it is queued, also if it is never sent. `heldBy`: the limit for which it has to wait, because
 * other mails fill its inbox. No answer reveals this to a Space, since the mails may be those of other Spaces. `isPlayed`: the
 * Space is a sandbox, whose mails never leave.
 */
export async function recordMail(
  tx: Knex.Transaction,
  world: World,
  mail: Omit<MailRecord, 'recipient' | 'createdAt'> & { readonly address: string },
): Promise<Problem | { readonly heldBy: FullLimit | undefined; readonly isPlayed: boolean }> {
  const { address, ...record } = mail
  const nowMs = world.nowMs()
  // Nothing of a sandbox reaches an inbox, so it must not use up what others may send there.
  const isPlayed = await isSandbox(tx, mail.spaceId)
  const inbox = countedAddress(isPlayed, mail.spaceId, address)
  const full = await fullForSpace(tx, nowMs, { address: inbox, spaceId: mail.spaceId })
  if (full) return mailRefusal(full, nowMs)
  await purge(tx, { until: isoTime(nowMs - recordsKeptMs) })
  await insertRecord(tx, {
    ...record,
    inboxHash: inboxHash(inbox),
    recipient: maskedAddress(address),
    createdAt: isoTime(nowMs),
  })
  return { heldBy: isPlayed ? undefined : await fullForInbox(tx, nowMs, address, 'all'), isPlayed }
}

/**
 * The limit for which a queued mail has to wait before it may be sent to `address`; undefined when it may be sent now. A member's
 * address can change while a mail waits; the mail then counts against the limits of the new one. Mails that were queued before
 * records existed may be sent.
 */
export async function heldBy(
  { database, world }: { readonly database: Database; readonly world: World },
  mail: { readonly mailId: string; readonly spaceId: string | null },
  address: string,
): Promise<FullLimit | undefined> {
  const { mailId, spaceId } = mail
  // A mail to a user of no Space: a link for a new password, or a message on security.
  if (spaceId === null) return undefined
  const nowMs = world.nowMs()
  const record = await database.knex('mailRecords').where({ mailId, spaceId }).first('inboxHash')
  if (!record) return undefined
  if (record.inboxHash === inboxHash(address))
    return fullToSend({ db: database.knex, world }, address, mailId)
  return database.write(async tx => {
    const full =
      (await fullForSpace(tx, nowMs, { address, spaceId })) ??
      (await fullToSend({ db: tx, world }, address, mailId))
    if (full) return full
    const moved = {
      inboxHash: inboxHash(address),
      recipient: maskedAddress(address),
      createdAt: isoTime(nowMs),
    }
    await tx('mailRecords').where({ mailId, spaceId }).update(moved)
    return undefined
  })
}

/** The newest records, at most `limit`; of all Spaces, or of one. */
export async function listMailRecords(
  database: Database,
  given: { readonly spaceId?: string | undefined; readonly limit: number },
): Promise<readonly LoggedMail[]> {
  const query = database.knex('mailRecords as record')
  if (given.spaceId !== undefined) query.where({ 'record.spaceId': given.spaceId })
  const columns = ['mailId', 'spaceId', 'memberId', 'kind', 'actor', 'recipient', 'createdAt'] as const
  const rows = await query
    .leftJoin('outbox', join =>
      join.on('outbox.id', 'record.mailId').andOn('outbox.spaceId', 'record.spaceId'),
    )
    .orderBy([
      { column: 'record.createdAt', order: 'desc' },
      { column: 'record.mailId', order: 'desc' },
    ])
    .limit(given.limit)
    .select(columns.map(column => `record.${column}`))
    .select('outbox.sentAt', 'outbox.givenUpAt', 'outbox.nextAttemptAt', 'outbox.lastError')
  return rows.map(({ givenUpAt, lastError, nextAttemptAt, sentAt, ...record }) => ({
    ...record,
    sentAt,
    nextAttemptAt: sentAt === null && givenUpAt === null ? nextAttemptAt : null,
    why: sentAt === null ? lastError : null,
  }))
}
