import { request } from 'node:http'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { version } from '@callgate/world/version'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { onPostgres } from '../database/postgres.kit.ts'
import { openingReadHandlers } from '../history/openingReads.ts'
import { revokeApiKey } from '../space/apiKeys.ts'
import { setPlan } from '../space/spaces.ts'
import type { Handlers } from './handler.ts'
import { type ApiServer, gate, json, type Sent, sendTo, serveApi, told } from './server.kit.ts'

const openingId = 'open_01kdhx3m8e2w7q5v9z4r6t8y0a'
const openGate: Handlers['openGate'] = async ({ params }) =>
  params.gateId === 'broken'
    ? Promise.reject(new Error('planted'))
    : { status: 200, body: { opened: true, openingId } }

let api: ApiServer
const send: ApiServer['send'] = (...given) => api.send(...given)

beforeEach(async () => {
  api = await serveApi(parts => {
    return { ...openingReadHandlers(parts), openGate }
  })
})
afterEach(() => api.stop())

/** Sends a request with a body where fetch allows none; with a type, the body comes in chunks. */
function sendRaw(method: string, path: string, body: string, type?: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const how =
      type === undefined
        ? { 'Content-Length': Buffer.byteLength(body) }
        : { 'Transfer-Encoding': 'chunked', 'Content-Type': type }
    const headers = { Authorization: `Bearer ${api.key}`, ...how }
    const sent = request(api.base + path, { method, headers }, answer => {
      answer.resume().on('end', () => resolve(answer.statusCode))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

describe('every answer', () => {
  it('has a request id and forbids caches; errors have one shape', async () => {
    const answer = await send('GET', '/nowhere')
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({
      error: { code: 'not_found', message: 'There is nothing at this address.' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/)
    expect((await send('GET', '/healthz')).json).toEqual({ status: 'ok', version, commit: 'unknown' })
    expect((await send('GET', '/api/v1/openapi.json', { headers: {} })).json['openapi']).toBe('3.1.0')
  })

  it("uses the client's id of a request where that is harmless", async () => {
    const named = async (id: string) =>
      (await send('GET', '/healthz', { headers: { 'X-Request-Id': id } })).headers.get('x-request-id')
    expect(await named('order-17.a_b')).toBe('order-17.a_b')
    for (const bad of ['', 'a b', 'x'.repeat(65), 'ä']) expect(await named(bad)).toMatch(/^[\w-]{16}$/)
  })

  it('has headers that keep browsers from rendering it', async () => {
    const { headers } = await send('GET', '/api/v1/gates')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  })

  it('hides a fault, and logs it with the request id', async () => {
    const answer = await send('POST', '/api/v1/gates/broken/open')
    expect(told(answer)).toBe('500 internal_error')
    expect(answer.text).not.toContain('planted')
    const line = api.world.lines.find(({ message }) => message === 'a request failed')
    expect(line?.fields).toMatchObject({ requestId: answer.headers.get('x-request-id') })
    expect(String(line?.fields['stack'])).toContain('planted')
    expect(line?.fields['route']).toBe('/api/v1/gates/:gateId/open')
  })

  it('is 503 with Retry-After when the database accepts no writes', async ({ skip }) => {
    skip(onPostgres, 'it uses a pragma of SQLite')
    await api.database.knex.raw('pragma query_only = on')
    const answer = await send('POST', '/api/v1/gates', json(gate))
    expect(told(answer)).toBe('503 internal_error')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })
})

describe('the order of the checks', () => {
  it('is path, method, key, plan, scope, media type, size, content', async () => {
    const none = { headers: { Authorization: '' } }
    expect(told(await send('PUT', '/api/v1/nowhere', none))).toBe('404 not_found')
    const wrongMethod = await send('PUT', '/api/v1/gates', none)
    expect(told(wrongMethod)).toBe('405 method_not_allowed')
    expect(wrongMethod.headers.get('allow')).toBe('GET, HEAD, POST')
    const large = { headers: { 'Content-Type': 'text/plain' }, body: 'x'.repeat(70_000) }
    const anonymous = await send('POST', '/api/v1/gates', {
      ...large,
      headers: { ...large.headers, ...none.headers },
    })
    expect(told(anonymous)).toBe('401 unauthorized')
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer realm="Callgate", scope="gates:write"')

    const { key: readOnly } = await api.newKey(['gates:read'])
    const create = (init: RequestInit, key = api.key): Promise<Sent> =>
      sendTo(api.base, key, 'POST', '/api/v1/gates', init)
    const plan = (name: 'free' | 'pro') =>
      setPlan(api, { spaceId: api.spaceId, plan: name, actor: 'operator' })
    await plan('free')
    expect(told(await create(large, readOnly))).toBe('403 plan_upgrade_required')
    await plan('pro')
    expect(told(await create(large, readOnly))).toBe('403 insufficient_scope')
    expect(told(await create(large))).toBe('415 unsupported_media_type')
    expect(told(await create(json('x'.repeat(70_000))))).toBe('413 payload_too_large')
    expect(told(await create(json('{"name":')))).toBe('400 validation_error')
    const change = (body: object, headers: Record<string, string> = {}) =>
      send('PATCH', '/api/v1/gates/none', json(body, headers))
    expect(told(await change({ nme: 1 }, { 'If-Match': '"x"' }))).toBe('400 validation_error')
    expect(told(await change({ name: 'x' }, { 'If-Match': 'x' }))).toBe('400 validation_error')
    expect(told(await change({ name: 'x' }, { 'If-Match': '"x"' }))).toBe('404 not_found')
    for (let used = 6; used < 30; used++) await change({})
    expect(told(await create(large))).toBe('429 rate_limited')
  })

  it('answers 404 for any text in place of an id', async () => {
    for (const id of ['none', '%00', '%E0%A4%A', '%F0%9F%9A%AA', "'--", 'a'.repeat(4000), '..%2f..'])
      expect(told(await send('GET', `/api/v1/gates/${id}`)), id).toBe('404 not_found')
    expect(told(await sendTo(api.base, 'bad', 'GET', '/api/v1/gates/%E0%A4%A'))).toBe('401 unauthorized')
    expect(told(await send('GET', '/api/v1/%E0%A4%A'))).toBe('404 not_found')
  })
})

describe('the key', () => {
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${api.base}/api/v1/gates`, { headers })).status

  it('is read from either header, or from both when they are equal', async () => {
    const { key } = api
    const other = (await api.newKey()).key
    expect(await ask({ Authorization: `bearer ${key}` })).toBe(200)
    expect(await ask({ 'X-Api-Key': key })).toBe(200)
    expect(await ask({ Authorization: `Bearer ${key}`, 'X-Api-Key': key })).toBe(200)
    expect(await ask({ Authorization: `Bearer ${key}`, 'X-Api-Key': other })).toBe(401)
    expect(await ask({ Authorization: `Bearer ${key} x`, 'X-Api-Key': key })).toBe(401)
    expect(await ask({ Authorization: 'Bearer', 'X-Api-Key': key })).toBe(401)
    expect(await ask({ Authorization: 'Basic eDp5', 'X-Api-Key': key })).toBe(200)
    expect(await ask({ Authorization: 'Basic eDp5' })).toBe(401)
    expect((await fetch(`${api.base}/api/v1/gates?apiKey=${key}`)).status).toBe(401)
    expect(told(await send('GET', `/api/v1/gates?apiKey=${key}`))).toBe('400 validation_error')
  })

  /** The status and the challenge of a request with these headers, of which one can come twice. */
  function challenged(method: string, headers: Record<string, string | string[]>): Promise<string> {
    return new Promise((resolve, reject) => {
      const sent = request(`${api.base}/api/v1/gates`, { method, headers }, answer => {
        const { statusCode } = answer.resume()
        resolve([statusCode, answer.headers['www-authenticate'] ?? []].flat().join(' '))
      })
      sent.on('error', reject)
      sent.end()
    })
  }

  it('is refused where two Authorization headers differ, whichever comes first', async () => {
    const [one, two] = [`Bearer ${api.key}`, `Bearer ${(await api.newKey()).key}`]
    const refused = '401 Bearer realm="Callgate", error="invalid_token", scope="gates:read"'
    for (const pair of [
      [one, two],
      [two, one],
      [one, 'Basic eDp5'],
      ['Basic eDp5', one],
      [one, 'Bearer'],
    ])
      expect(await challenged('GET', { Authorization: pair }), String(pair)).toBe(refused)
    expect(await challenged('GET', { Authorization: [one, two], 'X-Api-Key': api.key })).toBe(refused)
    expect(await challenged('GET', { Authorization: [one, one] })).toBe('200')
  })

  it('gets a challenge with the scope when it is refused, and with the fault where a key was sent', async () => {
    const { key } = await api.newKey(['gates:read'])
    expect(await challenged('GET', {})).toBe('401 Bearer realm="Callgate", scope="gates:read"')
    expect(await challenged('POST', { 'X-Api-Key': 'svc_live_x' })).toBe(
      '401 Bearer realm="Callgate", error="invalid_token", scope="gates:write"',
    )
    expect(await challenged('POST', { Authorization: `Bearer ${key}` })).toBe(
      '403 Bearer realm="Callgate", error="insufficient_scope", scope="gates:write"',
    )
    await setPlan(api, { spaceId: api.spaceId, plan: 'free', actor: 'operator' })
    expect(await challenged('GET', { Authorization: `Bearer ${key}` })).toBe('403')
  })

  it('is refused from the moment when it is revoked', async () => {
    const { apiKeyId, key: other } = await api.newKey()
    expect(await ask({ 'X-Api-Key': other })).toBe(200)
    await revokeApiKey(api, { apiKeyId, actor: 'operator' })
    expect(await ask({ 'X-Api-Key': other })).toBe(401)
  })

  it('is noted as used after the answer', async () => {
    await send('GET', '/api/v1/gates')
    await vi.waitFor(
      async () =>
        expect(await api.database.knex('apiKeys').pluck('lastUsedAt')).toEqual(['2026-01-05T08:00:00.000Z']),
      20_000,
    )
  })
})

describe('forms of a request', () => {
  it('allow one trailing slash, and HEAD in place of GET', async () => {
    expect((await send('GET', '/api/v1/gates/')).status).toBe(200)
    expect((await send('GET', '/api/v1/gates//')).status).toBe(404)
    expect((await send('GET', '/api/v1/GATES')).status).toBe(404)
    const head = await send('HEAD', '/api/v1/gates')
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers.get('content-length')).toBe(String('{"gates":[]}'.length))
    expect((await send('OPTIONS', '/api/v1/gates')).headers.get('allow')).toBe('GET, HEAD, POST')
  })

  it('ignore the body of a GET and of a DELETE, however bad it is', async () => {
    const { json: created } = await send('POST', '/api/v1/gates', json(gate))
    const { id } = created['gate'] as { id: string }
    for (const body of ['{"', 'x'.repeat(200_000)]) {
      expect(await sendRaw('GET', '/api/v1/gates', body)).toBe(200)
      expect(await sendRaw('DELETE', `/api/v1/gates/${id}`, body)).toBe(204)
    }
  })

  it('need no body and no Content-Type to open, and allow no body but {}', async () => {
    const open = (init: RequestInit = {}) => send('POST', '/api/v1/gates/some/open', init)
    expect((await open()).json).toEqual({ opened: true, openingId })
    expect((await open({ headers: { 'Content-Type': 'text/plain' } })).status).toBe(200)
    expect((await open({ body: new TextEncoder().encode('{}') })).status).toBe(200)
    expect(told(await open(json({ force: true })))).toBe('400 validation_error')
    expect(told(await open(json('[]')))).toBe('400 validation_error')
  })

  it('treat an empty body in chunks as no body, whatever its type', async () => {
    const chunked = (body: string) => sendRaw('POST', '/api/v1/gates/some/open', body, 'text/plain')
    expect(await chunked('')).toBe(200)
    expect(await chunked('{}')).toBe(415)
  })

  it('have strict numbers, each once', async () => {
    const list = (query: string) => send('GET', `/api/v1/openings${query}`)
    expect((await list('')).json['pagination']).toEqual({ limit: 50, offset: 0 })
    expect((await list('?limit=200&offset=2147483647')).json['pagination']).toEqual({
      limit: 200,
      offset: 2147483647,
    })
    for (const query of [
      '?limit=0',
      '?limit=201',
      '?limit=1e1',
      '?limit=%2B5',
      '?limit=',
      '?limit=05',
      '?limit=1&limit=1',
    ])
      expect(told(await list(query)), query).toBe('400 validation_error')
    expect((await list('?offset=-1')).json.error?.message).toBe('offset must be at least 0')
    expect((await list('?page=2')).json.error?.message).toBe('page is not a known field')
    expect((await list(`?${'x'.repeat(9000)}=1`)).json.error?.message).toBe(
      `${'x'.repeat(64)}… is not a known field`,
    )
    expect(told(await list('?__proto__=1'))).toBe('400 validation_error')
    expect(told(await list('?limit=1&cursor=&offset=0'))).toBe('400 validation_error')
    expect((await list('?limit=1&cursor=')).json['pagination']).toEqual({ limit: 1, nextCursor: null })
  })

  it('are refused with deep, polluting and scalar bodies', async () => {
    for (const body of ['[[[[[[[[[1]]]]]]]]]', '{"__proto__":{"a":1}}', '1', 'null', '"x"', '{"name":"x"}}'])
      expect(told(await send('POST', '/api/v1/gates', json(body))), body).toBe('400 validation_error')
    expect((await send('POST', '/api/v1/gates', json('[[[[[[[[[1]]]]]]]]]'))).json.error?.message).toContain(
      '8 levels',
    )
    const polluting = json('{"name":"x","phoneNumber":"0722123456","__proto__":{"a":1}}')
    expect((await send('POST', '/api/v1/gates', polluting)).json.error?.message).toBe(
      '__proto__ is not a known field',
    )
    expect(told(await send('POST', '/api/v1/gates'))).toBe('400 validation_error')
  })

  it('are refused with a name that an object has twice, which the answer names', async () => {
    const create = async (path: string, body: string) =>
      (await send('POST', path, json(body))).json.error?.message
    const twice = '{"name":"a","phoneNumber":"0722123456","n\\u0061me":"b"}'
    expect(await create('/api/v1/gates', twice)).toBe('name is given more than once')
    const nested = '{"name":"a","accesses":[{"gateId":"a"},{"gateId":"b","gateId":"c"}]}'
    expect(await create('/api/v1/members', nested)).toBe('accesses[1].gateId is given more than once')
    const long = 'é'.repeat(70)
    const cut = `${'é'.repeat(64)}…`
    expect(await create('/api/v1/gates', `{"${long}":1,"${long}":2}`)).toBe(`${cut} is given more than once`)
    expect(await create('/api/v1/gates', JSON.stringify({ ...gate, [long]: 1 }))).toBe(
      `${cut} is not a known field`,
    )
    expect((await send('GET', '/api/v1/gates')).json['gates']).toEqual([])
  })

  it('allow only UTF-8, compressed or not, and the refusal says what was sent', async () => {
    const create = async (body: Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
      const init = { body, headers: { 'Content-Type': 'application/json', ...headers } }
      const answer = await send('POST', '/api/v1/gates', init)
      const { name } = (answer.json['gate'] ?? {}) as { name?: string }
      return name ?? `${told(answer)} ${answer.json.error?.message}`
    }
    const text = JSON.stringify({ ...gate, name: 'Müller' })
    const whole = new TextEncoder().encode(text)
    expect(await create(whole)).toBe('Müller')
    expect(await create(whole, { 'Content-Type': 'application/json; charset="UTF-8"' })).toBe('Müller')
    expect(await create(Uint8Array.from(Buffer.from(text, 'latin1')))).toBe(
      '400 validation_error The body is not valid UTF-8.',
    )
    for (const charset of ['latin1', 'utf-16'])
      expect(await create(whole, { 'Content-Type': `application/json; charset=${charset}` })).toBe(
        '415 unsupported_media_type The body must be UTF-8: leave the charset out of Content-Type.',
      )
    const compressed = { gzip: gzipSync, deflate: deflateSync, br: brotliCompressSync }
    for (const [name, compress] of Object.entries(compressed))
      expect(await create(Uint8Array.from(compress(whole)), { 'Content-Encoding': name })).toBe('Müller')
    expect(await create(whole, { 'Content-Encoding': 'zz' })).toBe(
      '415 unsupported_media_type The body may be compressed by gzip, deflate or br: Content-Encoding names another.',
    )
    expect(await create(whole, { 'Content-Encoding': 'gzip' })).toBe(
      '400 validation_error The body does not arrive as its Content-Encoding says.',
    )
    const bomb = Uint8Array.from(gzipSync('x'.repeat(70_000)))
    expect(await create(bomb, { 'Content-Encoding': 'gzip' })).toMatch(/^413/)
  })
})
