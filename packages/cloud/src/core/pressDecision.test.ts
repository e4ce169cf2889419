import { describe, expect, it } from 'vitest'
import { grantedRow as granted } from '../opening/openingRow.kit.ts'
import { endingUndialled, endingUnknown, type OpeningRow } from './opening.ts'
import { decidePress } from './pressDecision.ts'

describe('a press', () => {
  const free = {
    denied: undefined,
    holder: undefined,
    last: undefined,
    coolDownMs: 5_000,
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
  it('ends as an ended opening that still holds the number', () => {
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
  it('joins when the clock went back, rather than call a moving gate', () => {
    expect(decidePress({ ...free, last: { row: ended, agoMs: -3_600_000 } })).toMatchObject({ kind: 'end' })
  })
  it('P3: is denied before it may join', () => {
    const decision = decidePress({ ...free, holder: granted, denied: 'gate_inactive' })
    expect(decision).toEqual({ kind: 'end', ending: endingUndialled('gate_inactive'), joined: undefined })
  })
  it('fails at once when no gateway is online', () => {
    expect(decidePress({ ...free, isGatewayOnline: false })).toMatchObject({
      ending: { reason: 'gateway_offline', safeToRetry: true },
    })
  })
})
