import type { Session } from '@callgate/contract/app/session'
import { expect, it, vi } from 'vitest'
import { createClient, fileAddress } from './client.ts'

const gate = { id: 'gate_1', name: 'Front' }

const session: Session = {
  user: { id: 'user_1', email: 'ana@example.com', name: 'Ana', language: 'en' },
  spaces: [],
  csrfToken: 'token',
  expiresAt: '2026-01-05T08:00:00.000Z',
}

/** A client whose requests all get one answer, with a record of its requests. */
function answered(answer: Response | Error) {
  const sent: { readonly url: string; readonly init: RequestInit }[] = []
  const fetcher = (async (url: string, init: RequestInit) => {
    sent.push({ url, init })
    if (answer instanceof Error) throw answer
    return answer
  }) as typeof fetch
  return { client: createClient(fetcher), sent }
}

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify({ error: { code, message: 'Why.', reason: 'busy' } }), { status, headers })

it('sends a change with its ids, its token and the tag of what it changes', async () => {
  const { client, sent } = answered(new Response(JSON.stringify({ gate }), { headers: { ETag: '"2"' } }))
  client.hold(session)
  const params = { spaceId: 'space_1', gateId: 'a/b' }
  const result = await client.call('updateGate', { params, body: { name: 'Back' }, ifMatch: '"1"' })
  expect(sent[0]?.url).toBe('/app/v1/spaces/space_1/gates/a%2Fb')
  expect(sent[0]?.init).toMatchObject({
    method: 'PATCH',
    body: '{"name":"Back"}',
    headers: { 'X-CSRF-Token': 'token', 'If-Match': '"1"', 'Content-Type': 'application/json' },
  })
  expect(result).toEqual({ ok: true, body: { gate }, etag: '"2"' })
})

it('sends no token where nothing is changed, and no undefined parts of a query', async () => {
  const { client, sent } = answered(new Response('{"openings":[]}'))
  client.hold(session)
  await client.call('listOpenings', { params: { spaceId: 's' }, query: { limit: 5, gateId: undefined } })
  expect(sent[0]?.url).toBe('/app/v1/spaces/s/openings?limit=5')
  expect(sent[0]?.init.headers).toEqual({ Accept: 'application/json' })
})

it('returns a problem as a value', async () => {
  const { client } = answered(problem(429, 'rate_limited', { 'Retry-After': '7' }))
  expect(await client.call('signOut', {})).toEqual({
    ok: false,
    code: 'rate_limited',
    message: 'Why.',
    retryAfterS: 7,
    extra: { reason: 'busy' },
  })
})

it.each([
  ['no answer', new TypeError('Failed to fetch')],
  ['half an answer', new Response('{"gate":')],
])('reports an unknown result for %s', async (_, answer) => {
  const { client } = answered(answer)
  const result = await client.call('getSession', {})
  expect(result).toMatchObject({ ok: false, code: 'network_error' })
})

const page = (status: number, headers: Record<string, string> = {}) =>
  new Response('<html><center><h1>nginx</h1></center></html>', { status, headers })

it.each([
  ['a page of a proxy that takes no more', page(413), { code: 'proxy_too_large' }],
  ['a page of a proxy with a gone cloud', page(502), { code: 'proxy_failed', message: '502' }],
  ['a page of a proxy without a cloud', page(503), { code: 'proxy_failed', message: '503' }],
  ['a page of a proxy that waited too long', page(504), { code: 'proxy_failed', message: '504' }],
  [
    'a page of a proxy with a limit',
    page(429, { 'Retry-After': '9' }),
    { code: 'rate_limited', retryAfterS: 9 },
  ],
  [
    'a cloud that takes nothing after a restore',
    problem(503, 'internal_error', { 'Retry-After': '84' }),
    { code: 'unavailable', retryAfterS: 84 },
  ],
])('distinguishes %s from a missing answer', async (_, answer, failure) => {
  const { client } = answered(answer)
  expect(await client.call('signOut', {})).toMatchObject({ ok: false, ...failure })
})

it('reports that nobody is signed in, but not for a wrong password', async () => {
  const { client } = answered(problem(401, 'unauthorized'))
  const listener = vi.fn()
  const stop = client.onSignedOut(listener)
  await client.call('signIn', { body: { email: 'a@b.c', password: 'wrong' } })
  expect(listener).not.toHaveBeenCalled()
  const other = answered(problem(401, 'unauthorized'))
  const stopOther = other.client.onSignedOut(listener)
  await other.client.call('getSession', {})
  expect(listener).toHaveBeenCalledOnce()
  stop()
  stopOther()
})

/** The requests of the client where another tab has begun `now`: each change with the token, or `GET`. */
async function sentAfter(now: Session): Promise<readonly string[]> {
  const sent: string[] = []
  const client = createClient((async (_: string, { headers, method }: RequestInit) => {
    const token = new Headers(headers).get('X-CSRF-Token')
    sent.push(token ?? method ?? '')
    if (method === 'GET') return new Response(JSON.stringify(now))
    return token === now.csrfToken ? new Response(null, { status: 204 }) : problem(403, 'csrf_refused')
  }) as typeof fetch)
  client.hold(session)
  const listener = vi.fn()
  client.onOtherSession(listener)
  await client.call('endOtherSessions', {})
  expect(listener).toHaveBeenCalledExactlyOnceWith(now)
  return sent
}

it('adopts the session that another tab has begun, and does nothing for another user', async () => {
  const now = { ...session, csrfToken: 'new' }
  expect(await sentAfter(now)).toEqual(['token', 'GET', 'new'])
  expect(await sentAfter({ ...now, user: { ...session.user, id: 'user_2' } })).toEqual(['token', 'GET'])
})

it('names the address of a file', () => {
  const given = { params: { spaceId: 'space_1' }, query: { gateId: 'gate_1', classes: undefined } }
  expect(fileAddress('exportHistory', given)).toBe('/app/v1/spaces/space_1/history-file?gateId=gate_1')
})
