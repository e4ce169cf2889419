// The headers of the OpenAPI document: those of requests, and those of answers.

import type { Json } from './openapiSchemas.ts'

const text = (description: string, example: string, schema: Json = {}): Json => ({
  description,
  schema: { type: 'string', ...schema },
  example,
})

export const answerHeaders = {
  'X-Request-Id': text(
    "Names this answer in the service's log; the request's own X-Request-Id where it sent one of up to 64 letters, digits, `.`, `_` or `-`",
    'kYw3Gq0yX1uZb7Vd',
  ),
  RateLimit: text(
    "The rest of the key's bucket: `r` requests are left, and `t` seconds until it has more",
    '"default";r=117;t=42',
  ),
  'RateLimit-Policy': text(
    'The bucket that the request was taken from: at most `q` requests in any `w` seconds',
    '"default";q=120;w=60',
  ),
  'Retry-After': {
    description: 'Seconds after which another request is taken',
    schema: { type: 'integer', minimum: 1 },
    example: 12,
  },
  ETag: text(
    'Names this state of the resource, for If-None-Match and If-Match; If-Match does not compare counters of use',
    '"Zk4Vd1u7Qy0bXw3GpL9sT2cR5m1nA8eUiOq7w4yHd3k"',
  ),
  Location: text('Where to follow the opening', '/api/v1/openings/open_01kdj0v4t6w8y1a3c5e7g9j2m4'),
  Link: text(
    'The pages beside this one (RFC 8288): `next`, `prev` and `first`, each where it exists, with the same filters. Absent where the list is answered whole',
    '</api/v1/openings?limit=50&offset=50>; rel="next"',
  ),
  'Preference-Applied': text('The preference that was followed', 'respond-async'),
  'Idempotency-Replayed': text(
    'There when this is the kept answer to an earlier request with the same Idempotency-Key',
    'true',
    { enum: ['true'] },
  ),
  'WWW-Authenticate': text(
    'With 401 and `insufficient_scope`: how to send a key (RFC 6750), the scope that the operation needs, and `error` where a key was sent',
    'Bearer realm="Callgate", error="invalid_token", scope="gates:read"',
  ),
} as const satisfies Record<string, Json>

export type AnswerHeader = keyof typeof answerHeaders

/**
 * A header of a request. It has no example, since Scalar would fill it in and send it. Each press with the Idempotency-Key of an
 * example would get the answer of the first such press. Each change with the If-Match of an example would be refused.
 */
const header = (name: string, description: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  required: false,
  description,
  schema: { type: 'string', ...schema },
})

export const requestHeaders = {
  IdempotencyKey: header(
    'Idempotency-Key',
    'Makes a repetition harmless: for 24 hours the same key with the same body is answered as the first time, and nothing is done twice. Any text that is new for each request, such as a UUID; bare or quoted',
    { minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
  ),
  IfMatch: header(
    'If-Match',
    'The ETag of the state that you read: if the resource has changed since, nothing is done and the answer is 412',
  ),
  IfNoneMatch: header(
    'If-None-Match',
    'The ETag of the answer that you have: if nothing has changed since, the answer is 304 without a body',
  ),
  Prefer: header(
    'Prefer',
    '`wait=N` waits N seconds at most (50 without it); `respond-async` answers at once, with 202 while the call runs',
  ),
  LastEventId: header(
    'Last-Event-ID',
    'The id of the last event that you have had: the stream goes on after it. Browsers send it by themselves',
  ),
} as const satisfies Record<string, Json>

export type RequestHeader = keyof typeof requestHeaders

/** The headers of one answer, as references. */
export function headersOf(names: readonly AnswerHeader[]): Json {
  return Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))
}
