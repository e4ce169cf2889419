import { describe, expect, it } from 'vitest'
import { grantedRow as granted, leadingRow as row } from '../openingRow.kit.ts'
import { decideClaim } from './claimDecision.ts'

describe('a claim', () => {
  const claim = { gatewayId: 'gw_a', bootId: 'boot1', nonce: 'nonce1' }
  const facts = {
    claim,
    opening: row,
    ageMs: 11_999,
    grantWithinMs: 12_000,
    isOwnerGone: false,
    denied: undefined,
    mayCall: true,
  }

  it('P2: is granted in time and refused one moment later', () => {
    expect(decideClaim(facts)).toEqual({ kind: 'grant' })
    expect(decideClaim({ ...facts, ageMs: 12_000 })).toEqual({ kind: 'refuse', reason: 'expired' })
  })
  it('P2: is refused when the age of the opening is unknown', () => {
    expect(decideClaim({ ...facts, ageMs: undefined })).toEqual({ kind: 'refuse', reason: 'expired' })
  })
  it('gets the same answer when it is sent again', () => {
    expect(decideClaim({ ...facts, opening: granted, ageMs: 15_000 })).toMatchObject({
      kind: 'repeat',
      phoneNumber: row.phoneNumber,
    })
  })
  it.each([['gatewayId'], ['bootId'], ['nonce']])(
    'P1: with another %s is refused once the opening is granted',
    member => {
      const other = { ...claim, [member]: 'other' }
      expect(decideClaim({ ...facts, claim: other, opening: granted })).toEqual({
        kind: 'refuse',
        reason: 'already_granted',
      })
    },
  )
  it('P5: for a joined, an unknown or an ended opening is refused', () => {
    expect(decideClaim({ ...facts, opening: undefined }).kind).toBe('refuse')
    expect(decideClaim({ ...facts, opening: { ...row, joinedOpeningId: 'open_b' } }).kind).toBe('refuse')
    expect(decideClaim({ ...facts, opening: { ...row, status: 'failed' } }).kind).toBe('refuse')
    expect(decideClaim({ ...facts, opening: { ...granted, status: 'timeout' } }).kind).toBe('refuse')
  })
  it('P4: from a gateway that may not call the gate is refused, and the opening goes on', () => {
    const barred = { ...facts, mayCall: false }
    expect(decideClaim(barred)).toEqual({ kind: 'refuse', reason: 'refused' })
    expect(decideClaim({ ...barred, denied: 'permission_lost' }).kind).toBe('refuse')
    expect(decideClaim({ ...barred, opening: granted }).kind).toBe('repeat')
  })
  it('ends the opening when the permission is lost', () => {
    expect(decideClaim({ ...facts, denied: 'permission_lost' })).toEqual({
      kind: 'end',
      reason: 'permission_lost',
    })
  })
})
