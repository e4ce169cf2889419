// The outbox: mails that wait, were sent or were given up, stored as ids; the text of a mail is made when it is sent.

import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type FullLimit, heldBack } from '../core/mailLimits.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { unlocked } from '../database/dialect.ts'
import { statement, type Values } from '../database/statement.ts'
import { isSandbox } from '../space/spaceModes.ts'
import { recordMail } from './mailRecords.ts'
import { type MailTurn, nextMail, openMails } from './mailTurns.ts'

/** `invitation`: the member's link and all gates; `access_granted`: one more gate behind the same link. */
export type MemberMailKind = 'invitation' | 'access_granted'
/** To a user of the dashboard, with a link that works once. */
type LinkMailKind = 'user_invitation' | 'password_reset'
/** Mails that tell a user of changes to the sign-in. */
export const securityMailKinds = [
  'password_changed',
  'codes_enabled',
  'codes_disabled',
  /** After many wrong codes in a row that followed the right password. */
  'codes_guessed',
  'recovery_codes_renewed',
  'passkey_added',
  'passkey_removed',
  /** By the operator. */
  'factors_removed',
  /** To the other owners of a Space. */
  'owner_added',
] as const
export type SecurityMailKind = (typeof securityMailKinds)[number]
/** To a user of the dashboard who gets mails on incidents. */
type AlertMailKind = 'alert'
export type MailKind = MemberMailKind | LinkMailKind | SecurityMailKind | AlertMailKind

const held = (limit: FullLimit) => ({
  nextAttemptAt: isoTime(limit.freeMs),
  lastError: heldBack(limit),
})

/**
 * A mail of a sandbox is over when it is queued. So no mailer takes it, not even that of an earlier version beside this one, which
 * knows no sandbox.
 */
const overAtOnce = (isPlayed: boolean, now: string) => (isPlayed ? { sentAt: now } : {})

const insertRow = statement<Values, never>((db, row) => db('outbox').insert(row))

/**
 * Queues a mail to a member in the transaction `tx`. `gateId` is the gate of `access_granted`, otherwise null. When a limit on
 * mails is reached, it returns the problem and queues nothing.
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
    /** The actor that causes the mail, as in the activity. */
    readonly actor: string
  },
): Promise<Problem | undefined> {
  const { actor, address, gateId, kind, memberId, spaceId } = mail
  const now = isoTime(world.nowMs())
  const id = newId(world, idPrefix.mail)
  const recorded = await recordMail(tx, world, { mailId: id, spaceId, memberId, kind, actor, address })
  if (isProblem(recorded)) return recorded
  const due = recorded.heldBy ? held(recorded.heldBy) : { nextAttemptAt: now }
  const over = overAtOnce(recorded.isPlayed, now)
  await insertRow(tx, { id, spaceId, memberId, kind, gateId, createdAt: now, ...due, ...over })
  return undefined
}

/**
 * Queues a mail to a user in the transaction `tx`; `linkId` is the row of its link. An invitation counts against the limits on
 * mails of its Space: when one is reached, it returns the problem and queues nothing. A link for a new password belongs to no
 * Space, and must not wait because others fill the inbox.
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
  const over = overAtOnce(recorded.isPlayed, now)
  await tx('outbox').insert({ ...row, spaceId, ...(recorded.heldBy && held(recorded.heldBy)), ...over })
  return undefined
}

const hourMs = 60 * 60 * 1000
/** How many mails on security one user gets within an hour. More would say nothing new, and would fill an inbox. */
const mostOnSecurity = 10

/** Queues a mail to a user in the transaction `tx` of a change to the sign-in. Beyond the limit it queues nothing. */
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
    id: newId(world, idPrefix.mail),
    kind,
    linkId,
    createdAt: now,
    nextAttemptAt: now,
  })
}

/**
 * Queues a mail on incidents in the transaction `tx`; `linkId` is its row of `alertMails`. Such mails have limits of their own
 * (`alert/core/notification.ts`), so that they do not use up the Space's limit for mails to its members.
 */
export async function queueAlertMail(
  tx: Knex.Transaction,
  world: World,
  mail: { readonly spaceId: string; readonly linkId: string },
): Promise<void> {
  const now = isoTime(world.nowMs())
  const row = { id: newId(world, idPrefix.mail), kind: 'alert', createdAt: now, nextAttemptAt: now }
  await insertRow(tx, { ...row, ...mail, ...overAtOnce(await isSandbox(tx, mail.spaceId), now) })
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
  /** The row of the link in a mail to a user; the user for a mail on security; null for a mail to a member. */
  readonly linkId: string | null
  /** When it was queued. */
  readonly createdAt: string
  /** How many attempts there were, this one included. */
  readonly attempts: number
  /** Whether the previous attempt has no recorded end: its process was killed, and the mail may have been sent. */
  readonly isUnsure: boolean
}

interface OutboxParts {
  readonly database: Database
  readonly world: World
}

/** Longer than any attempt takes (`sendWithinMs` of mailer.ts): an older claim was left behind by a dead process. */
const claimMs = 15 * 60 * 1000

/**
 * Claims a mail: its attempt is counted in the database before it begins, so that no other process and no restart sends the same
 * mail. Undefined when none is due. Every claim must be ended with `markSent`, `postpone` or `giveUp`; a claim without an end
 * shows later as `isUnsure`.
 */
export async function claimMail(parts: OutboxParts, turn: MailTurn = {}): Promise<ClaimedMail | undefined> {
  for (;;) {
    const found = await claimNext(parts, turn)
    // Another replica may have claimed it first; in that case try the next one.
    if (found !== 'taken') return found
  }
}

async function claimNext(
  { database, world }: OutboxParts,
  turn: MailTurn,
): Promise<ClaimedMail | 'taken' | undefined> {
  const row = await nextMail(database.knex, isoTime(world.nowMs()), turn)
  if (!row) return undefined
  const { id, attempts, createdAt, gateId, kind, linkId, memberId, nextAttemptAt, spaceId } = row
  const claim = (tx: Db) => {
    const until = isoTime(timeIn(tx, world) + claimMs)
    const attempted = { attempts: attempts + 1, nextAttemptAt: until, lastError: null }
    return openMails(tx).where({ id, spaceId, attempts, nextAttemptAt }).update(attempted)
  }
  const claimed = await database.write(claim, { spaceId })
  if (claimed === 0) return 'taken'
  const isUnsure = attempts > 0 && row.lastError === null
  const mail = { mailId: id, spaceId, memberId, kind, gateId, linkId, createdAt }
  return { ...mail, attempts: attempts + 1, isUnsure }
}

type Named = Pick<ClaimedMail, 'mailId' | 'spaceId'>

async function update({ database }: OutboxParts, mail: Named, columns: object): Promise<void> {
  const { mailId: id, spaceId } = mail
  await database.write(tx => tx('outbox').where({ id, spaceId }).update(columns), { spaceId })
}

const keptSentMs = 30 * 24 * 60 * 60 * 1000
/** Each sent mail deletes this many expired ones, which keeps the table as small as the use of a month. */
const purgedAtOnce = 20

/** Marks the mail as sent. The record is kept for 30 days; a mail that was given up stays. */
export async function markSent(parts: OutboxParts, mail: Named): Promise<void> {
  const { database, world } = parts
  await update(parts, mail, { sentAt: isoTime(world.nowMs()) })
  const expired = (tx: Db) => {
    const before = isoTime(timeIn(tx, world) - keptSentMs)
    return tx('outbox').select('id').where('sentAt', '<=', before).orderBy('sentAt').limit(purgedAtOnce)
  }
  await database.write(
    tx =>
      tx('outbox')
        .whereIn('id', unlocked(tx, expired(tx)))
        .delete(),
    { spaceId: null },
  )
}

/** From this attempt on a waiting mail counts as failing: the first two may meet a server that restarts. */
const failingFrom = 3

/** Schedules the next attempt after `delayMs`. `why` must contain no secret and no link. */
export async function postpone(
  parts: OutboxParts,
  mail: Named & Pick<ClaimedMail, 'attempts'>,
  delayMs: number,
  why: string,
): Promise<void> {
  const nowMs = parts.world.nowMs()
  const failing = mail.attempts >= failingFrom ? { failedAt: isoTime(nowMs) } : {}
  await update(parts, mail, { nextAttemptAt: isoTime(nowMs + delayMs), lastError: why, ...failing })
}

/** Delays the mail until `limit` is free. The claim does not count as an attempt. */
export async function holdBack(parts: OutboxParts, mail: ClaimedMail, limit: FullLimit): Promise<void> {
  await update(parts, mail, { attempts: mail.attempts - 1, ...held(limit) })
}

/** Stops the automatic retries of a mail, which failed or is no longer needed. `why` must contain no secret and no link. */
export async function giveUp(
  parts: OutboxParts,
  mail: Named,
  because: 'failed' | 'not_needed',
  why: string,
): Promise<void> {
  const now = isoTime(parts.world.nowMs())
  const failedAt = because === 'failed' ? now : null
  await update(parts, mail, { givenUpAt: now, lastError: why, failedAt })
}
