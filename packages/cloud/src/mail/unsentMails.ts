// The mails that were not sent, for the operator: listed, and made due again.

import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { MailKind } from './outbox.ts'

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
  /** Why the last attempt failed, or why there will be no further one. */
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

/** Makes an unsent mail due now, like a new one. A mail that was sent, or is being sent, stays unchanged. */
export async function retryMail(
  { database, world }: { readonly database: Database; readonly world: World },
  mailId: string,
): Promise<'due' | 'sent' | 'sending' | 'unknown'> {
  return database.write(async tx => {
    const row = await tx('outbox').where({ id: mailId }).first()
    if (!row) return 'unknown'
    if (row.sentAt !== null) return 'sent'
    if (stateOf(row) === 'sending') return 'sending'
    const due = { nextAttemptAt: isoTime(world.nowMs()) }
    const fresh = { attempts: 0, givenUpAt: null, lastError: null, failedAt: null, ...due }
    await tx('outbox').where({ id: mailId, spaceId: row.spaceId }).update(fresh)
    return 'due'
  })
}
