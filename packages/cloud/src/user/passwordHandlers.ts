// Passwords in the dashboard's API: changed by a signed-in user, or reset by a mailed link.

import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Database } from '../database/database.ts'
import { locked } from '../database/dialect.ts'
import { servedNow } from '../database/servedTime.ts'
import type { AppHandlers } from '../http/handler.ts'
import { queueSecurityMail, queueUserMail } from '../mail/outbox.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { DeviceMarks } from './deviceMarks.ts'
import { newMailedLink, tokenHashOf } from './mailedLinks.ts'
import { busy, type NewPasswords } from './newPasswords.ts'
import { type PasswordHashes, tooBusy } from './passwordHashes.ts'
import { endSessions } from './sessions.ts'
import { type SignInLimits, tooMany } from './signInLimits.ts'
import type { SigningIn } from './signingIn.ts'
import { findUserByEmail, setPasswordHash, type UserRow } from './users.ts'
import { underLocksOf } from './userWrites.ts'

export const resetValidMs = 60 * 60 * 1000
/** How many links of one user may be open. More would fill an inbox; fewer would let a stranger end the link of the user. */
const mostLinks = 3

interface PasswordHandlersParts {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly hashes: PasswordHashes
  readonly newPasswords: NewPasswords
  readonly limits: SignInLimits
  readonly marks: DeviceMarks
  readonly signingIn: SigningIn
}

const dead: Problem = {
  problem: 'not_found',
  message: 'This link does not work any more. Ask for a new one.',
}
const wrong: Problem = { problem: 'wrong_password', message: 'This is not your current password.' }

/**
 * Queues the mail with a link, if the account exists and has not too many links already. A stranger may cause this, so it locks
 * nothing but the row of the user, and writes nothing where there is none.
 */
async function mailLink({ database, seal, world }: PasswordHandlersParts, email: string): Promise<void> {
  const known = await findUserByEmail(database.knex, email)
  if (known?.deactivatedAt !== null) return
  const { id: userId } = known
  await database.write(
    async tx => {
      const user = await locked(tx, tx('users').where({ id: userId })).first('deactivatedAt')
      if (user?.deactivatedAt !== null) return
      const nowMs = world.nowMs()
      await tx('passwordResets').where({ userId }).where('expiresAt', '<=', isoTime(nowMs)).delete()
      const waiting: string[] = await tx('passwordResets').where({ userId }).pluck('id')
      if (waiting.length >= mostLinks) return
      const id = newId(world, idPrefix.passwordReset)
      const times = { createdAt: isoTime(nowMs), expiresAt: isoTime(nowMs + resetValidMs) }
      const link = { id, userId, ...newMailedLink(world, seal, id), ...times }
      await tx('passwordResets').insert({ ...link, servedMs: servedNow(tx) })
      await queueUserMail(tx, world, { kind: 'password_reset', linkId: id })
    },
    { spaceId: null },
  )
}

function resetHandlers(
  parts: PasswordHandlersParts,
): Pick<AppHandlers, 'requestPasswordReset' | 'resetPassword'> {
  const { database, marks, newPasswords, world } = parts

  const findReset = (token: string) =>
    database
      .knex('passwordResets as reset')
      .join('users as user', 'user.id', 'reset.userId')
      .where({ 'reset.tokenHash': tokenHashOf(token), deactivatedAt: null })
      .where('reset.expiresAt', '>', isoTime(world.nowMs()))
      .first<(UserRow & { readonly resetId: string }) | undefined>('user.*', 'reset.id as resetId')

  return {
    async requestPasswordReset({ body }) {
      // The answer does not wait for it, because its duration would reveal whether the account exists.
      mailLink(parts, body.email).catch((error: unknown) =>
        world.log.error('a mail to reset a password was not queued', { why: String(error) }),
      )
      return { status: 204 }
    },

    async resetPassword({ body, visitor, write }) {
      const found = await findReset(body.token)
      if (!found) return dead
      const passwordHash = await newPasswords.hash(body.password, found, found.totpEnabledAt !== null)
      if (passwordHash === tooBusy) return busy
      if (isProblem(passwordHash)) return passwordHash
      const { id: userId, resetId } = found
      return underLocksOf(database, [userId], (reach, widened) =>
        write(async tx => {
          const again = await widened(tx)
          if (again) return again
          if ((await tx('passwordResets').where({ id: resetId }).delete()) === 0) return dead
          await tx('passwordResets').where({ userId }).delete()
          await setPasswordHash(tx, userId, passwordHash)
          await endSessions(tx, userId)
          await queueSecurityMail(tx, world, { userId, kind: 'password_changed' })
          const user: UserRow = await tx('users').where({ id: userId }).first()
          // The owner of the mailbox is not a stranger, so the guesses of others must not keep this browser from signing in.
          // Where a second factor is required, the mailbox alone must not be worth a mark, whose guesses are counted separately.
          if (user.totpEnabledAt === null) visitor.keepDevice(marks.make(user))
          return { status: 204 } as const
        }, reach),
      )
    },
  }
}

export function passwordHandlers(
  parts: PasswordHandlersParts,
): Pick<AppHandlers, 'changePassword' | 'requestPasswordReset' | 'resetPassword'> {
  const { database, hashes, limits, newPasswords, signingIn, world } = parts
  return {
    ...resetHandlers(parts),

    async changePassword({ body, principal, visitor, write }) {
      const { email, sessionId, userId } = principal
      const user: UserRow = await database.knex('users').where({ id: userId }).first()
      // The session is counted separately, like a browser that has signed in.
      const { addressGroup } = visitor
      const attempt = await limits.begin({ email, addressGroup, deviceId: `session ${sessionId}` })
      if (!attempt.ok) return tooMany(attempt.againInMs)
      const isRight = await hashes.matches(body.currentPassword, user.passwordHash)
      if (isRight === false) return wrong
      await attempt.giveBack()
      if (isRight === tooBusy) return busy
      const passwordHash = await newPasswords.hash(body.password, user, user.totpEnabledAt !== null)
      if (passwordHash === tooBusy) return busy
      if (isProblem(passwordHash)) return passwordHash
      return write(async tx => {
        await setPasswordHash(tx, userId, passwordHash)
        await tx('passwordResets').where({ userId }).delete()
        await queueSecurityMail(tx, world, { userId, kind: 'password_changed' })
        return { status: 200, body: { csrfToken: await signingIn.renew(tx, visitor, userId) } } as const
      })
    },
  }
}
