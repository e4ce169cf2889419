// The records of mails: who had what sent to whom, and whether one more is within the bounds.

import { createHash } from 'node:crypto'
import type { Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import {
  type Bounded,
  type FullBound,
  fullBound,
  inboxOf,
  mailBounds,
  mailRefusal,
  maskedAddress,
  spaceBound,
} from '../core/mailBounds.ts'
import type { Database, Db } from '../database/database.ts'
import { readPlan } from '../space/spaces.ts'

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

/** A record with what the outbox knows of its mail. */
export interface LoggedMail extends MailRecord {
  readonly sentAt: string | null
  /** When it is due; null once it was sent or given up. */
  readonly nextAttemptAt: string | null
  /** Why it was not sent so far: what it is held back by, the last failure, or why it was given up. */
  readonly why: string | null
}

const inboxHash = (address: string) => createHash('sha256').update(inboxOf(address)).digest('hex')

/** The mails of the last 24 hours that `where` names, as a bound. A record from the future counts too. */
async function readBound(
  tx: Db,
  nowMs: number,
  where: { readonly spaceId?: string; readonly inboxHash?: string },
  { most, what }: Omit<Bounded, 'fullSinceMs'>,
): Promise<Bounded> {
  const row = await tx('mailRecords')
    .where(where)
    .where('createdAt', '>', isoTime(nowMs - mailBounds.windowMs))
    .orderBy('createdAt', 'desc')
    .offset(most - 1)
    .first('createdAt')
  return { most, what, fullSinceMs: row && Math.min(Date.parse(row.createdAt), nowMs) }
}

/** The bound of its own Space that one more mail of `spaceId` to `address` would break. */
async function fullForSpace(
  tx: Db,
  nowMs: number,
  { address, spaceId }: { readonly address: string; readonly spaceId: string },
): Promise<FullBound | undefined> {
  const plan = await readPlan(tx, spaceId, nowMs)
  const most = spaceBound(plan.monthlyInvitationLimit)
  const ofInbox = { spaceId, inboxHash: inboxHash(address) }
  const bounds = [
    await readBound(tx, nowMs, ofInbox, {
      most: mailBounds.spaceRecipient,
      what: 'mails of a Space may go to one address',
    }),
    await readBound(tx, nowMs, { spaceId }, { most, what: 'mails may be sent by this Space' }),
  ]
  return fullBound(bounds, nowMs)
}

/**
 * The bound of all Spaces together that one more mail to `address` would break. `counted`: the mails that have gone; or
 * those that wait too, each at the time when it is due, which gives a new one its place behind them.
 */
async function fullForInbox(
  tx: Db,
  nowMs: number,
  address: string,
  counted: 'gone' | 'all',
): Promise<FullBound | undefined> {
  const wentAt = tx.raw('coalesce(??, ??)', ['outbox.sentAt', 'outbox.givenUpAt'])
  const dueAt = tx.raw('coalesce(?, ??)', [wentAt, 'outbox.nextAttemptAt'])
  const countedAt = counted === 'gone' ? wentAt : dueAt
  const rows: readonly { goneAt: string | null; at: string }[] = await tx('mailRecords')
    .join('outbox', join =>
      join.on('outbox.id', 'mailRecords.mailId').andOn('outbox.spaceId', 'mailRecords.spaceId'),
    )
    .where({ inboxHash: inboxHash(address) })
    .where(countedAt, '>', isoTime(nowMs - mailBounds.windowMs))
    .orderByRaw('? desc', [countedAt])
    .limit(mailBounds.recipient)
    .select({ goneAt: wentAt, at: countedAt })
  // What has gone in the future, by a clock that was set back since, has gone by now.
  const timesMs = rows.map(({ at, goneAt }) =>
    goneAt === null ? Date.parse(at) : Math.min(Date.parse(at), nowMs),
  )
  const fullSinceMs = rows.length < mailBounds.recipient ? undefined : Math.min(...timesMs)
  const bound = { most: mailBounds.recipient, what: 'mails of all Spaces may go to one address', fullSinceMs }
  return fullBound([bound], nowMs)
}

const keptMs = 30 * 24 * 60 * 60 * 1000
/** Each new record deletes this many expired ones, which keeps the table as small as the use of a month. */
const purgedAtOnce = 20

/**
 * Counts a mail against the bounds of its Space, inside the transaction that queues it; the problem 429 when it meets
 * one. It is counted when it is queued, also when it is never sent. `heldBy`: what it has to wait for, because other mails
 * fill its inbox. No answer tells a Space that, since the mails may be those of other Spaces.
 */
export async function recordMail(
  tx: Knex.Transaction,
  world: World,
  mail: Omit<MailRecord, 'recipient' | 'createdAt'> & { readonly address: string },
): Promise<Problem | { readonly heldBy: FullBound | undefined }> {
  const { address, ...record } = mail
  const nowMs = world.nowMs()
  const full = await fullForSpace(tx, nowMs, mail)
  if (full) {
    const refusal = mailRefusal(full, nowMs)
    const headers = { 'Retry-After': String(refusal.retryAfterS) }
    return { problem: 'rate_limited', message: refusal.message, headers }
  }
  const expired = tx('mailRecords')
    .select('mailId')
    .where('createdAt', '<=', isoTime(nowMs - keptMs))
    .orderBy('createdAt')
    .limit(purgedAtOnce)
  await tx('mailRecords').whereIn('mailId', expired).delete()
  await tx('mailRecords').insert({
    ...record,
    inboxHash: inboxHash(address),
    recipient: maskedAddress(address),
    createdAt: isoTime(nowMs),
  })
  return { heldBy: await fullForInbox(tx, nowMs, address, 'all') }
}

/**
 * What a queued mail has to wait for before it may go to `address`; undefined when it may go now. A member's address can
 * be changed while a mail waits; the mail then counts against the bounds of the new one. Mails that were queued before
 * records were kept may go.
 */
export async function heldBy(
  { database, world }: { readonly database: Database; readonly world: World },
  mail: { readonly mailId: string; readonly spaceId: string | null },
  address: string,
): Promise<FullBound | undefined> {
  const { mailId, spaceId } = mail
  // To a user alone: a link for a new password, or a word on security.
  if (spaceId === null) return undefined
  const nowMs = world.nowMs()
  const record = await database.knex('mailRecords').where({ mailId, spaceId }).first('inboxHash')
  if (!record) return undefined
  if (record.inboxHash === inboxHash(address)) return fullForInbox(database.knex, nowMs, address, 'gone')
  return database.write(async tx => {
    const full =
      (await fullForSpace(tx, nowMs, { address, spaceId })) ??
      (await fullForInbox(tx, nowMs, address, 'gone'))
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
