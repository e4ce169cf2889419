// Accepting an invitation in the dashboard's API, by a person who need not be signed in.

import type { Session } from '@callgate/contract/app/session'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database } from '../database/database.ts'
import type { AppHandlers, AppRequest } from '../http/handler.ts'
import { findInvitation, type InvitationRow, takeInvitation } from './invitations.ts'
import { busy, type NewPasswords } from './newPasswords.ts'
import { tooBusy } from './passwordHashes.ts'
import { beginSession, readSession } from './sessions.ts'
import { emailKey, findUserByEmail, giveRole, insertUser, type RoleRow, type UserRow } from './users.ts'
import { underLocksOf } from './userWrites.ts'

interface InvitationHandlersParts {
  readonly world: World
  readonly database: Database
  readonly newPasswords: NewPasswords
}

const dead: Problem = {
  problem: 'not_found',
  message: 'This invitation does not work any more. Ask whoever invited you for a new one.',
}

const invalid = (message: string): Problem => ({ problem: 'validation_error', message })

/** Makes the person a user of the Space. A person who has a role in it already keeps that role. */
async function join(tx: Knex.Transaction, world: World, user: UserRow, { role, spaceId }: InvitationRow) {
  const before = await tx<RoleRow>('userRoles').where({ userId: user.id, spaceId }).first()
  const by = { actor: `user:${user.email}`, actorId: user.id }
  if (!before) await giveRole(tx, world, user, { spaceId, role, by })
}

export function invitationHandlers(
  parts: InvitationHandlersParts,
): Pick<AppHandlers, 'readInvitation' | 'acceptInvitation'> {
  const { database, newPasswords, world } = parts

  /** Creates an account for a person without one, and a session. */
  async function acceptAsNew(
    invitation: InvitationRow,
    { body, visitor, write }: AppRequest<'acceptInvitation'>,
  ) {
    const { email, language, spaceId } = invitation
    const name = body.name ?? invitation.name
    if (body.password === undefined)
      return invalid('password is needed: there is no account of this e-mail yet')
    const passwordHash = await newPasswords.hash(body.password, { email, name }, false)
    if (passwordHash === tooBusy) return busy
    if (isProblem(passwordHash)) return passwordHash
    // The e-mail is a lock as well, so that two invitations of one person to two Spaces make one account.
    const reach = { spaceIds: [spaceId, emailKey(email)] }
    return write(async tx => {
      if (!(await takeInvitation(tx, invitation))) return dead
      const user = await insertUser(tx, world, { email, name, language, passwordHash })
      if (!user) return invalid('there is an account of this e-mail now: send the token alone')
      await join(tx, world, user, invitation)
      const begun = await beginSession(tx, world, { userId: user.id, userAgent: visitor.userAgent })
      const session: Session = await readSession(tx, world, { userId: user.id, ...begun })
      visitor.keepSession(begun.token)
      return { status: 200, body: { email, session } } as const
    }, reach)
  }

  return {
    async readInvitation({ body }) {
      const invitation = await findInvitation(database.knex, body.token, world.nowMs())
      if (!invitation) return dead
      const { email, expiresAt, invitedBy, name, role, spaceId } = invitation
      const space = await database.knex('spaces').where({ id: spaceId }).first('name')
      const hasAccount = (await findUserByEmail(database.knex, email)) !== undefined
      const told = { spaceName: space.name, invitedBy, role, email, name, hasAccount, expiresAt }
      return { status: 200, body: told }
    },

    async acceptInvitation(request) {
      const invitation = await findInvitation(database.knex, request.body.token, world.nowMs())
      if (!invitation) return dead
      const { email } = invitation
      const known = await findUserByEmail(database.knex, email)
      if (!known) return acceptAsNew(invitation, request)
      if (request.body.password !== undefined || request.body.name !== undefined)
        return invalid('name and password are not needed: there is an account of this e-mail already')
      return underLocksOf(database, [known.id], ({ spaceIds = [] }, widened) =>
        request.write(
          async tx => {
            const again = await widened(tx)
            if (again) return again
            const user = await findUserByEmail(tx, email)
            if (!user || !(await takeInvitation(tx, invitation))) return dead
            await join(tx, world, user, invitation)
            return { status: 200, body: { email, session: null } } as const
          },
          { spaceIds: [...spaceIds, invitation.spaceId] },
        ),
      )
    },
  }
}
