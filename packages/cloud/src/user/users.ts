// Users: the people who sign in to the dashboard, and what each may do in which Space.

import type { RoleName } from '@callgate/contract/app/appOperation'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Language } from '@callgate/contract/language'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Actor, recordActivity } from '../activity/activity.ts'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { queueSecurityMail } from '../mail/outbox.ts'
import { endInvitationsOf } from './endInvitations.ts'
import { showAdmins } from './memberOfUser.ts'

export interface UserRow {
  readonly id: string
  readonly email: string
  readonly name: string
  readonly language: Language
  readonly passwordHash: string | null
  readonly createdAt: string
  readonly deactivatedAt: string | null
  /** The secret of the authenticator app; it is in use once `totpEnabledAt` is set. */
  readonly totpSealed: string | null
  readonly totpEnabledAt: string | null
  /** Wrong codes of the app in a row, including those that are being checked. */
  readonly wrongCodes: number
}

export interface RoleRow {
  readonly userId: string
  readonly spaceId: string
  readonly role: RoleName
  readonly memberId: string | null
  /** Whether the user gets mails on incidents of the Space; a boolean in the database's form. */
  readonly getsAlerts: boolean
  readonly createdAt: string
}

/** An e-mail address as the key of a user: without case, and in one Unicode composition. */
export function emailKey(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

export function findUserByEmail(db: Db, email: string): Promise<UserRow | undefined> {
  return db<UserRow>('users')
    .where({ email: emailKey(email) })
    .first()
}

/** Locks a user out since `deactivatedAt`; null lets them sign in again. */
export async function setDeactivated(tx: Db, userId: string, deactivatedAt: string | null): Promise<void> {
  await tx('users').where({ id: userId }).update({ deactivatedAt })
}

export async function setPasswordHash(tx: Db, userId: string, passwordHash: string): Promise<void> {
  await tx('users').where({ id: userId }).update({ passwordHash })
}

/** Removes all passkeys of a user. */
export async function endPasskeys(tx: Db, userId: string): Promise<void> {
  await tx('passkeys').where({ userId }).delete()
}

/** Adds a user without permissions. Undefined where the e-mail is taken. */
export async function insertUser(
  tx: Knex.Transaction,
  world: World,
  given: Pick<UserRow, 'email' | 'name' | 'language' | 'passwordHash'>,
): Promise<UserRow | undefined> {
  if (await findUserByEmail(tx, given.email)) return undefined
  const row: UserRow = {
    ...given,
    id: newId(world, idPrefix.user),
    email: emailKey(given.email),
    createdAt: isoTime(timeIn(tx, world)),
    deactivatedAt: null,
    totpSealed: null,
    totpEnabledAt: null,
    wrongCodes: 0,
  }
  await tx('users').insert(row)
  return row
}

/** Whether the Space has no other owner who may sign in. */
async function isLastOwner(
  tx: Knex.Transaction,
  { spaceId, userId }: Pick<RoleRow, 'userId' | 'spaceId'>,
): Promise<boolean> {
  const owners: string[] = await tx('userRoles')
    .join('users', 'users.id', 'userRoles.userId')
    .where({ spaceId, role: 'owner', deactivatedAt: null })
    .pluck('userId')
  return owners.includes(userId) && owners.length === 1
}

/** Tells the owners of a Space by mail that another person becomes an owner. */
async function tellOwners(
  tx: Knex.Transaction,
  world: World,
  { spaceId, userId }: Pick<RoleRow, 'userId' | 'spaceId'>,
): Promise<void> {
  const owners: string[] = await tx('userRoles').where({ spaceId, role: 'owner' }).pluck('userId')
  for (const owner of owners)
    if (owner !== userId) await queueSecurityMail(tx, world, { userId: owner, kind: 'owner_added' })
}

/**
 * Gives the user a role in a Space, or changes it, with its activity entry. False where that would leave the Space without an
 * owner.
 */
export async function giveRole(
  tx: Knex.Transaction,
  world: World,
  user: Pick<UserRow, 'id' | 'name'>,
  given: { readonly spaceId: string; readonly role: RoleName; readonly by: Actor },
): Promise<boolean> {
  const { by, role, spaceId } = given
  const place = { userId: user.id, spaceId }
  const before: RoleRow | undefined = await tx<RoleRow>('userRoles').where(place).first()
  if (before?.role === role) return true
  if (before?.role === 'owner' && (await isLastOwner(tx, place))) return false
  const of = { spaceId, ...by, targetId: user.id, targetLabel: user.name }
  if (role === 'owner') await tellOwners(tx, world, place)
  if (before) {
    await tx('userRoles').where(place).update({ role })
    if (role !== 'owner') await endInvitationsOf(tx, world, { ...place, by })
    const details = { changes: { role: { from: before.role, to: role } } }
    await recordActivity(tx, world, { ...of, action: 'user.role_changed', details })
    return true
  }
  const createdAt = isoTime(timeIn(tx, world))
  await tx('userRoles').insert({ ...place, role, memberId: null, getsAlerts: true, createdAt })
  await recordActivity(tx, world, { ...of, action: 'user.joined', details: { role } })
  return true
}

/** Sets whether the user gets mails on incidents of a Space, with its activity entry. */
export async function chooseAlerts(
  tx: Knex.Transaction,
  world: World,
  user: Pick<UserRow, 'id' | 'name'>,
  given: { readonly spaceId: string; readonly getsAlerts: boolean; readonly by: Actor },
): Promise<void> {
  const { by, getsAlerts, spaceId } = given
  const place = { userId: user.id, spaceId }
  const before = await tx<RoleRow>('userRoles').where(place).first()
  if (!before || Boolean(before.getsAlerts) === getsAlerts) return
  await tx('userRoles').where(place).update({ getsAlerts })
  const of = { spaceId, ...by, targetId: user.id, targetLabel: user.name }
  const details = { changes: { getsAlerts: { from: !getsAlerts, to: getsAlerts } } }
  await recordActivity(tx, world, { ...of, action: 'user.alerts_changed', details })
}

/** Removes the user's role in a Space. False where that would leave the Space without an owner. */
export async function takeRole(
  tx: Knex.Transaction,
  world: World,
  user: Pick<UserRow, 'id' | 'name'>,
  given: { readonly spaceId: string; readonly by: Actor },
): Promise<boolean> {
  const { by, spaceId } = given
  const place = { userId: user.id, spaceId }
  const before = await tx<RoleRow>('userRoles').where(place).first()
  if (!before) return true
  if (await isLastOwner(tx, place)) return false
  await tx('userRoles').where(place).delete()
  await endInvitationsOf(tx, world, { ...place, by })
  await showAdmins(tx, [before])
  const of = { spaceId, ...by, targetId: user.id, targetLabel: user.name }
  await recordActivity(tx, world, { ...of, action: 'user.removed', details: {} })
  return true
}

export interface ListedUser extends Omit<UserRow, 'passwordHash' | 'totpSealed'> {
  readonly roles: readonly Pick<RoleRow, 'spaceId' | 'role'>[]
}

/** All users with their roles, oldest first; or those of one Space, with their role in it. */
export async function listUsers(db: Db, spaceId?: string): Promise<readonly ListedUser[]> {
  const roles: RoleRow[] = await db<RoleRow>('userRoles')
    .where(spaceId === undefined ? {} : { spaceId })
    .orderBy(['createdAt', 'spaceId'])
  const users: UserRow[] = await db<UserRow>('users').orderBy(['createdAt', 'id'])
  return users
    .map(({ passwordHash: _, totpSealed: __, ...user }) => ({
      ...user,
      roles: roles
        .filter(({ userId }) => userId === user.id)
        .map(({ role, spaceId: inSpace }) => ({ spaceId: inSpace, role })),
    }))
    .filter(({ roles: own }) => spaceId === undefined || own.length > 0)
}
