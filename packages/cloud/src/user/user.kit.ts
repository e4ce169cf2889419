// Users of the dashboard for tests: made with a role and a session, without a password.

import type { RoleName } from '@callgate/contract/app/appOperation'
import { csrfHeader } from '@callgate/contract/app/session'
import type { World } from '@callgate/world/world'
import { actorWithoutId } from '../activity/activity.ts'
import type { Database } from '../database/database.ts'
import { csrfTokenOf } from '../http/visitor.ts'
import { beginSession } from './sessions.ts'
import { findUserByEmail, giveRole, insertUser } from './users.ts'

interface TestUserParts {
  readonly database: Database
  readonly world: World
}

/** A user in a signed-in browser. */
export interface SignedInBrowser {
  readonly userId: string
  readonly sessionId: string
  readonly email: string
  /** The secret of the session. */
  readonly token: string
  /** The headers that the dashboard's own script sends with each request, over http. */
  readonly headers: Readonly<Record<string, string>>
}

/** Begins one more session of a user. */
export async function signInAgain(
  parts: TestUserParts,
  user: { userId: string; email: string },
): Promise<SignedInBrowser> {
  const { database, world } = parts
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const begun = await database.write(tx => beginSession(tx, world, { userId: user.userId, userAgent }))
  const headers = {
    Cookie: `sid=${begun.token}`,
    'Sec-Fetch-Site': 'same-origin',
    [csrfHeader]: csrfTokenOf(begun.token),
  }
  return { ...user, ...begun, headers }
}

/** A new user, or the one with this e-mail, signed in, with a role in the Space. Without a Space the user has no role. */
export async function newUser(
  parts: TestUserParts,
  given: {
    readonly email: string
    readonly spaceId?: string
    readonly role?: RoleName
    readonly name?: string
  },
): Promise<SignedInBrowser> {
  const { database, world } = parts
  const { email, name = 'Olga Owner', role = 'owner', spaceId } = given
  const userId = await database.write(async tx => {
    const user = { email, name, language: 'en', passwordHash: null } as const
    const row = (await insertUser(tx, world, user)) ?? (await findUserByEmail(tx, email))
    if (!row) throw new Error('the user is not there')
    if (spaceId !== undefined)
      await giveRole(tx, world, row, { spaceId, role, by: actorWithoutId('operator') })
    return row.id
  })
  return signInAgain(parts, { userId, email })
}
