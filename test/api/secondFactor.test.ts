// Ways to sign in besides the password (codes of an app, recovery codes, passkeys), and actions that need a confirmation.

import { newUser, type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Api, serveAtTwoClouds } from './apiServer.ts'
import { newAuthenticator } from './authenticator.ts'
import {
  addApp,
  addKey,
  answerOf,
  appCode,
  newPerson,
  newResetLink,
  password,
  passwordHash,
  sendAs,
  ticketOf,
} from './userRequests.ts'

let api: Api
const ownScript = { 'Sec-Fetch-Site': 'same-origin' }

beforeAll(async () => {
  api = await serveAtTwoClouds()
})
afterAll(() => api.stop())
// More than a quarter of an hour, so that no test meets the wrong codes of another one.
beforeEach(() => api.world.advance(16 * 60_000))

interface HttpAnswer {
  readonly status: number
  readonly json: Record<string, unknown> & { readonly error?: { code: string; message: string } }
  readonly cookies: readonly string[]
}
async function send(
  method: string,
  path: string,
  body?: object,
  browser?: SignedInBrowser,
): Promise<HttpAnswer> {
  const sent = { key: null, headers: browser?.headers ?? ownScript, body }
  const { headers, status, text } = await api.send(method, `/app/v1${path}`, sent)
  return { status, json: text === '' ? {} : JSON.parse(text), cookies: headers['set-cookie'] ?? [] }
}
const codeOf = ({ json, status }: HttpAnswer) => json.error?.code ?? status
/** The known-browser cookie that a browser was given, as it sends it back; empty where it has none. */
const markOf = ({ cookies }: HttpAnswer) =>
  cookies.find(cookie => cookie.startsWith('device='))?.split(';', 1)[0] ?? ''

describe('an authenticator app', () => {
  const finish = (ticket: string, code: string) => send('POST', '/session/code', { ticket, code })

  it('is required at each sign-in from then on, and every older session ends', async () => {
    const person = await newPerson(api)
    const { secret } = await addApp(api, person)
    expect(codeOf(await send('GET', '/session', undefined, person))).toBe('unauthorized')
    const half = await send('POST', '/session', { email: person.email, password })
    expect([codeOf(half), half.cookies]).toEqual(['second_factor_needed', []])
    const ticket = await ticketOf(api, person.email)
    await api.world.advance(60_000)
    const done = await finish(ticket, appCode(secret, api.world.nowMs()))
    expect([done.status, done.cookies.length]).toEqual([200, 2])
    expect(done.json['user']).toMatchObject({ email: person.email })
  })

  it('has codes that work once, in their time, and never an earlier one after a later one', async () => {
    const person = await newPerson(api)
    const { code: used, secret } = await addApp(api, person)
    const [one, two, three] = [
      await ticketOf(api, person.email),
      await ticketOf(api, person.email),
      await ticketOf(api, person.email),
    ]
    expect(codeOf(await finish(one, used))).toBe('unauthorized')
    await api.world.advance(90_000)
    const nowMs = api.world.nowMs()
    expect(codeOf(await finish(one, appCode(secret, nowMs - 60_000)))).toBe('unauthorized')
    expect(codeOf(await finish(one, appCode(secret, nowMs + 30_000)))).toBe(200)
    for (const atMs of [nowMs, nowMs + 30_000])
      expect(codeOf(await finish(two, appCode(secret, atMs)))).toBe('unauthorized')
    await api.world.advance(60_000)
    expect(codeOf(await finish(three, ` ${appCode(secret, api.world.nowMs())} `))).toBe(200)
  })

  it('can be replaced by a recovery code, once', async () => {
    const person = await newPerson(api)
    const [code = ''] = (await addApp(api, person)).recoveryCodes
    expect(codeOf(await finish(await ticketOf(api, person.email), code.toUpperCase()))).toBe(200)
    expect(codeOf(await finish(await ticketOf(api, person.email), code))).toBe('unauthorized')
    const { json } = await send('GET', '/security', undefined, await signInAgain(api, person))
    expect(json).toMatchObject({ recoveryCodesLeft: 9, passkeys: [] })
  })

  it('accepts ten wrong codes in a quarter of an hour, and a ticket for five minutes with the same password', async () => {
    const person = await newPerson(api)
    const { recoveryCodes, secret } = await addApp(api, person)
    const ticket = await ticketOf(api, person.email)
    await api.world.advance(5 * 60_000)
    const right = appCode(secret, api.world.nowMs())
    expect((await finish(ticket, right)).json.error?.message).toContain('took too long')
    expect(codeOf(await finish('1.forged', right))).toBe('unauthorized')
    const other = await ticketOf(api, person.email)
    await api.database.knex('users').where({ id: person.userId }).update({ passwordHash: 'another' })
    expect(codeOf(await finish(other, right))).toBe('unauthorized')
    await api.database.knex('users').where({ id: person.userId }).update({ passwordHash })
    const last = await ticketOf(api, person.email)
    const codes: unknown[] = []
    for (let guess = 0; guess < 10; guess++) codes.push(codeOf(await finish(last, `00000${guess}`)))
    expect(codes).toEqual(Array(10).fill('unauthorized'))
    expect(codeOf(await finish(last, recoveryCodes[0] ?? ''))).toBe('rate_limited')
  })

  it('accepts 100 wrong codes in a row from any number of browsers, then only a recovery code', async () => {
    const person = await newPerson(api)
    const marks: string[] = []
    // A browser that signed in before the codes were enabled has no privilege any more.
    const before = await send('POST', '/session', { email: person.email, password })
    marks.push(markOf(before))
    const { recoveryCodes, secret } = await addApp(api, person)
    // Each successful sign-in gives a browser a cookie, and each cookie is counted alone.
    for (let browser = 0; browser < 12; browser++) {
      await api.world.advance(60_000)
      const done = await finish(await ticketOf(api, person.email), appCode(secret, api.world.nowMs()))
      marks.push(markOf(done))
    }
    const answers: unknown[] = []
    for (const mark of marks) {
      // Not limited by the writes that one network may make.
      await api.world.advance(60_000)
      const browser = { ...person, headers: { ...ownScript, Cookie: mark } }
      const ticket = await ticketOf(api, person.email)
      const guess = (code: string) => send('POST', '/session/code', { ticket, code }, browser)
      const told = await Promise.all(Array.from({ length: 10 }, (_, at) => guess(`00000${at}`)))
      answers.push(...told.map(codeOf))
    }
    expect(answers.filter(answer => answer === 'unauthorized')).toHaveLength(100)
    expect(answers.filter(answer => answer === 'conflict').length).toBeGreaterThan(0)
    await api.world.advance(16 * 60_000)
    const ticket = await ticketOf(api, person.email)
    const right = await finish(ticket, appCode(secret, api.world.nowMs()))
    expect([codeOf(right), right.json.error?.message]).toEqual([
      'conflict',
      expect.stringContaining('Give a recovery code'),
    ])
    const mails = await api.database.knex('outbox').where({ linkId: person.userId, kind: 'codes_guessed' })
    expect(mails).toHaveLength(2)
    expect(codeOf(await finish(ticket, recoveryCodes[0] ?? ''))).toBe(200)
    await api.world.advance(60_000)
    const after = await finish(await ticketOf(api, person.email), appCode(secret, api.world.nowMs()))
    expect(codeOf(after)).toBe(200)
  })

  it('accepts 100 wrong codes of unknown browsers in 30 days, whatever right codes come, then only a recovery code', async () => {
    const person = await newPerson(api)
    const { recoveryCodes, secret } = await addApp(api, person)
    const right = async (browser?: SignedInBrowser) => {
      await api.world.advance(60_000)
      const code = appCode(secret, api.world.nowMs())
      return send('POST', '/session/code', { ticket: await ticketOf(api, person.email), code }, browser)
    }
    const own = { ...person, headers: { ...ownScript, Cookie: markOf(await right()) } }
    const answers: unknown[] = []
    for (let round = 0; round < 12; round++) {
      // More than strangers may try with passwords in a quarter of an hour and in a day.
      await api.world.advance(3 * 3_600_000)
      const ticket = await ticketOf(api, person.email)
      const guesses = Array.from({ length: 9 }, (_, at) => finish(ticket, `00000${at}`))
      answers.push(...(await Promise.all(guesses)).map(codeOf))
      // The owner signs in on a known browser, which restarts the count of a hundred in a row.
      expect(codeOf(await right(own))).toBe(200)
    }
    expect(answers.filter(answer => answer === 'unauthorized')).toHaveLength(100)
    await api.world.advance(3_600_000)
    expect(codeOf(await right())).toBe('conflict')
    expect(codeOf(await right(own))).toBe(200)
    const ticket = await ticketOf(api, person.email)
    expect(codeOf(await finish(ticket, recoveryCodes[0] ?? ''))).toBe(200)
    await api.world.advance(31 * 24 * 3_600_000)
    expect(codeOf(await right())).toBe(200)
  })

  it('does not count wrong recovery codes as guesses at the app', async () => {
    const person = await newPerson(api)
    await addApp(api, person)
    const ticket = await ticketOf(api, person.email)
    for (let at = 0; at < 5; at++)
      expect(codeOf(await finish(ticket, `aaaa-bbbb-ccc${at}`))).toBe('unauthorized')
    expect(await api.database.knex('users').where({ id: person.userId }).first()).toMatchObject({
      wrongCodes: 0,
    })
  })

  it('forgets wrong codes after a right one', async () => {
    const person = await newPerson(api)
    const { secret } = await addApp(api, person)
    await finish(await ticketOf(api, person.email), '000000')
    await api.world.advance(60_000)
    await finish(await ticketOf(api, person.email), appCode(secret, api.world.nowMs()))
    expect(await api.database.knex('users').where({ id: person.userId }).first()).toMatchObject({
      wrongCodes: 0,
    })
  })

  it('gives a browser no cookie for a new password by mail alone', async () => {
    const person = await newPerson(api)
    const token = await newResetLink(api, person.userId)
    const plain = await send('POST', '/password-reset/confirm', { token, password })
    expect(markOf(plain)).toMatch(/^device=./)
    await addApp(api, await signInAgain(api, person))
    const later = await newResetLink(api, person.userId)
    const guarded = await send('POST', '/password-reset/confirm', { token: later, password })
    expect([guarded.status, guarded.cookies]).toEqual([204, []])
  })

  it('allows a shorter password, is set up only with a right code, and can be removed', async () => {
    const person = await newPerson(api)
    const short = 'kuR7!x9L'
    const change = (browser: SignedInBrowser) =>
      send('POST', '/session/password', { currentPassword: password, password: short }, browser)
    expect(codeOf(await change(person))).toBe('validation_error')
    await sendAs(api, person, 'POST', '/app/v1/totp')
    expect(codeOf(await send('POST', '/totp/enable', { code: '000000' }, person))).toBe('validation_error')
    // Before the confirmation by a code, it is not required.
    expect(codeOf(await send('POST', '/session', { email: person.email, password }))).toBe(200)
    await addApp(api, person)
    expect(codeOf(await change(await signInAgain(api, person)))).toBe(200)
    const again = await signInAgain(api, person)
    expect(codeOf(await send('POST', '/totp', undefined, again))).toBe('conflict')
    expect(codeOf(await send('DELETE', '/totp', undefined, again))).toBe(204)
    expect(codeOf(await send('POST', '/session', { email: person.email, password: short }))).toBe(200)
    expect(codeOf(await send('POST', '/recovery-codes', undefined, again))).toBe('conflict')
  })

  it('keeps its secret sealed, and recovery codes as hashes', async () => {
    const person = await newPerson(api)
    const { recoveryCodes, secret } = await addApp(api, person)
    const rows = [await api.database.knex('users'), await api.database.knex('recoveryCodes')]
    const logged = JSON.stringify([rows, api.world.lines])
    for (const text of [secret, ...recoveryCodes, recoveryCodes[0]?.replaceAll('-', '') ?? ''])
      expect(logged).not.toContain(text)
  })
})

describe('a passkey', () => {
  const signIn = (answer: object) => send('POST', '/session/passkey', answer)

  it('signs in without password and code, and counts its uses', async () => {
    const person = await newPerson(api)
    const key = await addKey(api, person)
    await addApp(api, person)
    const done = await signIn(await answerOf(api, key))
    expect([done.status, done.json['user']]).toEqual([200, expect.objectContaining({ email: person.email })])
    const { json } = await send('GET', '/security', undefined, await signInAgain(api, person))
    expect(json['passkeys']).toMatchObject([{ id: key.id, name: 'Phone', lastUsedAt: expect.any(String) }])
  })

  it('is refused when any part of it is wrong', async () => {
    const person = await newPerson(api)
    const key = await addKey(api, person)
    const good = await answerOf(api, key)
    const refused = async (answer: object) => expect(codeOf(await signIn(answer))).toBe('unauthorized')
    await refused(await answerOf(api, newAuthenticator()))
    await refused({ ...good, ticket: '1.forged' })
    await refused({ ...good, credential: {} })
    await refused({ ...(await answerOf(api, key)), ticket: good.ticket })
    // The ticket of the answer before was used up with it.
    await refused(good)
    const used = await answerOf(api, key)
    expect((await signIn(used)).status).toBe(200)
    await refused(used)
    const late = await answerOf(api, key)
    await api.world.advance(5 * 60_000)
    await refused(late)
    await api.database.knex('users').where({ id: person.userId }).update({ deactivatedAt: 'now' })
    await refused(await answerOf(api, key))
    await api.database.knex('users').where({ id: person.userId }).update({ deactivatedAt: null })
  })

  it.each([
    ['of another site', newAuthenticator('https://evil.example')],
    ['of another host', newAuthenticator('http://localhost', 'evil.example')],
    ['that did not ask who holds it', newAuthenticator('http://localhost', 'localhost', false)],
  ])('%s cannot be added', async (_, authenticator) => {
    await expect(addKey(api, await newPerson(api), authenticator)).rejects.toThrow('validation_error')
  })

  it('is added once, to the user who began, and can be removed by them alone', async () => {
    const [person, other] = [await newPerson(api), await newPerson(api)]
    const key = await addKey(api, person)
    await expect(addKey(api, other, key)).rejects.toThrow('conflict')
    const { json } = await sendAs(api, person, 'POST', '/app/v1/passkeys/options')
    const credential = newAuthenticator().create(json['options'] as { challenge: string })
    const stolen = await send('POST', '/passkeys', { ticket: json['ticket'], name: 'X', credential }, other)
    expect(codeOf(stolen)).toBe('validation_error')
    expect(codeOf(await send('DELETE', `/passkeys/${key.id}`, undefined, other))).toBe('not_found')
    expect(codeOf(await send('DELETE', `/passkeys/${key.id}`, undefined, person))).toBe(204)
    expect(codeOf(await signIn(await answerOf(api, key)))).toBe('unauthorized')
  })
})

describe('a confirmation', () => {
  it('is needed five minutes after the sign-in, and given by password or by an own passkey', async () => {
    const [person, other] = [await newPerson(api), await newPerson(api)]
    const [own, foreign] = [await addKey(api, person), await addKey(api, other)]
    const begin = () => send('POST', '/totp', undefined, person)
    const confirm = (body: object) => send('POST', '/session/confirm', body, person)
    await api.world.advance(5 * 60_000)
    expect(codeOf(await begin())).toBe('confirmation_required')
    expect(codeOf(await confirm({ password: 'wrong' }))).toBe('wrong_password')
    expect(codeOf(await confirm({}))).toBe('validation_error')
    expect(codeOf(await confirm(await answerOf(api, foreign)))).toBe('wrong_password')
    expect(codeOf(await begin())).toBe('confirmation_required')
    expect(codeOf(await confirm({ password }))).toBe(200)
    expect(codeOf(await begin())).toBe(200)
    await api.world.advance(5 * 60_000)
    expect(codeOf(await begin())).toBe('confirmation_required')
    expect(codeOf(await confirm(await answerOf(api, own)))).toBe(200)
    expect(codeOf(await begin())).toBe(200)
    // For this session only.
    const second = await signInAgain(api, person)
    await api.database.knex('sessions').where({ id: second.sessionId }).update({ confirmedAt: null })
    expect(codeOf(await send('POST', '/totp', undefined, second))).toBe('confirmation_required')
  })

  it('allows making a key that opens gates without the password in the request', async () => {
    const { spaceId } = api.home
    const admin = await newUser(api, { email: 'keys@example.com', spaceId, role: 'admin' })
    await api.database.knex('users').where({ id: admin.userId }).update({ passwordHash })
    const make = () =>
      send('POST', `/spaces/${spaceId}/api-keys`, { name: 'Door', scopes: ['gates:open'] }, admin)
    expect(codeOf(await make())).toBe(201)
    await api.world.advance(5 * 60_000)
    expect(codeOf(await make())).toBe('confirmation_required')
    await send('POST', '/session/confirm', { password }, admin)
    expect(codeOf(await make())).toBe(201)
  })
})
