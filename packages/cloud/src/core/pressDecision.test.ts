import { describe, expect, it } from 'vitest'
import { grantedRow as granted } from '../opening/openingRow.kit.ts'
import { endingUndialled, endingUnknown, type OpeningRow } from './opening.ts'
import { decidePress } from './pressDecision.ts'

describe('a press', () => {
  const free = {
    denied: undefined,
    accessId: 'access_a',
    holder: undefined,
    last: undefined,
    coolDownMs: 5_000,
    hasLostCall: false,
    isGatewayOnline: true,
  } as const
  const ended: OpeningRow = {
    ...granted,
    ...endingUnknown('no_report'),
    completedAt: '2026-01-05T08:01:30.000Z',
  }

  it('leads on a free number', () => {
    expect(decidePress(free)).toEqual({ kind: 'lead' })
  })
  it('P5: joins the call that holds the number', () => {
    expect(decidePress({ ...free, holder: granted })).toEqual({ kind: 'join', leader: granted })
  })
  it('ends like an ended opening that still holds the number', () => {
    expect(decidePress({ ...free, holder: ended })).toMatchObject({
      kind: 'end',
      joined: ended,
      ending: { reason: 'no_report' },
    })
  })
  it('P5: joins within the cool-down and leads after it', () => {
    expect(decidePress({ ...free, last: { row: ended, agoMs: 4_999 } })).toMatchObject({
      kind: 'end',
      joined: ended,
    })
    expect(decidePress({ ...free, last: { row: ended, agoMs: 5_000 } })).toEqual({ kind: 'lead' })
  })
  it('joins when the clock went back, because a call could meet a moving gate', () => {
    expect(decidePress({ ...free, last: { row: ended, agoMs: -3_600_000 } })).toMatchObject({ kind: 'end' })
  })
  it('P5: ends without a call where a lost call may still run, and joins a known call', () => {
    const lost = { ...free, hasLostCall: true }
    expect(decidePress(lost)).toMatchObject({ kind: 'end', ending: { reason: 'interrupted', opened: 'no' } })
    expect(decidePress({ ...lost, holder: granted })).toMatchObject({ kind: 'join' })
    expect(decidePress({ ...lost, denied: 'gate_inactive' })).toMatchObject({
      ending: { reason: 'gate_inactive' },
    })
  })
  it('P3: is denied before it can join', () => {
    const decision = decidePress({ ...free, holder: granted, denied: 'gate_inactive' })
    expect(decision).toEqual({ kind: 'end', ending: endingUndialled('gate_inactive'), joined: undefined })
  })
  describe('by an access that is used up', () => {
    const denied = 'usage_exhausted'
    const own = { ...granted, accessId: 'access_a', usageHeld: true }
    const refused = { kind: 'end', ending: endingUndialled(denied), joined: undefined }

    it('joins the call that has taken the last use', () => {
      expect(decidePress({ ...free, denied, holder: own })).toEqual({ kind: 'join', leader: own })
      const justEnded = { ...ended, accessId: 'access_a', usageHeld: true }
      for (const call of [{ holder: justEnded }, { last: { row: justEnded, agoMs: 4_999 } }])
        expect(decidePress({ ...free, denied, ...call })).toMatchObject({ kind: 'end', joined: justEnded })
    })
    it('is denied after the cool-down, and where nobody knows when that call ended', () => {
      const row = { ...ended, accessId: 'access_a', usageHeld: true }
      for (const last of [
        { row, agoMs: 5_000 },
        { row, agoMs: 1_000, recordedAgoMs: 3_600_000 },
      ])
        expect(decidePress({ ...free, denied, last })).toEqual(refused)
    })
    it("P3: is denied during another access's call, a key's call, and a call that has taken no use", () => {
      for (const holder of [
        { ...own, accessId: 'access_b' },
        { ...own, accessId: null },
        { ...own, usageHeld: false },
      ])
        expect(decidePress({ ...free, denied, holder })).toEqual(refused)
      const byKey = { ...free, accessId: null, denied, holder: { ...own, accessId: null } } as const
      expect(decidePress(byKey)).toEqual(refused)
    })
    it('P3: is denied for any other reason during its own call', () => {
      for (const other of ['access_inactive', 'access_ended', 'outside_schedule'] as const)
        expect(decidePress({ ...free, denied: other, holder: own })).toMatchObject({
          ending: { reason: other },
          joined: undefined,
        })
    })
  })
  it('fails at once when no gateway is online', () => {
    expect(decidePress({ ...free, isGatewayOnline: false })).toMatchObject({
      ending: { reason: 'gateway_offline', safeToRetry: true },
    })
  })
})
