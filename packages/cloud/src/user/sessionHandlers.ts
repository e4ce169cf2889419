// The session in the dashboard's API: sign in, who am I, sign out.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import type { DeviceMarks } from './deviceMarks.ts'
import { busy } from './newPasswords.ts'
import { type PasswordHashes, tooBusy } from './passwordHashes.ts'
import { beginSession, endSession, endSessionOf, readSession } from './sessions.ts'
import { type SignInLimits, tooMany } from './signInLimits.ts'
import { emailKey, findUserByEmail, type UserRow } from './users.ts'

interface Parts {
  readonly world: World
  readonly database: Database
  readonly hashes: PasswordHashes
  readonly limits: SignInLimits
  readonly marks: DeviceMarks
}

/** One answer for an unknown e-mail, a wrong password and an account that may not sign in. */
const wrong: Problem = {
  problem: 'unauthorized',
  message: 'The e-mail or the password is not right. Check both and try again.',
}

/** The hash that a password is compared with; null where no password is right. */
const hashOf = (user: UserRow | undefined) => (user?.deactivatedAt === null ? user.passwordHash : null)

export function sessionHandlers(parts: Parts): Pick<AppHandlers, 'signIn' | 'getSession' | 'signOut'> {
  const { database, hashes, limits, marks, world } = parts

  return {
    async signIn({ body, visitor, write }) {
      const email = emailKey(body.email)
      const user = await findUserByEmail(database.knex, email)
      const passwordHash = hashOf(user)
      const deviceId = marks.read(visitor.deviceMark, user?.id)
      const attempt = limits.begin({ email, addressGroup: visitor.addressGroup, deviceId })
      if (!attempt.ok) return tooMany(attempt.againInMs)
      const isRight = await hashes.matches(body.password, passwordHash)
      if (isRight === tooBusy) attempt.forgive()
      if (isRight === tooBusy) return busy
      if (!isRight || !user) return wrong
      attempt.forgive()
      return write(async tx => {
        // The password may have been changed while it was compared.
        if (hashOf(await findUserByEmail(tx, email)) !== passwordHash) return wrong
        // A session that was begun before somebody signed in is never the one after it.
        if (visitor.sessionToken !== undefined) await endSessionOf(tx, visitor.sessionToken)
        const { userAgent } = visitor
        const { sessionId, token } = await beginSession(tx, world, { userId: user.id, userAgent })
        const session = await readSession(tx, world, { userId: user.id, sessionId, token })
        visitor.keepSession(token)
        if (deviceId === undefined) visitor.keepDevice(marks.make(user.id))
        return { status: 200, body: session } as const
      })
    },

    async getSession({ caller, visitor }) {
      const { sessionId, userId } = caller
      const token = visitor.sessionToken ?? ''
      return { status: 200, body: await readSession(database.knex, world, { userId, sessionId, token }) }
    },

    signOut: ({ caller, visitor, write }) =>
      write(async tx => {
        await endSession(tx, caller)
        visitor.dropSession()
        return { status: 204 } as const
      }),
  }
}
