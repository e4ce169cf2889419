// The schemas as the OpenAPI document publishes them: named where they have a name, without the keywords of our validators.

import type { TSchema } from 'typebox'
import { CallMode, CallProfile, CallProfileUpdate } from '../call/callProfile.ts'
import { Reason } from '../call/reason.ts'
import { Evidence, Verdict } from '../call/verdict.ts'
import { Access, AccessGrant, AccessUpdate } from '../rest/access.ts'
import { ActivityEntry } from '../rest/activity.ts'
import { Gate, GateCreate, GateUpdate } from '../rest/gate.ts'
import { Member, MemberCreate, MemberUpdate } from '../rest/member.ts'
import { ListedOpening, OpenAnswer, Opening, OpeningEvidence, OpeningStatus } from '../rest/opening.ts'
import { OpeningEvent, OpeningStep } from '../rest/openingEvent.ts'
import { CursorPage, OffsetPage, Pagination } from '../rest/paging.ts'
import { Code, OpenFailedBody, ProblemBody } from '../rest/problem.ts'
import { Schedule, ScheduleInput, TimeWindow } from '../rest/schedule.ts'

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
  ListedOpening,
  OpeningStatus,
  OpeningEvidence,
  OpeningEvent,
  OpeningStep,
  Verdict,
  CallEvidence: Evidence,
  Reason,
  OpenAnswer,
  ActivityEntry,
  Pagination,
  OffsetPage,
  CursorPage,
  ProblemCode: Code,
  Problem: ProblemBody,
  OpenFailed: OpenFailedBody,
}

/** By content, since typebox copies a schema when it makes it optional. */
const nameOf: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...sent, ...answered }).map(([name, schema]) => [JSON.stringify(schema), name]),
)

/** What the validators alone understand. */
const privateKeywords: readonly string[] = ['x-text', 'x-grows', 'discriminator']
/** The rules for a text when it is sent. They may change within v1, so an answer promises none of them. */
const textRules: readonly string[] = ['pattern', 'minLength', 'maxLength']

function isPublished(schema: Json, key: string, isAnswer: boolean): boolean {
  if (privateKeywords.includes(key)) return false
  if (!isAnswer) return true
  if (key === 'additionalProperties') return schema[key] !== false
  return !('x-text' in schema && textRules.includes(key))
}

function publishMembers(schema: Json, isAnswer: boolean): Json {
  const kept = Object.entries(schema).filter(([key]) => isPublished(schema, key, isAnswer))
  const published = Object.fromEntries(kept.map(([key, member]) => [key, publish(member, isAnswer)]))
  const { anyOf } = published
  if (!Array.isArray(anyOf)) return published
  // What a value is stands beside its alternatives, where tools look for it. Alternatives within alternatives join them.
  const described = (anyOf as Json[]).find(({ description }) => description !== undefined)
  const alternatives = (anyOf as Json[]).flatMap(({ description: _, ...one }) => one['anyOf'] ?? [one])
  return { ...(described && { description: described['description'] }), ...published, anyOf: alternatives }
}

/** In an answer, words that grow are one of those that are known, or another. */
function growing({ description: _, ...known }: Json, description: unknown): Json {
  return { description, anyOf: [known, { type: 'string' }] }
}

function publish(value: unknown, isAnswer: boolean): unknown {
  if (Array.isArray(value)) return value.map(item => publish(item, isAnswer))
  if (typeof value !== 'object' || value === null) return value
  const name = nameOf.get(JSON.stringify(value))
  const published =
    name === undefined ? publishMembers(value as Json, isAnswer) : { $ref: `#/components/schemas/${name}` }
  return isAnswer && 'x-grows' in value
    ? growing(published, value['description' as keyof typeof value])
    : published
}

/** The schema of a request, or of a part of one. */
export function requestSchema(schema: TSchema): Json {
  return publish(schema, false) as Json
}

/** The schema of an answer. */
export function answerSchema(schema: TSchema): Json {
  return publish(schema, true) as Json
}

const others = 'More words come with time, and answers may have them'

/** A schema that has a name. Words that grow are all that are known; what refers to them allows others. */
function publishNamed(schema: TSchema, isAnswer: boolean): Json {
  const published = publishMembers({ ...schema }, isAnswer)
  if (!('x-grows' in schema)) return published
  return { ...published, description: `${String(published['description'])}. ${others}` }
}

/** All schemas that have a name. */
export function namedSchemas(): Json {
  const under = (schemas: Readonly<Record<string, TSchema>>, isAnswer: boolean) =>
    Object.entries(schemas).map(([name, schema]) => [name, publishNamed(schema, isAnswer)])
  return Object.fromEntries([...under(sent, false), ...under(answered, true)])
}
