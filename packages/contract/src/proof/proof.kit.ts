// For tests of proofs: a cloud, a gateway and a stranger with keys, and what they have signed about one opening.

import { callProfile } from '../call/callProfile.ts'
import { exampleVerdict } from '../call/verdict.ts'
import { exampleIds } from '../rest/exampleIds.ts'
import { exampleOpening } from '../rest/opening.ts'
import type { Envelope, Report } from '../wire/messages.ts'
import { type SigningKey, seal, signingKey } from '../wire/signature.ts'
import { type ProofBody, sealProof } from './proof.ts'

export const cloud = signingKey(new Uint8Array(32).fill(1))
export const gateway = signingKey(new Uint8Array(32).fill(2))
export const stranger = signingKey(new Uint8Array(32).fill(3))
const { gatewayId, openingId } = exampleIds
const bootId = 'B'.repeat(22)
export const receivedAt = '2026-03-27T16:04:11.300Z'

export const ended: Report = { phase: 'ended', sinceClaimMs: 100, verdict: exampleVerdict, evidence: null }

export const report = (
  seq: number,
  what: Report,
  more: Partial<Envelope> = {},
  key: SigningKey = gateway,
): Envelope =>
  JSON.parse(
    seal(key, { type: 'report', gatewayId, openingId, bootId, seq, body: JSON.stringify(what), ...more }),
  )

export function grant(more: Partial<Envelope> = {}, key = cloud): Envelope {
  const body = { granted: true, phoneNumber: '+40722123456', callProfile: callProfile({ mode: 'reject' }) }
  const nonce = 'N'.repeat(22)
  return JSON.parse(
    seal(key, { type: 'grant', gatewayId, openingId, nonce, bootId, body: JSON.stringify(body), ...more }),
  )
}

export const proof = (more: Partial<ProofBody> = {}): ProofBody => ({
  issuedAt: '2026-03-28T08:00:00.000Z',
  spaceName: 'Casa Lalelelor',
  opening: exampleOpening,
  reason: exampleVerdict.reason,
  opened: exampleVerdict.opened,
  confidence: exampleVerdict.confidence,
  joinedOpeningId: null,
  gateways: [{ id: gatewayId, name: 'Attic', publicKey: gateway.publicKey }],
  grant: grant(),
  reports: [
    { receivedAt, message: report(1, { phase: 'ringing', sinceClaimMs: 50 }) },
    { receivedAt, message: report(2, ended) },
  ],
  ...more,
})

const other = 'open_01kdj0v4t6w8y1a3c5e7g9j2m5'
const otherGateway = gatewayId.replace(/.$/, 'z')
const cellar = { id: otherGateway, name: 'Cellar', publicKey: gateway.publicKey }
const one = (message: Envelope) => ({ reports: [{ receivedAt, message }] })

/** Parts that do not belong together, each with what is said of such a proof. The cloud has signed them. */
export const wrongParts: readonly (readonly [Partial<ProofBody>, RegExp])[] = [
  [{ grant: grant({}, stranger) }, /not signed the grant/],
  [{ grant: grant({ body: '{"granted":false,"reason":"refused"}' }) }, /not signed the grant/],
  [{ grant: grant({ openingId: other }) }, /grant is of another/],
  [{ gateways: [], reports: [] }, /grant is of another/],
  [one(report(1, ended, {}, stranger)), /not signed by the gateway/],
  [one(report(1, ended, { type: 'beat' })), /not signed by the gateway/],
  [one(report(1, ended, { openingId: other })), /of another opening/],
  [one(report(1, ended, { body: '{}' })), /cannot be read/],
  [{ reports: proof().reports.toReversed() }, /not in the order/],
  [{ grant: null }, /granted none/],
  [{ grant: grant({ gatewayId: otherGateway }), gateways: [...proof().gateways, cellar] }, /granted none/],
]

/** The file of a proof, as the cloud gives it. */
export const proofText = (more: Partial<ProofBody> = {}, key: SigningKey = cloud): string =>
  sealProof(key, proof(more))

/** The same file with a bit flipped: each in turn, or every so many. */
export function* flippedBits(text: string, every = 1): Generator<string, void, undefined> {
  const bytes = Buffer.from(text)
  for (let bit = 0; bit < bytes.length * 8; bit += every) {
    const altered = Buffer.from(bytes)
    altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
    yield altered.toString('utf8')
  }
}
