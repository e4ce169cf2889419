// Webhooks: addresses to which the events of a Space are sent, by Standard Webhooks 1.0.0. Their fields.

import Type, { type Static } from 'typebox'
import { DeliveryId, WebhookId } from '../ids.ts'
import { limits } from '../limits.ts'
import { atMost, characters, closed, growingWords, instant, items, line, nullable, words } from '../text.ts'
import { type EventType, eventTypes } from './event.ts'

const { webhook: limit } = limits

/** The types that a webhook can choose. It gets those about itself in any case. */
export const webhookTypes = eventTypes.filter((type): type is Exclude<EventType, 'reset'> => type !== 'reset')
export type WebhookType = (typeof webhookTypes)[number]

const url = Type.String({
  ...characters(limit.url),
  format: 'uri',
  'x-text': 'visible',
  description: `An address with https:// and the name of a host, on port 443 or 8443. ${atMost(limit.url)}`,
  examples: ['https://desk.example.com/callgate'],
})
const description = nullable(line(limit.description, `For people. ${atMost(limit.description)}`))
const sentTypes = Type.Array(words(webhookTypes), {
  ...items(limit.types),
  uniqueItems: true,
  description: 'Only events of these types are sent; null: every type',
})

/** Why nothing is sent to a webhook. */
export const webhookStops = ['switched_off', 'gone', 'failing', 'restored'] as const
export type WebhookStop = (typeof webhookStops)[number]

export const Webhook = closed({
  id: WebhookId,
  url: Type.String({ description: 'Where the events are sent' }),
  description: nullable(Type.String({ description: 'For people' })),
  types: nullable(
    Type.Array(growingWords(webhookTypes), {
      description: 'Only events of these types are sent; null: every type',
    }),
  ),
  isActive: Type.Boolean({ description: 'Whether events are sent to it' }),
  stopped: nullable(
    closed(
      {
        at: instant('Since when nothing is sent'),
        why: growingWords(webhookStops, {
          description:
            '`switched_off` by a request; `gone`: it answered 410; `failing`: nothing reached it for five days; `restored`: the data of the service was restored from a backup',
        }),
      },
      { description: 'Null while it is active' },
    ),
  ),
  failingSince: nullable(instant('Since when every attempt has failed; null: the last one reached it')),
  previousSecretEndsAt: nullable(
    instant('Until when deliveries are signed with the secret before as well; null: with one secret only'),
  ),
  createdAt: instant('When it was added'),
})
export type Webhook = Static<typeof Webhook>

export const WebhookCreate = closed({
  url,
  description: Type.Optional(description),
  types: Type.Optional(nullable(sentTypes)),
})

export const WebhookUpdate = closed({
  url: Type.Optional(url),
  description: Type.Optional(description),
  types: Type.Optional(nullable(sentTypes)),
  isActive: Type.Optional(
    Type.Boolean({
      description:
        'False: events are not sent, nor kept for it. True: it goes on, and begins with `events.reset`',
    }),
  ),
})

/** How an attempt can fail. */
export const deliveryErrors = [
  'name_not_found',
  'address_refused',
  'connect_failed',
  'tls_failed',
  'timed_out',
  'answer_broken',
  'answer_refused',
] as const
export type DeliveryError = (typeof deliveryErrors)[number]

export const DeliveryAttempt = closed({
  at: instant('When it began'),
  status: nullable(Type.Integer({ description: 'The status of the answer; null: there was none' })),
  durationMs: Type.Integer({ minimum: 0, description: 'Until the status, or until it failed' }),
  error: nullable(
    growingWords(deliveryErrors, {
      description:
        'Null: it was delivered. `name_not_found`: the name servers know no address; `address_refused`: the name leads to an address inside a network; `connect_failed`: nothing listens there, or it cannot be reached; `tls_failed`: the certificate is not valid for the name, or not of an authority that Node trusts; `timed_out`: no status within 15 seconds; `answer_broken`: no answer of HTTP, or headers of more than 16 KB; `answer_refused`: a status that is not 2xx',
    }),
  ),
})
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

export const Delivery = closed({
  id: DeliveryId,
  type: growingWords(webhookTypes, { description: 'The type of the event' }),
  sequence: Type.Integer({ minimum: 0, description: 'The number of the event' }),
  state: words(['waiting', 'delivered', 'given_up'], {
    description: '`given_up`: after ten attempts, or because the webhook was switched off',
  }),
  createdAt: instant('When the event was recorded'),
  nextAttemptAt: nullable(instant('When it is tried next, at the earliest; null: never')),
  attempts: Type.Array(DeliveryAttempt, { description: 'Oldest first, the last twelve' }),
})
export type Delivery = Static<typeof Delivery>
