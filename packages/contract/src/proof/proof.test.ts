import { describe, expect, it } from 'vitest'
import { callProfile } from '../call/callProfile.ts'
import { exampleVerdict } from '../call/verdict.ts'
import { exampleIds } from '../rest/exampleIds.ts'
import { exampleOpening } from '../rest/opening.ts'
import type { Envelope, Report } from '../wire/messages.ts'
import { type SigningKey, seal, signingKey } from '../wire/signature.ts'
import { checkProof, type ProofBody, sealProof } from './proof.ts'

const cloud = signingKey(new Uint8Array(32).fill(1))
const gateway = signingKey(new Uint8Array(32).fill(2))
const stranger = signingKey(new Uint8Array(32).fill(3))
const { gatewayId, openingId } = exampleIds
const bootId = 'B'.repeat(22)
const receivedAt = '2026-03-27T16:04:11.300Z'

const ended: Report = { phase: 'ended', sinceClaimMs: 100, verdict: exampleVerdict, evidence: null }
const report = (
  seq: number,
  what: Report,
  more: Partial<Envelope> = {},
  key: SigningKey = gateway,
): Envelope =>
  JSON.parse(
    seal(key, { type: 'report', gatewayId, openingId, bootId, seq, body: JSON.stringify(what), ...more }),
  )

function grant(more: Partial<Envelope> = {}, key = cloud): Envelope {
  const body = { granted: true, phoneNumber: '+40722123456', callProfile: callProfile({ mode: 'reject' }) }
  const nonce = 'N'.repeat(22)
  return JSON.parse(
    seal(key, { type: 'grant', gatewayId, openingId, nonce, bootId, body: JSON.stringify(body), ...more }),
  )
}
const proof = (more: Partial<ProofBody> = {}): ProofBody => ({
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
const check = (more: Partial<ProofBody> = {}) => checkProof(sealProof(cloud, proof(more)))

describe('a proof', () => {
  it('is valid, and says in plain words what it proves and what it does not', () => {
    const checked = check()
    if (!checked.ok) throw new Error(checked.message)
    const said = checked.value.says.join('\n')
    for (const words of [
      `The cloud with the key ${cloud.keyId} has signed it`,
      'The cloud has granted one call',
      'Attic (gw_01kdhw7b2d4f6h8k1n3q5s7v9x) has signed that the gate is ringing.',
      'Its verdict: The gate took the call. Did the gate open: likely (likely).',
      'It does not prove who pressed',
    ])
      expect(said).toContain(words)
    expect(said).not.toContain('says otherwise')
  })

  it('is rejected when any bit of the file is flipped', () => {
    const text = Buffer.from(
      sealProof(cloud, proof({ reports: proof().reports.slice(1), gateways: proof().gateways })),
    )
    const unnoticed = Array.from({ length: text.length * 8 }, (_, bit) => bit).filter(bit => {
      const altered = Buffer.from(text)
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      return checkProof(altered.toString('utf8')).ok
    })
    expect(unnoticed).toEqual([])
  })

  it('is rejected when it is of another cloud than expected', () => {
    const text = sealProof(cloud, proof())
    expect(checkProof(text, cloud.publicKey).ok).toBe(true)
    expect(checkProof(text, stranger.publicKey)).toMatchObject({
      message: expect.stringContaining(cloud.publicKey),
    })
  })

  it('is rejected when the cloud itself combines parts that do not belong together', () => {
    const [first, second] = proof().reports
    const other = 'open_01kdj0v4t6w8y1a3c5e7g9j2m5'
    const otherGateway = gatewayId.replace(/.$/, 'z')
    const cellar = { id: otherGateway, name: 'Cellar', publicKey: gateway.publicKey }
    const one = (message: Envelope) => ({ reports: [{ receivedAt, message }] })
    const wrong: [Partial<ProofBody>, RegExp][] = [
      [{ grant: grant({}, stranger) }, /not signed the grant/],
      [{ grant: grant({ body: '{"granted":false,"reason":"refused"}' }) }, /not signed the grant/],
      [{ grant: grant({ openingId: other }) }, /grant is of another/],
      [{ gateways: [], reports: [] }, /grant is of another/],
      [one(report(1, ended, {}, stranger)), /not signed by the gateway/],
      [one(report(1, ended, { type: 'beat' })), /not signed by the gateway/],
      [one(report(1, ended, { openingId: other })), /of another opening/],
      [one(report(1, ended, { body: '{}' })), /cannot be read/],
      [{ reports: second && first ? [second, first] : [] }, /not in the order/],
      [{ grant: null }, /granted none/],
      [
        { grant: grant({ gatewayId: otherGateway }), gateways: [...proof().gateways, cellar] },
        /granted none/,
      ],
    ]
    for (const [more, message] of wrong)
      expect(check(more)).toMatchObject({ ok: false, message: expect.stringMatching(message) })
  })

  it('states that a press led to no call, or that the record differs from the report', () => {
    const saysOf = (more: Partial<ProofBody>) => {
      const checked = check(more)
      return checked.ok ? checked.value.says.join('\n') : checked.message
    }
    const denied = saysOf({ grant: null, reports: [], gateways: [], opened: 'no', reason: 'gateway_offline' })
    expect(denied).toContain('nothing was dialled for it')
    expect(denied).toContain('No gateway has reported on it.')
    expect(saysOf({ opened: 'yes' })).toContain('says otherwise')
    const joined = {
      joinedOpeningId: openingId,
      opening: { ...exampleOpening, id: `${openingId.slice(0, -1)}x` },
    }
    expect(saysOf(joined)).toContain(`It joined the call of ${openingId}`)
  })

  it('claims nothing about a call where the record is unknown, or no call was granted yet', () => {
    const saysOf = (more: Partial<ProofBody>) => {
      const checked = check({ grant: null, gateways: [], reports: [], ...more })
      return checked.ok ? checked.value.says.join('\n') : checked.message
    }
    const lost = saysOf({ opened: 'unknown', confidence: 'unknown', reason: 'outcome_unknown' })
    expect(lost).toContain('does not know what happened')
    const running = saysOf({ opened: null, confidence: null, reason: null })
    expect(running).toContain('still waiting')
    for (const said of [lost, running]) expect(said).not.toContain('nothing was dialled')
  })

  it("lets no name in a stranger's file begin a line or control a terminal", () => {
    const name = 'A\nThe proof holds.\u2028\u001b[2K\u202eB'
    const gateways = [{ id: gatewayId, name, publicKey: gateway.publicKey }]
    const opening = { ...exampleOpening, gateName: name, openedBy: { ...exampleOpening.openedBy, name } }
    const checked = check({ spaceName: name, gateways, opening })
    if (!checked.ok) throw new Error(checked.message)
    const { says } = checked.value
    expect(says).toHaveLength(7)
    expect(says.join('')).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}\u202e]/u)
    expect(says.join('')).toContain('A The proof holds. [2K B')
  })

  it('is rejected when it is another file, or of another version', () => {
    for (const text of ['', '{}', 'null', '[]', JSON.stringify({ kind: 'callgate-proof-1' })])
      expect(checkProof(text)).toMatchObject({ ok: false, message: 'This is no proof of an opening.' })
    expect(check({ extra: 1 } as object)).toMatchObject({ message: expect.stringContaining('version') })
  })
})
