import { idPrefix } from '@callgate/contract/idPrefix'
import { fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { onPostgres, testDatabase } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { newUser } from '../user/user.kit.ts'
import { mailsOf, ownData } from './ownData.ts'

/** Queues a mail of each kind to two users. */
async function queueMails(database: Database, createdAt: string, userId: string, ion: string) {
  const mail = { createdAt, nextAttemptAt: createdAt }
  for (const [kind, linkId] of [
    ['password_changed', userId],
    ['password_reset', 'reset_olga'],
    ['alert', 'alert_olga'],
    ['password_changed', ion],
    ['password_reset', 'reset_ion'],
  ])
    await database.knex('outbox').insert({ id: `mail_${kind}_${linkId}`, kind, linkId, ...mail })
}

it('contains the data of the account, nothing of others, and nothing that signs in', async () => {
  const world = fakeWorld(1)
  const database = await testDatabase(world)
  const parts = { database, world }
  const spaceId = await newSpace(parts, { name: 'Casa Lalelelor' })
  const olga = await newUser(parts, { email: 'olga@example.com', name: 'Olga Pop', spaceId })
  await newUser(parts, { email: 'ion@example.com', name: 'Ion Pop', spaceId, role: 'admin' })
  const { userId } = olga
  const createdAt = isoTime(world.nowMs())
  const secrets = { passwordHash: 'hash-of-it', totpSealed: 'sealed-of-it', totpEnabledAt: createdAt }
  await database.knex('users').where({ id: userId }).update(secrets)
  await database.knex('recoveryCodes').insert({ userId, codeHash: 'code-of-it' })
  const passkey = { name: 'Phone', publicKey: 'key-of-it', counter: 0, transports: '[]', createdAt }
  await database.knex('passkeys').insert({ id: newId(world, idPrefix.user), userId, ...passkey })

  const device = { id: 'id-of-it', userId, subscriptionSealed: 'sealed-of-it', browser: 'Chrome on Android' }
  await database.knex('pushDevices').insert({ ...device, alerts: true, openings: false, createdAt })

  const reset = { tokenHash: 'token-of-it', tokenSealed: 'sealed-of-it', createdAt, expiresAt: createdAt }
  const ion = (await database.knex('users').where({ email: 'ion@example.com' }).first('id')).id
  await database.knex('passwordResets').insert({ id: 'reset_olga', userId, ...reset })
  await database
    .knex('passwordResets')
    .insert({ id: 'reset_ion', userId: ion, ...reset, tokenHash: 'ion-of-it' })
  const alert = { userId, spaceId, kind: 'digest', createdAt, tellingId: 't', incidentIds: '[]' }
  await database.knex('alertMails').insert({ id: 'alert_olga', ...alert, isAboutMails: false })
  await queueMails(database, createdAt, userId, ion)

  const text = await ownData(parts, userId)
  expect(JSON.parse(text)).toEqual({
    exportedAt: createdAt,
    user: {
      id: userId,
      name: 'Olga Pop',
      email: 'olga@example.com',
      language: 'en',
      createdAt,
      totpEnabledAt: createdAt,
      recoveryCodesLeft: 1,
    },
    roles: [
      {
        spaceId,
        spaceName: 'Casa Lalelelor',
        role: 'owner',
        memberId: null,
        getsAlerts: true,
        createdAt: expect.any(String),
      },
    ],
    sessions: [expect.objectContaining({ id: olga.sessionId, browser: 'Firefox on Linux' })],
    passkeys: [{ name: 'Phone', createdAt, lastUsedAt: null }],
    pushDevices: [{ browser: 'Chrome on Android', alerts: true, openings: false, createdAt }],
    alertMails: [{ spaceId, kind: 'digest', createdAt }],
    passwordResets: [{ createdAt, expiresAt: createdAt }],
    queuedMails: ['alert', 'password_changed', 'password_reset'].map(kind => ({
      kind,
      createdAt,
      sentAt: null,
      givenUpAt: null,
    })),
  })
  expect(text).not.toMatch(/of-it|ion@example\.com|tokenHash/)
  expect(text).not.toContain(olga.token)
  await database.close()
})

it('finds the mails of a user without reading those of all users', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite; test/postgres has those of Postgres')
  const database = await testDatabase(fakeWorld(1))
  const [steps = []] = await plansOf(database, db => mailsOf(db, 'user_olga'))
  expect(steps.filter(step => /^(SCAN|SEARCH) outbox/.test(step))).toEqual([
    'SEARCH outbox USING INDEX outbox_link (linkId=?)',
  ])
  await database.close()
})
