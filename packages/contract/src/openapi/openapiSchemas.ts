// The schemas as the OpenAPI document publishes them: named where they have a name, without the keywords of our validators.

import type { TSchema } from 'typebox'
import { CallMode, CallProfile, CallProfileUpdate } from '../call/callProfile.ts'
import { Reason } from '../call/reason.ts'
import { Evidence, Verdict } from '../call/verdict.ts'
import { Access, AccessGrant, AccessUpdate } from '../rest/access.ts'
import { ActivityEntry } from '../rest/activity.ts'
import { Gate, GateCreate, GateUpdate } from '../rest/gate.ts'
import { Member, MemberCreate, MemberUpdate } from '../rest/member.ts'
import { OpenAnswer, Opening, OpeningEvidence, OpeningStatus } from '../rest/opening.ts'
import { CursorPage, Pagination } from '../rest/paging.ts'
import { OpenFailedBody, ProblemBody } from '../rest/problem.ts'
import { Schedule, ScheduleInput, ScheduleType, TimeWindow } from '../rest/schedule.ts'

export type Json = Record<string, unknown>

/** Closed, as the validators have them: an unknown member of a request is refused. */
const sent: Readonly<Record<string, TSchema>> = {
  GateCreate,
  GateUpdate,
  CallProfileUpdate,
  MemberCreate,
  MemberUpdate,
  AccessGrant,
  AccessUpdate,
  ScheduleInput,
  ScheduleType,
  TimeWindow,
}

/** Open: answers may get further members within v1, which must break no client made from the document. */
const answered: Readonly<Record<string, TSchema>> = {
  Gate,
  CallProfile,
  CallMode,
  Member,
  Access,
  Schedule,
  Opening,
  OpeningStatus,
  OpeningEvidence,
  Verdict,
  CallEvidence: Evidence,
  Reason,
  OpenAnswer,
  ActivityEntry,
  Pagination,
  CursorPage,
  Problem: ProblemBody,
  OpenFailed: OpenFailedBody,
}

/** By content, since typebox copies a schema when it makes it optional. */
const nameOf: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...sent, ...answered }).map(([name, schema]) => [JSON.stringify(schema), name]),
)

function publish(value: unknown, isAnswer: boolean, isItself = false): unknown {
  if (Array.isArray(value)) return value.map(item => publish(item, isAnswer))
  if (typeof value !== 'object' || value === null) return value
  const name = isItself ? undefined : nameOf.get(JSON.stringify(value))
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` }
  const kept = Object.entries(value).filter(
    ([key, member]) => key !== 'x-trim' && !(isAnswer && key === 'additionalProperties' && member === false),
  )
  return Object.fromEntries(kept.map(([key, member]) => [key, publish(member, isAnswer)]))
}

/** The schema of a request, or of a part of one. */
export function requestSchema(schema: TSchema): Json {
  return publish(schema, false) as Json
}

/** The schema of an answer. */
export function answerSchema(schema: TSchema): Json {
  return publish(schema, true) as Json
}

/** All schemas that have a name. */
export function namedSchemas(): Json {
  const under = (schemas: Readonly<Record<string, TSchema>>, isAnswer: boolean) =>
    Object.entries(schemas).map(([name, schema]) => [name, publish(schema, isAnswer, true)])
  return Object.fromEntries([...under(sent, false), ...under(answered, true)])
}
