// Operations: every call of the REST API as data. Types, validators, the OpenAPI document and the checklist of
// handlers come from this table.

import type { Static, TSchema } from 'typebox'
import Type from 'typebox'
import { CallProfile, CallProfileUpdate } from '../call/callProfile.ts'
import { GateId, OpeningId } from '../ids.ts'
import { closed } from '../text.ts'
import { ActivityEntry } from './activity.ts'
import { Gate, GateCreate, GateUpdate } from './gate.ts'
import { memberOperations } from './memberOperations.ts'
import { OpenAnswer, Opening, OpeningEvidence } from './opening.ts'
import { CursorPage, HistoryQuery, ListQuery, Pagination } from './paging.ts'
import type { ProblemCode } from './problem.ts'
import type { Scope } from './scope.ts'

/** Which of a key's three buckets a call is taken from. */
export type RateClass = 'read' | 'write' | 'open'

export interface OperationShape {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** With `:name` for each parameter. */
  readonly path: string
  readonly scope: Scope
  readonly rateClass: RateClass
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  /** Whether a request without a body is as good as `{}`. */
  readonly bodyOptional?: true
  /** The answers of success: status and schema; null where there is no body. */
  readonly answers: Readonly<Record<number, TSchema | null>>
  /** The problems beyond those that every operation can answer with. */
  readonly problems: readonly ProblemCode[]
  /** Present where the specification does not know the operation. */
  readonly extension?: true
}

const gateParams = closed({ gateId: GateId })
const openingParams = closed({ openingId: OpeningId })

export const operations = {
  listGates: {
    method: 'GET',
    path: '/api/v1/gates',
    scope: 'gates:read',
    rateClass: 'read',
    summary: 'List the gates, oldest first',
    query: ListQuery,
    answers: { 200: closed({ gates: Type.Array(Gate), pagination: Type.Optional(CursorPage) }) },
    problems: [],
  },
  createGate: {
    method: 'POST',
    path: '/api/v1/gates',
    scope: 'gates:write',
    rateClass: 'write',
    summary: 'Create a gate',
    body: GateCreate,
    answers: { 201: closed({ gate: Gate }) },
    problems: ['plan_limit_reached'],
  },
  getGate: {
    method: 'GET',
    path: '/api/v1/gates/:gateId',
    scope: 'gates:read',
    rateClass: 'read',
    summary: 'One gate',
    params: gateParams,
    answers: { 200: closed({ gate: Gate }) },
    problems: ['not_found'],
    extension: true,
  },
  updateGate: {
    method: 'PATCH',
    path: '/api/v1/gates/:gateId',
    scope: 'gates:write',
    rateClass: 'write',
    summary: 'Change a gate',
    params: gateParams,
    body: GateUpdate,
    answers: { 200: closed({ gate: Gate }) },
    problems: ['not_found', 'precondition_failed', 'plan_limit_reached'],
  },
  deactivateGate: {
    method: 'DELETE',
    path: '/api/v1/gates/:gateId',
    scope: 'gates:write',
    rateClass: 'write',
    summary: 'Deactivate a gate',
    params: gateParams,
    answers: { 204: null },
    problems: ['not_found', 'precondition_failed'],
  },
  getGateProfile: {
    method: 'GET',
    path: '/api/v1/gates/:gateId/profile',
    scope: 'gates:read',
    rateClass: 'read',
    summary: "How a gate's module takes a call",
    params: gateParams,
    answers: { 200: closed({ profile: CallProfile }) },
    problems: ['not_found'],
    extension: true,
  },
  updateGateProfile: {
    method: 'PATCH',
    path: '/api/v1/gates/:gateId/profile',
    scope: 'gates:write',
    rateClass: 'write',
    summary: "Say how a gate's module takes a call",
    params: gateParams,
    body: CallProfileUpdate,
    answers: { 200: closed({ profile: CallProfile }) },
    problems: ['not_found', 'precondition_failed'],
    extension: true,
  },
  openGate: {
    method: 'POST',
    path: '/api/v1/gates/:gateId/open',
    scope: 'gates:open',
    rateClass: 'open',
    summary:
      'Open a gate: ring its number once, and answer when the outcome is known, after 50 s at the latest',
    params: gateParams,
    body: closed({}),
    bodyOptional: true,
    answers: { 200: OpenAnswer, 202: OpenAnswer },
    problems: ['not_found', 'open_failed'],
  },
  ...memberOperations,
  listOpenings: {
    method: 'GET',
    path: '/api/v1/openings',
    scope: 'history:read',
    rateClass: 'read',
    summary: 'List the openings, newest first',
    query: HistoryQuery,
    answers: {
      200: closed({ openings: Type.Array(Opening), pagination: Pagination }),
    },
    problems: [],
  },
  getOpening: {
    method: 'GET',
    path: '/api/v1/openings/:openingId',
    scope: 'history:read',
    rateClass: 'read',
    summary: 'One opening, with its evidence',
    params: openingParams,
    answers: { 200: closed({ opening: Opening, evidence: OpeningEvidence }) },
    problems: ['not_found'],
    extension: true,
  },
  listActivity: {
    method: 'GET',
    path: '/api/v1/activity',
    scope: 'history:read',
    rateClass: 'read',
    summary: 'List the administrative actions, newest first',
    query: HistoryQuery,
    answers: { 200: closed({ activity: Type.Array(ActivityEntry), pagination: Type.Optional(CursorPage) }) },
    problems: [],
  },
} as const satisfies Record<string, OperationShape>

export type Operations = typeof operations
export type OperationId = keyof Operations

type StaticOr<Op, Member extends string, Otherwise> =
  Op extends Record<Member, infer Schema extends TSchema> ? Static<Schema> : Otherwise

export type ParamsOf<Id extends OperationId> = StaticOr<Operations[Id], 'params', Record<never, never>>
export type QueryOf<Id extends OperationId> = StaticOr<Operations[Id], 'query', Record<never, never>>
export type BodyOf<Id extends OperationId> = StaticOr<Operations[Id], 'body', undefined>

type AnswersOf<Id extends OperationId> = Operations[Id]['answers']

/** One of the operation's declared answers of success. */
export type AnswerOf<Id extends OperationId> = {
  [Status in keyof AnswersOf<Id>]: {
    readonly status: Status
    readonly headers?: Readonly<Record<string, string>>
  } & (AnswersOf<Id>[Status] extends TSchema
    ? { readonly body: Static<AnswersOf<Id>[Status]> }
    : { readonly body?: never })
}[keyof AnswersOf<Id>]

/** The problems that any operation can answer with. */
export const commonProblems: readonly ProblemCode[] = [
  'validation_error',
  'unauthorized',
  'insufficient_scope',
  'plan_upgrade_required',
  'rate_limited',
  'internal_error',
]
