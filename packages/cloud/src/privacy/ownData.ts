// The data of a user's account, as JSON. Without hashes, keys and secrets, so that it cannot be used to sign in.

import { isoTime, type World } from '@callgate/world/world'
import type { Database, Db } from '../database/database.ts'

/** The mails to a user. A mail contains the id of the row that it is about; a mail on security contains that of the user. */
export function mailsOf(db: Db, userId: string): Promise<readonly object[]> {
  const idsOf = (table: string) => db(table).where({ userId }).select('id')
  // One list of ids, because on Postgres a query with `or` would read the mails of all users.
  const about = db
    .select('id')
    .from('users')
    .where({ id: userId })
    .unionAll([idsOf('passwordResets'), idsOf('alertMails')])
  return db('outbox')
    .whereIn('linkId', about)
    .orderBy(['createdAt', 'id'])
    .select('kind', 'createdAt', 'sentAt', 'givenUpAt')
}

/** The file of an existing user. */
export async function ownData(
  { database: { knex }, world }: { readonly database: Database; readonly world: World },
  userId: string,
): Promise<string> {
  const of = { userId }
  const user = await knex('users')
    .where({ id: userId })
    .first('id', 'name', 'email', 'language', 'createdAt', 'totpEnabledAt')
  const recoveryCodes: string[] = await knex('recoveryCodes').where(of).pluck('codeHash')
  const roles = await knex('userRoles')
    .join('spaces', 'spaces.id', 'userRoles.spaceId')
    .where(of)
    .orderBy(['userRoles.createdAt', 'userRoles.spaceId'])
    .select('userRoles.spaceId', { spaceName: 'spaces.name' }, 'role', 'memberId', 'getsAlerts')
    .select('userRoles.createdAt')
  const sessions = await knex('sessions')
    .where(of)
    .orderBy(['createdAt', 'id'])
    .select('id', 'browser', 'createdAt', 'lastSeenAt', 'expiresAt', 'confirmedAt')
  const passkeys = await knex('passkeys')
    .where(of)
    .orderBy(['createdAt', 'id'])
    .select('name', 'createdAt', 'lastUsedAt')
  const pushDevices = await knex('pushDevices')
    .where(of)
    .orderBy(['createdAt', 'id'])
    .select('browser', 'alerts', 'openings', 'createdAt')
  const alertMails = await knex('alertMails')
    .where(of)
    .orderBy(['createdAt', 'id'])
    .select('spaceId', 'kind', 'createdAt')
  const passwordResets = await knex('passwordResets')
    .where(of)
    .orderBy(['createdAt', 'id'])
    .select('createdAt', 'expiresAt')
  const data = {
    exportedAt: isoTime(world.nowMs()),
    user: { ...user, recoveryCodesLeft: recoveryCodes.length },
    roles: roles.map(role => ({ ...role, getsAlerts: Boolean(role.getsAlerts) })),
    sessions,
    passkeys,
    pushDevices: pushDevices.map(({ alerts, openings, ...device }) => ({
      ...device,
      alerts: Boolean(alerts),
      openings: Boolean(openings),
    })),
    alertMails,
    passwordResets,
    queuedMails: await mailsOf(knex, userId),
  }
  return `${JSON.stringify(data, undefined, 2)}\n`
}
