// The second factor in the dashboard's API: set up an authenticator app, require its codes at the sign-in, and remove it.

import { refuse } from '@callgate/contract/app/refusals'
import type { Problem } from '@callgate/contract/rest/problem'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import type { AppHandlers } from '../http/handler.ts'
import { queueSecurityMail } from '../mail/outbox.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { DeviceMarks } from './deviceMarks.ts'
import type { PasskeyRow } from './passkeys.ts'
import { markOfHash } from './passwordHashes.ts'
import { confirmedMs, isConfirmed, type SessionRow } from './sessions.ts'
import { type SignInLimits, tooMany } from './signInLimits.ts'
import { notRight, type SigningIn } from './signingIn.ts'
import type { Tickets } from './tickets.ts'
import { endTotp, hasFormOfApp, newTotp, renewRecoveryCodes, takeRecoveryCode, takeTotp } from './totp.ts'
import type { UserRow } from './users.ts'
import { underLocksOf } from './userWrites.ts'
import { countCode, forgetWrongCodes } from './wrongCodes.ts'

interface SecondFactorHandlersParts {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly limits: SignInLimits
  readonly marks: DeviceMarks
  readonly tickets: Tickets
  readonly signingIn: SigningIn
}

const isOn = refuse('codes_on')
const wrong = notRight('The code is not right, or was used already.')
const late: Problem = {
  problem: 'unauthorized',
  message: 'The sign-in took too long. Begin again with e-mail and password.',
}

function setUp(
  parts: SecondFactorHandlersParts,
): Pick<AppHandlers, 'startTotp' | 'enableTotp' | 'disableTotp' | 'renewRecoveryCodes'> {
  const { seal, signingIn, world } = parts
  return {
    startTotp: ({ principal, write }) =>
      write(async tx => {
        const of = { id: principal.userId }
        const user: UserRow = await tx('users').where(of).first()
        if (user.totpEnabledAt !== null) return isOn
        const { secret, totpSealed, uri } = newTotp({ seal, world }, user)
        await tx('users').where(of).update({ totpSealed, totpStep: null })
        return { status: 200, body: { secret, uri } } as const
      }),

    enableTotp: ({ body, principal, visitor, write }) =>
      write(async tx => {
        const { userId } = principal
        const user: UserRow = await tx('users').where({ id: userId }).first()
        if (user.totpEnabledAt !== null) return isOn
        if (user.totpSealed === null) return refuse('codes_not_begun')
        if (!(await takeTotp(tx, { seal, world }, user, body.code))) return refuse('code_wrong')
        await tx('users')
          .where({ id: userId })
          .update({ totpEnabledAt: isoTime(world.nowMs()) })
        const recoveryCodes = await renewRecoveryCodes(tx, world, userId)
        await queueSecurityMail(tx, world, { userId, kind: 'codes_enabled' })
        const csrfToken = await signingIn.renew(tx, visitor, userId)
        return { status: 200, body: { recoveryCodes, csrfToken } } as const
      }),

    disableTotp: ({ principal, write }) =>
      write(async tx => {
        const { userId } = principal
        const user: UserRow = await tx('users').where({ id: userId }).first()
        await endTotp(tx, userId)
        if (user.totpEnabledAt !== null)
          await queueSecurityMail(tx, world, { userId, kind: 'codes_disabled' })
        return { status: 204 } as const
      }),

    renewRecoveryCodes: ({ principal, write }) =>
      write(async tx => {
        const { userId } = principal
        const user: UserRow = await tx('users').where({ id: userId }).first()
        if (user.totpEnabledAt === null) return refuse('codes_off')
        const recoveryCodes = await renewRecoveryCodes(tx, world, userId)
        await queueSecurityMail(tx, world, { userId, kind: 'recovery_codes_renewed' })
        return { status: 200, body: { recoveryCodes } } as const
      }),
  }
}

/**
 * Counts a code of the app before it is checked, so that many at once are counted, too. Recovery codes cannot be guessed, and
 * never lock the app.
 */
async function countGuess(
  { database, limits, world }: SecondFactorHandlersParts,
  { id, totpEnabledAt }: UserRow,
  { code, deviceId }: { readonly code: string; readonly deviceId: string | undefined },
) {
  const giveBack = async () => {}
  if (!hasFormOfApp(code)) return { isOfApp: false, takesApp: false, giveBack }
  const counted = await limits.beginCode({ factor: `${id} ${totpEnabledAt}`, deviceId })
  if (!counted.ok) return { isOfApp: true, takesApp: false, giveBack }
  return { isOfApp: true, takesApp: await countCode(database, world, id), giveBack: counted.giveBack }
}

export function secondFactorHandlers(
  parts: SecondFactorHandlersParts,
): Pick<
  AppHandlers,
  'startTotp' | 'enableTotp' | 'disableTotp' | 'renewRecoveryCodes' | 'getSecurity' | 'signInWithCode'
> {
  const { database, limits, marks, seal, signingIn, tickets, world } = parts
  return {
    ...setUp(parts),

    async getSecurity({ principal }) {
      const { sessionId, userId } = principal
      const { knex } = database
      const user: UserRow = await knex('users').where({ id: userId }).first()
      const codes: string[] = await knex('recoveryCodes').where({ userId }).pluck('codeHash')
      const passkeys: PasskeyRow[] = await knex('passkeys').where({ userId }).orderBy(['createdAt', 'id'])
      const session: SessionRow = await knex('sessions').where({ id: sessionId }).first()
      const isFresh = isConfirmed(session, world.nowMs())
      const body = {
        totpEnabledAt: user.totpEnabledAt,
        recoveryCodesLeft: codes.length,
        passkeys: passkeys.map(({ createdAt, id, lastUsedAt, name }) => ({
          id,
          name,
          createdAt,
          lastUsedAt,
        })),
        confirmedUntil: isFresh ? isoTime(Date.parse(session.confirmedAt ?? '') + confirmedMs) : null,
      }
      return { status: 200, body }
    },

    async signInWithCode({ body, visitor, write }) {
      const [userId, mark] = tickets.read('code', body.ticket)?.split(' ') ?? []
      /** The user of the ticket, while they may sign in with the password for which it was given. */
      const find = async (db: Db): Promise<UserRow | undefined> => {
        const user: UserRow | undefined = await db('users')
          .where({ id: userId ?? '' })
          .first()
        return user?.deactivatedAt === null && markOfHash(user.passwordHash) === mark ? user : undefined
      }
      const known = await find(database.knex)
      if (!known) return late
      const { email, id } = known
      const deviceId = marks.read(visitor.deviceMark, known)
      const attempt = await limits.begin({ email, addressGroup: visitor.addressGroup, deviceId })
      if (!attempt.ok) return tooMany(attempt.againInMs)
      const { isOfApp, takesApp, ...code } = await countGuess(parts, known, { code: body.code, deviceId })
      let isRight = false
      const userIds = await signingIn.usersOf(visitor, id)
      const answer = await underLocksOf(database, userIds, (reach, widened) =>
        write(async tx => {
          const again = await widened(tx)
          if (again) return again
          const user = await find(tx)
          if (!user) return late
          isRight =
            (takesApp && (await takeTotp(tx, { seal, world }, user, body.code))) ||
            (await takeRecoveryCode(tx, id, body.code))
          if (!isRight) return takesApp || !isOfApp ? wrong : refuse('codes_locked')
          await forgetWrongCodes(tx, id)
          return { status: 200, body: await signingIn.finish(tx, visitor, id) } as const
        }, reach),
      )
      if (isRight) await attempt.giveBack()
      if (isRight) await code.giveBack()
      return answer
    },
  }
}
