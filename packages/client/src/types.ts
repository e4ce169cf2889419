// The types of the client's calls, made from the contract's operations.

import type { ReasonWord } from '@callgate/contract/call/reason'
import type {
  AnswerOf,
  BodyOf,
  OperationId,
  Operations,
  ParamsOf,
  QueryOf,
} from '@callgate/contract/rest/operations'
import type { ProblemCode } from '@callgate/contract/rest/problem'

type QueryInput<Id extends OperationId> = Operations[Id] extends { readonly query: unknown }
  ? { readonly query?: Partial<QueryOf<Id>> }
  : unknown
type BodyInput<Id extends OperationId> = Operations[Id] extends { readonly body: unknown }
  ? Operations[Id] extends { readonly bodyOptional: true }
    ? unknown
    : { readonly body: BodyOf<Id> }
  : unknown

/** What an operation is called with: the ids of its path by name, `query` and `body`. */
export type InputOf<Id extends OperationId> = Readonly<ParamsOf<Id>> & QueryInput<Id> & BodyInput<Id>

interface EveryCall {
  /** Gives the call up; it ends with the code `aborted`. */
  readonly signal?: AbortSignal
  /** Milliseconds for the whole call, tries and waits together; the client's own by default. */
  readonly deadlineMs?: number
}

interface RepeatableCall {
  /** Made by the client by default. Give your own to go on with a call after a restart. At most 250 characters. */
  readonly idempotencyKey?: string
}

interface ConditionalCall {
  /** The `etag` of the state that you read; another state is answered with `precondition_failed`. */
  readonly ifMatch?: string
}

interface OpenCall {
  /** `wait=N` (seconds) shortens the wait for the outcome; `respond-async` does not wait. */
  readonly prefer?: 'respond-async' | `wait=${number}`
  /**
   * How many times more to call the gate after `open_failed` with `safeToRetry: true` and a reason that passes by
   * itself, such as `busy`; 0 by default. Each is an opening of its own. Where `safeToRetry` is false another call could
   * reverse a moving gate, and none is ever made.
   */
  readonly retryOpen?: number
}

type MethodOf<Id extends OperationId> = Operations[Id]['method']

/** The options that make sense for an operation. */
export type OptionsOf<Id extends OperationId> = EveryCall &
  (MethodOf<Id> extends 'POST' | 'PATCH' ? RepeatableCall : unknown) &
  (MethodOf<Id> extends 'PATCH' | 'DELETE' ? ConditionalCall : unknown) &
  (Id extends 'openGate' ? OpenCall : unknown)

/** Every option, for the code that does not know which operation it is. */
export type AnyOptions = EveryCall & RepeatableCall & ConditionalCall & OpenCall

export interface Success<Body> {
  readonly ok: true
  readonly status: number
  /** What the operation answers; undefined where it answers nothing (204). */
  readonly body: Body
  /** The state of a single resource, for `ifMatch`; null where there is none. */
  readonly etag: string | null
  /** Names this answer in the service's log. */
  readonly requestId: string | null
}

/** What the client itself has to say, when no answer of the service says it. */
export type ClientCode =
  | 'network_error'
  | 'deadline_exceeded'
  | 'aborted'
  | 'unexpected_answer'
  | 'invalid_input'

export interface Failure {
  readonly ok: false
  /** A code of the API, or the client's own. Tolerate codes that you do not know. */
  readonly code: ProblemCode | ClientCode | (string & {})
  /** What happened, for a person. */
  readonly message: string
  /** The HTTP status; null when no answer came. */
  readonly status: number | null
  readonly requestId: string | null
  /** With `open_failed`: how the opening ended. Tolerate words that you do not know. */
  readonly reason: ReasonWord | (string & {}) | null
  /** With `open_failed`: the opening. */
  readonly openingId: string | null
  /** With `open_failed`: whether another call cannot reverse a moving gate. False where nobody said so. */
  readonly safeToRetry: boolean
  /** Milliseconds after which the service takes another request, where it said so. */
  readonly retryAfterMs: number | null
  /** What the last request carried: the same call with this key is done once only. Null where none was sent. */
  readonly idempotencyKey: string | null
}

type BodyOfAnswer<Answer> = Answer extends { readonly body: infer Body } ? Body : undefined

/** How a call ends. Nothing that a network or the service can do throws. */
export type ResultOf<Id extends OperationId> = Success<BodyOfAnswer<AnswerOf<Id>>> | Failure

type Call<Id extends OperationId> =
  Record<never, never> extends InputOf<Id>
    ? (input?: InputOf<Id>, options?: OptionsOf<Id>) => Promise<ResultOf<Id>>
    : (input: InputOf<Id>, options?: OptionsOf<Id>) => Promise<ResultOf<Id>>

/** One method for each operation of the API. */
export type Client = { readonly [Id in OperationId]: Call<Id> }
