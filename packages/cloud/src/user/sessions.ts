// Sessions: a browser on which a user has signed in; begun, found, used and ended.

import { createHash } from 'node:crypto'
import type { RoleName } from '@callgate/contract/app/appOperation'
import { spaceBase } from '@callgate/contract/app/appRoutes'
import type { Session, UserSpace } from '@callgate/contract/app/session'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Language } from '@callgate/contract/language'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import { isSessionAlive } from '../core/permit.ts'
import { planInForce } from '../core/plan.ts'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { unlocked } from '../database/dialect.ts'
import { servedNow } from '../database/servedTime.ts'
import { statement } from '../database/statement.ts'
import type { FoundSession, Sessions } from '../http/userAdmission.ts'
import { csrfTokenOf, sessionWithinMs } from '../http/visitor.ts'
import { browserWords } from './browserWords.ts'
import type { UserRow } from './users.ts'
import { writeOfUsers } from './userWrites.ts'

const tokenBytes = 32
const lastSeenEveryMs = 60_000
/** Each new session deletes this many that have ended by time, which keeps the table as small as the use of a week. */
const purgedAtOnce = 20

/** The form of every session's secret: 32 bytes in base64url. */
const tokenForm = /^[\w-]{43}$/

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

export interface SessionRow {
  readonly id: string
  readonly userId: string
  readonly tokenHash: string
  readonly browser: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly expiresAt: string
  /** When the user last confirmed their identity in it; null: never, as after an invitation. */
  readonly confirmedAt: string | null
}

/** Begins a session of a user who has just proved their identity. The secret of 256 random bits is only in the answer. */
export async function beginSession(
  tx: Db,
  world: World,
  { userAgent, userId }: { readonly userId: string; readonly userAgent: string },
): Promise<{ readonly token: string; readonly sessionId: string }> {
  const nowMs = timeIn(tx, world)
  const over = tx('sessions')
    .select('id')
    .where('expiresAt', '<=', isoTime(nowMs))
    .orderBy('expiresAt')
    .limit(purgedAtOnce)
  await tx('sessions').whereIn('id', unlocked(tx, over)).delete()
  const token = Buffer.from(world.randomBytes(tokenBytes)).toString('base64url')
  const createdAt = isoTime(nowMs)
  const row: SessionRow = {
    id: newId(world, idPrefix.session),
    userId,
    tokenHash: hashOf(token),
    browser: browserWords(userAgent),
    createdAt,
    lastSeenAt: createdAt,
    expiresAt: isoTime(nowMs + sessionWithinMs),
    confirmedAt: createdAt,
  }
  await tx('sessions').insert({ ...row, servedMs: servedNow(tx) })
  return { token, sessionId: row.id }
}

/** Ends one session of a user. Openings that it has pressed and that are not granted lead to no call any more. */
export async function endSession(tx: Db, { sessionId, userId }: { sessionId: string; userId: string }) {
  await tx('sessions').where({ id: sessionId, userId }).delete()
}

/** Ends the session with this secret, if there is one. */
export async function endSessionOf(tx: Db, token: string): Promise<void> {
  await tx('sessions')
    .where({ tokenHash: hashOf(token) })
    .delete()
}

/** Ends all sessions of a user, or all but one. */
export async function endSessions(tx: Db, userId: string, exceptId = ''): Promise<void> {
  await tx('sessions').where({ userId }).whereNot({ id: exceptId }).delete()
}

/** By how much the clocks of several clouds may differ. */
const clocksDifferMs = 60_000

/** How long a confirmation holds. */
export const confirmedMs = 5 * 60_000

/** Whether the user has confirmed their identity in the last five minutes. */
export function isConfirmed({ confirmedAt }: Pick<SessionRow, 'confirmedAt'>, nowMs: number): boolean {
  if (confirmedAt === null) return false
  const agoMs = nowMs - Date.parse(confirmedAt)
  // Of several clouds, one may be a little ahead. A later time was written by a wrong clock.
  return agoMs > -clocksDifferMs && agoMs < confirmedMs
}

interface FoundRow {
  readonly sessionId: string
  readonly userId: string
  readonly email: string
  readonly name: string
  readonly deactivatedAt: string | null
  readonly lastSeenAt: string
  readonly expiresAt: string
  readonly confirmedAt: string | null
  readonly spaceId: string | null
  readonly role: RoleName | null
  readonly country: string | null
}

const sessionByHash = statement<{ readonly tokenHash: string; readonly spaceId: string }, FoundRow>(
  (db, { spaceId, tokenHash }) =>
    db('sessions as session')
      .join('users as user', 'user.id', 'session.userId')
      .leftJoin('userRoles as role', join => join.on('role.userId', 'user.id').onVal('role.spaceId', spaceId))
      .leftJoin('spaces as space', 'space.id', 'role.spaceId')
      .where('session.tokenHash', tokenHash)
      .select({
        sessionId: 'session.id',
        userId: 'user.id',
        email: 'user.email',
        name: 'user.name',
        deactivatedAt: 'user.deactivatedAt',
        lastSeenAt: 'session.lastSeenAt',
        expiresAt: 'session.expiresAt',
        confirmedAt: 'session.confirmedAt',
        spaceId: 'space.id',
        role: 'role.role',
        country: 'space.country',
      }),
)

function foundSession(row: FoundRow, nowMs: number): FoundSession {
  const { country, email, name, role, sessionId, spaceId, userId } = row
  const isUseDue = nowMs - Date.parse(row.lastSeenAt) >= lastSeenEveryMs
  const signedIn = { userId, sessionId, email, name, isConfirmed: isConfirmed(row, nowMs) }
  if (spaceId === null || role === null || country === null)
    return { signedIn, principal: undefined, isUseDue }
  const identity = { kind: 'user', userId, sessionId } as const
  const base = spaceBase.replace(':spaceId', spaceId)
  return {
    signedIn,
    principal: {
      spaceId,
      identity,
      actor: `user:${email}`,
      name,
      email,
      country,
      base,
      role,
      isConfirmed: signedIn.isConfirmed,
    },
    isUseDue,
  }
}

/** The sessions in the form for the HTTP layer. */
export function createSessions({ database, world }: { database: Database; world: World }): Sessions {
  return {
    async find(token, spaceId = '', db = database.knex) {
      if (!tokenForm.test(token)) return undefined
      const [row] = await sessionByHash(db, { tokenHash: hashOf(token), spaceId })
      const nowMs = timeIn(db, world)
      return row && isSessionAlive(row, nowMs) ? foundSession(row, nowMs) : undefined
    },
    async recordUse(sessionId) {
      const lastSeenAt = isoTime(world.nowMs())
      const write = (tx: Db) => tx('sessions').where({ id: sessionId }).update({ lastSeenAt })
      await database.write(write, { spaceId: null })
    },
    writeOf: (userId, write) => writeOfUsers(database, [userId], write),
  }
}

/** The user of the session with this secret, if there is one. */
export async function userOfSession(db: Db, token: string): Promise<string | undefined> {
  const row = await db('sessions')
    .where({ tokenHash: hashOf(token) })
    .first('userId')
  return row?.userId
}

/** The Spaces in which a user has a role, in the order of the roles' creation. */
async function readSpaces(db: Db, userId: string, nowMs: number): Promise<UserSpace[]> {
  const rows = await db('userRoles')
    .join('spaces', 'spaces.id', 'userRoles.spaceId')
    .leftJoin('eventCounters', 'eventCounters.spaceId', 'spaces.id')
    .leftJoin('users as locker', 'locker.id', 'spaces.lockDownUserId')
    .where({ userId })
    .orderBy(['userRoles.createdAt', 'spaces.id'])
    .select(
      'spaces.id',
      'spaces.name',
      'mode',
      'role',
      'getsAlerts',
      'plan',
      'trialEndsAt',
      'country',
      'timezone',
      'spaces.language',
      'lastSeq',
      { lockDownAt: 'spaces.lockDownAt', lockedBy: 'locker.name' },
    )
  return rows.map(({ lastSeq, lockDownAt, lockedBy, ...row }) => ({
    ...row,
    lockDown: lockDownAt === null ? null : { since: lockDownAt, by: lockedBy },
    getsAlerts: Boolean(row.getsAlerts),
    plan: planInForce(row, nowMs),
    // There is no counter before the first event.
    lastEventId: Number(lastSeq ?? 0),
  }))
}

/** The dashboard's view of a session. `token` is its secret. */
export async function readSession(
  db: Db,
  world: World,
  given: { readonly userId: string; readonly sessionId: string; readonly token: string },
): Promise<Session> {
  const { sessionId, token, userId } = given
  const user: UserRow = await db('users').where({ id: userId }).first()
  const session: SessionRow = await db('sessions').where({ id: sessionId }).first()
  const { email, language, name } = user
  return {
    user: { id: userId, email, name, language: language satisfies Language },
    spaces: await readSpaces(db, userId, world.nowMs()),
    csrfToken: csrfTokenOf(token),
    expiresAt: session.expiresAt,
  }
}
