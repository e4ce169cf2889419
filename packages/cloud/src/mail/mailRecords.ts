// The records of mails: who had what sent to whom, and whether one more is within the bounds.

import { createHash } from 'node:crypto'
import type { Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import {
  type Bounded,
  inboxOf,
  type MailRefusal,
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
  readonly memberId: string
  readonly kind: string
  readonly actor: string
  /** Masked. */
  readonly recipient: string
  readonly createdAt: string
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

/** The bounds that a mail of `spaceId` to `address` meets. */
async function refusalOf(
  tx: Db,
  nowMs: number,
  { address, spaceId }: { readonly address: string; readonly spaceId: string },
): Promise<MailRefusal | undefined> {
  const inbox = { inboxHash: inboxHash(address) }
  const plan = await readPlan(tx, spaceId, nowMs)
  const most = spaceBound(plan.monthlyInvitationLimit)
  const bounds = [
    await readBound(tx, nowMs, inbox, { most: mailBounds.recipient, what: 'mails may go to one address' }),
    await readBound(
      tx,
      nowMs,
      { spaceId, ...inbox },
      { most: mailBounds.spaceRecipient, what: 'mails of a Space may go to one address' },
    ),
    await readBound(tx, nowMs, { spaceId }, { most, what: 'mails may be sent by this Space' }),
  ]
  return mailRefusal(bounds, nowMs)
}

const keptMs = 30 * 24 * 60 * 60 * 1000
/** Each record takes so many expired ones with it, which keeps the table as small as a month's use. */
const purgedAtOnce = 20

/**
 * Counts a mail against the bounds, inside the transaction that queues it; the problem 429 when it meets one. It is
 * counted when it is queued, whatever becomes of it.
 */
export async function recordMail(
  tx: Knex.Transaction,
  world: World,
  mail: Omit<MailRecord, 'recipient' | 'createdAt'> & { readonly address: string },
): Promise<Problem | undefined> {
  const { address, ...record } = mail
  const nowMs = world.nowMs()
  const refusal = await refusalOf(tx, nowMs, mail)
  if (refusal) {
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
  return undefined
}

/**
 * Whether a queued mail may go to `address`. A member's address can be changed while a mail waits; the mail then counts
 * against the bounds of the new one. Mails that were queued before records were kept may go.
 */
export async function mayGoTo(
  parts: { readonly database: Database; readonly world: World },
  mail: { readonly mailId: string; readonly spaceId: string },
  address: string,
): Promise<boolean> {
  const { mailId, spaceId } = mail
  const record = await parts.database.knex('mailRecords').where({ mailId, spaceId }).first('inboxHash')
  if (!record || record.inboxHash === inboxHash(address)) return true
  return parts.database.write(async tx => {
    const nowMs = parts.world.nowMs()
    if (await refusalOf(tx, nowMs, { address, spaceId })) return false
    const moved = {
      inboxHash: inboxHash(address),
      recipient: maskedAddress(address),
      createdAt: isoTime(nowMs),
    }
    await tx('mailRecords').where({ mailId, spaceId }).update(moved)
    return true
  })
}

/** The newest records, at most `limit`; of all Spaces, or of one. */
export async function listMailRecords(
  database: Database,
  given: { readonly spaceId?: string | undefined; readonly limit: number },
): Promise<readonly MailRecord[]> {
  const query = database.knex('mailRecords')
  if (given.spaceId !== undefined) query.where({ spaceId: given.spaceId })
  return query
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'mailId', order: 'desc' },
    ])
    .limit(given.limit)
    .select('mailId', 'spaceId', 'memberId', 'kind', 'actor', 'recipient', 'createdAt')
}
