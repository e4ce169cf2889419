import { describe, expect, it } from 'vitest'
import { exampleIds } from '../rest/exampleIds.ts'
import { exampleOpening } from '../rest/opening.ts'
import { cloud, flippedBits, gateway, proof, proofText, stranger, wrongParts } from './proof.kit.ts'
import { checkProof, type ProofBody } from './proof.ts'

const { gatewayId, openingId } = exampleIds
const check = (more: Partial<ProofBody> = {}) => checkProof(proofText(more))

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
    const text = proofText({ reports: proof().reports.slice(1) })
    const unnoticed = [...flippedBits(text)].filter(altered => checkProof(altered).ok)
    expect(unnoticed).toEqual([])
  })

  it('is rejected when it is of another cloud than expected', () => {
    const text = proofText()
    expect(checkProof(text, cloud.publicKey).ok).toBe(true)
    expect(checkProof(text, [stranger.publicKey, cloud.publicKey]).ok).toBe(true)
    for (const others of [stranger.publicKey, [stranger.publicKey], []])
      expect(checkProof(text, others)).toMatchObject({
        message: expect.stringContaining(cloud.publicKey),
      })
  })

  it('is rejected when the cloud itself combines parts that do not belong together', () => {
    for (const [more, message] of wrongParts)
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
