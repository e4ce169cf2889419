// Signing in to the dashboard: cookies, wrong passwords, guessing strangers, and the end of a session.

import { newUser } from '@callgate/cloud/user/user.kit'
import { csrfHeader } from '@callgate/contract/app/session'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Answer, type Api, serveAtTwoClouds } from './apiServer.ts'
import { password, passwordHash } from './userRequests.ts'

let api: Api
const email = 'olga@example.com'
const ownScript = { 'Sec-Fetch-Site': 'same-origin' }

beforeAll(async () => {
  api = await serveAtTwoClouds()
  await newUser(api, { email, spaceId: api.home.spaceId })
  await newUser(api, { email: 'dan@example.com', spaceId: api.home.spaceId, role: 'admin' })
  await api.database.knex('users').update({ passwordHash })
})
afterAll(() => api.stop())
// More than a quarter of an hour, so that no test meets the wrong passwords of another one.
beforeEach(() => api.world.advance(16 * 60_000))

const signIn = (given: object = {}, headers: Record<string, string> = {}) =>
  api.send('POST', '/app/v1/session', {
    key: null,
    headers: { ...ownScript, ...headers },
    body: { email, password, ...given },
  })
const session = (headers: Record<string, string>) =>
  api.send('GET', '/app/v1/session', { key: null, headers })

/** The cookies that an answer sets, by their names. */
function cookiesOf({ headers }: Answer): Record<string, string> {
  const set = headers['set-cookie'] ?? []
  return Object.fromEntries(set.map(cookie => cookie.split(';')[0]?.split('=') ?? []))
}

/** The headers of a browser that has signed in. */
function browserOf(answer: Answer): Record<string, string> {
  const cookie = Object.entries(cookiesOf(answer)).map(([name, value]) => `${name}=${value}`)
  const { csrfToken } = JSON.parse(answer.text)
  return { ...ownScript, Cookie: cookie.join('; '), [csrfHeader]: csrfToken }
}

describe('a wrong session', () => {
  it('is answered at once however often it comes, and looked up only where it has the right form', async () => {
    const looked: string[] = []
    const watch = ({ sql }: { readonly sql: string }) => void looked.push(sql)
    for (const { knex } of api.databases) knex.on('query', watch)
    const wrong = ['', 'short', 'a'.repeat(4_000), "' or 1=1 --"].map(sid => `sid=${encodeURIComponent(sid)}`)
    for (const Cookie of [...wrong, `sid=${'é'.repeat(43)}`])
      expect((await session({ Cookie })).status).toBe(401)
    expect(looked).toEqual([])
    // The clock stops, so a delayed answer never comes.
    const ended = Array.from({ length: 100 }, (_, index) => `sid=${String(index).padStart(43, 'a')}`)
    const answers = await Promise.all(ended.map(Cookie => session({ Cookie })))
    for (const { knex } of api.databases) knex.removeListener('query', watch)
    expect(answers.map(({ status }) => status)).toEqual(ended.map(() => 401))
    expect(looked).toHaveLength(100)
  })
})

describe('signing in', () => {
  it('returns the user and their Spaces, and gives the browser a session', async () => {
    const answer = await signIn({ email: ' OLGA@example.com' })
    expect(JSON.parse(answer.text)).toMatchObject({
      user: { email, name: 'Olga Owner', language: 'en' },
      spaces: [
        { id: api.home.spaceId, name: 'Test', role: 'owner', plan: 'pro', timezone: 'Europe/Bucharest' },
      ],
    })
    const [sid, device] = answer.headers['set-cookie'] ?? []
    expect(sid).toMatch(/^sid=[\w-]{43}; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/)
    expect(device).toMatch(/^device=1\.[\w-]+; Path=\/; Max-Age=15552000; HttpOnly; SameSite=Lax$/)
    const browser = browserOf(answer)
    expect((await session(browser)).text).toBe(answer.text)
  })

  it('begins a new session each time, and ends the one that the browser had', async () => {
    const first = browserOf(await signIn())
    const again = browserOf(await signIn({}, first))
    expect(again['Cookie']).not.toBe(first['Cookie'])
    expect((await session(first)).status).toBe(401)
    expect((await session(again)).status).toBe(200)
  })

  it('keeps neither the secret of a session nor the token in the database', async () => {
    const browser = browserOf(await signIn())
    const secret = /sid=([\w-]+)/.exec(browser['Cookie'] ?? '')?.[1] ?? 'none'
    const rows = JSON.stringify(await api.database.knex('sessions'))
    for (const text of [secret, browser[csrfHeader] ?? '']) expect(rows).not.toContain(text)
  })
})

describe('a wrong password', () => {
  it('gets the same answer as an unknown e-mail, and as an account without a password', async () => {
    const bytes = ({
      headers: { date: _, ratelimit: __, 'x-request-id': ___, ...rest },
      status,
      text,
    }: Answer) => ({
      status,
      text,
      rest,
    })
    const wrong = bytes(await signIn({ password: 'something else here' }))
    expect(wrong).toMatchObject({ status: 401, text: expect.stringContaining('e-mail or the password') })
    expect(bytes(await signIn({ email: 'nobody@example.com' }))).toEqual(wrong)
    await newUser(api, { email: 'new@example.com', spaceId: api.home.spaceId })
    expect(bytes(await signIn({ email: 'new@example.com' }))).toEqual(wrong)
  })

  it('locks strangers out after ten, and never a browser that has signed in before', async () => {
    const known = browserOf(await signIn())
    const { Cookie = '' } = known
    const device = { Cookie: Cookie.replace(/sid=[^;]+; /, '') }
    const answers: string[] = []
    for (let guess = 0; guess < 11; guess++)
      answers.push(String((await signIn({ password: `guess ${guess}` })).status))
    expect(answers).toEqual([...Array<string>(10).fill('401'), '429'])
    const refused = await signIn()
    expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '900' } })
    expect(refused.json.error.message).toContain(
      'A browser on which you have signed in before is not affected',
    )
    expect((await signIn({}, device)).status).toBe(200)
    // The cookie of one account has no effect for another one.
    expect((await signIn({ email: 'dan@example.com', password: 'guess' }, device)).status).toBe(401)
    await api.world.advance(900_000)
    expect((await signIn()).status).toBe(200)
  })
})

describe('a session', () => {
  it('ends when its user signs out, within that request', async () => {
    const browser = browserOf(await signIn())
    const out = await api.send('DELETE', '/app/v1/session', { key: null, headers: browser })
    expect([out.status, out.headers['set-cookie']]).toEqual([
      204,
      ['sid=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'],
    ])
    const after = await session(browser)
    expect(after.json.error.message).toBe(
      'You are not signed in, or your session has ended. Sign in and try again.',
    )
    expect(after.headers['www-authenticate']).toBeUndefined()
  })

  it('lives for 12 hours without use and for 7 days with use', async () => {
    const browser = browserOf(await signIn())
    const statusAfter = async (hours: number) => {
      await api.world.advance(hours * 3_600_000)
      return (await session(browser)).status
    }
    expect(await statusAfter(11.9)).toBe(200)
    expect(await statusAfter(11.9)).toBe(200)
    expect(await statusAfter(12.1)).toBe(401)
    const busy = browserOf(await signIn())
    for (let day = 0; day < 13; day++) {
      await api.world.advance(12 * 3_600_000 - 60_000)
      expect((await session(busy)).status).toBe(200)
    }
    await api.world.advance(12 * 3_600_000 + 13 * 60_000)
    expect((await session(busy)).status).toBe(401)
  })

  it('never authenticates the REST API', async () => {
    const headers = browserOf(await signIn())
    expect((await api.send('GET', '/api/v1/gates', { key: null, headers })).status).toBe(401)
  })
})

it('lets a user read 400 times in any minute, in all sessions together, and write as often as a key', async () => {
  const first = browserOf(await signIn())
  const second = browserOf(await signIn())
  await api.world.advance(60_000)
  for (let count = 0; count < 200; count++)
    for (const browser of [first, second]) expect((await session(browser)).status).toBe(200)
  const refused = await session(first)
  expect([refused.status, refused.headers['ratelimit-policy']]).toEqual([429, '"default";q=400;w=60'])
  expect(JSON.parse(refused.text).error.message).toMatch(/^A user may make at most 400 reading requests/)
  const write = await api.send('POST', `/app/v1/spaces/${api.home.spaceId}/gates`, {
    key: null,
    headers: first,
    body: {},
  })
  expect([write.status, write.headers['ratelimit-policy']]).toEqual([400, '"write";q=30;w=60'])
})
