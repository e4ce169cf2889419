// The secret of a webhook and the signature of a delivery, by Standard Webhooks 1.0.0.

import { createHmac } from 'node:crypto'

const prefix = 'whsec_'
export const secretBytes = 32

/** A secret in the form in which it is shown. */
export function webhookSecret(bytes: Uint8Array): string {
  return prefix + Buffer.from(bytes).toString('base64')
}

/** What a delivery says of itself beside its body. */
export interface Signed {
  readonly id: string
  /** Of the attempt, in seconds since the epoch. */
  readonly timestamp: number
  readonly body: string
}

function signature(secret: string, { body, id, timestamp }: Signed): string {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

/** The headers of an attempt. During a rotation there are two secrets, and a signature by each. */
export function signedHeaders(secrets: readonly string[], signed: Signed): Readonly<Record<string, string>> {
  return {
    'webhook-id': signed.id,
    'webhook-timestamp': String(signed.timestamp),
    'webhook-signature': secrets.map(secret => signature(secret, signed)).join(' '),
  }
}
