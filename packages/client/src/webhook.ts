// Checks a webhook: that the service has sent it, and lately (Standard Webhooks 1.0.0).

import { wallMs } from './clock.ts'
import type { WebhookMessage } from './types.ts'

/** Why a webhook is not accepted. Answer it with 400, and do nothing. */
export type WebhookFault =
  /** A header of Standard Webhooks is missing or is no header of its kind. */
  | 'bad_headers'
  /** It was signed more than `toleranceS` ago, or later than now: it may be sent again by somebody who has seen it. */
  | 'too_old'
  /** No signature is one of these secrets for this body. */
  | 'bad_signature'
  /** It is signed, and is no event of this service. */
  | 'bad_body'

export type CheckedWebhook =
  | { readonly ok: true; readonly id: string; readonly event: WebhookMessage }
  | { readonly ok: false; readonly code: WebhookFault }

export interface WebhookOptions {
  /** The body as it came, byte by byte: not parsed and written again. */
  readonly body: string | Uint8Array
  /** `Headers`, or an object as Node has it. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** `whsec_…`. During a rotation give both. */
  readonly secret: string | readonly string[]
  /** How many seconds the time of the signature may be from now; 300 by default. */
  readonly toleranceS?: number
  /** Milliseconds since the epoch; the clock of the machine by default. */
  readonly nowMs?: number
}

function headerOf(headers: WebhookOptions['headers'], name: string): string {
  if (headers instanceof Headers) return headers.get(name) ?? ''
  const found = Object.entries(headers).find(([known]) => known.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : (found?.[0] ?? '')
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

/** Whether one of the signatures is that of the bytes. The comparison takes the same time for every wrong one. */
async function isSigned(
  signed: Uint8Array<ArrayBuffer>,
  signatures: string,
  secrets: readonly string[],
): Promise<boolean> {
  const given = signatures.split(' ').flatMap(one => (one.startsWith('v1,') ? [bytesOf(one.slice(3))] : []))
  for (const secret of secrets) {
    const key = bytesOf(secret.replace(/^whsec_/, ''))
    if (!key || key.length === 0) continue
    const hmac = { name: 'HMAC', hash: 'SHA-256' }
    const imported = await crypto.subtle.importKey('raw', key, hmac, false, ['verify'])
    for (const signature of given)
      if (signature && (await crypto.subtle.verify('HMAC', imported, signature, signed))) return true
  }
  return false
}

function eventOf(text: string): WebhookMessage | undefined {
  try {
    const event = JSON.parse(text) as Partial<WebhookMessage> | null
    const isEvent = typeof event?.type === 'string' && typeof event.data === 'object' && event.data !== null
    return isEvent ? (event as WebhookMessage) : undefined
  } catch {
    return undefined
  }
}

/**
 * Checks a webhook. Do it before the body is read for anything else, and answer 2xx soon: work on it later. The same event can
 * come twice, with the same `id`, and events can come in another order: `sequence` sorts them.
 */
export async function checkWebhook(options: WebhookOptions): Promise<CheckedWebhook> {
  const { headers, nowMs = wallMs(), secret, toleranceS = 300 } = options
  const fault = (code: WebhookFault) => ({ ok: false, code }) as const
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  if (id === '' || !/^\d{1,12}$/.test(timestamp)) return fault('bad_headers')
  const body = typeof options.body === 'string' ? new TextEncoder().encode(options.body) : options.body
  const head = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(head.length + body.length)
  signed.set(head)
  signed.set(body, head.length)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await isSigned(signed, headerOf(headers, 'webhook-signature'), secrets)))
    return fault('bad_signature')
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceS) return fault('too_old')
  const event = eventOf(new TextDecoder().decode(body))
  return event ? { ok: true, id, event } : fault('bad_body')
}
