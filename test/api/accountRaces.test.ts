// Two requests at once on accounts: what may happen once happens once, and a lost right is not used any more.

import { type IncomingMessage, request } from 'node:http'
import { onPostgres } from '@callgate/cloud/database/postgres.kit'
import { newUser, type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import { settle } from '@callgate/world/fake'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, serveAtTwoClouds } from './apiServer.ts'
import {
  addApp,
  addKey,
  answerOf,
  appCode,
  newInvitation,
  newPerson,
  newResetLink,
  password,
  sendAs,
  ticketOf,
} from './userRequests.ts'

let api: Api
const ownScript = { 'Sec-Fetch-Site': 'same-origin' }
const [first, second] = ['seven otters paint the harbour', 'nine badgers carry the lantern']

beforeAll(async () => {
  api = await serveAtTwoClouds()
})
afterAll(() => api.stop())
// Far enough apart that no test meets the counted sign-ins of another one.
beforeEach(() => api.world.advance(16 * 60_000))

interface HttpAnswer {
  readonly status: number
  readonly json: { readonly error?: { readonly code: string; readonly message: string } }
}
async function send(
  method: string,
  path: string,
  body?: object,
  browser?: SignedInBrowser,
): Promise<HttpAnswer> {
  const sent = { key: null, headers: browser?.headers ?? ownScript, body }
  const { status, text } = await api.send(method, `/app/v1${path}`, sent)
  return { status, json: text === '' ? {} : JSON.parse(text) }
}
const statuses = (told: readonly HttpAnswer[]) => told.map(({ status }) => status).sort()
const atOnce = async (...asked: readonly (() => Promise<HttpAnswer>)[]) =>
  statuses(await Promise.all(asked.map(ask => ask())))

type Change = Parameters<Api['database']['write']>[0]

/** A request whose last byte is sent later: it is admitted, and waits for its body. */
async function sendSlowly(
  method: string,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
) {
  const bytes = Buffer.from(JSON.stringify(body))
  const more = { 'content-type': 'application/json', 'content-length': String(bytes.length) }
  const asked = request(`${api.base}${path}`, { method, headers: { ...headers, ...more } })
  const answer = new Promise<number | undefined>((resolve, reject) => {
    asked.on('response', (response: IncomingMessage) => resolve(response.resume().statusCode))
    asked.on('error', reject)
  })
  asked.write(bytes.subarray(0, -1))
  await settle(50)
  return () => {
    asked.end(bytes.subarray(-1))
    return answer
  }
}

describe('happens only once for two requests at once', () => {
  it('an invitation that makes a user', async () => {
    const { email, token } = await newInvitation(api, api.home.spaceId)
    const accept = (given: string) => () =>
      send('POST', '/invitation/accept', { token, name: 'Ion', password: given })
    expect(await atOnce(accept(first), accept(second))).toEqual([200, 404])
    const signIn = (given: string) => () => send('POST', '/session', { email, password: given })
    expect(await atOnce(signIn(first), signIn(second))).toEqual([200, 401])
  })

  it('an invitation of somebody who has an account', async () => {
    const other = await api.addSpace()
    const person = await newPerson(api)
    const { token } = await newInvitation(api, other.spaceId, person.email)
    const accept = () => send('POST', '/invitation/accept', { token })
    expect(await atOnce(accept, accept)).toEqual([200, 404])
    expect(await api.database.knex('userRoles').where({ userId: person.userId })).toHaveLength(1)
  })

  it('two invitations of one person to two Spaces: they make one user, and the other one stays valid', async () => {
    const other = await api.addSpace()
    const { email, token } = await newInvitation(api, api.home.spaceId)
    const invited = await newInvitation(api, other.spaceId, email)
    const accept = (of: string) => () =>
      send('POST', '/invitation/accept', { token: of, name: 'Ion', password: first })
    expect(await atOnce(accept(token), accept(invited.token))).toEqual([200, 400])
    const again = [await send('POST', '/invitation/accept', { token })]
    again.push(await send('POST', '/invitation/accept', { token: invited.token }))
    expect(statuses(again)).toEqual([200, 404])
  })

  it('a link to set a new password', async () => {
    const { email, userId } = await newPerson(api)
    const token = await newResetLink(api, userId)
    const reset = (given: string) => () => send('POST', '/password-reset/confirm', { token, password: given })
    expect(await atOnce(reset(first), reset(second))).toEqual([204, 404])
    const signIn = (given: string) => () => send('POST', '/session', { email, password: given })
    expect(await atOnce(signIn(first), signIn(second))).toEqual([200, 401])
  })

  it.each(['a recovery code', 'a code of an app'])('%s', async kind => {
    const person = await newPerson(api)
    const { recoveryCodes, secret } = await addApp(api, person)
    const tickets = [await ticketOf(api, person.email), await ticketOf(api, person.email)]
    await api.world.advance(90_000)
    const code = kind === 'a recovery code' ? (recoveryCodes[0] ?? '') : appCode(secret, api.world.nowMs())
    const finish = (ticket: string) => () => send('POST', '/session/code', { ticket, code })
    expect(await atOnce(...tickets.map(finish))).toEqual([200, 401])
  })

  it('the answer of a passkey', async () => {
    const person = await newPerson(api)
    const answer = await answerOf(api, await addKey(api, person))
    const signIn = () => send('POST', '/session/passkey', answer)
    expect(await atOnce(signIn, signIn)).toEqual([200, 401])
  })

  it('the first code that turns an app on', async () => {
    const person = await newPerson(api)
    const { json } = await sendAs(api, person, 'POST', '/app/v1/totp')
    const code = appCode(String(json['secret']), api.world.nowMs())
    const enable = () => send('POST', '/totp/enable', { code }, person)
    // Each session ends with it, including that of the second request.
    expect(await atOnce(enable, enable)).toEqual([200, 401])
  })
})

describe('owners at once', () => {
  const ownersOf = async (count: number) => {
    const { spaceId } = await api.addSpace()
    const owners: SignedInBrowser[] = []
    for (let made = 0; made < count; made++)
      owners.push(await newUser(api, { email: `owner${made}@${spaceId}.example`, spaceId, role: 'owner' }))
    const [one, other] = owners
    if (!one || !other) throw new Error('there are two owners at least')
    const left = () => api.database.knex('userRoles').where({ spaceId, role: 'owner' })
    return { spaceId, one, other, left }
  }

  it.each([
    ['remove', 'DELETE', undefined],
    ['demote', 'PATCH', { role: 'admin' }],
  ] as const)('who %s each other leave one, even of three', async (_, method, body) => {
    for (const count of [2, 3]) {
      const { left, one, other, spaceId } = await ownersOf(count)
      const lose = (by: SignedInBrowser, whom: SignedInBrowser) => () =>
        send(method, `/spaces/${spaceId}/users/${whom.userId}`, body, by)
      const answers = await atOnce(lose(one, other), lose(other, one))
      expect(answers.filter(status => status < 300)).toHaveLength(1)
      expect(await left()).toHaveLength(count - 1)
    }
  })

  it('do not regain the role by a request that was under way', async () => {
    const { left, one, other, spaceId } = await ownersOf(2)
    const path = `/app/v1/spaces/${spaceId}/users/${other.userId}`
    const finish = await sendSlowly('PATCH', path, { role: 'owner' }, other.headers)
    await sendAs(api, one, 'PATCH', path, { role: 'admin' })
    expect(await finish()).toBe(403)
    expect(await left()).toHaveLength(1)
  })
})

describe('a request that was admitted before a right ended', () => {
  it('changes nothing with a session that has ended', async () => {
    const person = await newPerson(api, api.home.spaceId)
    const path = `/app/v1/spaces/${api.home.spaceId}/gates`
    const gate = { name: 'Late', phoneNumber: '+40721000001' }
    const finish = await sendSlowly('POST', path, gate, person.headers)
    await sendAs(api, person, 'DELETE', '/app/v1/session')
    expect(await finish()).toBe(401)
    expect(await api.database.knex('gates').where({ name: 'Late' })).toEqual([])
  })

  it.each([{}, { 'Idempotency-Key': 'once' }])(
    'changes nothing with a key that was revoked: %o',
    async more => {
      const { apiKeyId, key } = await api.home.addKey()
      const body = { name: 'Late', phoneNumber: '+40721000001' }
      const headers = { Authorization: `Bearer ${key}`, ...more }
      const finish = await sendSlowly('POST', '/api/v1/gates', body, headers)
      await api.database
        .knex('apiKeys')
        .where({ id: apiKeyId })
        .update({ revokedAt: '2026-01-01T00:00:00.000Z' })
      expect(await finish()).toBe(401)
      expect(await api.database.knex('gates').where({ name: 'Late' })).toEqual([])
    },
  )

  it('does not set a thief’s password when the person sets one by mail at the same time', async () => {
    const person = await newPerson(api)
    const thief = await signInAgain(api, person)
    const token = await newResetLink(api, person.userId)
    const change = () =>
      send('POST', '/session/password', { currentPassword: password, password: first }, thief)
    const reset = () => send('POST', '/password-reset/confirm', { token, password: second })
    const answers = await Promise.all([change(), reset()])
    // The first one ends the other: its session, or its link.
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1)
    const good = answers[0].status < 300 ? first : second
    for (const given of [first, second]) {
      const { status } = await send('POST', '/session', { email: person.email, password: given })
      expect(status).toBe(given === good ? 200 : 401)
    }
  })

  /**
   * Makes `change` while the request that runs the query is still being checked. On Postgres the query's answer comes when the change
   * is committed, else the request might end first, which is allowed. SQLite has one connection, on which the change comes next.
   */
  async function amid(query: RegExp, change: Change, ask: () => Promise<HttpAnswer>) {
    let changed: Promise<unknown> | undefined
    const held = api.databases.map(({ knex: { client } }) => {
      const run = client._query
      client._query = async (connection: object, asked: { readonly sql: string }) => {
        const answer = await run.call(client, connection, asked)
        if (changed || !query.test(asked.sql)) return answer
        changed = api.database.write(change)
        if (onPostgres) await changed
        return answer
      }
      return () => {
        client._query = run
      }
    })
    const { status } = await ask()
    for (const letGo of held) letGo()
    expect(await changed).toBe(1)
    return status
  }

  it('signs nobody in with a passkey that is removed while its answer is checked', async () => {
    const person = await newPerson(api)
    const key = await addKey(api, person)
    const answer = await answerOf(api, key)
    const remove: Change = tx => tx('passkeys').where({ id: key.id }).delete()
    const signIn = () => send('POST', '/session/passkey', answer)
    expect(await amid(/from .passkeys. where .id./, remove, signIn)).toBe(401)
  })

  it('signs nobody in with a code when the password is changed meanwhile', async () => {
    const person = await newPerson(api)
    const { recoveryCodes } = await addApp(api, person)
    const body = { ticket: await ticketOf(api, person.email), code: recoveryCodes[0] ?? '' }
    const change: Change = tx => tx('users').where({ id: person.userId }).update({ passwordHash: 'another' })
    const signIn = () => send('POST', '/session/code', body)
    expect(await amid(/from .users. where .id./, change, signIn)).toBe(401)
    expect(await api.database.knex('recoveryCodes').where({ userId: person.userId })).toHaveLength(10)
  })
})
