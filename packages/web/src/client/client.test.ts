import { expect, it, vi } from 'vitest'
import { createClient, fileAddress } from './client.ts'

const gate = { id: 'gate_1', name: 'Front' }

/** A client whose requests get one answer, and what it sent. */
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

it('sends a change with its ids, its token and what it was based on', async () => {
  const { client, sent } = answered(new Response(JSON.stringify({ gate }), { headers: { ETag: '"2"' } }))
  client.holdToken('token')
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

it('sends no token where nothing is changed, and a query without what is undefined', async () => {
  const { client, sent } = answered(new Response('{"openings":[]}'))
  client.holdToken('token')
  await client.call('listOpenings', { params: { spaceId: 's' }, query: { limit: 5, gateId: undefined } })
  expect(sent[0]?.url).toBe('/app/v1/spaces/s/openings?limit=5')
  expect(sent[0]?.init.headers).toEqual({ Accept: 'application/json' })
})

it('answers a problem as a value', async () => {
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
])('says of %s that nothing is known', async (_, answer) => {
  const { client } = answered(answer)
  const result = await client.call('getSession', {})
  expect(result).toMatchObject({ ok: false, code: 'network_error' })
})

it('tells that nobody is signed in, but not of a wrong password', async () => {
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

it('names the address of a file', () => {
  const given = { params: { spaceId: 'space_1' }, query: { gateId: 'gate_1', classes: undefined } }
  expect(fileAddress('exportHistory', given)).toBe('/app/v1/spaces/space_1/history-file?gateId=gate_1')
})
