// What the specification and the decisions say of the API as a whole: errors, limits, headers and forms.

import { onPostgres } from '@callgate/cloud/database/postgres.kit'
import { expect } from 'vitest'
import { type Api, allConnections } from '../apiServer.ts'
import { operationIds, shapeOf } from '../operationShapes.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance, type Stage } from './conforms.ts'
import { specification } from './specification.ts'

export const conventionTests = conformance()
const conforms = conventionTests

const gate = { name: 'Front', phoneNumber: '+40722123456' }

conforms(['0 base', '9 version'], async ({ api, get, space: { key } }) => {
  for (const id of operationIds) expect(shapeOf(id).path).toMatch(/^\/api\/v1\//)
  expect((await get('/gates')).headers['content-type']).toBe('application/json; charset=utf-8')
  for (const path of ['/gates', '/api/gates', '/api/v2/gates', '/API/V1/gates'])
    expect((await api.send('GET', path, { key })).status).toBe(404)
})

conforms(['7 shape', '7 400', 'Unknown fields in a body or query'], async ({ addGate, get, patch, post }) => {
  const { id } = await addGate()
  const cases = [
    [await post('/gates', { ...gate, colour: 'red' }), 'colour is not a known field'],
    [await patch(`/gates/${id}`, { id: 'x' }), 'id is not a known field'],
    [
      await post('/members', { name: 'A', accesses: [{ gateId: id, days: 1 }] }),
      'accesses[0].days is not a known field',
    ],
    [await get('/gates?page=1'), 'page is not a known field'],
    [await get(`/gates/${id}?x=1`), 'x is not a known field'],
    [await post('/gates?x=1', gate), 'x is not a known field'],
    [await post('/gates', { ...gate, name: 1 }), 'name must be string'],
  ] as const
  for (const [{ json, status }, message] of cases)
    expect([status, json]).toEqual([400, { error: { code: 'validation_error', message } }])
})

conforms('Bodies and headers', async ({ api, as, get, post, space }) => {
  const refused = async (body: string) => (await post('/gates', body)).json.error.message
  const twice = '{"name":"A","phoneNumber":"+40722123456","name":"B"}'
  expect(await refused(twice)).toBe('name is given more than once')
  const long = 'x'.repeat(1_000)
  const cut = `${'x'.repeat(64)}…`
  expect(await refused(JSON.stringify({ ...gate, [long]: 1 }))).toBe(`${cut} is not a known field`)
  expect(await refused(`{"${long}":1,"${long}":1}`)).toBe(`${cut} is given more than once`)
  expect((await get('/gates')).json.gates).toEqual([])
  const other = (await space.addKey()).key
  const authorization = [`Bearer ${space.key}`, `Bearer ${other}`]
  const both = await api.send('GET', '/api/v1/gates', { key: null, headers: { authorization } })
  expect(statusAndCode(both)).toBe('401 unauthorized')
  expect((await as(other).get('/gates')).status).toBe(200)
})

conforms(
  ['4 media type', 'Malformed JSON, wrong media type, body over 64 KiB, depth over 8'],
  async ({ api, space: { key } }) => {
    const send = async (body: string | Buffer, type = 'application/json') => {
      const sending = { key, body, headers: { 'content-type': type } }
      const { json, status } = await api.send('POST', '/api/v1/gates', sending)
      return `${status} ${json.error?.code ?? ''}`.trim()
    }
    const whole = JSON.stringify(gate)
    expect(await send(whole)).toBe('201')
    expect(await send(whole, 'application/json; charset=utf-8')).toBe('201')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml'])
      expect(await send(whole, type)).toBe('415 unsupported_media_type')
    for (const broken of ['{', '{"name":}', 'name', '"text"', '[]', '1', 'null', '{"name":"A"}}'])
      expect([broken, await send(broken)]).toEqual([broken, '400 validation_error'])
    expect(await send(Buffer.from([0x7b, 0xff, 0xfe, 0x7d]))).toBe('400 validation_error')
    const padded = (bytes: number) => `${whole}${' '.repeat(bytes - Buffer.byteLength(whole))}`
    expect(await send(padded(64 * 1024))).toBe('201')
    expect(await send(padded(64 * 1024 + 1))).toBe('413 payload_too_large')
    const nested = (depth: number) => `{"name":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect(await send(nested(9))).toBe('400 validation_error')
    expect(await send(nested(2_000))).toBe('400 validation_error')
  },
)

conforms('Unknown path, wrong method', async ({ api, get, space: { key } }) => {
  expect(statusAndCode(await get('/nothing'))).toBe('404 not_found')
  const wrong = await api.send('PUT', '/api/v1/gates', { key })
  expect([statusAndCode(wrong), wrong.headers.allow]).toEqual(['405 method_not_allowed', 'GET, HEAD, POST'])
  // Path and method are checked before the key.
  expect(statusAndCode(await api.send('PATCH', '/api/v1/openings', { key: null }))).toBe(
    '405 method_not_allowed',
  )
  expect(statusAndCode(await api.send('GET', '/api/v1/nothing', { key: null }))).toBe('404 not_found')
})

/** Sends as often as the rate limit allows, and checks the headers of every answer on the way. */
async function useUp(
  { api, as, space }: Stage,
  most: number,
  policy: string,
  send: (stage: Stage) => Promise<unknown>,
) {
  const { key } = await space.addKey()
  const stage = as(key)
  const sendOne = async () => (await send(stage)) as Awaited<ReturnType<Stage['get']>>
  const answers = []
  const beganMs = api.world.monotonicMs()
  for (let count = 0; count < most; count++) {
    if (count === most - 1) await api.world.advance(10_000)
    answers.push(await sendOne())
  }
  expect(answers.filter(({ status }) => status === 429)).toEqual([])
  const [name] = policy.split(';')
  expect(answers[0]?.headers['ratelimit-policy']).toBe(`${policy};w=60`)
  expect(answers.map(({ headers }) => headers.ratelimit)).toEqual(
    answers.map((_, index) => expect.stringContaining(`${name};r=${most - 1 - index};t=`)),
  )
  const refused = await sendOne()
  expect(statusAndCode(refused)).toBe('429 rate_limited')
  expect(refused.headers['retry-after']).toBe('50')
  expect(refused.headers.ratelimit).toBe(`${name};r=0;t=50`)
  // Retry-After is exact: nothing is taken earlier, and then one request for each that is a minute old.
  await api.world.advance(beganMs + 59_999 - api.world.monotonicMs())
  expect(statusAndCode(await sendOne())).toBe('429 rate_limited')
  await api.world.advance(1)
  for (let count = 0; count < most - 1; count++) expect((await sendOne()).status).not.toBe(429)
  expect(statusAndCode(await sendOne())).toBe('429 rate_limited')
}

conforms(['8 default rate', '7 429', '8 429', '429 code', 'Rate classes'], async stage => {
  await useUp(stage, 120, '"default";q=120', ({ get }) => get('/gates'))
})
conforms(['8 write rate', 'Rate classes'], async stage => {
  await useUp(stage, 30, '"write";q=30', ({ post }) => post('/members', { name: 'A' }))
})
conforms(['8 open rate', 'Rate classes'], async stage => {
  const { id } = await stage.addGate({ kind: 'busy' })
  await useUp(stage, 10, '"open";q=10', ({ open }) => open(id))
})
conforms('Rate classes', async ({ addGate, open, get, post }) => {
  const { id } = await addGate({ kind: 'busy' })
  for (let count = 0; count < 10; count++) await open(id)
  // Another bucket each; and a GET says nothing of the others.
  const answers = [await open(id), await get('/gates'), await post('/members', { name: 'A' })]
  expect(answers.map(statusAndCode)).toEqual(['429 rate_limited', '200', '201'])
})

conforms('Order of the checks', async ({ addAccess, addGate, addMember, api, as, post, space }) => {
  const { id: gateId } = await addGate()
  const { id } = await addMember()
  await addAccess(id, { gateId })
  const readOnly = (await space.addKey({ scopes: ['gates:read'] })).key
  const send = async (how: {
    key?: string | null
    path?: string
    body?: unknown
    headers?: Record<string, string>
  }) => {
    const { body, headers = {}, key = space.key, path = `/members/${id}/accesses` } = how
    return statusAndCode(await api.send('POST', `/api/v1${path}`, { key, body, headers }))
  }
  const text = { 'content-type': 'text/plain' }
  const large = 'x'.repeat(70_000)
  const there = `/members/${id}/accesses`
  const gone = '/members/member_0/accesses'
  expect([
    await send({ path: '/nothing', key: null, body: large, headers: text }),
    await send({ key: null, body: large, headers: text }),
    await send({ key: readOnly, body: large, headers: text, path: gone }),
    await send({ body: large, headers: text, path: gone }),
    await send({ body: large, path: gone }),
    await send({ body: {}, path: gone }),
    await send({ body: { gateId }, path: gone }),
    await send({ body: { gateId }, path: there }),
  ]).toEqual([
    '404 not_found',
    '401 unauthorized',
    '403 insufficient_scope',
    '415 unsupported_media_type',
    '413 payload_too_large',
    '400 validation_error',
    '404 not_found',
    '409 conflict',
  ])
  // 401 and 403 do not count against a rate; 400 and 404 do.
  const { key } = await space.addKey()
  const left = async (answer: Promise<{ headers: Record<string, unknown> }>) =>
    /r=(\d+)/.exec(String((await answer).headers['ratelimit']))?.[1]
  const limited = as((await space.addKey({ scopes: ['members:read'] })).key)
  expect([await left(limited.post('/members', {})), await left(limited.post('/members', {}))]).toEqual([
    '30',
    '30',
  ])
  expect([await left(as(key).post(there, {})), await left(as(key).post(gone, { gateId }))]).toEqual([
    '29',
    '28',
  ])
  for (let count = 0; count < 28; count++) await as(key).post(there, {})
  // 429 comes before the body is looked at.
  expect(await send({ key, body: large, headers: text })).toBe('429 rate_limited')
  expect((await post('/members', { name: 'A' })).status).toBe(201)
})

conforms('Order of the checks', async ({ addGate, api, del, patch, post, space }) => {
  const { id } = await addGate()
  const named = { 'idempotency-key': 'a' }
  await post('/gates', gate, named)
  const stale = { 'if-match': '"old"' }
  expect(statusAndCode(await patch('/gates/gate_0', { name: 'A' }, stale))).toBe('404 not_found')
  expect(statusAndCode(await patch(`/gates/${id}`, { name: '' }, stale))).toBe('400 validation_error')
  await del(`/gates/${id}`)
  await api.database.knex('spaceLimits').insert({ spaceId: space.spaceId, gateLimit: 0 })
  // Both 412 and 422 come before the plan's limit.
  expect(statusAndCode(await patch(`/gates/${id}`, { isActive: true }, stale))).toBe(
    '412 precondition_failed',
  )
  expect(statusAndCode(await patch(`/gates/${id}`, { isActive: true }))).toBe('403 plan_limit_reached')
  expect(statusAndCode(await post('/gates', { ...gate, name: 'B' }, named))).toBe('422 idempotency_mismatch')
  expect(statusAndCode(await post('/gates', gate))).toBe('403 plan_limit_reached')
})

conforms('`Idempotency-Key`', async ({ addGate, api, as, get, patch, post, space }) => {
  const named = (key: string) => ({ 'idempotency-key': key })
  const first = await post('/gates', gate, named('a'))
  const again = await post('/gates', { phoneNumber: gate.phoneNumber, name: gate.name }, named('a'))
  expect([again.status, again.text, again.headers.etag]).toEqual([201, first.text, first.headers.etag])
  expect([first, again].map(({ headers }) => headers['idempotency-replayed'])).toEqual([undefined, 'true'])
  expect(statusAndCode(await post('/gates', { ...gate, name: 'B' }, named('a')))).toBe(
    '422 idempotency_mismatch',
  )
  expect((await get('/gates')).json.gates).toHaveLength(1)
  // Per key, method and path.
  const { key } = await space.addKey()
  expect((await as(key).post('/gates', gate, named('a'))).json.gate.id).not.toBe(first.json.gate.id)
  const { id } = await addGate()
  const changed = await patch(`/gates/${id}`, { name: 'B' }, named('a'))
  expect([changed.status, (await patch(`/gates/${id}`, { name: 'B' }, named('a'))).text]).toEqual([
    200,
    changed.text,
  ])
  const twins = await Promise.all([1, 2, 3].map(() => post('/members', { name: 'Twin' }, named('t'))))
  expect(new Set(twins.map(({ text }) => text)).size).toBe(1)
  expect((await get('/members')).json.members).toHaveLength(1)
  await api.world.advance(24 * 60 * 60_000 - 1_000)
  expect((await post('/gates', gate, named('a'))).text).toBe(first.text)
  await api.world.advance(1_000)
  // By the wall clock alone, which may be wrong, none is forgotten.
  expect((await post('/gates', gate, named('a'))).text).toBe(first.text)
  await api.database.knex('servedTime').update({ servedMs: 25 * 60 * 60_000 })
  expect((await post('/gates', gate, named('a'))).json.gate.id).not.toBe(first.json.gate.id)
  for (const bad of ['', ' ', 'a b', 'é', 'x'.repeat(256)])
    expect(statusAndCode(await post('/gates', gate, named(bad)))).toBe('400 validation_error')
})

conforms('Every answer', async ({ addAccess, addGate, addMember, as, del, get, patch }) => {
  const { id } = await addGate()
  const given = await get('/gates', { 'x-request-id': 'mine-1' })
  expect([given.headers['x-request-id'], given.headers['cache-control']]).toEqual(['mine-1', 'no-store'])
  const one = await get('/gates')
  const two = await get('/gates')
  expect(one.headers['x-request-id']).not.toBe(two.headers['x-request-id'])
  expect((await as(null).get('/gates')).headers['www-authenticate']).toMatch(/^Bearer realm=/)

  const member = await addMember()
  await addAccess(member.id, { gateId: id })
  for (const [path, change] of [
    [`/gates/${id}`, { name: 'B' }],
    [`/gates/${id}/profile`, { coolDownMs: 6_000 }],
    [`/members/${member.id}`, { name: 'B' }],
  ] as const) {
    const tag = (await get(path)).headers.etag ?? ''
    expect(tag).toMatch(/^"[\w-]+"$/)
    expect(statusAndCode(await patch(path, change, { 'if-match': '"old"' }))).toBe('412 precondition_failed')
    expect(statusAndCode(await patch(path, change, { 'if-match': 'old' }))).toBe('400 validation_error')
    const changed = await patch(path, change, { 'if-match': `"other", ${tag}` })
    expect([changed.status, changed.headers.etag]).toEqual([200, (await get(path)).headers.etag])
    expect(statusAndCode(await patch(path, change, { 'if-match': tag }))).toBe('412 precondition_failed')
    expect((await patch(path, change, { 'if-match': '*' })).status).toBe(200)
  }
  const tag = (await get(`/gates/${id}`)).headers.etag ?? ''
  expect(statusAndCode(await del(`/gates/${id}`, { 'if-match': '"old"' }))).toBe('412 precondition_failed')
  expect((await del(`/gates/${id}`, { 'if-match': tag })).status).toBe(204)
  expect((await get('/gates')).headers.etag).toBeUndefined()
})

conforms(['OpenAPI', '1 caller numbers', 'Deprecation', '6 events'], async ({ api }) => {
  const { status, text } = await api.send('GET', '/api/v1/openapi.json', { key: null })
  const document = JSON.parse(text)
  expect([status, document.openapi.slice(0, 4)]).toEqual([200, '3.1.'])
  for (const id of operationIds) {
    const { method, path } = shapeOf(id)
    const described = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
    expect([id, described?.operationId]).toEqual([id, id])
    expect(Object.keys(described.responses)).toEqual(
      expect.arrayContaining([...Object.keys(shapeOf(id).answers), '401', '403', '429', '500', '503']),
    )
    expect(described.deprecated).toBeUndefined()
  }
  expect(document.paths['/api/v1/gates'].post.description).toMatch(/take calls from the caller numbers/)
  // The specification has no events: all of them are extensions.
  for (const { post } of Object.values<{ post: object }>(document.webhooks))
    expect(post).toMatchObject({ 'x-extension': true })
  const page = await api.send('GET', '/docs', { key: null })
  expect([page.status, page.headers['content-type']]).toEqual([200, expect.stringContaining('text/html')])
  expect(page.text).not.toMatch(/(src|href)="https?:\/\/(?!localhost)/)
})

/** The members that the specification gives a noun. Another one changes this row of the decisions. */
const membersOf = (noun: 'Gate' | 'Member' | 'Access'): string[] =>
  Object.keys(specification)
    .filter(row => row.startsWith(`2 ${noun}.`))
    .map(row => row.slice(`2 ${noun}.`.length))
    .sort()

conforms('Members of an answer', async ({ addAccess, addGate, addMember, get, open }) => {
  const { id } = await addGate()
  const member = await addMember()
  await addAccess(member.id, { gateId: id })
  await open(id)
  const names = async (path: string) => Object.keys((await get(path)).json).sort()
  expect(await names('/gates')).toEqual(['gates'])
  expect(await names('/members')).toEqual(['members'])
  expect(await names('/openings')).toEqual(['openings', 'pagination'])
  expect(await names('/activity')).toEqual(['activity'])
  const { gates } = (await get('/gates')).json
  const { members } = (await get('/members')).json
  expect(Object.keys(gates[0] ?? {}).sort()).toEqual(membersOf('Gate'))
  expect(Object.keys(members[0] ?? {}).sort()).toEqual(membersOf('Member'))
  expect(Object.keys(members[0]?.accesses[0] ?? {}).sort()).toEqual(membersOf('Access'))
  expect(members[0]?.preferredLanguage).toBe('en')
})

conforms('Forms of a request', async ({ addGate, api, get, open, space: { key } }) => {
  const { id } = await addGate()
  const list = await get('/gates')
  expect((await get('/gates/')).text).toBe(list.text)
  expect(statusAndCode(await get('/gates//'))).toBe('404 not_found')
  const head = await api.send('HEAD', '/api/v1/gates', { key })
  expect([head.status, head.text, head.headers['content-length']]).toEqual([
    200,
    '',
    list.headers['content-length'],
  ])
  const junk = { key, body: '{"broken', headers: { 'content-type': 'text/plain' } }
  expect((await api.send('GET', '/api/v1/gates', junk)).status).toBe(200)
  expect((await api.send('DELETE', `/api/v1/gates/${id}`, junk)).status).toBe(204)
  expect((await get('/gates', { 'content-type': 'application/json' })).status).toBe(200)
  expect(statusAndCode(await open(id, { 'content-type': 'application/xml' }))).toBe('502 open_failed')
})

/** Makes the database refuse every write, as a disk that is mounted read-only does. Answers how to end that. */
async function refuseWrites(knex: Api['database']['knex']): Promise<() => Promise<unknown>> {
  const [on, off] = onPostgres
    ? ['set default_transaction_read_only = on', 'set default_transaction_read_only = off']
    : ['pragma query_only = on', 'pragma query_only = off']
  // Each connection of Postgres has the setting for itself.
  const all = async (sql: string) => {
    for (const connection of await allConnections(knex)) {
      await knex.raw(sql).connection(connection)
      await knex.client.releaseConnection(connection)
    }
  }
  await all(on)
  return () => all(off)
}

conforms(['7 5xx', '503'], async ({ addGate, api, get, patch, post }) => {
  const { id } = await addGate()
  const { knex } = api.database
  const letWrite = await refuseWrites(knex)
  const refused = [
    await post('/gates', gate, { 'idempotency-key': 'q' }),
    await patch(`/gates/${id}`, { name: 'B' }),
    await post(`/gates/${id}/open`),
  ]
  await letWrite()
  for (const { headers, json, status } of refused)
    expect([status, json.error.code, headers['retry-after']]).toEqual([503, 'internal_error', '60'])
  // The refused requests have done nothing, and the same request with its key is no replay.
  expect((await get('/gates')).json.gates).toHaveLength(1)
  expect((await get('/openings')).json.openings).toEqual([])
  const again = await post('/gates', gate, { 'idempotency-key': 'q' })
  expect([again.status, again.headers['idempotency-replayed']]).toEqual([201, undefined])

  await knex.schema.renameTable('gates', 'gatesAway')
  const fault = await get('/gates')
  await knex.schema.renameTable('gatesAway', 'gates')
  expect(statusAndCode(fault)).toBe('500 internal_error')
  expect(fault.json.error.message).toContain('X-Request-Id')
  expect(fault.text).not.toMatch(/gates|sqlite|select/i)
})
