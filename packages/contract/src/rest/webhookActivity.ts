// The activity of webhooks: what is recorded of each.

import Type from 'typebox'
import { nullable, words } from '../text.ts'
import { type Action, changesSchema, text, textOrNull, told } from './activityDetails.ts'

/** The actions on webhooks. */
export const webhookActions = {
  'webhook.created': {
    targetType: 'webhook',
    says: 'A webhook was added: events are sent to this host',
    details: told({ host: text }),
  },
  'webhook.updated': {
    targetType: 'webhook',
    says: 'A webhook was changed, switched off or on. Its address is shown as its host',
    details: told({
      changes: changesSchema({
        host: text,
        description: textOrNull,
        types: nullable(Type.Array(text)),
        isActive: Type.Boolean(),
      }),
    }),
  },
  'webhook.deleted': { targetType: 'webhook', says: 'A webhook was removed', details: told({}) },
  'webhook.secret_rotated': {
    targetType: 'webhook',
    says: 'A webhook got another secret; the one before is used beside it until then',
    details: told({ previousSecretEndsAt: textOrNull }),
  },
  'webhook.test': {
    targetType: 'webhook',
    says: 'A test event was sent to a webhook. As an event it goes to this webhook only',
    details: told({}),
  },
  'webhook.resent': {
    targetType: 'webhook',
    says: 'Events were sent to a webhook again: one of them, or those after a number',
    details: told({ events: Type.Integer() }),
  },
  'webhook.stopped': {
    targetType: 'webhook',
    says: 'A webhook was switched off by itself: it answered 410 (`gone`), or nothing reached it for five days (`failing`)',
    details: told({ why: words(['gone', 'failing']) }),
  },
} as const satisfies Record<string, Action>
