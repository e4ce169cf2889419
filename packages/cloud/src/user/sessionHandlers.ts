// The session in the dashboard's API: sign in, show the user, sign out.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import type { DeviceMarks } from './deviceMarks.ts'
import { busy } from './newPasswords.ts'
import { markOfHash, type PasswordHashes, tooBusy } from './passwordHashes.ts'
import { endSession, readSession } from './sessions.ts'
import { type SignInLimits, tooMany } from './signInLimits.ts'
import type { SigningIn } from './signingIn.ts'
import type { Tickets } from './tickets.ts'
import { emailKey, findUserByEmail, type UserRow } from './users.ts'
import { underLocksOf } from './userWrites.ts'

interface SessionHandlersParts {
  readonly world: World
  readonly database: Database
  readonly hashes: PasswordHashes
  readonly limits: SignInLimits
  readonly marks: DeviceMarks
  readonly tickets: Tickets
  readonly signingIn: SigningIn
}

/** One answer for an unknown e-mail, a wrong password and an account that may not sign in. */
const wrong: Problem = {
  problem: 'unauthorized',
  message: 'The e-mail or the password is not right. Check both and try again.',
}

const secondFactorNeeded = (ticket: string): Problem => ({
  problem: 'second_factor_needed',
  message: 'The password is right. Send the code that your authenticator app shows, or a recovery code.',
  extra: { ticket },
})

/** The hash to compare a password with; null where no password is right. */
const hashOf = (user: UserRow | undefined) => (user?.deactivatedAt === null ? user.passwordHash : null)

export function sessionHandlers(
  parts: SessionHandlersParts,
): Pick<AppHandlers, 'signIn' | 'getSession' | 'signOut'> {
  const { database, hashes, limits, marks, signingIn, tickets, world } = parts

  return {
    async signIn({ body, visitor, write }) {
      const email = emailKey(body.email)
      const user = await findUserByEmail(database.knex, email)
      const passwordHash = hashOf(user)
      const deviceId = marks.read(visitor.deviceMark, user)
      const attempt = await limits.begin({ email, addressGroup: visitor.addressGroup, deviceId })
      if (!attempt.ok) return tooMany(attempt.againInMs)
      const isRight = await hashes.matches(body.password, passwordHash)
      if (isRight === tooBusy) await attempt.giveBack()
      if (isRight === tooBusy) return busy
      if (!isRight || !user) return wrong
      await attempt.giveBack()
      if (user.totpEnabledAt !== null)
        return secondFactorNeeded(tickets.make('code', `${user.id} ${markOfHash(passwordHash)}`))
      const userIds = await signingIn.usersOf(visitor, user.id)
      return underLocksOf(database, userIds, (reach, widened) =>
        write(async tx => {
          const again = await widened(tx)
          if (again) return again
          const now = await findUserByEmail(tx, email)
          // While the password was compared, it may have been changed, or codes of an app enabled.
          if (hashOf(now) !== passwordHash || now?.totpEnabledAt !== null) return wrong
          return { status: 200, body: await signingIn.finish(tx, visitor, user.id) } as const
        }, reach),
      )
    },

    async getSession({ principal, visitor }) {
      const { sessionId, userId } = principal
      const token = visitor.sessionToken ?? ''
      return { status: 200, body: await readSession(database.knex, world, { userId, sessionId, token }) }
    },

    signOut: ({ principal, visitor, write }) =>
      write(async tx => {
        await endSession(tx, principal)
        visitor.dropSession()
        return { status: 204 } as const
      }),
  }
}
