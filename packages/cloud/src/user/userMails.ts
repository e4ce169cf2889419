// The contents of mails to users, read when each is sent: an invitation, a link to set a new password, or a message on security.

import { dashboardPaths } from '@callgate/contract/app/dashboardPaths'
import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'
import type { Addressee } from '../mail/mailDelivery.ts'
import type { ClaimedMail, SecurityMailKind } from '../mail/outbox.ts'
import type { Seal } from '../secrets/sealing.ts'
import { mailedLinkUrl } from './mailedLinks.ts'
import type { UserRow } from './users.ts'

interface UserMailsParts {
  readonly world: World
  readonly database: Database
  readonly seal: Seal
  readonly appUrl: string
}

const gone: Addressee = { ok: false, why: 'the link was used, taken back, or is too old' }

async function readInvitation(parts: UserMailsParts, id: string): Promise<Addressee> {
  const { database, world } = parts
  const row = await database
    .knex('userInvitations as invitation')
    .join('spaces as space', 'space.id', 'invitation.spaceId')
    .where('invitation.id', id)
    .where('invitation.expiresAt', '>', isoTime(world.nowMs()))
    .first('invitation.*', 'space.name as spaceName')
  if (!row) return gone
  const { email, invitedBy, language, name, spaceName } = row
  const link = mailedLinkUrl(parts, 'user_invitation', row)
  return {
    ok: true,
    address: email,
    facts: { kind: 'user_invitation', language, spaceName, invitedBy, memberName: name, link },
  }
}

async function readReset(parts: UserMailsParts, id: string): Promise<Addressee> {
  const { database, world } = parts
  const row = await database
    .knex('passwordResets as reset')
    .join('users as user', 'user.id', 'reset.userId')
    .where({ 'reset.id': id, deactivatedAt: null })
    .where('reset.expiresAt', '>', isoTime(world.nowMs()))
    .first('reset.id', 'tokenSealed', 'email', 'name', 'language')
  if (!row) return gone
  const link = mailedLinkUrl(parts, 'password_reset', row)
  const { email, language, name } = row
  return { ok: true, address: email, facts: { kind: 'password_reset', language, memberName: name, link } }
}

/** A user has no time zone: it is that of the oldest of the user's Spaces. */
async function timezoneOf(knex: Db, userId: string): Promise<string> {
  const space = await knex('userRoles as role')
    .join('spaces as space', 'space.id', 'role.spaceId')
    .where({ userId })
    .orderBy(['space.createdAt', 'space.id'])
    .first('timezone')
  return space?.timezone ?? 'UTC'
}

async function readSecurity(
  { appUrl, database }: UserMailsParts,
  mail: { readonly kind: SecurityMailKind; readonly userId: string; readonly createdAt: string },
): Promise<Addressee> {
  const { createdAt, kind, userId: id } = mail
  const user = await database.knex<UserRow>('users').where({ id, deactivatedAt: null }).first()
  if (!user) return { ok: false, why: 'the user is gone, or may not sign in any more' }
  const { email, language, name } = user
  const link = appUrl + dashboardPaths.passwordForgotten
  const at = { changedAtMs: Date.parse(createdAt), timezone: await timezoneOf(database.knex, id) }
  return { ok: true, address: email, facts: { kind, language, memberName: name, link, ...at } }
}

/** The addressee and the content of a mail to a user. Throws when its link cannot be unsealed. */
export async function readUserAddressee(
  parts: UserMailsParts,
  { createdAt, kind, linkId }: Pick<ClaimedMail, 'kind' | 'linkId' | 'createdAt'>,
): Promise<Addressee> {
  if (linkId === null) return gone
  switch (kind) {
    case 'user_invitation':
      return readInvitation(parts, linkId)
    case 'password_reset':
      return readReset(parts, linkId)
    // A mail to a member has no linkId; mails on incidents are read by the folder `alert`.
    case 'alert':
    case 'invitation':
    case 'access_granted':
      return gone
    default:
      return readSecurity(parts, { kind, userId: linkId, createdAt })
  }
}
