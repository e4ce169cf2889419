// An operation: one call of the REST API as data, with its place in the documentation and an example.

import type { Static, TSchema } from 'typebox'
import type { AppProblemCode, ProblemCode } from './problem.ts'
import type { Scope } from './scope.ts'

/** The headings of the documentation, in their order. */
export const tags = {
  Gates: 'What opens when its number is called.',
  Gateways: 'What calls the gates: a Raspberry Pi with a modem.',
  Openings: 'Attempts to open a gate: press, follow, list.',
  Members: 'People, each with one magic link that opens all their gates.',
  Accesses: "A member's accesses: one for each gate, with schedules and a cap.",
  History: 'The record of administrative actions.',
  Events: 'What changes in the Space, by number.',
  Webhooks: 'Events that are sent to an address of yours.',
  Space: 'Who a key is, and what its Space may do.',
  Sandbox: 'What only a sandbox has: a Space that calls nobody.',
} as const
export type Tag = keyof typeof tags

/** Which of a key's three buckets a call is taken from. */
export type RateClass = 'read' | 'write' | 'open'

/** The part of an operation that does not depend on its principals. */
export interface CallShape {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for each parameter. */
  readonly path: string
  readonly rateClass: RateClass
  readonly summary: string
  /** The documentation beyond the summary. */
  readonly text: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Whether a request without a body is the same as `{}`. */
  readonly bodyOptional?: true
  /** The answers of success: status and schema; null where there is no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>
  /** Whether the answer 200 is a stream of events (`text/event-stream`). Its schema is that of the data of each. */
  readonly isStream?: true
  /** Whether the answer 200 is a file, and not JSON. */
  readonly isFile?: true
  /** Whether the answer 200 never changes at its address, so that the browser keeps it. Otherwise nobody keeps an answer. */
  readonly isKept?: true
  /** The most bytes of a body, where that differs from the usual limit. */
  readonly mostBodyBytes?: number
  /** How deep objects and arrays of a body may be nested, where that differs from the usual limit. */
  readonly mostBodyLevels?: number
  /** Whether its query adds what changes by itself: the answer then has no ETag, and otherwise it has one. */
  readonly hasLiveQuery?: true
  /** Whether the answer changes by itself: it has no ETag. */
  readonly isLive?: true
  /** The problems beyond those that every operation can answer with. */
  readonly problems: readonly AppProblemCode[]
}

/** The scope that a key needs for an operation; `any`: none, and so every valid key may call it. */
export type NeededScope = Scope | 'any'

/** An operation of the REST API, for the holders of a key. */
export interface OperationShape extends CallShape {
  readonly scope: NeededScope
  /** The heading that it stands under in the documentation. */
  readonly tag: Tag
  readonly problems: readonly ProblemCode[]
  /**
   * Whether a key that is limited to some gates may call it. Its handler then judges each gate by `reachesGate`; every other operation
   * refuses such a key.
   */
  readonly judgesGates?: true
  /** Present where the specification does not know the operation. */
  readonly extension?: true
}

/** Whether the operation answers with the state of one resource, which has an ETag. A list has a query. */
export function isTagged(shape: CallShape): boolean {
  const { hasLiveQuery, isFile, isLive, isStream, method, query, rateClass } = shape
  const isOne = query === undefined || hasLiveQuery === true
  const readsOnly = method === 'POST' && rateClass === 'read'
  return isOne && rateClass !== 'open' && !readsOnly && !isStream && !isFile && !isLive
}

/** Whether the operation reads one resource: If-None-Match makes its answer 304 where nothing changed. */
export const isConditionalRead = (shape: CallShape): boolean => shape.method === 'GET' && isTagged(shape)

type StaticOr<Shape, Member extends string, Otherwise> =
  Shape extends Record<Member, infer Schema extends TSchema> ? Static<Schema> : Otherwise

export type Params<Shape> = StaticOr<Shape, 'params', Record<never, never>>
export type Query<Shape> = StaticOr<Shape, 'query', Record<never, never>>
/** Fields that the validator fills in where they are not sent. */
type FilledIn<Fields> = {
  [Name in keyof Fields]: Fields[Name] extends { readonly default: unknown } ? Name : never
}[keyof Fields]
/** The query as it may be sent. */
export type SentQuery<Shape> = Shape extends { readonly query: { readonly properties: infer Fields } }
  ? Partial<Query<Shape>> & Omit<Query<Shape>, FilledIn<Fields>>
  : Record<never, never>
/** The member `query`, which may be left out where every field may. */
type QueryMember<Sent> =
  Record<never, never> extends Sent ? { readonly query?: Sent } : { readonly query: Sent }
export type Body<Shape> = StaticOr<Shape, 'body', undefined>

type AnswersOf<Shape extends { readonly answers: CallShape['answers'] }> = Shape['answers']

/** One of the operation's declared answers of success. */
export type Answer<Shape extends { readonly answers: CallShape['answers'] }> = {
  [Status in keyof AnswersOf<Shape>]: {
    readonly status: Status
    readonly headers?: Readonly<Record<string, string>>
  } & (AnswersOf<Shape>[Status] extends TSchema
    ? { readonly body: Static<AnswersOf<Shape>[Status]> }
    : { readonly body?: never })
}[keyof AnswersOf<Shape>]

/** An example of a request and of each answer of success, as the schemas of the operation have them. */
export type Example<Shape extends OperationShape> = {
  readonly params: Params<Shape>
  readonly answers: {
    readonly [Status in keyof Shape['answers']]: Shape['answers'][Status] extends TSchema
      ? Static<Shape['answers'][Status]>
      : null
  }
} & QueryMember<SentQuery<Shape>> &
  (Shape extends { readonly body: TSchema } ? { readonly body: Body<Shape> } : { readonly body?: never })

/** An operation with its example. The compiler checks the example against the schemas. */
export function operation<const Shape extends OperationShape>(
  shape: Shape,
  example: Example<Shape>,
): Shape & { readonly example: Example<Shape> } {
  return { ...shape, example }
}
