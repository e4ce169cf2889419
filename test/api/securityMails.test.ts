// The mails about changes of a user's ways to sign in: their occasions, addressees and texts.

import { writeUserLetter } from '@callgate/cloud/mail/userLetter'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import { readUserAddressee } from '@callgate/cloud/user/userMails'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type Api, serveAtTwoClouds } from './apiServer.ts'
import { sealingKey } from './servedCloud.ts'
import { addApp, addKey, newPerson, newResetLink, password, sendAs } from './userRequests.ts'

let api: Api
const newWords = 'seven otters paint the harbour'

beforeAll(async () => {
  api = await serveAtTwoClouds()
})
afterAll(() => api.stop())
beforeEach(() => api.world.advance(60 * 60_000))

const mailsTo = ({ userId }: SignedInBrowser) =>
  api.database.knex('outbox').where({ linkId: userId }).orderBy(['createdAt', 'id'])
const kindsTo = async (person: SignedInBrowser) => (await mailsTo(person)).map(({ kind }) => kind)
/** The newest mail to a person, in the form in which it would be sent now. */
async function newestTo(person: SignedInBrowser) {
  const parts = { ...api, seal: createSeal(api.world, new Map([[1, sealingKey]])) }
  const read = await readUserAddressee(
    { ...parts, appUrl: 'https://gates.example' },
    (await mailsTo(person)).at(-1),
  )
  if (!read.ok || !('changedAtMs' in read.facts)) return read
  return { ok: true, address: read.address, ...writeUserLetter(read.facts) } as const
}

it('reports a changed password, in the language of the user, with a link to a new one', async () => {
  const person = await newPerson(api, api.home.spaceId)
  await sendAs(api, person, 'PATCH', '/app/v1/profile', { language: 'de' })
  await sendAs(api, person, 'POST', '/app/v1/session/password', {
    currentPassword: password,
    password: newWords,
  })
  expect(await kindsTo(person)).toEqual(['password_changed'])
  expect(await newestTo(person)).toMatchObject({
    address: person.email,
    subject: 'Callgate: Ihre Anmeldung wurde geändert',
    text: expect.stringMatching(
      /Passwort .* geändert.*\/\/gates\.example\/password-forgotten\n.*: Osteuropäische Zeit\.\n$/s,
    ),
  })
  await api.database.knex('userRoles').where({ userId: person.userId }).delete()
  expect(await newestTo(person)).toMatchObject({ text: expect.stringMatching(/: UTC\.\n$/) })
  await api.database.knex('users').where({ id: person.userId }).update({ deactivatedAt: 'now' })
  expect(await newestTo(person)).toMatchObject({ ok: false })
})

it('reports a password that was set by a mailed link', async () => {
  const person = await newPerson(api)
  const token = await newResetLink(api, person.userId)
  const body = { token, password: newWords }
  await sendAs(api, person, 'POST', '/app/v1/password-reset/confirm', body)
  expect(await kindsTo(person)).toEqual(['password_changed'])
})

it('reports codes of an app, but not an unfinished set-up', async () => {
  const person = await newPerson(api)
  await sendAs(api, person, 'POST', '/app/v1/totp')
  await sendAs(api, person, 'DELETE', '/app/v1/totp')
  expect(await kindsTo(person)).toEqual([])
  const { recoveryCodes, secret } = await addApp(api, person)
  const again = await signInAgain(api, person)
  await sendAs(api, again, 'POST', '/app/v1/recovery-codes')
  await sendAs(api, again, 'DELETE', '/app/v1/totp')
  expect(await kindsTo(person)).toEqual(['codes_enabled', 'recovery_codes_renewed', 'codes_disabled'])
  const mails = JSON.stringify([await mailsTo(person), await newestTo(person)])
  for (const text of [secret, ...recoveryCodes]) expect(mails).not.toContain(text)
})

it('reports passkeys, at most ten times an hour', async () => {
  const person = await newPerson(api)
  for (let count = 0; count < 6; count++) {
    const { id } = await addKey(api, person)
    await sendAs(api, person, 'DELETE', `/app/v1/passkeys/${id}`)
  }
  const kinds = await kindsTo(person)
  expect(kinds).toHaveLength(10)
  expect(new Set(kinds)).toEqual(new Set(['passkey_added', 'passkey_removed']))
  await api.world.advance(60 * 60_000)
  await addKey(api, await signInAgain(api, person))
  expect(await kindsTo(person)).toHaveLength(11)
})
