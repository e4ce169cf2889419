// The types of the client's calls, made from the contract's operations.

import type { Reason } from '@callgate/contract/call/reason'
import type { ActivityEntry } from '@callgate/contract/rest/activity'
import type { Event as SpaceEvent } from '@callgate/contract/rest/event'
import type { OpeningEvent } from '@callgate/contract/rest/openingEvent'
import type { ProblemCode } from '@callgate/contract/rest/problem'
import type { DetailsByAction, operations } from './operations.ts'

export type OperationId = keyof operations

type PathInput<Path> = [NonNullable<Path>] extends [never] ? unknown : Readonly<Path>
/** Exported for its test: no operation has a query that must be sent. */
export type QueryInput<Query> = [NonNullable<Query>] extends [never]
  ? unknown
  : Record<never, never> extends NonNullable<Query>
    ? { readonly query?: Readonly<NonNullable<Query>> }
    : { readonly query: Readonly<NonNullable<Query>> }
type BodyInput<Request> = Request extends { content: { 'application/json': infer Body } }
  ? { readonly body: Readonly<Body> }
  : unknown

/** What an operation is called with: the ids of its path by name, `query` and `body`. */
export type InputOf<Id extends OperationId> = PathInput<operations[Id]['parameters']['path']> &
  QueryInput<operations[Id]['parameters']['query']> &
  BodyInput<operations[Id]['requestBody']>

interface EveryCall {
  /** Ends the call with the code `aborted`. */
  readonly signal?: AbortSignal
  /** Milliseconds for the whole call, with all its tries and pauses; by default the client's `deadlineMs`. */
  readonly deadlineMs?: number
}

interface RepeatableCall {
  /** The client makes one by default. Pass your own to continue a call after a restart. At most 250 characters. */
  readonly idempotencyKey?: string
}

interface ConditionalCall {
  /** The `etag` of the state that you read; another state is answered with `precondition_failed`. */
  readonly ifMatch?: string
}

interface ConditionalRead {
  /** The `etag` that you have: where nothing has changed since, the call ends with the code `not_modified`. */
  readonly ifNoneMatch?: string
}

interface OpenCall {
  /** `wait=N` (seconds) shortens the wait for the outcome; `respond-async` does not wait. */
  readonly prefer?: 'respond-async' | `wait=${number}`
  /**
   * How many more times to call the gate after `open_failed` with `safeToRetry: true`, such as when its number was busy;
   * 0 by default. Each call is another opening. When `safeToRetry` is false, another call could reverse a moving gate or
   * would end in the same way, and none is made.
   */
  readonly retryOpen?: number
}

type HeadersOf<Id extends OperationId> = NonNullable<operations[Id]['parameters']['header']>
type Takes<Id extends OperationId, Header extends string, Options> = [HeadersOf<Id>] extends [never]
  ? unknown
  : Header extends keyof HeadersOf<Id>
    ? Options
    : unknown

/** The options that make sense for an operation. */
export type OptionsOf<Id extends OperationId> = EveryCall &
  Takes<Id, 'Idempotency-Key', RepeatableCall> &
  Takes<Id, 'If-Match', ConditionalCall> &
  Takes<Id, 'If-None-Match', ConditionalRead> &
  Takes<Id, 'Prefer', OpenCall>

/** All options, for code that handles any operation. */
export type AnyOptions = EveryCall & RepeatableCall & ConditionalCall & ConditionalRead & OpenCall

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

/** The failures that the client itself reports. */
export type ClientCode =
  | 'network_error'
  | 'deadline_exceeded'
  | 'aborted'
  | 'unexpected_answer'
  | 'invalid_input'
  | 'not_modified'

/** What is wrong with one of several items. */
export interface Fault {
  readonly index: number
  readonly message: string
}

export interface Failure {
  readonly ok: false
  /** A code of the API, or the client's own. Tolerate codes that you do not know. */
  readonly code: ProblemCode | ClientCode | (string & {})
  /** What happened, for a person. */
  readonly message: string
  /** The HTTP status; null when no answer came. */
  readonly status: number | null
  /** Names the answer in the service's log; null when no answer came. */
  readonly requestId: string | null
  /** With `open_failed`: how the opening ended. Tolerate words that you do not know. */
  readonly reason: Reason | (string & {}) | null
  /** With `open_failed`: the opening. */
  readonly openingId: string | null
  /**
   * With `open_failed`: true only when nothing moved and pressing again within a minute can help. False when the service
   * does not say so.
   */
  readonly safeToRetry: boolean
  /** With `conflict`: the one that has the `externalId` already. */
  readonly existingId: string | null
  /** With `validation_error`, where several things were sent at once: what is wrong, by the place of the item from 0. */
  readonly faults: readonly Fault[]
  /** Milliseconds after which the service takes another request; null when it does not say so. */
  readonly retryAfterMs: number | null
  /** The key of the last request: with this key, the service carries the same call out only once. Null when none was sent. */
  readonly idempotencyKey: string | null
}

type Answers<Id extends OperationId> = operations[Id]['responses']
type AnswerBody<Id extends OperationId> = {
  [Status in keyof Answers<Id>]: Answers<Id>[Status] extends { content: { 'application/json': infer Body } }
    ? Body
    : undefined
}[keyof Answers<Id>]

/** How a call ends. Nothing that a network or the service can do throws. */
export type ResultOf<Id extends OperationId> = Success<AnswerBody<Id>> | Failure

type Call<Id extends OperationId> =
  Record<never, never> extends InputOf<Id>
    ? (input?: InputOf<Id>, options?: OptionsOf<Id>) => Promise<ResultOf<Id>>
    : (input: InputOf<Id>, options?: OptionsOf<Id>) => Promise<ResultOf<Id>>

/** An event of an opening that is followed: one step. */
export interface Followed {
  readonly ok: true
  /** The number of the event, for `lastEventId`. */
  readonly id: string
  readonly step: OpeningEvent['step'] | (string & {})
  /** When it happened (RFC 3339). */
  readonly at: string
  /** Earlier events are missing: this is the newest step. Read the opening, if you need more. */
  readonly hasMissed: boolean
}

/** A change in a Space that is followed. */
export interface FollowedChange {
  readonly ok: true
  /** The number of the event as a text, for `lastEventId`. */
  readonly id: string
  /** Such as `opening.ended` or `member.created`. Tolerate types that you do not know. */
  readonly type: SpaceEvent['type'] | (string & {})
  /** When it happened (RFC 3339). */
  readonly timestamp: string
  readonly sequence: number
  /** What it is about, by id: read the thing itself. */
  readonly data: {
    readonly targetId: string | null
    readonly gateId: string | null
    readonly memberId: string | null
  }
  /** Events before it are missing: read everything again that you keep. */
  readonly hasMissed: boolean
}

/** An event that came by a webhook. */
export interface WebhookMessage {
  /** Such as `opening.ended`. Tolerate types that you do not know. */
  readonly type: SpaceEvent['type'] | (string & {})
  /** When it happened (RFC 3339). */
  readonly timestamp: string
  /** Counts up in the Space: what came later has more. */
  readonly sequence: number
  /** Ids, and of the end of an opening how it ended. */
  readonly data: Readonly<Record<string, unknown>>
}

export interface FollowOptions extends EveryCall {
  /** The `id` of the last event that you have had. */
  readonly lastEventId?: string
}

/**
 * The steps of an opening as they happen, until it has ended. Where the connection is lost, it connects again and goes on
 * after the last event. A failure is the last item.
 */
type Follow = (
  input: InputOf<'followOpening'>,
  options?: FollowOptions,
) => AsyncGenerator<Followed | Failure, void, undefined>

/**
 * The changes of the Space as they happen, without an end and, by default, without a deadline: `signal` or `break` ends it. Where
 * the connection is lost, it connects again and goes on after the last event. The first item of a stream that begins without
 * `lastEventId` has `hasMissed`. A failure is the last item.
 */
type FollowSpace = (options?: FollowOptions) => AsyncGenerator<FollowedChange | Failure, void, undefined>

/** The operations whose answers are lists that come in pages, and the member that has the rows. */
export interface Lists {
  readonly listGates: 'gates'
  readonly listMembers: 'members'
  readonly listOpenings: 'openings'
  readonly listActivity: 'activity'
}

type RowOf<Id extends keyof Lists> =
  AnswerBody<Id> extends Readonly<Record<Lists[Id], readonly (infer Row)[]>> ? Row : never

/** A row of a list. Other rows come as they are. */
export interface Listed<Row> {
  readonly ok: true
  readonly row: Row
}

type ListInput<Id extends keyof Lists> = Omit<
  NonNullable<operations[Id]['parameters']['query']>,
  'cursor' | 'offset'
>

/** Every row of a list, page by page, each read when it is needed. A failure is the last item. */
type Each = <Id extends keyof Lists>(
  list: Id,
  query?: ListInput<Id>,
  options?: EveryCall,
) => AsyncGenerator<Listed<RowOf<Id>> | Failure, void, undefined>

/** One method for each operation of the API, and two that read on by themselves. */
export type Client = {
  readonly [Id in keyof operations as Id extends 'followEvents' ? never : Id]: Id extends 'followOpening'
    ? Follow
    : Call<Id>
} & {
  /** Follow what changes in the Space; needs the scope `history:read`. */
  readonly followSpace: FollowSpace
  /** Read every row of a list, page by page; needs the scope of the list. */
  readonly each: Each
}

/** An entry of the activity with the `details` of its action. */
export type ActivityOf<Action extends keyof DetailsByAction> = ActivityEntry & {
  readonly action: Action
  readonly details: DetailsByAction[Action]
}

/** What the client takes from its environment. Tests pass their own. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never goes back. */
  nowMs(): number
  /** Resolves after `delayMs`, or when `signal` is aborted. */
  pause(delayMs: number, signal: AbortSignal | undefined): Promise<void>
  /** Calls `then` once after `delayMs`. The function that it answers cancels that. */
  limit(delayMs: number, then: () => void): () => void
  /** From 0 up to, but not including, 1. */
  random(): number
  /** A new Idempotency-Key. */
  newKey(): string
}
