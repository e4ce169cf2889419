// Generates requests from the operations of the contract: valid, nearly valid and hostile paths, queries, headers and bodies.

import type { CallShape } from '@callgate/contract/rest/operation'
import type { OperationId } from '@callgate/contract/rest/operations'
import * as fc from 'fast-check'
import { appOperationIds, appShapeOf, operationIds, shapeOf } from '../operationShapes.ts'
import { requests } from '../validRequests.ts'
import { objectsOf, placeholder } from './schemaValues.ts'

export interface FuzzRequest {
  /** The name of the operation; one of the dashboard has the prefix `app:`. */
  readonly operation: string
  readonly method: string
  /** With placeholders for ids. */
  readonly path: string
  /** Written unchanged, in latin1. */
  readonly headers: readonly (readonly [string, string])[]
  /** With placeholders for ids; undefined for none. */
  readonly body: string | Buffer | undefined
  readonly isChunked: boolean
  readonly hasHost: boolean
  /** The index of its API key, or of the browser. */
  readonly key: number
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const hostileTexts = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202e',
  '\u2028',
  '__proto__',
  'constructor',
  'toString',
  '../../etc/passwd',
  "'; drop table gates; --",
  '{{7*7}}',
  '%00',
  '%',
  '\r\nSet-Cookie: a=b',
  'x'.repeat(5_000),
  '9'.repeat(400),
  '+',
  '+++',
  '٣٤٥',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-01-01T00:00:00+99:99',
  'Etc/Nowhere',
  'EUROPE/BUCHAREST',
  '\ufeff',
] as const
const hostileValues: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...hostileTexts),
  fc.constantFrom<unknown>(null, true, 0, -0, -1, 1.5, 1e308, 2 ** 53, 2 ** 31, [], {}, [[]], [null], {
    a: {},
  }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(8, 9, 100).map(levels => JSON.parse(deep(levels)) as unknown),
)
/** Added by defineProperty, because an assignment to `__proto__` would add nothing. */
function withField(object: object, name: string, value: unknown): object {
  const copy = structuredClone(object)
  return Object.defineProperty(copy, name, { value, enumerable: true, configurable: true })
}

const hostileNames = [
  '__proto__',
  'constructor',
  'id',
  'isAdmin',
  'spaceId',
  'a\u0000',
  '',
  '\ud800',
  'hasOwnProperty',
]

/** The body with one field changed, added or removed, at any depth. */
function nearlyOf(bodies: fc.Arbitrary<Record<string, unknown>>): fc.Arbitrary<unknown> {
  return fc
    .tuple(bodies, fc.nat(), hostileValues, fc.nat(3), fc.constantFrom(...hostileNames))
    .map(([body, place, value, how, name]) => {
      const names = Object.keys(body)
      const own = names[place % Math.max(1, names.length)] ?? name
      if (how === 0) return withField(body, name, value)
      if (how === 1) return Object.fromEntries(Object.entries(body).filter(([field]) => field !== own))
      return withField(body, own, how === 2 ? value : [body[own]])
    })
}

const rawBodies: fc.Arbitrary<string | Buffer> = fc.oneof(
  fc.json({ maxDepth: 3 }),
  hostileValues.map(value => JSON.stringify(value)),
  fc.uint8Array({ maxLength: 40 }).map(bytes => Buffer.from(bytes)),
  fc.constantFrom(
    '{',
    '{"name":"a","name":"b","name":null}',
    '{"name":"a","phoneNumber":"+40722000000","phoneNumber":"+40722000010"}',
    '{"__proto__":{"name":"a"},"phoneNumber":"+40722000000"}',
    '{"name":1e999}',
    '{"name":"\\ud800"}',
    "{'name':'a'}",
    '{"name":"a",}',
    'undefined',
    'NaN',
    '\ufeff{}',
    deep(5_000),
    '{"a":'.repeat(300),
  ),
)
const hugeBodies = fc.constantFrom(65_536, 65_537, 80_000).map(size => `{"name":"${'x'.repeat(size - 11)}"}`)

const sameKey = ['Idempotency-Key', 'same'] as const
const hostileHeaders = fc.constantFrom<readonly [string, string]>(
  ['Content-Type', 'text/plain'],
  ['Content-Type', 'application/json; charset=utf-16'],
  ['Content-Type', 'multipart/form-data; boundary=x'],
  ['Content-Type', '/;;=,'],
  ['Content-Encoding', 'gzip'],
  ['Content-Encoding', 'nonsense'],
  ['If-Match', '*'],
  ['If-Match', '"no-such-state"'],
  ['If-Match', 'W/"", "", ,"'],
  ['If-None-Match', '*'],
  ['If-None-Match', 'W/"no-such-state", '],
  ['If-None-Match', '"'],
  ['Accept-Encoding', 'gzip, br, zstd'],
  ['Last-Event-ID', '0'],
  ['Last-Event-ID', '99999999999999999999'],
  ['Last-Event-ID', '\u00ff x'],
  sameKey,
  ['Idempotency-Key', ''],
  ['Idempotency-Key', '"\\"'],
  ['Idempotency-Key', 'x'.repeat(300)],
  ['Prefer', 'respond-async'],
  ['Prefer', 'wait=0'],
  ['Prefer', 'wait=99999999999999999999, respond-async; a="'],
  ['X-Request-Id', 'mine'],
  ['X-Request-Id', 'é\t"'],
  ['X-Api-Key', '__proto__'],
  ['Authorization', 'Bearer another'],
  ['Accept', 'image/*;q=x'],
  ['Accept-Encoding', 'gzip;q=0, *'],
  ['Cookie', '__proto__=1; ;=;'],
  ['Host', ''],
  ['Expect', '100-continue'],
  ['Expect', 'the worst'],
  ['Upgrade', 'websocket'],
  ['X-Odd', 'a\u0000b'],
  ['X-Odd', '\u00ff\u0080'],
  ['__proto__', 'x'],
  ['Bad Name', 'x'],
  ['X-Long', 'x'.repeat(20_000)],
  ['X-Forwarded-For', '::1, unknown'],
  ['Transfer-Encoding', 'nonsense'],
)

/** One id of a path, mostly an existing one of the Space. */
const idOf = (param: string) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.nat(12).map(index => placeholder(param, index)) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts).map(encodeWell) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('%', '%ff', '%00', '%ed%a0%80', '..', '%2e%2e%2f', 'é', 'a%2fb'),
    },
  )

/** Like `encodeURIComponent`, but does not throw at a lone surrogate. */
const encodeWell = (text: string) => encodeURIComponent(Buffer.from(text).toString())

/** A placeholder is found again only in its exact form. */
const encodeUnlessId = (text: string) => (/^@\w+:\d+@$/.test(text) ? text : encodeWell(text))

function pathsOf({ path }: CallShape): fc.Arbitrary<string> {
  const steps = path.split('/').map(step => (step.startsWith(':') ? idOf(step.slice(1)) : fc.constant(step)))
  const good = fc.tuple(...steps).map(taken => taken.join('/'))
  const spoilt = fc
    .tuple(
      good,
      fc.constantFrom('/', '//', '/x', '%00', '%', '/__proto__', '/../gates', ';a=b', '#x', '/%2e'),
    )
    .map(([path, tail]) => path + tail)
  return fc.oneof({ weight: 30, arbitrary: good }, { weight: 1, arbitrary: spoilt })
}

function queriesOf({ query }: CallShape): fc.Arbitrary<string> {
  const fits = query
    ? objectsOf(query).map(({ cursor, offset, ...rest }) =>
        Object.entries({
          ...rest,
          ...(cursor === undefined ? offset !== undefined && { offset } : { cursor }),
        }),
      )
    : fc.constant([])
  const good = fits.map(pairs =>
    pairs.map(([name, value]) => `${name}=${encodeUnlessId(String(value))}`).join('&'),
  )
  const name = fc.constantFrom(
    'limit',
    'offset',
    'cursor',
    'isActive',
    'gateId',
    'memberId',
    'status',
    'from',
    'to',
    'include',
    '__proto__',
    'key',
    '',
    '%',
    'limit[]',
  )
  const value = fc
    .constantFrom(...hostileTexts, '-1', '1e3', '0x10', '201', '1.0', 'true', 'TRUE')
    .map(encodeWell)
  const odd = fc
    .array(fc.tuple(name, value), { minLength: 1, maxLength: 3 })
    .map(pairs => pairs.map(pair => pair.join('=')).join('&'))
  return fc.oneof({ weight: 6, arbitrary: good }, { weight: 1, arbitrary: odd })
}

function bodiesOf({ body }: CallShape): fc.Arbitrary<string | Buffer | undefined> {
  const none = fc.constant(undefined)
  if (!body) return fc.oneof({ weight: 20, arbitrary: none }, { weight: 1, arbitrary: rawBodies })
  const good = objectsOf(body)
  return fc.oneof(
    { weight: 60, arbitrary: good.map(value => JSON.stringify(value)) },
    { weight: 20, arbitrary: nearlyOf(good).map(value => JSON.stringify(value)) },
    { weight: 12, arbitrary: rawBodies },
    { weight: 1, arbitrary: hugeBodies },
    { weight: 3, arbitrary: none },
  )
}

/** Indexes of API keys. Those from 40 on have fewer rights, or none. */
const keys = fc.oneof(
  { weight: 30, arbitrary: fc.nat(39) },
  { weight: 2, arbitrary: fc.integer({ min: 40, max: 49 }) },
)
const methods = fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'BREW', 'get', 'CONNECT', 'DELETE', 'POST')

/** Any request for one operation. */
function requestsOf(operation: string, shape: CallShape): fc.Arbitrary<FuzzRequest> {
  const { method } = shape
  const headers = fc.oneof(
    { weight: 16, arbitrary: fc.constant([]) },
    { weight: 2, arbitrary: fc.constant([sameKey]) },
    { weight: 2, arbitrary: fc.array(hostileHeaders, { minLength: 1, maxLength: 3 }) },
  )
  return fc
    .record({
      method: fc.oneof({ weight: 40, arbitrary: fc.constant(method) }, { weight: 1, arbitrary: methods }),
      path: pathsOf(shape),
      query: queriesOf(shape),
      headers,
      body: bodiesOf(shape),
      isChunked: fc.integer({ min: 0, max: 15 }).map(drawn => drawn === 0),
      hasHost: fc.integer({ min: 0, max: 31 }).map(drawn => drawn > 0),
      key: keys,
    })
    .map(({ path, query, ...rest }) => ({
      ...rest,
      operation,
      path: query === '' ? path : `${path}?${query}`,
    }))
}

/** Requests to the REST API. The stream of events is left out: its answer has no end. */
export const fuzzRequests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  ...operationIds.filter(id => id !== 'followEvents').map(id => requestsOf(id, shapeOf(id))),
)

/** Requests to the dashboard's own API. The stream of events is left out: its answer has no end. */
export const appFuzzRequests: fc.Arbitrary<FuzzRequest> = fc.oneof(
  // Only a sandbox has these, so a live Space would refuse them all; as operations of a key they are drawn above.
  ...appOperationIds
    .filter(id => id !== 'followSpace' && !(id in requests && requests[id as OperationId].onLive))
    .map(id => requestsOf(`app:${id}`, appShapeOf(id))),
)
