import * as fc from 'fast-check'
import { Webhook as Verifier } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { signedHeaders, webhookSecret } from './webhookSignature.ts'

const now = () => Math.floor(Date.now() / 1_000)
const secretOf = (byte: number) => webhookSecret(new Uint8Array(32).fill(byte))

it('makes secrets of 32 bytes in the form of the standard', () => {
  expect(secretOf(7)).toBe('whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=')
})

it('signs as the example of the standard does', () => {
  // From the tests of the reference libraries of Standard Webhooks.
  const headers = signedHeaders(['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'], {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: 1614265330,
    body: '{"test": 2432232314}',
  })
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})

it('signs any body so that the reference library accepts it by either secret, and no other body', () => {
  const property = fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, place) => {
    const body = JSON.stringify({ text: text })
    const headers = signedHeaders([secretOf(1), secretOf(2)], { id: 'msg_1', timestamp: now(), body })
    for (const byte of [1, 2])
      expect(new Verifier(secretOf(byte)).verify(body, { ...headers })).toEqual(JSON.parse(body))
    expect(() => new Verifier(secretOf(3)).verify(body, { ...headers })).toThrow()
    const at = place % body.length
    const changed = `${body.slice(0, at)}${body[at] === 'x' ? 'y' : 'x'}${body.slice(at + 1)}`
    expect(() => new Verifier(secretOf(1)).verify(changed, { ...headers })).toThrow()
    const other = { ...headers, 'webhook-id': 'msg_2' }
    expect(() => new Verifier(secretOf(1)).verify(body, other)).toThrow()
  })
  void fc.assert(property, { numRuns: 200, seed: 5 })
})
