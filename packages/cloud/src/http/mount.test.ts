import { createServer, type Server } from 'node:http'
import { connect } from 'node:net'
import type { Scope } from '@callgate/contract/scope'
import { scopeNames } from '@callgate/contract/scope'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createApiKey, revokeApiKey } from '../apiKeys.ts'
import { type Database, migrate, openDatabase } from '../database.ts'
import { gateHandlers } from '../gates.ts'
import { createSpace, setPlan } from '../spaces.ts'
import { answerBrokenRequest } from './answerError.ts'
import { createHttp, type Handlers } from './mount.ts'

const openingId = 'open_01kdhx3m8e2w7q5v9z4r6t8y0a'
const stubs: Pick<Handlers, 'openGate' | 'listOpenings' | 'getOpening'> = {
  openGate: async ({ params }) =>
    params.gateId === 'broken'
      ? Promise.reject(new Error('planted'))
      : { status: 200, body: { opened: true, openingId } },
  listOpenings: async ({ query }) => ({ status: 200, body: { openings: [], pagination: query } }),
  getOpening: async () => ({ problem: 'not_found', message: 'no' }),
}

let world: FakeWorld
let database: Database
let server: Server
let spaceId = ''
let base = ''
let key = ''

async function newKey(scopes: readonly Scope[] = scopeNames): Promise<{ key: string; apiKeyId: string }> {
  const given = { spaceId, name: 'Desk', scopes, expiresAt: null, actor: 'operator' }
  const made = await createApiKey({ database, world }, given)
  if (!made) throw new Error('no Space')
  return made
}

beforeEach(async () => {
  world = fakeWorld(1)
  database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  const space = { name: 'Test', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  spaceId = (await createSpace({ database, world }, space)).spaceId
  key = (await newKey()).key
  const handlers = { ...gateHandlers({ database, world }), ...stubs }
  const app = createHttp({ world, database, handlers, appUrl: 'http://localhost' })
  server = createServer(app.callback()).on('clientError', answerBrokenRequest)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})

afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
  await database.close()
})

interface Sent {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: { error?: { code: string; message: string }; [member: string]: unknown }
}

async function send(method: string, path: string, init: RequestInit = {}): Promise<Sent> {
  const headers = { Authorization: `Bearer ${key}`, ...(init.headers as Record<string, string>) }
  const answer = await fetch(base + path, { method, ...init, headers })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: text ? JSON.parse(text) : {} }
}

const json = (body: unknown): RequestInit => ({
  headers: { 'Content-Type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
})

const told = ({ json: { error }, status }: Sent) => `${status} ${error?.code}`
const gate = { name: 'Front', phoneNumber: '0722123456' }

describe('every answer', () => {
  it('names its request and forbids caches; errors have one shape', async () => {
    const answer = await send('GET', '/nowhere')
    expect(answer.status).toBe(404)
    expect(answer.json).toEqual({
      error: { code: 'not_found', message: 'There is nothing at this address.' },
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{16}$/)
    expect((await send('GET', '/healthz')).json).toEqual({ status: 'ok' })
    expect((await send('GET', '/api/v1/openapi.json', { headers: {} })).json['openapi']).toBe('3.1.0')
  })

  it('hides a fault, and logs it with the request id', async () => {
    const answer = await send('POST', '/api/v1/gates/broken/open')
    expect(told(answer)).toBe('500 internal_error')
    expect(answer.text).not.toContain('planted')
    const line = world.lines.find(({ message }) => message === 'a request failed')
    expect(line?.fields).toMatchObject({ requestId: answer.headers.get('x-request-id') })
    expect(String(line?.fields['stack'])).toContain('planted')
  })

  it('is 503 with Retry-After when the database takes nothing', async () => {
    await database.knex.raw('pragma query_only = on')
    const answer = await send('POST', '/api/v1/gates', json(gate))
    expect(told(answer)).toBe('503 internal_error')
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
  })

  it('has the shape also where the request is no HTTP', async () => {
    const text = await new Promise<string>(resolve => {
      let received = ''
      const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      socket.on('data', bytes => {
        received += bytes.toString()
      })
      socket.on('close', () => resolve(received))
    })
    expect(text).toContain('HTTP/1.1 400')
    expect(text).toContain('"code":"validation_error"')
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
    expect(anonymous.headers.get('www-authenticate')).toBe('Bearer')

    const everything = key
    key = (await newKey(['gates:read'])).key
    await setPlan({ database, world }, { spaceId, plan: 'free', actor: 'operator' })
    expect(told(await send('POST', '/api/v1/gates', large))).toBe('403 plan_upgrade_required')
    await setPlan({ database, world }, { spaceId, plan: 'pro', actor: 'operator' })
    expect(told(await send('POST', '/api/v1/gates', large))).toBe('403 insufficient_scope')
    key = everything
    expect(told(await send('POST', '/api/v1/gates', large))).toBe('415 unsupported_media_type')
    expect(told(await send('POST', '/api/v1/gates', json('x'.repeat(70_000))))).toBe('413 payload_too_large')
    expect(told(await send('POST', '/api/v1/gates', json('{"name":')))).toBe('400 validation_error')
    expect(told(await send('PATCH', '/api/v1/gates/none', json({ nme: 1 })))).toBe('400 validation_error')
    expect(told(await send('PATCH', '/api/v1/gates/none', json({ name: 'x' })))).toBe('404 not_found')
  })
})

describe('the key', () => {
  const ask = async (headers: Record<string, string>) =>
    (await fetch(`${base}/api/v1/gates`, { headers })).status

  it('comes in either header, or in both when they are equal', async () => {
    const other = (await newKey()).key
    expect(await ask({ Authorization: `bearer ${key}` })).toBe(200)
    expect(await ask({ 'X-Api-Key': key })).toBe(200)
    expect(await ask({ Authorization: `Bearer ${key}`, 'X-Api-Key': key })).toBe(200)
    expect(await ask({ Authorization: `Bearer ${key}`, 'X-Api-Key': other })).toBe(401)
    expect(await ask({ Authorization: 'Basic eDp5', 'X-Api-Key': key })).toBe(200)
    expect(await ask({ Authorization: 'Basic eDp5' })).toBe(401)
    expect(told(await send('GET', `/api/v1/gates?apiKey=${key}`))).toBe('400 validation_error')
  })

  it('is refused from the moment it is revoked', async () => {
    const { apiKeyId, key: other } = await newKey()
    expect(await ask({ 'X-Api-Key': other })).toBe(200)
    await revokeApiKey({ database, world }, { apiKeyId, actor: 'operator' })
    expect(await ask({ 'X-Api-Key': other })).toBe(401)
  })

  it('is noted as used after the answer', async () => {
    await send('GET', '/api/v1/gates')
    await vi.waitFor(async () =>
      expect(await database.knex('apiKeys').pluck('lastUsedAt')).toEqual(['2026-01-05T08:00:00.000Z']),
    )
  })
})

describe('forms of a request', () => {
  it('ignores one trailing slash, and answers HEAD as GET', async () => {
    expect((await send('GET', '/api/v1/gates/')).status).toBe(200)
    expect((await send('GET', '/api/v1/gates//')).status).toBe(404)
    expect((await send('GET', '/api/v1/GATES')).status).toBe(404)
    const head = await send('HEAD', '/api/v1/gates')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  it('needs no body and no Content-Type to open, and takes none but {}', async () => {
    const open = (init: RequestInit = {}) => send('POST', '/api/v1/gates/some/open', init)
    expect((await open()).json).toEqual({ opened: true, openingId })
    expect((await open({ headers: { 'Content-Type': 'text/plain' } })).status).toBe(200)
    expect((await open({ body: new TextEncoder().encode('{}') })).status).toBe(200)
    expect(told(await open(json({ force: true })))).toBe('400 validation_error')
    expect(told(await open(json('[]')))).toBe('400 validation_error')
  })

  it('reads numbers strictly, each once', async () => {
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
    expect((await list('?page=2')).json.error?.message).toBe('page is not a known field')
  })

  it('refuses deep, polluting and scalar bodies', async () => {
    for (const body of ['[[[[[[[[[1]]]]]]]]]', '{"__proto__":{"a":1}}', '1', 'null', '"x"', '{"name":"x"}}'])
      expect(told(await send('POST', '/api/v1/gates', json(body))), body).toBe('400 validation_error')
    expect((await send('POST', '/api/v1/gates', json('[[[[[[[[[1]]]]]]]]]'))).json.error?.message).toContain(
      '8 levels',
    )
    expect(told(await send('POST', '/api/v1/gates'))).toBe('400 validation_error')
  })
})
