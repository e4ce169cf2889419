// Data for the requests on users of the dashboard: persons, invitations and links that one request uses up.

import { createHmac } from 'node:crypto'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { insertInvitation } from '@callgate/cloud/user/invitations'
import { tokenHashOf } from '@callgate/cloud/user/mailedLinks'
import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { expect } from 'vitest'
import type { Api } from './apiServer.ts'
import { newAuthenticator } from './authenticator.ts'
import { sealingKey } from './servedCloud.ts'

/** The password of every user whose sign-in is tested. */
export const password = 'correct horse battery staple'
/** Its Argon2id hash, because hashing it for each test would take time. */
export const passwordHash =
  '$argon2id$v=19$m=19456,t=2,p=1$Y2FsbGdhdGVjYWxsZ2F0ZQ$KMR00xGKCysmk2SE60ap5h4FS0PovQQ6u9ICzu6tNxg'

const emailOfNobody = ({ world }: Api) => `${newId(world, 'person')}@example.com`

/** A person with the password, signed in; in the Space, if one is given. */
export async function newPerson(api: Api, spaceId?: string): Promise<SignedInBrowser> {
  const given = {
    email: emailOfNobody(api),
    role: 'admin' as const,
    ...(spaceId !== undefined && { spaceId }),
  }
  const browser = await newUser(api, given)
  await api.database.knex('users').where({ id: browser.userId }).update({ passwordHash })
  return browser
}

const newToken = ({ world }: Api) => Buffer.from(world.randomBytes(32)).toString('base64url')

/** An invitation to the Space, with the secret of its link. */
export async function newInvitation(api: Api, spaceId: string, email = emailOfNobody(api)) {
  const { database, world } = api
  const owner =
    (await database.knex('userRoles').where({ spaceId, role: 'owner' }).first('userId')) ??
    (await newUser(api, { email: emailOfNobody(api), spaceId }))
  const madeById: string = owner.userId
  const given = {
    spaceId,
    email,
    name: 'Ion',
    role: 'admin',
    language: 'en',
    invitedBy: 'Olga',
    madeById,
  } as const
  const seal = createSeal(world, new Map([[1, sealingKey]]))
  const { id } = await database.write(tx => insertInvitation(tx, { seal, world }, given))
  const token = newToken(api)
  await api.database
    .knex('userInvitations')
    .where({ id })
    .update({ tokenHash: tokenHashOf(token) })
  return { invitationId: id, token, email }
}

/** A passkey of the user that cannot answer anything. */
export async function newPasskey({ database, world }: Api, userId: string): Promise<string> {
  const id = newId(world, 'passkey')
  const row = { id, userId, name: 'Phone', publicKey: 'none', counter: 0, transports: '[]' }
  await database.knex('passkeys').insert({ ...row, createdAt: isoTime(world.nowMs()) })
  return id
}

/** A browser of the user that gets pushes. */
export async function newPushDevice({ database, world }: Api, userId: string): Promise<string> {
  const id = Buffer.from(world.randomBytes(32)).toString('base64url')
  const row = {
    id,
    userId,
    browser: 'Firefox on Linux',
    subscriptionSealed: 'none',
    alerts: true,
    openings: true,
  }
  await database.knex('pushDevices').insert({ ...row, createdAt: isoTime(world.nowMs()) })
  return id
}

/** The secret of a link by which the user can set a new password. */
export async function newResetLink(api: Api, userId: string): Promise<string> {
  const token = newToken(api)
  const nowMs = api.world.nowMs()
  await api.database.knex('passwordResets').insert({
    id: newId(api.world, 'reset'),
    userId,
    tokenHash: tokenHashOf(token),
    tokenSealed: 'none',
    createdAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + 60 * 60 * 1000),
  })
  return token
}

/** The secret of the last mailed link. A link to set a password is stored after the answer to its request. */
export async function mailedToken(
  { database, world }: Api,
  table: 'userInvitations' | 'passwordResets',
  of: { readonly userId?: string } = {},
): Promise<string> {
  const last = () => database.knex(table).where(of).orderBy('id', 'desc').first()
  await expect.poll(last).toBeDefined()
  const { id, tokenSealed } = await last()
  return createSeal(world, new Map([[1, sealingKey]])).unseal(tokenSealed, id) ?? ''
}

/** The code that an authenticator app shows at `nowMs` for a secret in base 32 (RFC 6238, RFC 4226). */
export function appCode(secret: string, nowMs: number): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const bits = [...secret].map(letter => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => Number.parseInt(byte, 2)))
  const step = Buffer.alloc(8)
  step.writeBigUInt64BE(BigInt(Math.floor(nowMs / 30_000)))
  const mac = createHmac('sha1', key).update(step).digest()
  const offset = (mac.at(-1) ?? 0) & 15
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** The dashboard's answer to a signed-in person. Throws at a problem, which is a defect of the test. */
export async function sendAs(
  api: Api,
  browser: SignedInBrowser,
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly json: Record<string, unknown>; readonly cookies: readonly string[] }> {
  const { headers, status, text } = await api.send(method, path, {
    key: null,
    headers: browser.headers,
    body,
  })
  if (status >= 400) throw new Error(`${method} ${path} answered ${text}`)
  return { json: text === '' ? {} : JSON.parse(text), cookies: headers['set-cookie'] ?? [] }
}

/** Gives a person an authenticator app. Their sessions end. */
export async function addApp(api: Api, person: SignedInBrowser) {
  const started = await sendAs(api, person, 'POST', '/app/v1/totp')
  const secret = String(started.json['secret'])
  const code = appCode(secret, api.world.nowMs())
  const { json } = await sendAs(api, person, 'POST', '/app/v1/totp/enable', { code })
  return { secret, code, recoveryCodes: json['recoveryCodes'] as string[] }
}

/** Gives a person a passkey. */
export async function addKey(api: Api, person: SignedInBrowser, authenticator = newAuthenticator()) {
  const { json } = await sendAs(api, person, 'POST', '/app/v1/passkeys/options')
  const credential = authenticator.create(json['options'] as { challenge: string })
  await sendAs(api, person, 'POST', '/app/v1/passkeys', { ticket: json['ticket'], name: 'Phone', credential })
  return authenticator
}

/** A ticket and the authenticator's answer to its challenge. */
export async function answerOf(api: Api, authenticator: ReturnType<typeof newAuthenticator>) {
  const sent = { key: null, headers: { 'Sec-Fetch-Site': 'same-origin' } }
  const { text } = await api.send('POST', '/app/v1/session/passkey/options', sent)
  const { options, ticket } = JSON.parse(text) as { options: { challenge: string }; ticket: string }
  return { ticket, credential: authenticator.get(options) }
}

/** The ticket after a right password of a person with an app. */
export async function ticketOf(api: Api, email: string): Promise<string> {
  const sent = { key: null, headers: { 'Sec-Fetch-Site': 'same-origin' }, body: { email, password } }
  const { text } = await api.send('POST', '/app/v1/session', sent)
  return (JSON.parse(text) as { error: { ticket: string } }).error.ticket
}
