// What is sent to webhooks, in the OpenAPI document: a request of each type, with its schema and an example.

import { type WebhookType, webhookTypes } from '../rest/webhook.ts'
import { exampleMessage, saysOf } from '../rest/webhookMessage.ts'
import type { Json } from './openapiSchemas.ts'

const header = (name: string, description: string, example: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example,
})

const headers = [
  header(
    'webhook-id',
    'The same at every attempt: a delivery that was taken may come again',
    'msg_01kdhw3a1c5e7g9j2m4p6r8t0v_1207',
  ),
  header('webhook-timestamp', 'When the attempt began, in seconds since 1970', '1767608131'),
  header(
    'webhook-signature',
    '`v1,` and the HMAC-SHA256 of `id.timestamp.body` in base64; two of them with a blank between, during a rotation',
    'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
  ),
]

function requestOf(type: WebhookType): Json {
  const name = type === 'opening.ended' ? 'WebhookEnded' : 'WebhookEvent'
  const schema = {
    allOf: [
      { $ref: `#/components/schemas/${name}` },
      { type: 'object', properties: { type: { type: 'string', const: type } } },
    ],
  }
  return {
    post: {
      operationId: `on_${type.replace('.', '_')}`,
      tags: ['Webhooks'],
      // A summary is plain text, unlike a description.
      summary: saysOf(type).replaceAll('`', ''),
      security: [],
      'x-extension': true,
      parameters: headers,
      requestBody: {
        required: true,
        content: { 'application/json': { schema, example: exampleMessage(type) } },
      },
      responses: {
        '2XX': { description: 'Taken; the body is ignored' },
        '410': { description: 'Nothing more is wanted: the webhook is switched off' },
        default: { description: 'Not taken: it is tried again' },
      },
    },
  }
}

/** The member `webhooks` of the document. */
export const webhookRequests = (): Json =>
  Object.fromEntries(webhookTypes.map(type => [type, requestOf(type)]))
