// The client: one typed call for every operation of the dashboard, over fetch. What fails is answered as a value.

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

/** What one call of an operation is given. */
export type Input<Id extends AppOperationId> = Ids<AppParamsOf<Id>> &
  Member<'body', AppBodyOf<Id>> & {
    /** What is undefined is not sent. */
    readonly query?: { readonly [Name in keyof AppQueryOf<Id>]?: AppQueryOf<Id>[Name] | undefined }
    /** The ETag that was read: the change is refused with `precondition_failed` where the resource is another one now. */
    readonly ifMatch?: string | undefined
    /** Repeating the call with the same key does nothing twice. */
    readonly idempotencyKey?: string
    /** Of an opening: answer when it is accepted, not when it has ended. */
    readonly isAsync?: true
  }

export interface Success<Id extends AppOperationId> {
  readonly ok: true
  readonly body: AppAnswerOf<Id>['body']
  /** What `ifMatch` takes; null where the answer is no single resource. */
  readonly etag: string | null
}

/**
 * What the client says of an answer that is not the API's own. `network_error`: no answer came. `unavailable`: the cloud took
 * nothing, and says when another try makes sense. The others come from a proxy before the cloud; `proxy_failed` has the
 * status of its answer as `message`.
 */
export type ClientCode = 'network_error' | 'unavailable' | 'proxy_failed' | 'proxy_too_large'

export interface Failure {
  readonly ok: false
  /** A code of the API, or one of `ClientCode`. */
  readonly code: string
  /** In English, for a person; shown where the dashboard has no words of its own for it. */
  readonly message: string
  /** What the whole message says, for words in another language. */
  readonly refusals?: readonly Refusal[]
  /** When another try can succeed, in seconds. */
  readonly retryAfterS?: number
  /** The members that some problems have beyond code and message. */
  readonly extra: Readonly<Record<string, unknown>>
}

export type Result<Id extends AppOperationId> = Success<Id> | Failure

export interface Client {
  call<Id extends AppOperationId>(id: Id, input: Input<Id>): Promise<Result<Id>>
  /** Tells the session whose token each change carries. */
  hold(session: Session): void
  /**
   * Calls `listener` with the session of this browser when it is another one than was held, begun in another tab; answers
   * with how to stop that.
   */
  onOtherSession(listener: (session: Session) => void): () => void
  /** Calls `listener` whenever an answer says that nobody is signed in; answers with how to stop that. */
  onSignedOut(listener: () => void): () => void
}

/** What the types above come to, for the code that cannot know which operation it is. */
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

/** Where an operation is read that answers with a file: the address of a link. */
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

/** What the status alone tells, of an answer that a proxy gave in the place of the cloud. */
function codeOfProxy(status: number): AppProblemCode | ClientCode {
  if (status === 413) return 'proxy_too_large'
  return status === 429 ? 'rate_limited' : 'proxy_failed'
}

/** The failure that an answer tells. */
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

/** An answer as JSON; undefined where it has none: that of a proxy is a page. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Whether it is not known what became of the request: it may have been done, or may still be on its way. */
export const isUnknown = ({ code }: Failure): boolean => code === 'network_error' || code === 'proxy_failed'

const unanswered: Failure = { ok: false, code: 'network_error', message: 'No answer came.', extra: {} }

/** A client of the cloud that this page came from. */
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
      // Half an answer, or the page of a network that wants a sign-in of its own.
      if (answer.ok && text !== '' && read === undefined) return unanswered
      // Which body it is, the contract's own tests show; here it is only handed on.
      if (answer.ok) return { ok: true, body: read as never, etag: answer.headers.get('ETag') }
      if (answer.status === 401 && id !== 'signIn') for (const listener of listeners) listener()
      return failureOf(answer, read)
    } catch {
      return unanswered
    }
  }

  /** A refused token was that of an older session of this browser. The change is sent again if it is the same user's. */
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
