// Counts the wrong codes of an authenticator app in a row, for each user: from all browsers and networks together.

import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database, Db } from '../database/database.ts'
import { queueSecurityMail } from '../mail/outbox.ts'

/** After this many in a row only a recovery code signs in (NIST SP 800-63B, 5.2.2: at most 100). */
export const mostWrongCodes = 100
/** After this many the user gets a mail: whoever enters codes has already entered the right password. */
const toldAt = 10

/**
 * Counts a code as wrong before it is checked; `forgetWrongCodes` clears the count where it was right. Resolves with whether a
 * code of the app is accepted: not after `mostWrongCodes` in a row, until the user signs in with a recovery code.
 */
export function countCode(database: Database, world: World, userId: string): Promise<boolean> {
  const write = async (tx: Knex.Transaction) => {
    const counted = await tx('users')
      .where({ id: userId })
      .where('wrongCodes', '<', mostWrongCodes)
      .increment('wrongCodes', 1)
    if (counted === 0) return false
    const { wrongCodes } = await tx('users').where({ id: userId }).first('wrongCodes')
    if (wrongCodes === toldAt || wrongCodes === mostWrongCodes)
      await queueSecurityMail(tx, world, { userId, kind: 'codes_guessed' })
    return true
  }
  return database.write(write, { spaceId: null })
}

export async function forgetWrongCodes(tx: Db, userId: string): Promise<void> {
  await tx('users').where({ id: userId }).update({ wrongCodes: 0 })
}
