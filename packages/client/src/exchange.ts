// One request over fetch and its answer; every failure is a value.

import type { Failure, Fault, Success } from './types.ts'

/** A request, ready to be sent. */
export interface Request {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

const nothing = {
  ok: false,
  status: null,
  requestId: null,
  reason: null,
  openingId: null,
  safeToRetry: false,
  existingId: null,
  faults: [],
  retryAfterMs: null,
  idempotencyKey: null,
} as const

/** A failure that the client itself reports. */
export function failureOf(code: Failure['code'], message: string, more: Partial<Failure> = {}): Failure {
  return { ...nothing, code, message, ...more }
}

/** The reason of a failed fetch: Node hides it behind `fetch failed`. */
export function whyOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message
  return error instanceof Error ? error.message : String(error)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textOr = (value: unknown) => (typeof value === 'string' ? value : null)

/** Reads Retry-After in seconds; the service sends no dates. */
function retryAfterMs(headers: Headers): number | null {
  const text = headers.get('Retry-After') ?? ''
  return /^\d{1,9}$/.test(text) ? Number(text) * 1000 : null
}

const isFault = (value: unknown): value is Fault =>
  isObject(value) && Number.isInteger(value['index']) && typeof value['message'] === 'string'
const faultsOf = (value: unknown): readonly Fault[] => (Array.isArray(value) ? value.filter(isFault) : [])

/** The failure of an answer that cannot be from the service. */
export function notOfApi(more: Partial<Failure> & { readonly status: number }): Failure {
  const message = `The answer (status ${more.status}) is not one of the API. Does baseUrl lead to it?`
  return failureOf('unexpected_answer', message, more)
}

/** The failure that an unsuccessful answer of the service describes. */
export function problemOf(answer: Response, text: string): Failure {
  const { headers, status } = answer
  const body = parse(text)
  const more = { status, requestId: headers.get('X-Request-Id'), retryAfterMs: retryAfterMs(headers) }
  const error = isObject(body) ? body['error'] : undefined
  if (!isObject(error) || typeof error['code'] !== 'string') return notOfApi(more)
  return failureOf(error['code'], textOr(error['message']) ?? '', {
    ...more,
    reason: textOr(error['reason']),
    openingId: textOr(error['openingId']),
    // A gate may be called again only when the service says so itself.
    safeToRetry: error['safeToRetry'] === true,
    existingId: textOr(error['existingId']),
    faults: faultsOf(error['faults']),
  })
}

/** Sends one request. `signal` ends it; the caller knows the reason. */
export async function send(
  fetcher: typeof fetch,
  request: Request,
  signal: AbortSignal,
): Promise<Success<unknown> | Failure> {
  const { body, headers, method, url } = request
  try {
    // A redirect is never followed: it would send the key to another address, and turn a POST into a GET.
    const init = { method, headers, signal, redirect: 'manual' } as const
    const answer = await fetcher(url, body === undefined ? init : { ...init, body })
    const text = await answer.text()
    if (answer.status === 304) {
      const more = { status: 304, requestId: answer.headers.get('X-Request-Id') }
      return failureOf('not_modified', 'Nothing has changed since the state that ifNoneMatch names.', more)
    }
    const read = text === '' ? undefined : parse(text)
    if (!answer.ok) return problemOf(answer, text)
    if (text !== '' && !isObject(read)) return problemOf(answer, '')
    return {
      ok: true,
      status: answer.status,
      body: read,
      etag: answer.headers.get('ETag'),
      requestId: answer.headers.get('X-Request-Id'),
    }
  } catch (error) {
    return failureOf('network_error', `No answer came: ${whyOf(error)}.`)
  }
}
