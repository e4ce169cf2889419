import { createHmac, randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { checkWebhook } from './client.ts'
import type { WebhookOptions } from './webhook.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const nowMs = Date.parse('2026-11-27T10:00:00Z')
const timestamp = String(nowMs / 1000)
const body = JSON.stringify({
  type: 'opening.ended',
  timestamp: '2026',
  sequence: 7,
  data: { reason: 'Ünï' },
})

function signatureOf(by: string, text: string | Uint8Array, at = timestamp): string {
  const key = Buffer.from(by.slice('whsec_'.length), 'base64')
  return `v1,${createHmac('sha256', key).update(`msg_1.${at}.`).update(text).digest('base64')}`
}
const headersOf = (signature: string, at = timestamp) => ({
  'Webhook-Id': 'msg_1',
  'webhook-timestamp': at,
  'webhook-signature': signature,
})
const check = (more: Partial<WebhookOptions> = {}) =>
  checkWebhook({ body, headers: headersOf(signatureOf(secret, body)), secret, nowMs, ...more })

describe('a webhook', () => {
  it('is accepted as text and as bytes, with headers of either kind, by one of several secrets', async () => {
    const accepted = { ok: true, id: 'msg_1', event: JSON.parse(body) }
    expect(await check()).toEqual(accepted)
    expect(await check({ body: new TextEncoder().encode(body) })).toEqual(accepted)
    expect(await check({ headers: new Headers(headersOf(signatureOf(secret, body))) })).toEqual(accepted)
    expect(await check({ secret: [other, secret] })).toEqual(accepted)
    const both = `${signatureOf(other, body)} v1a,zzz ${signatureOf(secret, body)}`
    expect(await check({ headers: headersOf(both) })).toEqual(accepted)
  })

  it('is refused with any byte changed, by another secret, and without a signature', async () => {
    for (let at = 0; at < body.length; at++) {
      const changed = Buffer.from(body)
      changed[at] = (changed[at] ?? 0) ^ 1
      expect(await check({ body: changed })).toEqual({ ok: false, code: 'bad_signature' })
    }
    expect(await check({ secret: other })).toMatchObject({ code: 'bad_signature' })
    for (const signature of [
      '',
      'v1,',
      'v1,%%%',
      signatureOf(secret, body).slice(3),
      `v2,${randomBytes(32)}`,
    ])
      expect(await check({ headers: headersOf(signature) })).toMatchObject({ code: 'bad_signature' })
    expect(await check({ secret: 'whsec_' })).toMatchObject({ code: 'bad_signature' })
  })

  it('is refused when it was signed five minutes ago, or later than now', async () => {
    for (const [seconds, isAccepted] of [
      [300, true],
      [301, false],
      [-300, true],
      [-301, false],
    ] as const)
      expect((await check({ nowMs: nowMs + seconds * 1000 })).ok).toBe(isAccepted)
    expect(await check({ nowMs: nowMs + 3_600_000 })).toEqual({ ok: false, code: 'too_old' })
    expect((await check({ nowMs: nowMs + 3_600_000, toleranceS: 3_600 })).ok).toBe(true)
  })

  it('is refused without its headers, and where its body is no event', async () => {
    for (const headers of [
      {},
      { ...headersOf(''), 'Webhook-Id': '' },
      headersOf('', '12e4'),
      headersOf('', ''),
    ])
      expect(await check({ headers })).toEqual({ ok: false, code: 'bad_headers' })
    for (const text of ['', 'null', '[]', '{"type":1}', '{"type":"a","data":null}'])
      expect(await check({ body: text, headers: headersOf(signatureOf(secret, text)) })).toEqual({
        ok: false,
        code: 'bad_body',
      })
  })
})
