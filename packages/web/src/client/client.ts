// The client: one typed call for every operation of the dashboard, over fetch; failures are returned as values.

import type {
  AppAnswerOf,
  AppBodyOf,
  AppOperationId,
  AppParamsOf,
  AppQueryOf,
} from '@callgate/contract/app/appOperations'
import { appRoutes } from '@callgate/contract/app/appRoutes'
import type { csrfHeader, Session } from '@callgate/contract/app/session'
import type { AppProblemCode, Refusal } from '@callgate/contract/rest/problem'

const csrf: typeof csrfHeader = 'X-CSRF-Token'

type Member<Name extends string, Value> = undefined extends Value
  ? { readonly [Key in Name]?: Value }
  : { readonly [Key in Name]: Value }
type Ids<Params> = keyof Params extends never ? unknown : { readonly params: Params }

/** The input of one call of an operation. */
export type Input<Id extends AppOperationId> = Ids<AppParamsOf<Id>> &
  Member<'body', AppBodyOf<Id>> & {
    /** Undefined parts are not sent. */
    readonly query?: { readonly [Name in keyof AppQueryOf<Id>]?: AppQueryOf<Id>[Name] | undefined }
    /** The ETag that was read: the change is refused with `precondition_failed` where the resource has changed since. */
    readonly ifMatch?: string | undefined
    /** Repeating the call with the same key does nothing twice. */
    readonly idempotencyKey?: string
    /** For an opening: answer when it is accepted, not when it has ended. */
    readonly isAsync?: true
  }

export interface Success<Id extends AppOperationId> {
  readonly ok: true
  readonly body: AppAnswerOf<Id>['body']
  /** The value for `ifMatch`; null where the answer is no single resource. */
  readonly etag: string | null
}

/**
 * Failures without an answer of the API's own. `network_error`: no answer came. `unavailable`: the cloud did nothing, and says
 * when to try again. The others come from a proxy before the cloud; `proxy_failed` has the status of its answer as `message`.
 */
export type ClientCode = 'network_error' | 'unavailable' | 'proxy_failed' | 'proxy_too_large'

export interface Failure {
  readonly ok: false
  /** A code of the API, or one of `ClientCode`. */
  readonly code: string
  /** In English, for a person; shown where the dashboard has no text of its own for it. */
  readonly message: string
  /** The parts of the message, for texts in another language. */
  readonly refusals?: readonly Refusal[]
  /** When another try can succeed, in seconds. */
  readonly retryAfterS?: number
  /** The members that some problems have beyond code and message. */
  readonly extra: Readonly<Record<string, unknown>>
}

export type Result<Id extends AppOperationId> = Success<Id> | Failure

export interface Client {
  call<Id extends AppOperationId>(id: Id, input: Input<Id>): Promise<Result<Id>>
  /** Sets the session whose token each change carries. */
  hold(session: Session): void
  /**
   * Calls `listener` with the session of this browser when another tab has begun a new one. Returns a function that stops this.
   */
  onOtherSession(listener: (session: Session) => void): () => void
  /** Calls `listener` whenever an answer reports that nobody is signed in. Returns a function that stops this. */
  onSignedOut(listener: () => void): () => void
}

/** The types above in general form, for code that cannot know the operation. */
interface AnyInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly ifMatch?: string | undefined
  readonly idempotencyKey?: string
  readonly isAsync?: true
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

/** The address of a call, with its ids and its query. */
function addressOf(path: string, { params = {}, query = {} }: AnyInput): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
  const asked = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  )
  const search = new URLSearchParams(asked).toString()
  return search === '' ? filled : `${filled}?${search}`
}

/** The address of an operation that answers with a file, for a link. */
export function fileAddress<Id extends AppOperationId>(id: Id, input: Input<Id>): string {
  return addressOf(appRoutes[id].path, input as AnyInput)
}

function headersOf({ body, idempotencyKey, ifMatch, isAsync }: AnyInput, token: string | undefined) {
  return {
    Accept: 'application/json',
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...(token !== undefined && { [csrf]: token }),
    ...(ifMatch !== undefined && { 'If-Match': ifMatch }),
    ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
    ...(isAsync && { Prefer: 'respond-async' }),
  }
}

const isRefusal = (told: unknown): told is Refusal => isObject(told) && isObject(told['values'])

/** The failure by the status alone, for an answer of a proxy in place of the cloud. */
function codeOfProxy(status: number): AppProblemCode | ClientCode {
  if (status === 413) return 'proxy_too_large'
  return status === 429 ? 'rate_limited' : 'proxy_failed'
}

/** The failure in an answer. */
function failureOf(answer: Response, body: unknown): Failure {
  const { status } = answer
  const after = Number(answer.headers.get('Retry-After') ?? Number.NaN)
  const wait = Number.isFinite(after) && { retryAfterS: after }
  const error = isObject(body) && isObject(body['error']) ? body['error'] : undefined
  if (!error) return { ok: false, code: codeOfProxy(status), message: String(status), ...wait, extra: {} }
  const { code, message = '', refusals, ...extra } = error
  return {
    ok: false,
    code: status === 503 ? 'unavailable' : String(code),
    message: String(message),
    ...(Array.isArray(refusals) && refusals.every(isRefusal) && { refusals }),
    ...wait,
    extra,
  }
}

/** An answer as JSON; undefined where it is none: a proxy answers with a page. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether the result of the request is unknown: it may have been carried out, or may still be on its way. */
export const isUnknown = ({ code }: Failure): boolean => code === 'network_error' || code === 'proxy_failed'

const unanswered: Failure = { ok: false, code: 'network_error', message: 'No answer came.', extra: {} }

/** A client of the cloud that served this page. */
export function createClient(fetcher: typeof fetch = (...given) => fetch(...given)): Client {
  const listeners = new Set<() => void>()
  const otherListeners = new Set<(session: Session) => void>()
  let held: Session | undefined

  async function sendOnce(id: AppOperationId, input: AnyInput): Promise<Success<AppOperationId> | Failure> {
    const { method, path } = appRoutes[id]
    const { body } = input
    try {
      const answer = await fetcher(addressOf(path, input), {
        method,
        headers: headersOf(input, method === 'GET' ? undefined : held?.csrfToken),
        credentials: 'same-origin',
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      const read = parse(text)
      // Half an answer, or the sign-in page of a network.
      if (answer.ok && text !== '' && read === undefined) return unanswered
      // The contract's own tests check the type of the body; here it is only passed on.
      if (answer.ok) return { ok: true, body: read as never, etag: answer.headers.get('ETag') }
      if (answer.status === 401 && id !== 'signIn') for (const listener of listeners) listener()
      return failureOf(answer, read)
    } catch {
      return unanswered
    }
  }

  /**
   * A refused token belonged to an older session of this browser. The change is sent again if the new session is the same user's.
   */
  async function send(id: AppOperationId, input: AnyInput): Promise<Success<AppOperationId> | Failure> {
    const answer = await sendOnce(id, input)
    if (answer.ok || answer.code !== 'csrf_refused') return answer
    const before = held
    const asked = await sendOnce('getSession', {})
    if (!asked.ok) return answer
    const now = asked.body as Session
    held = now
    for (const listener of otherListeners) listener(now)
    const isSame = now.user.id === before?.user.id && now.csrfToken !== before.csrfToken
    return isSame ? sendOnce(id, input) : answer
  }

  return {
    call: async (id, input) => (await send(id, input as AnyInput)) as Result<typeof id>,
    hold(session) {
      held = session
    },
    onOtherSession(listener) {
      otherListeners.add(listener)
      return () => otherListeners.delete(listener)
    },
    onSignedOut(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
