import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, expectTypeOf, it, vi } from 'vitest'
import { type ClientOptions, createClient, isAction } from './client.ts'
import type { Client, Clock, QueryInput } from './types.ts'

interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

type Plan = (response: ServerResponse, seen: ReceivedRequest) => void

const gateId = 'gate_01kdhx3m8e2w7q5v9z4r6t8y0a'
const openingId = 'open_01kdj0v4t6w8y1a3c5e7g9j2m4'

const answer =
  (status: number, body?: object | string, headers: Record<string, string> = {}): Plan =>
  response => {
    response.writeHead(status, { 'X-Request-Id': 'r1', ...headers })
    response.end(typeof body === 'object' ? JSON.stringify(body) : body)
  }
const problem = (status: number, code: string, extra: object = {}, headers: Record<string, string> = {}) =>
  answer(status, { error: { code, message: `because of ${code}`, ...extra } }, headers)
const cut: Plan = response => response.destroy()
const cutHalfway: Plan = response => {
  response.writeHead(200, { 'Content-Length': '100' })
  response.write('{"opened":', () => response.destroy())
}
const silent: Plan = () => {}
const opened = answer(200, { opened: true, openingId })
const openFailed = (safeToRetry: boolean) =>
  problem(502, 'open_failed', { reason: 'busy', openingId, safeToRetry })

/** A clock whose pauses end at once and advance its time. The time limit of a try is reached only when the test says so. */
function fakeClock() {
  let nowMs = 0
  const pauses: number[] = []
  const limits = new Set<() => void>()
  const clock: Clock = {
    nowMs: () => nowMs,
    async pause(delayMs) {
      pauses.push(delayMs)
      nowMs += delayMs
    },
    limit(_delayMs, then) {
      limits.add(then)
      return () => limits.delete(then)
    },
    random: () => 0,
    newKey: () => 'key-1',
  }
  const reachLimits = () => {
    for (const reach of limits) reach()
  }
  return { clock, pauses, limits, reachLimits }
}

let plans: Plan[]
let seen: ReceivedRequest[]
let server: Server
let fake: ReturnType<typeof fakeClock>
let baseUrl: string

async function received(request: IncomingMessage): Promise<ReceivedRequest> {
  let body = ''
  for await (const chunk of request) body += String(chunk)
  const { headers, method = '', url = '' } = request
  return { method, url, headers, body }
}

beforeEach(async () => {
  plans = []
  seen = []
  fake = fakeClock()
  server = createServer((request, response) => {
    void received(request).then(given => {
      seen.push(given)
      const plan = plans.shift() ?? answer(500, 'nothing was planned')
      plan(response, given)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise(resolve => server.close(resolve))
})

function client(options: Partial<ClientOptions> = {}): Client {
  return createClient({ baseUrl: `${baseUrl}/`, apiKey: 'svc_live_x', clock: fake.clock, ...options })
}
const keys = () => seen.map(({ headers }) => headers['idempotency-key'])

describe('a call', () => {
  it('sends the request of its operation, and returns its answer', async () => {
    plans = [answer(200, { gate: { id: gateId, name: 'Back gate' } }, { ETag: '"a"' })]
    const updated = await client().updateGate({ gateId, body: { name: 'Back gate' } }, { ifMatch: '"b"' })
    expect(updated).toMatchObject({ ok: true, status: 200, etag: '"a"', requestId: 'r1' })
    expect(updated.ok && updated.body.gate.name).toBe('Back gate')
    const [request] = seen
    expect(request).toMatchObject({
      method: 'PATCH',
      url: `/api/v1/gates/${gateId}`,
      body: '{"name":"Back gate"}',
    })
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer svc_live_x',
      'content-type': 'application/json',
      'if-match': '"b"',
      'idempotency-key': 'key-1',
    })
  })

  it('ends with not_modified, once, when nothing has changed since the given tag', async () => {
    plans = [answer(304, undefined, { ETag: '"a"' })]
    const got = await client().getGate({ gateId }, { ifNoneMatch: '"a"' })
    expect(got).toMatchObject({ ok: false, code: 'not_modified', status: 304, requestId: 'r1' })
    expect(seen.map(({ headers }) => headers['if-none-match'])).toEqual(['"a"'])
  })

  it('sends a query, and neither a body nor a key with a GET', async () => {
    plans = [answer(200, { openings: [], pagination: { limit: 10, nextCursor: null } })]
    await client().listOpenings({ query: { limit: 10, cursor: 'a&b' } })
    expect(seen[0]).toMatchObject({ method: 'GET', url: '/api/v1/openings?limit=10&cursor=a%26b', body: '' })
    expect(keys()).toEqual([undefined])
  })

  it('returns no body for a 204', async () => {
    plans = [answer(204)]
    expect(await client().deactivateGate({ gateId })).toMatchObject({
      ok: true,
      status: 204,
      body: undefined,
    })
  })

  it('has the types of the contract', () => {
    type Opened = Extract<Awaited<ReturnType<Client['openGate']>>, { ok: true }>
    expectTypeOf<Opened['body']>().toEqualTypeOf<{
      opened: boolean
      openingId: string
      joined?: true
      queue?: { ahead: number; aboutS: number; inTime: boolean }
    }>()
    expectTypeOf<Parameters<Client['listGates']>[0]>().toExtend<object | undefined>()
    expectTypeOf<{ gateId: string }>().not.toExtend<Parameters<Client['updateGate']>[0]>()
    type OptionsOf<Id extends keyof Client> = NonNullable<Parameters<Client[Id]>[1]>
    expectTypeOf<OptionsOf<'openGate'>>().toHaveProperty('retryOpen')
    expectTypeOf<OptionsOf<'getGate'>>().not.toHaveProperty('retryOpen')
    expectTypeOf<OptionsOf<'getGate'>>().not.toHaveProperty('ifMatch')
    type Nothing = Record<never, never>
    expectTypeOf<Nothing>().toExtend<QueryInput<{ limit?: number }>>()
    expectTypeOf<Nothing>().not.toExtend<QueryInput<{ gateId: string; limit?: number }>>()
    expectTypeOf<{ query: { gateId: string } }>().toExtend<QueryInput<{ gateId: string; limit?: number }>>()
  })

  it('returns a problem as a value', async () => {
    plans = [problem(403, 'plan_limit_reached')]
    expect(await client().createGate({ body: { name: 'x', phoneNumber: '0722123456' } })).toEqual({
      ok: false,
      code: 'plan_limit_reached',
      message: 'because of plan_limit_reached',
      status: 403,
      requestId: 'r1',
      reason: null,
      openingId: null,
      safeToRetry: false,
      existingId: null,
      faults: [],
      retryAfterMs: null,
      idempotencyKey: 'key-1',
    })
    expect(seen).toHaveLength(1)
  })

  it('is not sent with an id that leads to another path', async () => {
    for (const bad of ['..', 'a/b', 'a?b', '%2e%2e', ' ', 7, {}, []])
      expect(await client().openGate({ gateId: bad as string })).toMatchObject({
        ok: false,
        code: 'invalid_input',
        message: 'gateId must be an id as the API gives it. Nothing was sent.',
      })
    expect(seen).toEqual([])
  })

  it('is not sent without its id', async () => {
    // A program in JavaScript can leave out what the types require.
    const untyped = client() as unknown as Record<'openGate', (input?: object | null) => Promise<unknown>>
    for (const input of [undefined, null, {}, { gateId: undefined }, { gateId: null }, { gateId: '' }])
      expect(await untyped.openGate(input)).toMatchObject({
        ok: false,
        code: 'invalid_input',
        message: 'gateId is missing. Nothing was sent.',
      })
    expect(seen).toEqual([])
  })

  it('follows no redirect, and reports an answer that is not from the API', async () => {
    plans = [answer(302, '', { Location: '/elsewhere' }), answer(200, '<p>Hello</p>')]
    expect(await client().listGates()).toMatchObject({ code: 'unexpected_answer', status: 302 })
    expect(await client().listGates()).toMatchObject({ code: 'unexpected_answer', status: 200 })
    expect(seen).toHaveLength(2)
  })

  it('accepts an address with or without the path of the version', async () => {
    for (const end of ['', '/', '/api/v1', '/api/v1/']) {
      plans = [answer(200, { gates: [] })]
      expect(await client({ baseUrl: `${baseUrl}${end}` }).listGates()).toMatchObject({ ok: true })
    }
    plans = [answer(200, { gates: [] })]
    await client({ baseUrl: `${baseUrl}/behind/api/v1` }).listGates()
    const path = '/api/v1/gates'
    expect(seen.map(({ url }) => url)).toEqual([path, path, path, path, `/behind${path}`])
  })

  it('gives the details of an activity the type of its action', () => {
    const timestamp = '2026-01-05T08:12:00.000Z'
    const entry = { id: 'act_x', actor: 'system', targetType: 'gate', targetLabel: 'North', timestamp }
    const details = { deviceName: 'North', changes: { name: { from: 'N', to: 'North' } } }
    const updated = { ...entry, action: 'gate.updated', details }
    expect(isAction(updated, 'gate.updated') && updated.details.changes.name?.from).toBe('N')
    expect(isAction({ ...entry, action: 'gate.painted', details: {} }, 'gate.updated')).toBe(false)
  })

  it('requires an address and a key', () => {
    expect(() => createClient({ baseUrl: 'gates.example.com', apiKey: 'a' })).toThrow('baseUrl')
    expect(() => createClient({ baseUrl: 'file:///x', apiKey: 'a' })).toThrow('baseUrl')
    expect(() => createClient({ baseUrl: `${baseUrl}/?space=1`, apiKey: 'a' })).toThrow('leave out ?')
    expect(() => createClient({ baseUrl, apiKey: '' })).toThrow('apiKey')
    expect(() => createClient({ baseUrl, apiKey: 'a\nb' })).toThrow('apiKey')
  })
})

describe('a retry', () => {
  it('follows a lost answer, a fault and a 503 of a GET, with growing pauses', async () => {
    const gates = answer(200, { gates: [] })
    plans = [cut, answer(500, 'oops'), problem(503, 'internal_error', {}, { 'Retry-After': '7' }), gates]
    expect(await client().listGates()).toMatchObject({ ok: true })
    expect(seen).toHaveLength(4)
    expect(fake.pauses).toEqual([250, 500, 7_100])
  })

  it('ends after the last try, with its failure', async () => {
    plans = [cut, cut]
    expect(await client({ tries: 2 }).listGates()).toMatchObject({ code: 'network_error', status: null })
    expect(seen).toHaveLength(2)
  })

  it('waits as long as a 429 says, or does not wait when the deadline is sooner', async () => {
    const limited = problem(429, 'rate_limited', {}, { 'Retry-After': '12' })
    plans = [limited, answer(200, { gates: [] }), limited]
    expect(await client().listGates()).toMatchObject({ ok: true })
    expect(fake.pauses).toEqual([12_025])
    const late = await client().listGates({}, { deadlineMs: 12_000 })
    expect(late).toMatchObject({ code: 'rate_limited', retryAfterMs: 12_000 })
    expect(fake.pauses).toEqual([12_025])
  })

  it('of a change has the same Idempotency-Key', async () => {
    plans = [cut, cutHalfway, answer(201, { gate: {} })]
    const body = { name: 'x', phoneNumber: '0722123456' }
    expect(await client().createGate({ body })).toMatchObject({ ok: true })
    expect(keys()).toEqual(['key-1', 'key-1', 'key-1'])
    expect(new Set(seen.map(each => each.body)).size).toBe(1)
  })

  it('never follows a refusal', async () => {
    for (const [status, code] of [
      [400, 'validation_error'],
      [401, 'unauthorized'],
      [404, 'not_found'],
      [409, 'conflict'],
      [412, 'precondition_failed'],
      [422, 'idempotency_mismatch'],
    ] as const) {
      plans = [problem(status, code)]
      seen = []
      expect(await client().updateGate({ gateId, body: {} })).toMatchObject({ code })
      expect(seen).toHaveLength(1)
    }
  })
})

describe('openGate', () => {
  it('is sent again with the same key after a lost answer, so that the gate is called once', async () => {
    plans = [cut, cutHalfway, opened]
    const pressed = await client().openGate({ gateId }, { prefer: 'wait=20' })
    expect(pressed).toMatchObject({ ok: true, body: { opened: true, openingId } })
    expect(keys()).toEqual(['key-1', 'key-1', 'key-1'])
    expect(seen[0]).toMatchObject({ url: `/api/v1/gates/${gateId}/open`, body: '' })
    expect(seen[0]?.headers['prefer']).toBe('wait=20')
  })

  it('is not repeated after open_failed by default, whatever safeToRetry says', async () => {
    for (const safeToRetry of [true, false]) {
      plans = [openFailed(safeToRetry)]
      const failed = await client().openGate({ gateId })
      expect(failed).toMatchObject({ code: 'open_failed', reason: 'busy', openingId, safeToRetry })
    }
    expect(seen).toHaveLength(2)
  })

  it('is repeated when that is safe and the caller wants it, as another opening with another key', async () => {
    plans = [openFailed(true), cut, openFailed(true), opened]
    const pressed = await client().openGate({ gateId }, { retryOpen: 2, idempotencyKey: 'mine' })
    expect(pressed).toMatchObject({ ok: true })
    expect(keys()).toEqual(['mine', 'mine-2', 'mine-2', 'mine-3'])
    expect(fake.pauses).toEqual([10_000, 250, 10_000])
  })

  it('fails at once when its rate limit is reached, and is not retried later', async () => {
    plans = [problem(429, 'rate_limited', {}, { 'Retry-After': '1' }), opened]
    const pressed = await client().openGate({ gateId }, { retryOpen: 2 })
    expect(pressed).toMatchObject({ code: 'rate_limited', retryAfterMs: 1_000 })
    expect(seen).toHaveLength(1)
    expect(fake.pauses).toEqual([])
  })

  it('begins within 15 seconds of the press or not at all', async () => {
    const busy = (seconds: string) => problem(503, 'internal_error', {}, { 'Retry-After': seconds })
    plans = [busy('10'), busy('3'), busy('2'), opened]
    expect(await client().openGate({ gateId })).toMatchObject({ code: 'internal_error', status: 503 })
    expect(fake.pauses).toEqual([10_025, 3_050])
    expect(seen).toHaveLength(3)
    // Each repeated opening has its own 15 seconds.
    plans = [openFailed(true), busy('14'), opened]
    expect(await client().openGate({ gateId }, { retryOpen: 1 })).toMatchObject({ ok: true })
  })

  it('is repeated for any reason where the service calls that safe, and for none where it does not', async () => {
    for (const reason of ['busy', 'a_later_word']) {
      plans = [problem(502, 'open_failed', { reason, openingId, safeToRetry: true }), opened]
      expect(await client().openGate({ gateId }, { retryOpen: 1 })).toMatchObject({ ok: true })
      plans = [problem(502, 'open_failed', { reason, openingId, safeToRetry: false }), opened]
      expect(await client().openGate({ gateId }, { retryOpen: 1 })).toMatchObject({ reason })
    }
    expect(seen).toHaveLength(6)
  })

  it('stops when a repetition is not safe, or after as many repetitions as the caller wants', async () => {
    plans = [openFailed(true), openFailed(false), opened]
    expect(await client().openGate({ gateId }, { retryOpen: 9 })).toMatchObject({ safeToRetry: false })
    expect(seen).toHaveLength(2)
    plans = [openFailed(true), openFailed(true), opened]
    expect(await client().openGate({ gateId }, { retryOpen: 1 })).toMatchObject({ idempotencyKey: 'key-1-2' })
    expect(seen).toHaveLength(4)
  })

  it('treats only the value true as safe', async () => {
    plans = [problem(502, 'open_failed', { reason: 'busy', openingId, safeToRetry: 'yes' }), opened]
    expect(await client().openGate({ gateId }, { retryOpen: 1 })).toMatchObject({ safeToRetry: false })
    expect(seen).toHaveLength(1)
  })
})

describe('the end of a call', () => {
  it('comes when its caller aborts it, during a try and during a pause', async () => {
    const stop = new AbortController()
    plans = [silent]
    const pressed = client().openGate({ gateId }, { signal: stop.signal })
    await vi.waitFor(() => expect(seen).toHaveLength(1), 20_000)
    stop.abort()
    expect(await pressed).toMatchObject({ code: 'aborted', idempotencyKey: 'key-1' })
    expect(await client().listGates({}, { signal: stop.signal })).toMatchObject({ code: 'aborted' })
    expect(seen).toHaveLength(1)

    const later = new AbortController()
    const paused: Clock = { ...fake.clock, pause: async () => later.abort() }
    plans = [cut]
    const given = await client({ clock: paused }).listGates({}, { signal: later.signal })
    expect(given).toMatchObject({ code: 'aborted' })
    expect(seen).toHaveLength(2)
    expect(fake.limits.size).toBe(0)
  })

  it('comes at the deadline, with the key that continues the call', async () => {
    plans = [silent]
    const pressed = client({ deadlineMs: 30_000 }).openGate({ gateId })
    await vi.waitFor(() => expect(seen).toHaveLength(1), 20_000)
    fake.reachLimits()
    expect(await pressed).toMatchObject({ code: 'deadline_exceeded', status: null, idempotencyKey: 'key-1' })
  })

  it('does not come with the time limit of one try', async () => {
    plans = [silent, answer(200, { gates: [] })]
    const listed = client().listGates()
    await vi.waitFor(() => expect(seen).toHaveLength(1), 20_000)
    fake.reachLimits()
    expect(await listed).toMatchObject({ ok: true })
    expect(seen).toHaveLength(2)
  })
})
