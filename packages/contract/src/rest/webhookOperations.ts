// What is done with webhooks, and with what was sent to them.

import Type from 'typebox'
import { DeliveryId, WebhookId } from '../ids.ts'
import { closed, filledIn } from '../text.ts'
import { exampleIds } from './exampleIds.ts'
import { operation } from './operation.ts'
import { patchText } from './patch.ts'
import { routes } from './routes.ts'
import { Delivery, Webhook, WebhookCreate, WebhookUpdate } from './webhook.ts'

const { webhookId } = exampleIds
const params = closed({ webhookId: WebhookId })

const exampleWebhook: Webhook = {
  id: webhookId,
  url: 'https://desk.example.com/callgate',
  description: 'Booking system',
  types: ['opening.ended'],
  isActive: true,
  stopped: null,
  failingSince: null,
  previousSecretEndsAt: null,
  createdAt: '2026-01-05T10:11:00.000Z',
}
const exampleSecret = 'whsec_bm90IGEgcmVhbCBzZWNyZXQsIG9ubHkgYW4gZXhhbXA='
const exampleDelivery: Delivery = {
  id: 'msg_01kdhw3a1c5e7g9j2m4p6r8t0v_1207',
  type: 'opening.ended',
  sequence: 1207,
  state: 'delivered',
  createdAt: '2026-01-05T10:15:31.204Z',
  nextAttemptAt: null,
  attempts: [{ at: '2026-01-05T10:15:31.262Z', status: 204, durationMs: 87, error: null }],
}

const secret = Type.String({
  description: 'Shown this once: `whsec_` and 32 bytes in base64. Deliveries are signed with it',
})
const whatIsSent =
  'Signed by [Standard Webhooks](https://www.standardwebhooks.com). A delivery wakes you, and `GET /events` is the truth: deliveries come at least once, and in no order.'

export const webhookOperations = {
  listWebhooks: operation(
    {
      ...routes.listWebhooks,
      scope: 'webhooks:read',
      rateClass: 'read',
      summary: 'List the webhooks',
      tag: 'Webhooks',
      text: 'Oldest first, without their secrets.',
      answers: { 200: closed({ webhooks: Type.Array(Webhook) }) },
      problems: [],
      extension: true,
    },
    { params: {}, answers: { 200: { webhooks: [exampleWebhook] } } },
  ),
  createWebhook: operation(
    {
      ...routes.createWebhook,
      scope: 'webhooks:write',
      rateClass: 'write',
      summary: 'Create a webhook',
      tag: 'Webhooks',
      text: `Events are sent to its address. ${whatIsSent} The answer has the secret, this once. The webhook hears of every event of the Space, whatever the key may read. The address is not called before there is an event: send a test.`,
      body: WebhookCreate,
      answers: { 201: closed({ webhook: Webhook, secret }) },
      problems: ['plan_limit_reached'],
      extension: true,
    },
    {
      params: {},
      body: {
        url: 'https://desk.example.com/callgate',
        description: 'Booking system',
        types: ['opening.ended'],
      },
      answers: { 201: { webhook: exampleWebhook, secret: exampleSecret } },
    },
  ),
  getWebhook: operation(
    {
      ...routes.getWebhook,
      scope: 'webhooks:read',
      rateClass: 'read',
      summary: 'Read a webhook',
      tag: 'Webhooks',
      text: '',
      params,
      answers: { 200: closed({ webhook: Webhook }) },
      problems: ['not_found'],
      extension: true,
    },
    { params: { webhookId }, answers: { 200: { webhook: exampleWebhook } } },
  ),
  updateWebhook: operation(
    {
      ...routes.updateWebhook,
      scope: 'webhooks:write',
      rateClass: 'write',
      summary: 'Change a webhook',
      tag: 'Webhooks',
      text: `${patchText} It can be switched off, and go on later. Whatever waits when a webhook is switched off is given up. When it goes on, it gets \`events.reset\` first: read what you have missed by \`GET /events\`, or ask for it again.`,
      params,
      body: WebhookUpdate,
      answers: { 200: closed({ webhook: Webhook }) },
      problems: ['not_found', 'precondition_failed'],
      extension: true,
    },
    {
      params: { webhookId },
      body: { types: ['opening.ended'] },
      answers: { 200: { webhook: exampleWebhook } },
    },
  ),
  deleteWebhook: operation(
    {
      ...routes.deleteWebhook,
      scope: 'webhooks:write',
      rateClass: 'write',
      summary: 'Remove a webhook',
      tag: 'Webhooks',
      text: 'Nothing more is sent to it. Its secret and its log are removed.',
      params,
      answers: { 204: null },
      problems: ['not_found', 'precondition_failed'],
      extension: true,
    },
    { params: { webhookId }, answers: { 204: null } },
  ),
  testWebhook: operation(
    {
      ...routes.testWebhook,
      scope: 'webhooks:write',
      rateClass: 'write',
      summary: 'Send a test event',
      tag: 'Webhooks',
      text: 'An event `webhook.test`, which goes to this webhook only, whatever types it has chosen. How it went is in the list of deliveries.',
      params,
      body: closed({}),
      bodyOptional: true,
      answers: { 202: closed({ delivery: Delivery }) },
      problems: ['not_found', 'conflict'],
      extension: true,
    },
    {
      params: { webhookId },
      body: {},
      answers: {
        202: {
          delivery: {
            ...exampleDelivery,
            type: 'webhook.test',
            state: 'waiting',
            nextAttemptAt: '2026-01-05T10:15:31.204Z',
            attempts: [],
          },
        },
      },
    },
  ),
  rotateWebhookSecret: operation(
    {
      ...routes.rotateWebhookSecret,
      scope: 'webhooks:write',
      rateClass: 'write',
      summary: 'Make another secret',
      tag: 'Webhooks',
      text: 'The answer has it, this once. For `overlapHours` every delivery carries a signature by each of the two secrets, and verifies with either.',
      params,
      body: closed({
        overlapHours: filledIn(
          Type.Integer({
            minimum: 0,
            maximum: 24,
            description: 'For how long the secret before is used as well; 0: it has leaked',
          }),
          24,
        ),
      }),
      bodyOptional: true,
      answers: { 200: closed({ webhook: Webhook, secret }) },
      problems: ['not_found'],
      extension: true,
    },
    {
      params: { webhookId },
      body: { overlapHours: 24 },
      answers: {
        200: {
          webhook: { ...exampleWebhook, previousSecretEndsAt: '2026-01-06T10:20:00.000Z' },
          secret: exampleSecret,
        },
      },
    },
  ),
  listDeliveries: operation(
    {
      ...routes.listDeliveries,
      scope: 'webhooks:read',
      rateClass: 'read',
      summary: 'List what was sent to a webhook',
      tag: 'Webhooks',
      text: 'What was sent in the last 7 days, newest first. With the time, the status and the duration of each attempt, and never with the text of an answer. Send the lowest `sequence` of a page as `before` for the next one.',
      params,
      query: closed({
        before: Type.Optional(
          Type.Integer({
            minimum: 0,
            maximum: 999_999_999_999_999,
            description: 'Only events before this number',
          }),
        ),
        limit: filledIn(Type.Integer({ minimum: 1, maximum: 200, description: 'At most this many' }), 50),
      }),
      answers: { 200: closed({ deliveries: Type.Array(Delivery), hasMore: Type.Boolean() }) },
      problems: ['not_found'],
      isLive: true,
      extension: true,
    },
    {
      params: { webhookId },
      query: { limit: 1 },
      answers: { 200: { deliveries: [exampleDelivery], hasMore: true } },
    },
  ),
  resendDelivery: operation(
    {
      ...routes.resendDelivery,
      scope: 'webhooks:write',
      rateClass: 'write',
      summary: 'Send one event again',
      tag: 'Webhooks',
      text: 'The same bytes with the same `webhook-id`, at once and with all its attempts.',
      params: closed({ webhookId: WebhookId, deliveryId: DeliveryId }),
      body: closed({}),
      bodyOptional: true,
      answers: { 202: closed({ delivery: Delivery }) },
      problems: ['not_found', 'conflict'],
      extension: true,
    },
    {
      params: { webhookId, deliveryId: exampleDelivery.id },
      body: {},
      answers: {
        202: {
          delivery: { ...exampleDelivery, state: 'waiting', nextAttemptAt: '2026-01-05T11:00:00.000Z' },
        },
      },
    },
  ),
  resendEvents: operation(
    {
      ...routes.resendEvents,
      scope: 'webhooks:write',
      rateClass: 'write',
      summary: 'Send all events after a number again',
      tag: 'Webhooks',
      text: 'Those that are kept, which is 7 days, and of the types that the webhook has chosen. At most 500 events are looked at in one request: while `hasMore` is true, ask again with `lastSequence` as `after`.',
      params,
      body: closed({
        after: Type.Integer({
          minimum: 0,
          maximum: 999_999_999_999_999,
          description: 'Only events after this number',
        }),
      }),
      answers: {
        202: closed({
          events: Type.Integer({ minimum: 0, description: 'How many are sent' }),
          lastSequence: Type.Integer({ minimum: 0, description: 'What to send as the next `after`' }),
          hasMore: Type.Boolean({ description: 'There are later ones' }),
        }),
      },
      problems: ['not_found', 'conflict'],
      extension: true,
    },
    {
      params: { webhookId },
      body: { after: 1206 },
      answers: { 202: { events: 1, lastSequence: 1207, hasMore: false } },
    },
  ),
}
