import {
  cloud,
  flippedBits,
  proof,
  proofText,
  stranger,
  wrongParts,
} from '@callgate/contract/proof/proof.kit'
import { describe, expect, it } from 'vitest'
import { checkProof } from './proof.ts'

const cloudKey = cloud.publicKey

describe('the check of a proof', () => {
  it('accepts a true one, and says what it shows', () => {
    const { confidence, opened, opening, reason } = proof()
    const checked = checkProof({ text: proofText(), cloudKey })
    expect(checked).toMatchObject({
      ok: true,
      keyId: cloud.keyId,
      proof: { opening, reason, opened, confidence, joinedOpeningId: null },
    })
    expect(checked.ok && checked.says.join('\n')).toContain('has signed that the gate is ringing.')
  })

  it('refuses a file with any bit flipped, written in another way, or of another kind', () => {
    const text = proofText({ reports: proof().reports.slice(1) })
    expect(checkProof({ text, cloudKey }).ok).toBe(true)
    const changed = [
      ...flippedBits(text, 17),
      text.trim(),
      JSON.stringify(JSON.parse(text), null, 2),
      '',
      '{}',
    ]
    expect(changed.filter(one => checkProof({ text: one, cloudKey }).ok)).toEqual([])
  })

  it('refuses parts that do not belong together, although the cloud has signed the file', () => {
    for (const [more, message] of wrongParts)
      expect(checkProof({ text: proofText(more), cloudKey })).toEqual({
        ok: false,
        message: expect.stringMatching(message),
      })
  })

  it('refuses a proof by another key, and one for which no key is known', () => {
    const forged = proofText({ grant: null, reports: [], gateways: [] }, stranger)
    for (const [text, key] of [
      [forged, cloudKey],
      [proofText(), stranger.publicKey],
      [proofText(), []],
      [proofText(), ''],
      // A program without types, whose variable is missing.
      [proofText(), undefined as never],
    ] as const)
      expect(checkProof({ text, cloudKey: key })).toEqual({
        ok: false,
        message: expect.stringContaining('Another cloud has signed the proof'),
      })
  })

  it('accepts each of several keys, as after a change of the key', () => {
    const keys = [stranger.publicKey, cloudKey]
    for (const key of [cloud, stranger])
      expect(
        checkProof({ text: proofText({ grant: null, reports: [] }, key), cloudKey: keys }),
      ).toMatchObject({
        ok: true,
        keyId: key.keyId,
      })
  })
})
