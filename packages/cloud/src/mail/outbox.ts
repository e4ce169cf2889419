// The outbox: mails that wait, were sent or were given up, as ids; what a mail says is found when it is sent.

import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type FullBound, heldBack } from '../core/mailBounds.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { unlocked } from '../database/dialect.ts'
import { statement, type Values } from '../database/statement.ts'
import { recordMail } from './mailRecords.ts'

/** `invitation`: the member's link and all gates; `access_granted`: one more gate behind the same link. */
export type MemberMailKind = 'invitation' | 'access_granted'
/** To a user of the dashboard, with a link that works once. */
type LinkMailKind = 'user_invitation' | 'password_reset'
/** What a user is told of what has changed in what signs them in. */
export const securityMailKinds = [
  'password_changed',
  'codes_enabled',
  'codes_disabled',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_removed',
  /** By the operator. */
  'factors_removed',
] as const
export type SecurityMailKind = (typeof securityMailKinds)[number]
export type MailKind = MemberMailKind | LinkMailKind | SecurityMailKind

const held = (bound: FullBound) => ({
  nextAttemptAt: isoTime(bound.freeMs),
  lastError: heldBack(bound),
})

const insertRow = statement<Values, never>((db, row) => db('outbox').insert(row))

/**
 * Queues a mail to a member in the transaction `tx`. `gateId` is the gate of `access_granted`, else null. When a bound on
 * mails is met, it returns the problem and queues nothing.
 */
export async function queueMail(
  tx: Knex.Transaction,
  world: World,
  mail: {
    readonly spaceId: string
    readonly memberId: string
    readonly kind: MemberMailKind
    readonly gateId: string | null
    /** The member's address now. */
    readonly address: string
    /** The actor that has it sent, as the activity names it. */
    readonly actor: string
  },
): Promise<Problem | undefined> {
  const { actor, address, gateId, kind, memberId, spaceId } = mail
  const now = isoTime(world.nowMs())
  const id = newId(world, idPrefix.mail)
  const recorded = await recordMail(tx, world, { mailId: id, spaceId, memberId, kind, actor, address })
  if (isProblem(recorded)) return recorded
  const due = recorded.heldBy ? held(recorded.heldBy) : { nextAttemptAt: now }
  await insertRow(tx, { id, spaceId, memberId, kind, gateId, createdAt: now, ...due })
  return undefined
}

/**
 * Queues a mail to a user in the transaction `tx`; `linkId` is the row whose link it has. An invitation counts against the
 * bounds on mails of its Space: when one is met, it returns the problem and queues nothing. A link for a new password
 * belongs to no Space, and must not wait because others fill the inbox.
 */
export async function queueUserMail(
  tx: Knex.Transaction,
  world: World,
  mail: { readonly linkId: string } & (
    | { readonly kind: 'password_reset' }
    | {
        readonly kind: 'user_invitation'
        readonly spaceId: string
        readonly address: string
        readonly actor: string
      }
  ),
): Promise<Problem | undefined> {
  const { kind, linkId } = mail
  const now = isoTime(world.nowMs())
  const id = newId(world, idPrefix.mail)
  const row = { id, kind, linkId, createdAt: now, nextAttemptAt: now }
  if (mail.kind === 'password_reset') {
    await tx('outbox').insert(row)
    return undefined
  }
  const { actor, address, spaceId } = mail
  const recorded = await recordMail(tx, world, {
    mailId: id,
    spaceId,
    memberId: linkId,
    kind,
    actor,
    address,
  })
  if (isProblem(recorded)) return recorded
  await tx('outbox').insert({ ...row, spaceId, ...(recorded.heldBy && held(recorded.heldBy)) })
  return undefined
}

const hourMs = 60 * 60 * 1000
/** Mails on security to one user within an hour. More tell nothing new, and would fill an inbox. */
const mostOnSecurity = 10

/** Queues a mail to a user, in the transaction `tx` of a change to what signs them in. Beyond the bound it queues nothing. */
export async function queueSecurityMail(
  tx: Knex.Transaction,
  world: World,
  mail: { readonly userId: string; readonly kind: SecurityMailKind },
): Promise<void> {
  const { kind, userId: linkId } = mail
  const nowMs = world.nowMs()
  const queued: string[] = await tx('outbox')
    .where({ linkId })
    .where('createdAt', '>', isoTime(nowMs - hourMs))
    .limit(mostOnSecurity)
    .pluck('id')
  if (queued.length >= mostOnSecurity) return
  const now = isoTime(nowMs)
  await tx('outbox').insert({
    ...{ id: newId(world, idPrefix.mail), kind, linkId },
    ...{ createdAt: now, nextAttemptAt: now },
  })
}

/** A mail that the caller of `claimMail` may now send. */
export interface ClaimedMail {
  readonly mailId: string
  /** Null for a mail that belongs to no Space. */
  readonly spaceId: string | null
  /** Null for a mail to a user. */
  readonly memberId: string | null
  readonly kind: MailKind
  readonly gateId: string | null
  /** The row whose link a mail to a user has; of a mail on security, the user; null for a mail to a member. */
  readonly linkId: string | null
  /** When it was queued. */
  readonly createdAt: string
  /** How many attempts there were, this one included. */
  readonly attempts: number
  /** The attempt before this one has no recorded end: its process was killed, and the mail may have been sent. */
  readonly isUnsure: boolean
}

interface Parts {
  readonly database: Database
  readonly world: World
}

/** Longer than any attempt takes (`sendWithinMs` of mailer.ts): a claim of this age was left behind by a dead process. */
const claimMs = 15 * 60 * 1000

/**
 * Claims the mail that has been due longest: its attempt is counted in the database before it begins, so that no
 * second process and no restart sends the same one. Undefined when none is due. Every claim must be ended with
 * `markSent`, `postpone` or `giveUp`; one without an error and without an end is what `isUnsure` finds later.
 */
export async function claimMail(parts: Parts): Promise<ClaimedMail | undefined> {
  for (;;) {
    const found = await claimNext(parts)
    // Another replica may have claimed it first: then there may be a next one.
    if (found !== 'taken') return found
  }
}

async function claimNext({ database, world }: Parts): Promise<ClaimedMail | 'taken' | undefined> {
  const open = (db: Db) => db('outbox').whereNull('sentAt').whereNull('givenUpAt')
  const row = await open(database.knex)
    .where('nextAttemptAt', '<=', isoTime(world.nowMs()))
    .orderBy(['nextAttemptAt', 'id'])
    .first()
  if (!row) return undefined
  const { id, attempts, createdAt, gateId, kind, linkId, memberId, nextAttemptAt, spaceId } = row
  const claim = (tx: Db) => {
    const until = isoTime(timeIn(tx, world) + claimMs)
    const attempted = { attempts: attempts + 1, nextAttemptAt: until, lastError: null }
    return open(tx).where({ id, spaceId, attempts, nextAttemptAt }).update(attempted)
  }
  const claimed = await database.write(claim, { spaceId })
  if (claimed === 0) return 'taken'
  const isUnsure = attempts > 0 && row.lastError === null
  const mail = { mailId: id, spaceId, memberId, kind, gateId, linkId, createdAt }
  return { ...mail, attempts: attempts + 1, isUnsure }
}

type Named = Pick<ClaimedMail, 'mailId' | 'spaceId'>

async function update({ database }: Parts, mail: Named, columns: object): Promise<void> {
  const { mailId: id, spaceId } = mail
  await database.write(tx => tx('outbox').where({ id, spaceId }).update(columns), { spaceId })
}

const keptSentMs = 30 * 24 * 60 * 60 * 1000
/** Each sent mail deletes this many expired ones, which keeps the table as small as the use of a month. */
const purgedAtOnce = 20

/** The mail was sent. The record of that is kept for 30 days; a mail that was given up stays. */
export async function markSent(parts: Parts, mail: Named): Promise<void> {
  const { database, world } = parts
  await update(parts, mail, { sentAt: isoTime(world.nowMs()) })
  const before = isoTime(world.nowMs() - keptSentMs)
  const expired = (tx: Db) =>
    tx('outbox').select('id').where('sentAt', '<=', before).orderBy('sentAt').limit(purgedAtOnce)
  await database.write(
    tx =>
      tx('outbox')
        .whereIn('id', unlocked(tx, expired(tx)))
        .delete(),
    { spaceId: null },
  )
}

/** The mail is tried again after `delayMs`. `why` must hold no secret and no link. */
export async function postpone(parts: Parts, mail: Named, delayMs: number, why: string): Promise<void> {
  await update(parts, mail, { nextAttemptAt: isoTime(parts.world.nowMs() + delayMs), lastError: why })
}

/** The mail waits until `bound` is free. The claim was no attempt. */
export async function holdBack(parts: Parts, mail: ClaimedMail, bound: FullBound): Promise<void> {
  await update(parts, mail, { attempts: mail.attempts - 1, ...held(bound) })
}

/** The mail is not tried again by itself. `why` must hold no secret and no link. */
export async function giveUp(parts: Parts, mail: Named, why: string): Promise<void> {
  await update(parts, mail, { givenUpAt: isoTime(parts.world.nowMs()), lastError: why })
}

export interface UnsentMail {
  readonly mailId: string
  readonly spaceId: string | null
  readonly memberId: string | null
  readonly kind: MailKind
  readonly state: 'waiting' | 'sending' | 'given_up'
  readonly createdAt: string
  readonly attempts: number
  /** When it is due; null once it was given up. */
  readonly nextAttemptAt: string | null
  /** Why the last attempt failed, or why there will be none. */
  readonly lastError: string | null
}

interface OutboxRow {
  readonly attempts: number
  readonly givenUpAt: string | null
  readonly lastError: string | null
}

function stateOf({ attempts, givenUpAt, lastError }: OutboxRow): UnsentMail['state'] {
  if (givenUpAt !== null) return 'given_up'
  return attempts > 0 && lastError === null ? 'sending' : 'waiting'
}

/** The newest mails that were not sent, at most `limit`; of all Spaces, or of one. */
export async function listUnsentMails(
  database: Database,
  given: { readonly spaceId?: string | undefined; readonly limit: number },
): Promise<readonly UnsentMail[]> {
  const query = database.knex('outbox').whereNull('sentAt')
  if (given.spaceId !== undefined) query.where({ spaceId: given.spaceId })
  const rows = await query
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
    .limit(given.limit)
  return rows.map(row => ({
    mailId: row.id,
    spaceId: row.spaceId,
    memberId: row.memberId,
    kind: row.kind,
    state: stateOf(row),
    createdAt: row.createdAt,
    attempts: row.attempts,
    nextAttemptAt: row.givenUpAt === null ? row.nextAttemptAt : null,
    lastError: row.lastError,
  }))
}

/** Makes an unsent mail due now, as if it were new; one that was sent, or is being sent, is left as it is. */
export async function retryMail(
  { database, world }: Parts,
  mailId: string,
): Promise<'due' | 'sent' | 'sending' | 'unknown'> {
  return database.write(async tx => {
    const row = await tx('outbox').where({ id: mailId }).first()
    if (!row) return 'unknown'
    if (row.sentAt !== null) return 'sent'
    if (stateOf(row) === 'sending') return 'sending'
    const fresh = { attempts: 0, givenUpAt: null, lastError: null, nextAttemptAt: isoTime(world.nowMs()) }
    await tx('outbox').where({ id: mailId, spaceId: row.spaceId }).update(fresh)
    return 'due'
  })
}
