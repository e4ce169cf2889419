// Ids: one schema per noun.

import Type from 'typebox'
import { idPrefix } from './idPrefix.ts'

function idOf(prefix: string, noun: string) {
  return Type.String({
    pattern: `^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`,
    description: `Identifier of ${noun}`,
    examples: [`${prefix}_01kdhx3m8e2w7q5v9z4r6t8y0a`],
  })
}

export const ApiKeyId = idOf(idPrefix.apiKey, 'an API key')
export const GateId = idOf(idPrefix.gate, 'a gate')
export const GatewayId = idOf(idPrefix.gateway, 'a gateway')
export const MailId = idOf(idPrefix.mail, 'a mail')
export const MemberId = idOf(idPrefix.member, 'a member')
export const AccessId = idOf(idPrefix.access, 'an access')
export const ActivityId = idOf(idPrefix.activity, 'an activity entry')
export const OpeningId = idOf(idPrefix.opening, 'an opening')
export const SpaceId = idOf(idPrefix.space, 'a Space')
export const SessionId = idOf(idPrefix.session, 'a session of a user')
export const InvitationId = idOf(idPrefix.invitation, 'an invitation of a user')
export const EnrolmentId = idOf(idPrefix.enrolment, 'an enrolment')
export const IncidentId = idOf(idPrefix.incident, 'an incident')
export const TaskId = idOf(idPrefix.task, 'a task of a gateway')
export const WebhookId = idOf(idPrefix.webhook, 'a webhook')
/** The id of a Space without its prefix, and the number of the event. */
export const DeliveryId = Type.String({
  pattern: '^msg_[0-9a-hjkmnp-tv-z]{26}_[1-9][0-9]{0,14}$',
  description: 'Identifier of a delivery: the `webhook-id` that is sent',
  examples: ['msg_01kdhw3a1c5e7g9j2m4p6r8t0v_1207'],
})
export const UserId = idOf(idPrefix.user, 'a user of the dashboard')

/** 128 random bits as base64url: a claim's nonce, and one start of the gateway daemon. */
export const Random128 = Type.String({ pattern: '^[A-Za-z0-9_-]{22}$' })
