// A fake of the cloud for tests of pages: it has the contract's types, refuses what the contract refuses, and a test gives the
// other answers.

import type { AppShape } from '@callgate/contract/app/appOperation'
import {
  type AppAnswerOf,
  type AppBodyOf,
  type AppOperationId,
  type AppParamsOf,
  type AppQueryOf,
  appOperations,
} from '@callgate/contract/app/appOperations'
import { needsConfirmation } from '@callgate/contract/app/confirmations'
import { csrfHeader, type Session } from '@callgate/contract/app/session'
import type { EventType } from '@callgate/contract/rest/event'
import { isConditionalRead } from '@callgate/contract/rest/operation'
import { isProblem, type Problem, statusOf } from '@callgate/contract/rest/problem'
import { checker } from '@callgate/contract/validate'

export interface FakeRequest<Id extends AppOperationId> {
  readonly params: AppParamsOf<Id>
  readonly query: AppQueryOf<Id>
  readonly body: AppBodyOf<Id>
}

/** The answer to an operation; `nothing`: no answer comes. */
type FakeAnswer<Id extends AppOperationId> = AppAnswerOf<Id> | Problem | 'nothing'

/** The answers of a test to the operations of its page. */
export type Answers = {
  readonly [Id in AppOperationId]?: (asked: FakeRequest<Id>) => FakeAnswer<Id> | Promise<FakeAnswer<Id>>
}

/** One request that arrived and was not refused by the fake itself. */
interface Request {
  readonly id: AppOperationId
  readonly params: Record<string, string>
  readonly query: Record<string, unknown>
  readonly body: unknown
}
type AnyAnswer = { readonly status: number; readonly body?: unknown }
type AnyHandler = (
  asked: Omit<Request, 'id'>,
) => AnyAnswer | Problem | 'nothing' | Promise<AnyAnswer | Problem | 'nothing'>

export interface FakeCloud {
  readonly fetch: typeof fetch
  /** From now on answers these operations in this way. */
  answer(more: Answers): void
  /** The bodies of the requests of one operation that reached its answer, oldest first. */
  bodies<Id extends AppOperationId>(id: Id): readonly AppBodyOf<Id>[]
  /** How often an operation was asked. */
  count(id: AppOperationId): number
  /** From now on the session needs a confirmation for what a stolen session must not do. */
  forget(): void
  /** Sends an event to the pages: something has changed. */
  tell(kind: EventType, targetId: string): void
  /** Requests of a page without an answer, and answers that break the contract. */
  readonly faults: readonly string[]
}

/** The password of the signed-in user. */
export const password = 'four words and a gate'

const shapes = Object.entries(appOperations) as unknown as readonly (readonly [AppOperationId, AppShape])[]
const routes = shapes.map(([id, shape]) => ({
  id,
  shape,
  pattern: new RegExp(`^${shape.path.replaceAll(/:(\w+)/g, '(?<$1>[^/]+)')}$`),
}))

/** Changes that contain every member of the answer except those that change by themselves. */
const tagOf = (body: unknown) => {
  const text = JSON.stringify(body, (name, value) => (name === 'now' ? undefined : value))
  return `"${[...text].reduce((sum, sign) => (sum * 31 + (sign.codePointAt(0) ?? 0)) >>> 0, 7).toString(36)}"`
}

const unfit = (message: string, refusals?: Problem['refusals']): Problem => ({
  problem: 'validation_error',
  message,
  refusals,
})

/** The value as the cloud reads it, with trimmed texts and defaults, or the problem with it. */
function read(
  schema: AppShape['body'],
  value: unknown,
  whole: string,
): { readonly value: unknown } | Problem {
  if (!schema) return { value }
  const checked = checker(schema, whole)(structuredClone(value))
  return checked.ok ? { value: checked.value } : unfit(checked.message, checked.refusals)
}

/** The texts of a query as the values that its schema has. */
function valuesOf({ query }: AppShape, texts: Record<string, string>): Record<string, unknown> {
  const { properties = {} } = (query ?? {}) as { properties?: Record<string, { type?: string }> }
  const asTyped = (name: string, text: string) =>
    ['integer', 'boolean'].includes(properties[name]?.type ?? '') ? JSON.parse(text) : text
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, asTyped(name, text)]))
}

/** The user of a request, with their rights. */
interface FakeSession {
  readonly session: Session | undefined
  readonly isConfirmed: boolean
}

/** The refusals of the contract alone, in the order of the cloud. */
function refusalOf(
  id: AppOperationId,
  shape: AppShape,
  fakeSession: FakeSession,
  given: { spaceId?: string; token: string | null },
) {
  const { role } = shape
  if (role === 'none') return undefined
  const { isConfirmed, session } = fakeSession
  const refuse = (problem: Problem['problem'], message: string): Problem => ({ problem, message })
  if (!session) return refuse('unauthorized', 'Nobody is signed in.')
  if (shape.method !== 'GET' && given.token !== session.csrfToken)
    return refuse('csrf_refused', 'The token is not the one of the session.')
  if (role !== 'user') {
    const space = session.spaces.find(({ id }) => id === given.spaceId)
    if (!space) return refuse('not_found', 'There is no such Space.')
    if (role === 'owner' && space.role !== 'owner') return refuse('insufficient_role', 'Only owners may.')
  }
  if (!isConfirmed && needsConfirmation(id)) return refuse('confirmation_required', 'Confirm that it is you.')
  return undefined
}

const problemAnswer = ({ extra, headers = {}, message, problem, refusals, status }: Problem) =>
  new Response(
    JSON.stringify({ error: { code: problem, message, ...(refusals && { refusals }), ...extra } }),
    {
      status: status ?? statusOf(problem),
      headers,
    },
  )

function textOf(id: number, kind: EventType, targetId: string | null): Uint8Array {
  const event = { kind, targetId, gateId: null, memberId: null, at: '2026-03-20T12:32:00.000Z' }
  return new TextEncoder().encode(`id: ${id}\nevent: change\ndata: ${JSON.stringify(event)}\n\n`)
}

/** The open streams, and a function that sends an event to them. A stream begins after its last event, or with a reset. */
function streams() {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const all: Uint8Array[] = []
  return {
    answer(lastEventId: string | null) {
      let own: ReadableStreamDefaultController<Uint8Array>
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          own = controller
          open.add(own)
          const missed =
            lastEventId === null ? [textOf(all.length, 'reset', null)] : all.slice(Number(lastEventId))
          for (const one of missed) own.enqueue(one)
        },
        cancel: () => void open.delete(own),
      })
      return { status: 200, headers: new Headers(), body } as Response
    },
    tell(kind: EventType, targetId: string) {
      all.push(textOf(all.length + 1, kind, targetId))
      for (const one of open) one.enqueue(all.at(-1))
    },
  }
}

/** The current tag of the resource at a path. */
async function tagAt(
  path: string,
  asked: Omit<Request, 'id'>,
  answers: Answers,
): Promise<string | undefined> {
  const [id] = shapes.find(([, one]) => one.path === path && isConditionalRead(one)) ?? []
  const handler = id && (answers[id] as AnyHandler | undefined)
  const now = await handler?.({ ...asked, body: undefined })
  return now === undefined || now === 'nothing' || isProblem(now) ? undefined : tagOf(now.body)
}

function success(id: AppOperationId, shape: AppShape, { body, status }: AnyAnswer): Response {
  const schema = shape.answers[status]
  const checked = schema ? read(schema, body, 'the answer') : { value: body }
  if (isProblem(checked)) throw new Error(`${id} is answered wrongly: ${checked.message}`)
  const headers = isConditionalRead(shape) ? { ETag: tagOf(body) } : undefined
  return new Response(schema ? JSON.stringify(body) : null, { status, ...(headers && { headers }) })
}

/** The operation and input of a request, by its address and its body. */
function requestOf(address: string, method: string, body: unknown) {
  const url = new URL(address, 'http://fake.invalid')
  const route = routes.find(one => one.shape.method === method && one.pattern.test(url.pathname))
  if (!route) throw new Error(`there is no ${method} ${url.pathname}`)
  const { groups = {} } = route.pattern.exec(url.pathname) ?? {}
  const params = Object.entries(groups).map(([name, value]) => [name, decodeURIComponent(value)])
  const { id, shape } = route
  const query = valuesOf(shape, Object.fromEntries(url.searchParams))
  const sent = typeof body === 'string' ? JSON.parse(body) : undefined
  const request: Request = { id, params: Object.fromEntries(params), query, body: sent }
  return { shape, request }
}

const changed: Problem = { problem: 'precondition_failed', message: 'It is another one now.' }
const unconfirmed: Problem = { problem: 'confirmation_required', message: 'Confirm that it is you.' }

class Fake implements FakeCloud {
  readonly faults: string[] = []
  readonly #session: Session | undefined
  readonly #streams = streams()
  readonly #requests: Request[] = []
  #isConfirmed = true
  #answers: Answers

  constructor(session: Session | undefined, answers: Answers) {
    this.#session = session
    this.#answers = {
      getSession: () => (session ? { status: 200, body: session } : unauthorized),
      confirmSession: ({ body }) => this.#confirm(body.password),
      ...answers,
    }
  }

  readonly tell = (kind: EventType, targetId: string): void => this.#streams.tell(kind, targetId)

  answer(more: Answers): void {
    this.#answers = { ...this.#answers, ...more }
  }

  bodies<Id extends AppOperationId>(id: Id): readonly AppBodyOf<Id>[] {
    return this.#requests.filter(one => one.id === id).map(({ body }) => body as AppBodyOf<Id>)
  }

  count(id: AppOperationId): number {
    return this.bodies(id).length
  }

  forget(): void {
    this.#isConfirmed = false
  }

  readonly fetch: typeof fetch = async (address, { body, headers, method = 'GET' } = {}) => {
    const { request, shape } = requestOf(String(address), method, body)
    if (shape.isStream) return this.#streams.answer(new Headers(headers).get('Last-Event-ID'))
    try {
      return await this.#answerOne(shape, request, new Headers(headers))
    } catch (error) {
      // A page treats any error as a missing answer, so the test is told here.
      if (!(error instanceof TypeError)) this.faults.push(String(error))
      throw error
    }
  }

  #confirm(given: string | undefined): FakeAnswer<'confirmSession'> {
    if (given !== password) return { problem: 'wrong_password', message: 'It is another one.' }
    this.#isConfirmed = true
    return { status: 200, body: { confirmedUntil: '2099-01-01T00:00:00.000Z' } }
  }

  /** The request as the cloud reads it, or the problem with it. */
  async #admit(shape: AppShape, request: Request, headers: Headers): Promise<Request | Problem> {
    const { id, params } = request
    const fakeSession = { session: this.#session, isConfirmed: this.#isConfirmed }
    const refused = refusalOf(id, shape, fakeSession, { ...params, token: headers.get(csrfHeader) })
    if (refused) return refused
    const query = read(shape.query, request.query, 'the query')
    if (isProblem(query)) return query
    const body = read(shape.body, request.body ?? (shape.bodyOptional ? {} : undefined), 'the body')
    if (isProblem(body)) return body
    if (!this.#isConfirmed && needsConfirmation(id, body.value)) return unconfirmed
    const wanted = headers.get('If-Match')
    if (wanted !== null && wanted !== (await tagAt(shape.path, request, this.#answers))) return changed
    return { id, params, query: query.value as Request['query'], body: body.value }
  }

  async #answerOne(shape: AppShape, request: Request, headers: Headers): Promise<Response> {
    const admitted = await this.#admit(shape, request, headers)
    if (isProblem(admitted)) return problemAnswer(admitted)
    const { id, ...asked } = admitted
    const handler = this.#answers[id] as AnyHandler | undefined
    if (!handler) throw new Error(`nobody answers ${id}`)
    this.#requests.push(admitted)
    const told = await handler(asked)
    if (told === 'nothing') throw new TypeError('Failed to fetch')
    return isProblem(told) ? problemAnswer(told) : success(id, shape, told)
  }
}

/** A cloud in which `session` is signed in, or nobody; tests may add to `answers`. */
export function fakeCloud(session: Session | undefined, answers: Answers): FakeCloud {
  return new Fake(session, answers)
}

const unauthorized: Problem = { problem: 'unauthorized', message: 'Nobody is signed in.' }
