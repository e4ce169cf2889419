// What is sent to a webhook: the body of a delivery of each type, for the OpenAPI document.

import Type, { type Static, type TSchema } from 'typebox'
import { Reason } from '../call/reason.ts'
import { Confidence, Opened, SafeToRetry } from '../call/verdict.ts'
import { closed, instant, nullable, words } from '../text.ts'
import { type ActivityAction, activityActions } from './activity.ts'
import { exampleIds } from './exampleIds.ts'
import { OpeningStatus } from './opening.ts'
import { type WebhookType, webhookTypes } from './webhook.ts'

const id = (description: string) => nullable(Type.String({ description }))

const ids = {
  targetId: Type.String({
    description:
      'What it is about: an opening, a gateway, an incident, the target of an action, or the webhook itself',
  }),
  gateId: id('The gate that is concerned; null where there is none, or several'),
  memberId: id('The member whose press it was'),
}
const ended = {
  status: OpeningStatus,
  reason: nullable(Reason),
  opened: nullable(Opened),
  confidence: nullable(Confidence),
  safeToRetry: nullable(SafeToRetry),
}

/** The body of a delivery, with the schema of its data. */
function messageOf<const Types extends readonly string[], Data extends TSchema>(types: Types, data: Data) {
  return closed({
    type: words(types, { description: 'What has happened' }),
    timestamp: instant('When it happened'),
    sequence: Type.Integer({
      minimum: 1,
      description: 'Counts up in the Space: sort by it, and pass it to `GET /events` as `after`',
    }),
    data,
  })
}

export const EventMessage = messageOf(webhookTypes, closed(ids, { description: 'Ids' }))
export const EndedMessage = messageOf(
  ['opening.ended'],
  closed({ ...ids, ...ended }, { description: 'Ids, and how the opening has ended' }),
)
export type WebhookMessage = Static<typeof EventMessage> | Static<typeof EndedMessage>

/** The most bytes of a body. */
export const mostMessageBytes = 4_096

const { gateId, gatewayId, memberId, openingId, webhookId } = exampleIds

const targets: Readonly<Record<string, string>> = {
  gateway: gatewayId,
  gate: gateId,
  member: memberId,
  api_key: exampleIds.apiKeyId,
  webhook: webhookId,
  space: exampleIds.spaceId,
  user: 'user_01kdhw8c3e5g7j9m2p4r6t8w0y',
}

function targetOf(type: WebhookType): string {
  if (type.startsWith('opening.')) return openingId
  if (type.startsWith('incident.')) return 'inc_01kdhz8b2d4f6h8k1n3q5s7v9x'
  if (type === 'events.reset') return webhookId
  const action = activityActions[type as ActivityAction] as { readonly targetType: string } | undefined
  return targets[action?.targetType ?? 'gateway'] ?? gatewayId
}

/** An example of the body of each type. */
export function exampleMessage(type: WebhookType): WebhookMessage {
  const about = {
    targetId: targetOf(type),
    gateId: type.startsWith('opening.') || type.startsWith('gate.') ? gateId : null,
    memberId: type.startsWith('opening.') ? memberId : null,
  }
  const of = { timestamp: '2026-01-05T10:15:31.204Z', sequence: 1207 }
  if (type !== 'opening.ended') return { type, ...of, data: about }
  const how = { status: 'completed', reason: 'rejected_after_ring', opened: 'likely' } as const
  return { type, ...of, data: { ...about, ...how, confidence: 'likely', safeToRetry: false } }
}

/** The types that are no actions. */
const says = {
  'opening.asked': 'A press was accepted',
  'opening.calling': 'A gateway was allowed to call the gate',
  'opening.ringing': 'The number of the gate rings, or answered',
  'opening.taken': 'The gate took the call',
  'opening.ended': 'An opening is over; the event says how it ended',
  'gateway.online': 'A gateway came online',
  'gateway.offline': 'A gateway went offline',
  'gateway.changed': 'A gateway or its modem is in another state',
  'incident.opened': 'An incident has begun',
  'incident.closed': 'An incident is over',
  'events.reset':
    'The webhook goes on after a pause, in which nothing was sent to it: read what was missed by `GET /events`',
} as const satisfies Record<Exclude<WebhookType, ActivityAction>, string>

/** What a type means, in a sentence that no other type has. */
export function saysOf(type: WebhookType): string {
  if (Object.hasOwn(says, type)) return says[type as keyof typeof says]
  return activityActions[type as ActivityAction].says
}
