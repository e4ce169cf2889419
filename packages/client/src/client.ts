// The client: one typed method for each operation of the API, with retries that can never call a gate twice by mistake.

import type { ActivityEntry } from '@callgate/contract/rest/activity'
import { routes } from '@callgate/contract/rest/routes'
import { realClock } from './clock.ts'
import { failureOf, notOfApi, type Request, send } from './exchange.ts'
import { changes, follow, steps } from './follow.ts'
import type { DetailsByAction } from './operations.ts'
import {
  betweenOpeningsMs,
  isWorthAnotherOpening,
  isWorthAnotherPress,
  isWorthAnotherTry,
  pressWithinMs,
  waitMs,
} from './retry.ts'
import type {
  ActivityOf,
  AnyOptions,
  Client,
  Clock,
  Failure,
  FollowOptions,
  Listed,
  Lists,
  OperationId,
  Success,
} from './types.ts'

export interface ClientOptions {
  /** The address of the service, such as `https://gates.example.com`; `/api/v1` at its end is fine too. */
  readonly baseUrl: string
  /** `svc_live_…` */
  readonly apiKey: string
  /** Milliseconds for one call, with all its tries and pauses; 120,000 by default. */
  readonly deadlineMs?: number
  /** How many times one request is sent, at most; 4 by default, 1 for no retries. */
  readonly tries?: number
  /** Instead of the global one. */
  readonly fetch?: typeof fetch
  /** Replaces the real clock in tests. */
  readonly clock?: Clock
}

interface ClientParts {
  readonly base: string
  readonly apiKey: string
  readonly deadlineMs: number
  readonly tries: number
  readonly fetcher: typeof fetch
  readonly clock: Clock
}

type Result = Success<unknown> | Failure
type Input = Readonly<Record<string, unknown>>

/** The time limits of an operation. */
interface Patience {
  /** How long one try may take, milliseconds. */
  readonly tryWithinMs: number
  /** How long after the first try another one may begin, milliseconds. */
  readonly beginWithinMs: number
  readonly isWorthAnother: (failure: Failure) => boolean
}

const patient: Patience = {
  tryWithinMs: 20_000,
  beginWithinMs: Number.POSITIVE_INFINITY,
  isWorthAnother: isWorthAnotherTry,
}

/** An opening is answered within 50 s. */
const nowOrNever: Patience = {
  tryWithinMs: 60_000,
  beginWithinMs: pressWithinMs,
  isWorthAnother: isWorthAnotherPress,
}

/** The fault of an id; undefined when there is none. Other characters could lead to another path. */
function refuseId(name: string, id: unknown): string | undefined {
  if (id === undefined || id === null || id === '') return `${name} is missing. Nothing was sent.`
  if (typeof id === 'string' && /^[\w-]+$/.test(id)) return undefined
  return `${name} must be an id as the API gives it. Nothing was sent.`
}

/** The request of a call, without its Idempotency-Key; a text when the input is invalid. */
function requestOf(parts: ClientParts, id: OperationId, input: Input, options: AnyOptions): Request | string {
  const { method, path: pattern } = routes[id]
  for (const [, name = ''] of pattern.matchAll(/:(\w+)/g)) {
    const wrong = refuseId(name, input[name])
    if (wrong !== undefined) return wrong
  }
  const path = pattern.replace(/:(\w+)/g, (_, name: string) => String(input[name]))
  const query = Object.entries(input['query'] ?? {}).filter(([, value]) => value !== undefined)
  const search = new URLSearchParams(
    query.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
  const { body } = input
  return {
    method,
    url: `${parts.base}${path}${search === '' ? '' : `?${search}`}`,
    headers: {
      Authorization: `Bearer ${parts.apiKey}`,
      Accept: 'application/json',
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(options.ifMatch !== undefined && { 'If-Match': options.ifMatch }),
      ...(options.ifNoneMatch !== undefined && { 'If-None-Match': options.ifNoneMatch }),
      ...(options.prefer !== undefined && { Prefer: options.prefer }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  }
}

const givenUp = failureOf('aborted', 'The call was given up by its caller.')

/** The end of one call: its deadline, or its caller's signal. */
interface End {
  readonly atMs: number
  readonly signal: AbortSignal | undefined
}

/** Sends the request once. The try ends after `withinMs`, or with the call. */
async function tryOnce(
  { clock, fetcher }: ClientParts,
  request: Request,
  end: End,
  withinMs: number,
): Promise<Result> {
  const stop = new AbortController()
  const giveUp = () => stop.abort()
  end.signal?.addEventListener('abort', giveUp, { once: true })
  const leftMs = end.atMs - clock.nowMs()
  const cancel = clock.limit(Math.min(withinMs, leftMs), giveUp)
  try {
    const result = await send(fetcher, request, stop.signal)
    if (result.ok || result.code !== 'network_error' || !stop.signal.aborted) return result
    if (end.signal?.aborted) return givenUp
    if (leftMs <= withinMs) return failureOf('deadline_exceeded', 'No answer came before the deadline.')
    return failureOf('network_error', `No answer came within ${withinMs} ms.`)
  } finally {
    cancel()
    end.signal?.removeEventListener('abort', giveUp)
  }
}

/** Waits until the next try. Returns false at once when it would be too late, and false when the caller aborts. */
async function mayGoOn(
  { clock }: ClientParts,
  { atMs, signal }: End,
  delayMs: number,
  beginBeforeMs = atMs,
): Promise<boolean> {
  if (clock.nowMs() + delayMs >= Math.min(atMs, beginBeforeMs)) return false
  await clock.pause(delayMs, signal)
  return !signal?.aborted
}

/** Sends one request until it is answered, at most `tries` times, always with the same Idempotency-Key. */
async function sendPatiently(
  parts: ClientParts,
  request: Request,
  end: End,
  patience: Patience,
): Promise<Result> {
  const { beginWithinMs, isWorthAnother, tryWithinMs } = patience
  const beginBeforeMs = parts.clock.nowMs() + beginWithinMs
  for (let attempt = 1; ; attempt++) {
    const result = await tryOnce(parts, request, end, tryWithinMs)
    if (result.ok || !isWorthAnother(result) || attempt >= parts.tries) return result
    const delayMs = waitMs(attempt, result.retryAfterMs, parts.clock.random())
    if (!(await mayGoOn(parts, end, delayMs, beginBeforeMs))) return end.signal?.aborted ? givenUp : result
  }
}

async function call(parts: ClientParts, id: OperationId, input: Input, options: AnyOptions): Promise<Result> {
  const { clock } = parts
  const request = requestOf(parts, id, input, options)
  if (typeof request === 'string') return failureOf('invalid_input', request)
  const end = { atMs: clock.nowMs() + (options.deadlineMs ?? parts.deadlineMs), signal: options.signal }
  if (end.signal?.aborted) return givenUp
  const patience = id === 'openGate' ? nowOrNever : patient
  const isRepeatable = request.method === 'POST' || request.method === 'PATCH'
  if (!isRepeatable) return sendPatiently(parts, request, end, patience)

  const ownKey = options.idempotencyKey ?? clock.newKey()
  for (let opening = 1; ; opening++) {
    // Another opening needs another key. It is derived from the first one: when the caller repeats the whole call with
    // the same key, it takes the same steps.
    const key = opening === 1 ? ownKey : `${ownKey}-${opening}`
    const keyed = { ...request, headers: { ...request.headers, 'Idempotency-Key': key } }
    const result = await sendPatiently(parts, keyed, end, patience)
    if (result.ok) return result
    const failure = { ...result, idempotencyKey: key }
    if (!isWorthAnotherOpening(failure) || opening > (options.retryOpen ?? 0)) return failure
    if (!(await mayGoOn(parts, end, betweenOpeningsMs))) return failure
  }
}

async function* stepsOf(
  parts: ClientParts,
  input: Input,
  options: FollowOptions,
): ReturnType<Client['followOpening']> {
  const request = requestOf(parts, 'followOpening', input, {})
  if (typeof request === 'string') yield failureOf('invalid_input', request)
  else yield* follow(parts, steps, request, options)
}

async function* changesOf(parts: ClientParts, options: FollowOptions): ReturnType<Client['followSpace']> {
  const request = requestOf(parts, 'followEvents', {}, {})
  if (typeof request === 'string') yield failureOf('invalid_input', request)
  else yield* follow({ ...parts, deadlineMs: Number.POSITIVE_INFINITY }, changes, request, options)
}

const memberOf: Lists = {
  listGates: 'gates',
  listMembers: 'members',
  listOpenings: 'openings',
  listActivity: 'activity',
}

/** The rows of a list by its cursors, a page at a time. */
async function* rowsOf(
  parts: ClientParts,
  list: keyof Lists,
  query: Input,
  options: AnyOptions,
): AsyncGenerator<Listed<unknown> | Failure, void, undefined> {
  for (let cursor: unknown = ''; typeof cursor === 'string'; ) {
    const page = await call(parts, list, { query: { ...query, cursor } }, options)
    if (!page.ok) return yield page
    const body = (page.body ?? {}) as Readonly<Record<string, unknown>>
    const rows = body[memberOf[list]]
    if (!Array.isArray(rows)) return yield notOfApi({ status: page.status, requestId: page.requestId })
    for (const row of rows) yield { ok: true, row }
    cursor = (body['pagination'] as { readonly nextCursor?: unknown } | undefined)?.nextCursor
  }
}

/**
 * The address without `/api/v1`, with which each path begins. Throws when it is not an address, which is a mistake in the
 * program.
 */
function baseOf(baseUrl: string): string {
  if (!URL.canParse(baseUrl) || !/^https?:\/\//i.test(baseUrl))
    throw new TypeError('baseUrl must be an address such as https://gates.example.com')
  const { hash, search } = new URL(baseUrl)
  if (hash !== '' || search !== '') throw new TypeError('baseUrl must end with its path: leave out ? and #')
  return baseUrl
    .replace(/\/+$/, '')
    .replace(/\/api\/v1$/, '')
    .replace(/\/+$/, '')
}

export { checkWebhook } from './webhook.ts'

/** Whether the entry records this action. If so, its `details` are typed. Tolerate actions that you do not know. */
export function isAction<Action extends keyof DetailsByAction>(
  entry: ActivityEntry,
  action: Action,
): entry is ActivityOf<Action> {
  return entry.action === action
}

/** Makes a client for one Space. Throws a TypeError when `baseUrl` is not an address or `apiKey` is not valid in a header. */
export function createClient(options: ClientOptions): Client {
  const { apiKey, baseUrl, clock = realClock, deadlineMs = 120_000, tries = 4 } = options
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new TypeError('apiKey must be the API key, svc_live_…')
  const fetcher = options.fetch ?? fetch
  const parts: ClientParts = { base: baseOf(baseUrl), apiKey, deadlineMs, tries, fetcher, clock }
  const { followEvents: _, ...called } = routes
  const methods = Object.keys(called).map(id => [
    id,
    (input?: Input | null, given?: AnyOptions | null) =>
      call(parts, id as OperationId, input ?? {}, given ?? {}),
  ])
  // The types of input and answer are those of the operation, which `routes` names one by one.
  return {
    ...Object.fromEntries(methods),
    followOpening: (input?: Input | null, given?: FollowOptions | null) =>
      stepsOf(parts, input ?? {}, given ?? {}),
    followSpace: (given?: FollowOptions | null) => changesOf(parts, given ?? {}),
    each: (list: keyof Lists, query?: Input | null, given?: AnyOptions | null) =>
      rowsOf(parts, list, query ?? {}, given ?? {}),
  } as Client
}
