// The last step of every way to sign in: a new session replaces the browser's old one.

import type { Session } from '@callgate/contract/app/session'
import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import { csrfTokenOf, type Visitor } from '../http/visitor.ts'
import type { DeviceMarks } from './deviceMarks.ts'
import { beginSession, endSessionOf, endSessions, readSession, userOfSession } from './sessions.ts'
import type { UserRow } from './users.ts'

/** One answer for an unknown e-mail, a wrong password, code or passkey, and an account that may not sign in. */
export const notRight = (what: string): Problem => ({
  problem: 'unauthorized',
  message: `${what} Check it and try again.`,
})

export interface SigningIn {
  /**
   * The users whose rows a sign-in changes: it may end the session that another user has left in this browser. See
   * `underLocksOf`.
   */
  usersOf(visitor: Visitor, userId: string): Promise<readonly string[]>
  /** Begins the session in the transaction `tx`, and gives the browser its cookies. */
  finish(tx: Knex.Transaction, visitor: Visitor, userId: string): Promise<Session>
  /** Ends all sessions of the user and begins a new one for this browser. Returns its new token against forgery. */
  renew(tx: Knex.Transaction, visitor: Visitor, userId: string): Promise<string>
}

export function createSigningIn({
  database,
  marks,
  world,
}: {
  database: Database
  marks: DeviceMarks
  world: World
}): SigningIn {
  /** Gives this browser a new mark of the account in its present state. */
  async function keepMark(tx: Knex.Transaction, visitor: Visitor, userId: string): Promise<void> {
    const user: UserRow = await tx('users').where({ id: userId }).first()
    visitor.keepDevice(marks.make(user, marks.read(visitor.deviceMark, user)))
  }

  return {
    async usersOf({ sessionToken }, userId) {
      const before = sessionToken === undefined ? undefined : await userOfSession(database.knex, sessionToken)
      return before === undefined || before === userId ? [userId] : [userId, before]
    },

    async finish(tx, visitor, userId) {
      // A session from before the sign-in never continues after it.
      if (visitor.sessionToken !== undefined) await endSessionOf(tx, visitor.sessionToken)
      const begun = await beginSession(tx, world, { userId, userAgent: visitor.userAgent })
      visitor.keepSession(begun.token)
      await keepMark(tx, visitor, userId)
      return readSession(tx, world, { userId, ...begun })
    },

    async renew(tx, visitor, userId) {
      await endSessions(tx, userId)
      const { token } = await beginSession(tx, world, { userId, userAgent: visitor.userAgent })
      visitor.keepSession(token)
      await keepMark(tx, visitor, userId)
      return csrfTokenOf(token)
    },
  }
}
