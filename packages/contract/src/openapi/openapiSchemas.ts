// The schemas as the OpenAPI document publishes them: named where they have a name, without the keywords of our validators.

import type { TSchema } from 'typebox'
import { CallMode, CallProfile, CallProfileUpdate } from '../call/callProfile.ts'
import { Reason } from '../call/reason.ts'
import { Evidence, Verdict } from '../call/verdict.ts'
import { Access, AccessGrant, AccessUpdate } from '../rest/access.ts'
import { ActivityEntry } from '../rest/activity.ts'
import { Event } from '../rest/event.ts'
import { Gate, GateCreate, GateUpdate, ShownGate } from '../rest/gate.ts'
import { ListedMember, Member, MemberCreate, MemberUpdate } from '../rest/member.ts'
import { ListedOpening, OpenAnswer, Opening, OpeningEvidence, OpeningStatus } from '../rest/opening.ts'
import { OpeningEvent, OpeningStep } from '../rest/openingEvent.ts'
import { CursorPage, OffsetPage, Pagination } from '../rest/paging.ts'
import { Code, OpenFailedBody, ProblemBody } from '../rest/problem.ts'
import { Schedule, ScheduleInput, TimeWindow } from '../rest/schedule.ts'
import { Delivery, DeliveryAttempt, Webhook, WebhookCreate, WebhookUpdate } from '../rest/webhook.ts'
import { EndedMessage, EventMessage } from '../rest/webhookMessage.ts'

export type Json = Record<string, unknown>

/** The schemas of requests. They are closed, as in the validators: an unknown member is refused. */
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
  WebhookCreate,
  WebhookUpdate,
}

/** The schemas of answers. They are open: v1 may add members, which must not break a client made from the document. */
const answered: Readonly<Record<string, TSchema>> = {
  Gate,
  ShownGate,
  CallProfile,
  CallMode,
  Member,
  ListedMember,
  Access,
  Schedule,
  Opening,
  ListedOpening,
  OpeningStatus,
  OpeningEvidence,
  OpeningEvent,
  OpeningStep,
  SpaceEvent: Event,
  Verdict,
  CallEvidence: Evidence,
  Reason,
  OpenAnswer,
  ActivityEntry,
  Webhook,
  Delivery,
  DeliveryAttempt,
  WebhookEvent: EventMessage,
  WebhookEnded: EndedMessage,
  Pagination,
  OffsetPage,
  CursorPage,
  ProblemCode: Code,
  Problem: ProblemBody,
  OpenFailed: OpenFailedBody,
}

/** The names by the JSON of the schemas, since typebox copies a schema when it makes it optional. */
const nameOf: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...sent, ...answered }).map(([name, schema]) => [JSON.stringify(schema), name]),
)

/** Keywords that only our validators understand. */
const privateKeywords: readonly string[] = ['x-text', 'x-grows', 'discriminator']
/** The rules for texts in requests. They may change within v1, so an answer promises none of them. */
const textRules: readonly string[] = ['pattern', 'minLength', 'maxLength']

function isPublished(schema: Json, key: string, isAnswer: boolean): boolean {
  if (privateKeywords.includes(key)) return false
  if (!isAnswer) return true
  if (key === 'additionalProperties') return schema[key] !== false
  return !('x-text' in schema && textRules.includes(key))
}

/** The fields of a request that must be sent: the validator fills in those that have a default. */
function mustBeSent({ properties, required }: Json): readonly string[] {
  const fields = properties as Readonly<Record<string, Json>>
  return (required as string[]).filter(name => fields[name]?.['default'] === undefined)
}

function publishMembers(given: Json, isAnswer: boolean): Json {
  const hasFields = !isAnswer && Array.isArray(given['required']) && given['properties'] !== undefined
  const schema = hasFields ? { ...given, required: mustBeSent(given) } : given
  const kept = Object.entries(schema).filter(([key]) => isPublished(schema, key, isAnswer))
  const published = Object.fromEntries(kept.map(([key, member]) => [key, publish(member, isAnswer)]))
  const { anyOf } = published
  if (!Array.isArray(anyOf)) return published
  // The description moves from an alternative to its parent, where tools look for it. Nested alternatives are flattened.
  const described = (anyOf as Json[]).find(({ description }) => description !== undefined)
  const alternatives = (anyOf as Json[]).flatMap(({ description: _, ...one }) => one['anyOf'] ?? [one])
  return { ...(described && { description: described['description'] }), ...published, anyOf: alternatives }
}

/** In an answer, a growing set of words allows the known words and any other. */
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

/** A schema that has a name. A growing set lists only the known words here; the references to it allow others. */
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
