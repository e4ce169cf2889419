// Confirmations: a signed-in user shows once more who they are, before something that a stolen session must not do.

import type { Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import { limiter } from '../core/limits.ts'
import type { Database } from '../database/database.ts'
import type { UserCaller } from '../http/handler.ts'
import { type PasswordHashes, tooBusy } from './passwordHashes.ts'
import type { UserRow } from './users.ts'

const asked: Problem = {
  problem: 'confirmation_required',
  message: 'Send your password in the field password: a key that opens gates moves real gates.',
}
const wrong: Problem = { problem: 'confirmation_required', message: 'password is not your password.' }

const later = (afterS: number, why: string): Problem => ({
  problem: 'rate_limited',
  message: `${why} Try again in ${afterS} s.`,
  headers: { 'Retry-After': String(afterS) },
})

/** Judges the password of a user who is signed in: at most 10 wrong ones in 15 minutes. */
export function createConfirmations({
  database,
  hashes,
  world,
}: {
  readonly database: Database
  readonly hashes: PasswordHashes
  readonly world: World
}): (caller: UserCaller, password: string | undefined) => Promise<Problem | undefined> {
  const limit = limiter({ most: 10, windowMs: 15 * 60_000 })
  return async ({ asker: { userId }, isConfirmed }, password) => {
    if (password === undefined) return isConfirmed ? undefined : asked
    const standing = limit.take(userId, world.monotonicMs())
    if (!standing.isTaken)
      return later(Math.ceil(standing.nextMs / 1000), 'There were too many wrong passwords.')
    const user = await database.knex<UserRow>('users').where({ id: userId }).first()
    const isRight = await hashes.matches(password, user?.passwordHash ?? null)
    if (isRight !== false) limit.giveBack(userId)
    if (isRight === tooBusy) return later(2, 'Many people sign in at this moment.')
    return isRight ? undefined : wrong
  }
}
