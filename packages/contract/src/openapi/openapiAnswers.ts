// The answers of each operation in the OpenAPI document: success, and every problem that it can end with.

import type { TSchema } from 'typebox'
import { OpenAnswer } from '../rest/opening.ts'
import { isConditionalRead, isTagged, type OperationShape } from '../rest/operation.ts'
import { commonProblems } from '../rest/operations.ts'
import { type ProblemCode, problemCodes } from '../rest/problem.ts'
import { type AnswerHeader, headersOf } from './openapiHeaders.ts'
import { answerSchema, type Json } from './openapiSchemas.ts'

/** Whether the operation accepts an Idempotency-Key. A POST that only reads needs none. */
export function isIdempotent({ method, rateClass }: OperationShape): boolean {
  return (method === 'POST' || method === 'PATCH') && rateClass !== 'read'
}

/** Every code that the operation can answer with, in the order of the table of codes. */
export function problemsOf(operation: OperationShape): ProblemCode[] {
  const possible = new Set<ProblemCode>([...commonProblems, ...operation.problems])
  if (operation.scope === 'any') possible.delete('insufficient_scope')
  if (operation.body) for (const code of bodyProblems) possible.add(code)
  if (isIdempotent(operation)) for (const code of idempotencyProblems) possible.add(code)
  return (Object.keys(problemCodes) as ProblemCode[]).filter(code => possible.has(code))
}

const bodyProblems = ['payload_too_large', 'unsupported_media_type'] as const
const idempotencyProblems = ['conflict', 'idempotency_mismatch'] as const

const everyAnswer: readonly AnswerHeader[] = ['X-Request-Id', 'RateLimit', 'RateLimit-Policy']
const specialHeaders: Readonly<Record<number, readonly AnswerHeader[]>> = {
  // Without a valid key there is no bucket that RateLimit could describe.
  401: ['X-Request-Id', 'WWW-Authenticate'],
  403: [...everyAnswer, 'WWW-Authenticate'],
  429: [...everyAnswer, 'Retry-After'],
  502: [...everyAnswer, 'Idempotency-Replayed', 'Preference-Applied', 'Location'],
  503: [...everyAnswer, 'Retry-After'],
}

function problemAnswer(status: number, codes: readonly ProblemCode[], description: string): Json {
  const schema = codes.includes('open_failed') ? 'OpenFailed' : 'Problem'
  const examples = codes.map(code => [code, { $ref: `#/components/examples/${code}` }])
  return {
    description,
    headers: headersOf(specialHeaders[status] ?? everyAnswer),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        examples: Object.fromEntries(examples),
      },
    },
  }
}

/** The name of the answer with these codes: `not_found` → `NotFound`. For 403 there are two sets of codes. */
function nameOf(codes: readonly ProblemCode[]): string {
  if (codes.includes('plan_limit_reached')) return 'ForbiddenOrLimitReached'
  const [first = ''] = codes
  if (codes.includes('insufficient_scope')) return 'Forbidden'
  return first.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
}

/** The problems of an operation by status, as references. The answers themselves are added to `named`. */
export function problemAnswers(operation: OperationShape, named: Map<string, Json>): Json {
  const refer = (name: string, answer: Json) => {
    named.set(name, answer)
    return { $ref: `#/components/responses/${name}` }
  }
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of problemsOf(operation)) {
    const { status } = problemCodes[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const told = [...byStatus].map(([status, codes]): [number, Json] => {
    const description = codes.map(code => `\`${code}\`: ${problemCodes[code].meaning}`).join('. ')
    return [status, refer(nameOf(codes), problemAnswer(status, codes, description))]
  })
  const unavailable =
    '`internal_error`: The service cannot take the request now; nothing was accepted, so another try is safe'
  told.push([503, refer('Unavailable', problemAnswer(503, ['internal_error'], unavailable))])
  return Object.fromEntries(told)
}

function successHeaders(operation: OperationShape, schema: TSchema | null): AnswerHeader[] {
  const headers = [...everyAnswer]
  const isOpen = schema === OpenAnswer
  const isList =
    operation.method === 'GET' &&
    operation.query !== undefined &&
    !operation.isLive &&
    !operation.hasLiveQuery
  if (schema && isTagged(operation)) headers.push('ETag')
  if (isList) headers.push('Link')
  if (isOpen) headers.push('Preference-Applied', 'Location')
  if (isIdempotent(operation)) headers.push('Idempotency-Replayed')
  return headers
}

/** What each success status of a press means. */
const openAnswers: Readonly<Record<number, string>> = {
  200: 'The gate took the call (`opened: true`), or the call is still running when the waiting is over (`opened: false`); follow it',
  202: 'The opening has begun; follow it',
}

/** What any other success means, beside the name of its operation. */
function successText({ isStream, method }: OperationShape, status: number): string {
  if (isStream) return 'The events, as they happen'
  if (status === 201) return 'What was made'
  if (status === 202) return 'Accepted; it is sent afterwards'
  if (method === 'PATCH') return 'What was changed, as it is now'
  return method === 'GET' ? 'What was asked for' : 'Done'
}

/** The status for If-None-Match where nothing has changed. */
export const unchangedStatus = 304

/** The success answers, each with its example, and the answer to If-None-Match. */
export function successAnswers(operation: OperationShape, answers: object): Json {
  const examples = answers as Readonly<Record<number, unknown>>
  const unchanged = {
    description: 'What `If-None-Match` names is what there is; no body',
    headers: headersOf([...everyAnswer, 'ETag']),
  }
  return Object.fromEntries([
    ...Object.entries(operation.answers).map(([text, schema]) => {
      const status = Number(text)
      const headers = headersOf(successHeaders(operation, schema))
      if (!schema && operation.isStream) return [text, { description: 'Nothing follows; no body', headers }]
      if (!schema) return [text, { description: 'Done; no body', headers }]
      const description = (schema === OpenAnswer && openAnswers[status]) || successText(operation, status)
      const content = { schema: answerSchema(schema), example: examples[status] }
      const mediaType = operation.isStream ? 'text/event-stream' : 'application/json'
      return [text, { description, headers, content: { [mediaType]: content } }]
    }),
    ...(isConditionalRead(operation) ? [[unchangedStatus, unchanged]] : []),
  ])
}
