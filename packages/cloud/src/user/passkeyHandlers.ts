// Passkeys in the dashboard's API: added and removed, and used to sign in or to confirm.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import { type Database, isUniqueViolation } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { notFound } from '../http/notFound.ts'
import { queueSecurityMail } from '../mail/outbox.ts'
import { busy } from './newPasswords.ts'
import type { PasskeyRow, Passkeys } from './passkeys.ts'
import { type PasswordHashes, tooBusy } from './passwordHashes.ts'
import { confirmedMs } from './sessions.ts'
import { type SignInLimits, tooMany } from './signInLimits.ts'
import { notRight, type SigningIn } from './signingIn.ts'
import type { UserRow } from './users.ts'
import { underLocksOf } from './userWrites.ts'

const mostPasskeys = 20

interface PasskeyHandlersParts {
  readonly world: World
  readonly database: Database
  readonly hashes: PasswordHashes
  readonly limits: SignInLimits
  readonly passkeys: Passkeys
  readonly signingIn: SigningIn
}

const wrongKey = notRight('This passkey is not known here, or it took too long.')
const wrongPassword: Problem = { problem: 'wrong_password', message: 'This is not your current password.' }
const wrongOwnKey: Problem = { problem: 'wrong_password', message: 'This is not a passkey of yours.' }
const nothing: Problem = {
  problem: 'validation_error',
  message: 'password is needed, or ticket and credential of a passkey',
}

function ownPasskeys({
  database,
  passkeys,
  world,
}: PasskeyHandlersParts): Pick<AppHandlers, 'startPasskey' | 'addPasskey' | 'removePasskey'> {
  const knownOf = (userId: string): Promise<PasskeyRow[]> =>
    database.knex<PasskeyRow>('passkeys').where({ userId }).orderBy(['createdAt', 'id'])
  return {
    async startPasskey({ principal }) {
      const { email, name, userId } = principal
      const known = await knownOf(userId)
      return { status: 200, body: await passkeys.startRegistration({ id: userId, email, name }, known) }
    },

    async addPasskey({ body, principal, write }) {
      const { userId } = principal
      const row = await passkeys.finishRegistration(userId, body)
      if (!row) return refuse('passkey_unchecked')
      return write(async tx => {
        const ids: string[] = await tx('passkeys').where({ userId }).pluck('id')
        if (ids.length >= mostPasskeys) return refuse('passkeys_full', { most: mostPasskeys })
        try {
          await tx('passkeys').insert(row)
        } catch (error) {
          if (isUniqueViolation(error)) return refuse('passkey_known')
          throw error
        }
        await queueSecurityMail(tx, world, { userId, kind: 'passkey_added' })
        const { createdAt, id, lastUsedAt, name } = row
        return { status: 201, body: { passkey: { id, name, createdAt, lastUsedAt } } } as const
      })
    },

    removePasskey: ({ principal, params, write }) =>
      write(async tx => {
        const { userId } = principal
        const removed = await tx('passkeys').where({ id: params.passkeyId, userId }).delete()
        if (removed === 0) return notFound('passkey')
        await queueSecurityMail(tx, world, { userId, kind: 'passkey_removed' })
        return { status: 204 } as const
      }),
  }
}

function signingInByKey({
  database,
  passkeys,
  signingIn,
}: PasskeyHandlersParts): Pick<AppHandlers, 'startPasskeySignIn' | 'signInWithPasskey'> {
  return {
    async startPasskeySignIn() {
      return { status: 200, body: await passkeys.startAuthentication() }
    },

    async signInWithPasskey({ body, visitor, write }) {
      const used = await passkeys.finishAuthentication(database.knex, body)
      if (!used) return wrongKey
      const userIds = await signingIn.usersOf(visitor, used.userId)
      return underLocksOf(database, userIds, (reach, widened) =>
        write(async tx => {
          const again = await widened(tx)
          if (again) return again
          const user: UserRow | undefined = await tx('users').where({ id: used.userId }).first()
          if (user?.deactivatedAt !== null) return wrongKey
          if (!(await passkeys.noteUse(tx, used))) return wrongKey
          return { status: 200, body: await signingIn.finish(tx, visitor, used.userId) } as const
        }, reach),
      )
    },
  }
}

export function passkeyHandlers(
  parts: PasskeyHandlersParts,
): Pick<
  AppHandlers,
  | 'startPasskey'
  | 'addPasskey'
  | 'removePasskey'
  | 'startPasskeySignIn'
  | 'signInWithPasskey'
  | 'confirmSession'
> {
  const { database, hashes, limits, passkeys, world } = parts

  /** Why the password does not confirm; undefined when it does. A wrong one counts like that of a browser that has signed in. */
  async function checkPassword(
    { sessionId, userId }: { readonly sessionId: string; readonly userId: string },
    password: string,
  ): Promise<Problem | undefined> {
    const user: UserRow = await database.knex('users').where({ id: userId }).first()
    const counted = { email: user.email, addressGroup: '', deviceId: `session ${sessionId}` }
    const attempt = await limits.begin(counted)
    if (!attempt.ok) return tooMany(attempt.againInMs)
    const isRight = await hashes.matches(password, user.passwordHash)
    if (isRight !== false) await attempt.giveBack()
    if (isRight === tooBusy) return busy
    return isRight ? undefined : wrongPassword
  }

  return {
    ...ownPasskeys(parts),
    ...signingInByKey(parts),

    async confirmSession({ body, principal, write }) {
      const { sessionId, userId } = principal
      const { credential, password, ticket } = body
      const isByKey = ticket !== undefined && credential !== undefined
      const used = isByKey
        ? await passkeys.finishAuthentication(database.knex, { ticket, credential })
        : undefined
      if (isByKey && used?.userId !== userId) return wrongOwnKey
      if (!isByKey && password === undefined) return nothing
      const refused = isByKey ? undefined : await checkPassword(principal, password ?? '')
      if (refused) return refused
      return write(async tx => {
        const nowMs = world.nowMs()
        if (used && !(await passkeys.noteUse(tx, used))) return wrongOwnKey
        await tx('sessions')
          .where({ id: sessionId })
          .update({ confirmedAt: isoTime(nowMs) })
        return { status: 200, body: { confirmedUntil: isoTime(nowMs + confirmedMs) } } as const
      })
    },
  }
}
