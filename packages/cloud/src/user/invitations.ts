// Invitations: an owner asks a person by mail to become a user of the Space, and the person accepts.

import type { RoleName } from '@callgate/contract/app/appOperation'
import type { Invitation } from '@callgate/contract/app/user'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Language } from '@callgate/contract/language'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { servedNow } from '../database/servedTime.ts'
import type { Seal } from '../secrets/sealing.ts'
import { mailedLinkUrl, newMailedLink, tokenHashOf } from './mailedLinks.ts'
import { emailKey } from './users.ts'

export const invitationValidMs = 72 * 60 * 60 * 1000

/** The maker of an invitation from the command line, who is no user. */
export const operatorMaker = 'operator'

export interface InvitationRow {
  readonly id: string
  readonly spaceId: string
  readonly email: string
  readonly name: string
  readonly role: RoleName
  readonly language: Language
  /** The name of the owner. */
  readonly invitedBy: string
  /** The owner, or `operatorMaker`; null where the owner is unknown, in which case the invitation admits nobody. */
  readonly madeById: string | null
  readonly tokenHash: string
  readonly tokenSealed: string
  readonly createdAt: string
  readonly expiresAt: string
}

export function toInvitation(row: InvitationRow): Invitation {
  const { createdAt, email, expiresAt, id, invitedBy, language, name, role } = row
  return { id, email, name, role, language, invitedBy, createdAt, expiresAt }
}

/** Adds an invitation, which replaces that of the same e-mail in the Space. */
export async function insertInvitation(
  tx: Knex.Transaction,
  { seal, world }: { readonly seal: Seal; readonly world: World },
  given: Pick<InvitationRow, 'spaceId' | 'email' | 'name' | 'role' | 'language' | 'invitedBy' | 'madeById'>,
): Promise<InvitationRow> {
  const id = newId(world, idPrefix.invitation)
  const nowMs = timeIn(tx, world)
  const row: InvitationRow = {
    ...given,
    id,
    email: emailKey(given.email),
    ...newMailedLink(world, seal, id),
    createdAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + invitationValidMs),
  }
  await tx('userInvitations').where({ spaceId: row.spaceId, email: row.email }).delete()
  await tx('userInvitations').insert({ ...row, servedMs: servedNow(tx) })
  return row
}

/** The invitations of a Space that can still be accepted, newest first. */
export function listInvitations(db: Db, spaceId: string, nowMs: number): Promise<InvitationRow[]> {
  return db<InvitationRow>('userInvitations')
    .where({ spaceId })
    .where('expiresAt', '>', isoTime(nowMs))
    .orderBy([
      { column: 'createdAt', order: 'desc' },
      { column: 'id', order: 'desc' },
    ])
}

/** The invitation of a link; undefined when it was used or withdrawn, is too old, or when its maker may no longer invite. */
export function findInvitation(db: Db, token: string, nowMs: number): Promise<InvitationRow | undefined> {
  return db('userInvitations as invitation')
    .leftJoin('userRoles as role', join =>
      join.on('role.userId', 'invitation.madeById').on('role.spaceId', 'invitation.spaceId'),
    )
    .leftJoin('users as maker', 'maker.id', 'role.userId')
    .where({ tokenHash: tokenHashOf(token) })
    .where(maker =>
      maker
        .where('invitation.madeById', operatorMaker)
        .orWhere({ 'role.role': 'owner', 'maker.deactivatedAt': null }),
    )
    .where('expiresAt', '>', isoTime(nowMs))
    .first<InvitationRow | undefined>('invitation.*')
}

/** The address with which an invitation is accepted; undefined where there is none of that id. */
export async function invitationUrl(
  db: Db,
  parts: { readonly appUrl: string; readonly seal: Seal },
  id: string,
): Promise<string | undefined> {
  const row = await db<InvitationRow>('userInvitations').where({ id }).first()
  return row && mailedLinkUrl(parts, 'user_invitation', row)
}

/** Ends an invitation. False where it has ended already, so that two requests at once accept it once. */
export async function takeInvitation(
  tx: Knex.Transaction,
  { id }: { readonly id: string },
): Promise<boolean> {
  return (await tx('userInvitations').where({ id }).delete()) === 1
}
