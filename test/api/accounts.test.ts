// The accounts of people: invited, joined, changed, removed; passwords forgotten and changed; sessions ended elsewhere.

import { newUser, type SignedInBrowser, signInAgain } from '@callgate/cloud/user/user.kit'
import { csrfHeader } from '@callgate/contract/app/session'
import { settle } from '@callgate/world/fake'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type Api, serveAtTwoClouds } from './apiServer.ts'
import { mailedToken, newPerson, password, passwordHash } from './userRequests.ts'

let api: Api
let owner: SignedInBrowser
const ownScript = { 'Sec-Fetch-Site': 'same-origin' }
const newWords = 'seven otters paint the harbour'

beforeAll(async () => {
  api = await serveAtTwoClouds()
  owner = await newUser(api, { email: 'olga@example.com', spaceId: api.home.spaceId })
})
afterAll(() => api.stop())
beforeEach(async () => {
  await api.nextMinute()
  // An owner's actions here need a session that was confirmed just now.
  owner = await signInAgain(api, owner)
})

interface HttpAnswer {
  readonly status: number
  readonly cookies: readonly string[]
  readonly json: Record<string, unknown> & { error?: { code: string; message: string } }
}
const toldBy = ({ headers, status, text }: Answer): HttpAnswer => ({
  status,
  cookies: headers['set-cookie'] ?? [],
  json: text === '' ? {} : JSON.parse(text),
})
const send = async (method: string, path: string, body?: object, browser?: SignedInBrowser) =>
  toldBy(
    await api.send(method, `/app/v1${path}`, { key: null, headers: browser?.headers ?? ownScript, body }),
  )
const inSpace = (path: string) => `/spaces/${api.home.spaceId}${path}`

/** The secret of the newest mailed link. */
const invitationToken = () => mailedToken(api, 'userInvitations')
const resetToken = ({ userId }: SignedInBrowser) => mailedToken(api, 'passwordResets', { userId })
const waitingMails = (kind: string) => api.database.knex('outbox').where({ kind, sentAt: null })
const signIn = (email: string, given = password) => send('POST', '/session', { email, password: given })
const isAlive = async (browser: SignedInBrowser) =>
  (await send('GET', '/session', undefined, browser)).status === 200

const invite = (email: string, more: object = {}) =>
  send('POST', inSpace('/invitations'), { email, name: 'Ion Pop', role: 'admin', ...more }, owner)

describe('an invitation', () => {
  it('makes a person without an account a user, who is signed in', async () => {
    const invited = await invite('Ion@Example.com')
    expect(invited.status).toBe(201)
    expect(invited.json['invitation']).toMatchObject({
      email: 'ion@example.com',
      role: 'admin',
      invitedBy: 'Olga Owner',
    })
    expect(await waitingMails('user_invitation')).toHaveLength(1)
    const token = await invitationToken()
    expect((await send('POST', '/invitation', { token })).json).toMatchObject({
      spaceName: 'Test',
      email: 'ion@example.com',
      invitedBy: 'Olga Owner',
      hasAccount: false,
    })
    const short = await send('POST', '/invitation/accept', { token, name: 'Ion', password: 'short' })
    expect([short.status, short.json.error?.message]).toEqual([
      400,
      expect.stringContaining('password: The password must have at least 15'),
    ])
    const accepted = await send('POST', '/invitation/accept', { token, name: 'Ion', password: newWords })
    expect(accepted.json).toMatchObject({
      email: 'ion@example.com',
      session: { spaces: [{ role: 'admin' }] },
    })
    expect(accepted.cookies[0]).toMatch(/^sid=/)
    expect(
      (await send('POST', '/invitation/accept', { token, name: 'Ion', password: newWords })).status,
    ).toBe(404)
    expect((await send('POST', '/invitation', { token })).status).toBe(404)
    expect((await signIn('ion@example.com', newWords)).status).toBe(200)
    expect((await invite('ion@example.com')).json.error?.code).toBe('conflict')
  })

  it('gives a person with an account the role, and signs nobody in', async () => {
    const other = await api.addSpace()
    const dan = await newUser(api, { email: 'dan@example.com', spaceId: other.spaceId, role: 'owner' })
    expect((await invite('dan@example.com')).status).toBe(201)
    const token = await invitationToken()
    expect((await send('POST', '/invitation', { token })).json['hasAccount']).toBe(true)
    const odd = await send('POST', '/invitation/accept', { token, password: newWords })
    expect(odd.status).toBe(400)
    const accepted = await send('POST', '/invitation/accept', { token })
    expect([accepted.json, accepted.cookies]).toEqual([{ email: 'dan@example.com', session: null }, []])
    const { json } = await send('GET', '/session', undefined, dan)
    const spaces = json['spaces'] as { id: string; role: string }[]
    const roles = Object.fromEntries(spaces.map(({ id, role }) => [id, role]))
    expect(roles).toEqual({ [other.spaceId]: 'owner', [api.home.spaceId]: 'admin' })
  })

  it('ends when it is withdrawn, sent again, or older than 72 hours', async () => {
    const first = await invite('eva@example.com')
    const firstToken = await invitationToken()
    await invite('eva@example.com', { role: 'owner' })
    const token = await invitationToken()
    expect((await send('POST', '/invitation', { token: firstToken })).status).toBe(404)
    expect((await send('POST', '/invitation', { token })).json['role']).toBe('owner')
    const { id } = first.json['invitation'] as { id: string }
    expect((await send('DELETE', inSpace(`/invitations/${id}`), undefined, owner)).status).toBe(404)
    const listed = await send('GET', inSpace('/users'), undefined, owner)
    const [invitation] = listed.json['invitations'] as { id: string }[]
    expect((await send('DELETE', inSpace(`/invitations/${invitation?.id}`), undefined, owner)).status).toBe(
      204,
    )
    expect((await send('POST', '/invitation', { token })).status).toBe(404)
    await invite('late@example.com')
    const late = await invitationToken()
    const asked = await signInAgain(api, owner)
    await api.world.advance(72 * 3_600_000)
    expect((await send('POST', '/invitation/accept', { token: late, password: newWords })).status).toBe(404)
    expect(await isAlive(asked)).toBe(false)
    owner = await signInAgain(api, owner)
  })
})

describe('the end of an owner', () => {
  const joined = async (token: string) =>
    (await send('POST', '/invitation/accept', { token, name: 'Back', password: newWords })).status
  /** An owner who has invited somebody, and the secret of that invitation. */
  async function inviter(name: string) {
    const email = `${name}@example.com`
    const second = await newUser(api, { email, name, spaceId: api.home.spaceId, role: 'owner' })
    const body = { email: `friend.of.${email}`, name: 'Friend', role: 'owner' }
    expect((await send('POST', inSpace('/invitations'), body, second)).status).toBe(201)
    return { second, token: await invitationToken() }
  }

  it.each([
    ['removal', (userId: string) => send('DELETE', inSpace(`/users/${userId}`), undefined, owner)],
    ['demotion', (userId: string) => send('PATCH', inSpace(`/users/${userId}`), { role: 'admin' }, owner)],
  ])('withdraws their invitations at the %s', async (name, end) => {
    const { second, token } = await inviter(name)
    expect((await send('POST', '/invitation', { token })).status).toBe(200)
    expect((await end(second.userId)).status).toBeLessThan(300)
    expect([(await send('POST', '/invitation', { token })).status, await joined(token)]).toEqual([404, 404])
    const { json } = await api.send('GET', '/api/v1/activity?limit=2')
    const actions = json.activity.map(({ action }) => action)
    expect(actions).toContain('user.invitation_cancelled')
  })

  it('admits nobody whose inviter may no longer invite', async () => {
    const { second, token } = await inviter('shut.out')
    const { userId } = second
    await api.database.knex('users').where({ id: userId }).update({ deactivatedAt: '2026-01-01T00:00:00Z' })
    expect(await joined(token)).toBe(404)
    await api.database.knex('users').where({ id: userId }).update({ deactivatedAt: null })
    await api.database.knex('userInvitations').update({ madeById: null })
    expect(await joined(token)).toBe(404)
    await send('DELETE', inSpace(`/users/${userId}`), undefined, owner)
    await api.database.knex('userInvitations').delete()
  })

  it('revokes the keys that they made where that is requested', async () => {
    const makeKey = async (browser: SignedInBrowser, name: string) => {
      const body = { name, scopes: ['gates:read'], expiresAt: null }
      const { json } = await send('POST', inSpace('/api-keys'), body, browser)
      return (json['key'] as { id: string }).id
    }
    const revoked = async (id: string) =>
      (await api.database.knex('apiKeys').where({ id }).first()).revokedAt !== null
    const ana = await newUser(api, { email: 'keys@example.com', spaceId: api.home.spaceId, role: 'admin' })
    const [own, others] = [await makeKey(ana, 'Ana’s'), await makeKey(owner, 'Olga’s')]
    const path = inSpace(`/users/${ana.userId}`)
    expect((await send('DELETE', `${path}?revokesKeys=true`, undefined, owner)).status).toBe(204)
    expect([await revoked(own), await revoked(others)]).toEqual([true, false])
    const ion = await newUser(api, { email: 'keys2@example.com', spaceId: api.home.spaceId, role: 'admin' })
    const kept = await makeKey(ion, 'Ion’s')
    expect((await send('DELETE', inSpace(`/users/${ion.userId}`), undefined, owner)).status).toBe(204)
    expect(await revoked(kept)).toBe(false)
  })

  it('is reported to the other owners when somebody becomes one', async () => {
    const ana = await newUser(api, { email: 'next@example.com', spaceId: api.home.spaceId, role: 'admin' })
    await send('PATCH', inSpace(`/users/${ana.userId}`), { role: 'owner' }, owner)
    const told = await api.database.knex('outbox').where({ kind: 'owner_added' }).pluck('linkId')
    expect(told).toContain(owner.userId)
    expect(told).not.toContain(ana.userId)
    await send('DELETE', inSpace(`/users/${ana.userId}`), undefined, owner)
  })
})

describe('a code of a SIM card that may buy something', () => {
  it('can be set and requested only by an owner with a confirmed session', async () => {
    const { gatewayId, spaceId } = api.home
    const admin = await newUser(api, { email: 'sim@example.com', spaceId, role: 'admin' })
    const { knex } = api.database
    const beat = JSON.stringify({ can: ['ussd'] })
    await knex('gateways').where({ id: gatewayId }).update({ lastBeat: beat })
    const set = (browser: SignedInBrowser) =>
      send('PATCH', inSpace(`/gateways/${gatewayId}/sim`), { code: '*100*1*2#' }, browser)
    const ask = (browser: SignedInBrowser) =>
      send('POST', inSpace(`/gateways/${gatewayId}/sim/ask`), undefined, browser)
    const coded = async (answer: Promise<HttpAnswer>) => (await answer).json.error?.code
    expect(await coded(set(admin))).toBe('insufficient_role')
    await knex('sessions').where({ id: owner.sessionId }).update({ confirmedAt: null })
    expect(await coded(set(owner))).toBe('confirmation_required')
    expect(await coded(ask(owner))).toBe('conflict')
    await knex('users').where({ id: owner.userId }).update({ passwordHash })
    await send('POST', '/session/confirm', { password }, owner)
    expect((await set(owner)).status).toBe(200)
    expect(await coded(ask(admin))).toBe('insufficient_role')
    expect((await ask(owner)).status).toBe(202)
  })
})

describe('the users of a Space', () => {
  it('have at least one owner, and lose all rights within a request', async () => {
    const ana = await newUser(api, { email: 'ana@example.com', spaceId: api.home.spaceId, role: 'admin' })
    expect((await send('GET', inSpace('/users'), undefined, ana)).json.error?.code).toBe('insufficient_role')
    for (const [method, body] of [
      ['PATCH', { role: 'admin' }],
      ['DELETE', undefined],
    ] as const) {
      const alone = await send(method, inSpace(`/users/${owner.userId}`), body, owner)
      expect([alone.status, alone.json.error?.message]).toEqual([409, expect.stringContaining('only owner')])
    }
    const raised = await send('PATCH', inSpace(`/users/${ana.userId}`), { role: 'owner' }, owner)
    expect(raised.json['user']).toMatchObject({ email: 'ana@example.com', role: 'owner', isSelf: false })
    expect((await send('GET', inSpace('/users'), undefined, ana)).status).toBe(200)
    expect((await send('DELETE', inSpace(`/users/${ana.userId}`), undefined, owner)).status).toBe(204)
    expect((await send('GET', inSpace('/gates'), undefined, ana)).status).toBe(404)
    expect((await send('DELETE', inSpace(`/users/${ana.userId}`), undefined, owner)).status).toBe(404)
    const { json } = await api.send('GET', '/api/v1/activity?limit=2')
    expect(json.activity).toMatchObject([
      { action: 'user.removed', actor: 'user:olga@example.com', targetLabel: 'Olga Owner' },
      { action: 'user.role_changed', details: { changes: { role: { from: 'admin', to: 'owner' } } } },
    ])
  })

  it('are changed by one owner at a time, and no change is lost silently', async () => {
    const ana = await newUser(api, { email: 'anda@example.com', spaceId: api.home.spaceId, role: 'admin' })
    const path = inSpace(`/users/${ana.userId}`)
    const read = async () =>
      (await api.send('GET', `/app/v1${path}`, { key: null, headers: owner.headers })).headers.etag ?? ''
    const change = async (method: string, etag: string, body?: object) => {
      const headers = { ...owner.headers, 'If-Match': etag }
      const told = toldBy(await api.send(method, `/app/v1${path}`, { key: null, headers, body }))
      return told.json.error?.code ?? told.status
    }
    const before = await read()
    // The use of a session is no change.
    await api.database
      .knex('sessions')
      .where({ userId: ana.userId })
      .update({ lastSeenAt: '2026-01-01T00:00:01.000Z' })
    expect(await change('PATCH', before, { role: 'owner' })).toBe(200)
    expect(await change('PATCH', before, { role: 'admin' })).toBe('precondition_failed')
    expect(await change('DELETE', before)).toBe('precondition_failed')
    expect((await send('GET', path, undefined, owner)).json['user']).toMatchObject({ role: 'owner' })
    expect(await change('DELETE', await read())).toBe(204)
    expect((await send('GET', path, undefined, owner)).status).toBe(404)
  })

  it('make the member whom an owner has linked an admin, as long as the user may sign in', async () => {
    const { json } = await api.send('POST', '/api/v1/members', {
      body: { name: 'Ana', email: 'vera@example.com' },
    })
    const { id } = json.member
    const vera = await newUser(api, { email: 'vera@example.com', spaceId: api.home.spaceId, role: 'admin' })
    const isAdmin = async () => (await api.send('GET', `/api/v1/members/${id}`)).json.member.isAdmin
    // An equal e-mail is no reason.
    expect(await isAdmin()).toBe(false)
    const link = (memberId: string | null, userId = vera.userId) =>
      send('PATCH', inSpace(`/users/${userId}`), { memberId }, owner)
    expect((await link(id)).json['user']).toMatchObject({ member: { id, name: 'Ana' } })
    expect(await isAdmin()).toBe(true)
    expect((await link(id, owner.userId)).json.error?.message).toContain('another user')
    expect((await link(`member_${'0'.repeat(26)}`)).status).toBe(404)
    expect((await link(null)).json['user']).toMatchObject({ member: null })
    expect(await isAdmin()).toBe(false)
    await link(id)
    await send('DELETE', inSpace(`/users/${vera.userId}`), undefined, owner)
    expect(await isAdmin()).toBe(false)
    const found = await api.send('GET', `/api/v1/activity?memberId=${id}&limit=1`)
    expect(found.json.activity).toMatchObject([
      { action: 'user.linked', details: { memberId: id, memberName: 'Ana' } },
    ])
  })
})

describe('a forgotten password', () => {
  const request = async (email: string) => {
    const told = await send('POST', '/password-reset', { email })
    await settle(20)
    return told
  }
  const confirm = (token: string, given = newWords) =>
    send('POST', '/password-reset/confirm', { token, password: given })

  it('gets the same answer for every e-mail, and at most three mails an hour for an account', async () => {
    const person = await newPerson(api)
    const before = await waitingMails('password_reset')
    const answers = [await request('nobody@example.com')]
    for (let count = 0; count < 4; count++) answers.push(await request(person.email))
    expect(answers).toEqual(answers.map(() => answers[0]))
    expect(answers[0]?.status).toBe(204)
    await expect.poll(() => waitingMails('password_reset')).toHaveLength(before.length + 3)
    await api.world.advance(60 * 60_000)
    await request(person.email)
    await expect.poll(() => waitingMails('password_reset')).toHaveLength(before.length + 4)
  })

  it('is replaced by the link, once, which ends all sessions', async () => {
    const person = await newPerson(api)
    await request(person.email)
    const token = await resetToken(person)
    expect((await confirm(token, 'passwordpassword')).json.error?.message).toContain('guessed first')
    expect(await isAlive(person)).toBe(true)
    const done = await confirm(token)
    expect([done.status, done.cookies[0]]).toEqual([204, expect.stringMatching(/^device=/)])
    expect(await isAlive(person)).toBe(false)
    expect((await confirm(token)).status).toBe(404)
    expect((await signIn(person.email)).status).toBe(401)
    expect((await signIn(person.email, newWords)).status).toBe(200)
    await request(person.email)
    const late = await resetToken(person)
    await api.world.advance(60 * 60_000)
    expect((await confirm(late)).status).toBe(404)
  })
})

describe('a signed-in person', () => {
  it('changes the password with the current one, which ends all other sessions', async () => {
    const person = await newPerson(api)
    const other = await signInAgain(api, person)
    const change = (currentPassword: string, given = newWords) =>
      send('POST', '/session/password', { currentPassword, password: given }, person)
    expect((await change('wrong')).json.error?.code).toBe('wrong_password')
    expect((await change(password, 'too short')).json.error?.code).toBe('validation_error')
    const changed = await change(password)
    const sid = changed.cookies[0]?.split(';')[0] ?? ''
    expect([await isAlive(person), await isAlive(other)]).toEqual([false, false])
    const headers = { ...ownScript, Cookie: sid, [csrfHeader]: String(changed.json['csrfToken']) }
    const out = await api.send('DELETE', '/app/v1/session', { key: null, headers })
    expect(out.status).toBe(204)
    expect((await signIn(person.email, newWords)).status).toBe(200)
  })

  it('has ten wrong current passwords in a quarter of an hour', async () => {
    const person = await newPerson(api)
    const statuses: number[] = []
    for (let count = 0; count < 11; count++) {
      const body = { currentPassword: `wrong ${count}`, password: newWords }
      statuses.push((await send('POST', '/session/password', body, person)).status)
    }
    expect(statuses).toEqual([...Array<number>(10).fill(403), 429])
  })

  it('sees the own sessions, and ends them', async () => {
    const person = await newPerson(api)
    const [phone, laptop] = [await signInAgain(api, person), await signInAgain(api, person)]
    const { json } = await send('GET', '/sessions', undefined, person)
    expect(json['sessions']).toMatchObject([
      { id: laptop.sessionId, isCurrent: false, browser: 'Firefox on Linux' },
      { id: phone.sessionId, isCurrent: false },
      { id: person.sessionId, isCurrent: true },
    ])
    expect((await send('DELETE', `/sessions/${phone.sessionId}`, undefined, person)).status).toBe(204)
    expect([await isAlive(phone), await isAlive(laptop)]).toEqual([false, true])
    expect((await send('DELETE', `/sessions/${owner.sessionId}`, undefined, person)).status).toBe(404)
    expect((await send('DELETE', '/sessions', undefined, person)).status).toBe(204)
    expect([await isAlive(laptop), await isAlive(person)]).toEqual([false, true])
  })

  it('changes the own name and language', async () => {
    const person = await newPerson(api, api.home.spaceId)
    const profile = { name: 'Ana Maria', language: 'ro' }
    const { json } = await send('PATCH', '/profile', profile, person)
    expect(json['user']).toMatchObject({ ...profile, email: person.email })
    expect((await send('GET', '/session', undefined, person)).json['user']).toMatchObject(profile)
    expect((await send('PATCH', '/profile', { email: 'x@example.com' }, person)).status).toBe(400)
  })

  it('leaves only a hash of the password in the database', async () => {
    const rows = JSON.stringify(await api.database.knex('users'))
    for (const words of [password, newWords]) expect(rows).not.toContain(words)
    expect(rows).toContain(passwordHash)
    expect(JSON.stringify(api.world.lines)).not.toContain(newWords)
  })
})
