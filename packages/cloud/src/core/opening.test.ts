import type { Verdict } from '@callgate/contract/call/verdict'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import { openingStatuses } from '@callgate/contract/rest/opening'
import type { Report } from '@callgate/contract/wire/messages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openingRow } from '../opening/openingRow.kit.ts'
import {
  decideClaim,
  decidePress,
  decideReport,
  endedAtMs,
  endingOf,
  endingUndialled,
  endingUnknown,
  handOver,
  type OpeningRow,
  transitions,
} from './opening.ts'

const row: OpeningRow = { ...openingRow, lockedNumber: openingRow.phoneNumber }
const granted: OpeningRow = {
  ...row,
  gatewayId: 'gw_a',
  bootId: 'boot1',
  grantNonce: 'nonce1',
  grantedAt: '2026-01-05T08:00:01.000Z',
  grantedProfile: '{}',
}
const ours = { gatewayId: 'gw_a', bootId: 'boot1' }
const endedReport: Report = { phase: 'ended', sinceClaimMs: 8_000, verdict: exampleVerdict, evidence: null }

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
  it('joins the call that holds the number', () => {
    expect(decidePress({ ...free, holder: granted })).toEqual({ kind: 'join', leader: granted })
  })
  it('ends as an ended opening that still holds the number', () => {
    expect(decidePress({ ...free, holder: ended })).toMatchObject({
      kind: 'end',
      joined: ended,
      ending: { reason: 'no_report' },
    })
  })
  it('joins within the cool-down and leads after it', () => {
    expect(decidePress({ ...free, last: { row: ended, agoMs: 4_999 } })).toMatchObject({
      kind: 'end',
      joined: ended,
    })
    expect(decidePress({ ...free, last: { row: ended, agoMs: 5_000 } })).toEqual({ kind: 'lead' })
  })
  it('joins when the clock went back, rather than call a moving gate', () => {
    expect(decidePress({ ...free, last: { row: ended, agoMs: -3_600_000 } })).toMatchObject({ kind: 'end' })
  })
  it('is denied before it may join', () => {
    const decision = decidePress({ ...free, holder: granted, denied: 'gate_inactive' })
    expect(decision).toEqual({ kind: 'end', ending: endingUndialled('gate_inactive'), joined: undefined })
  })
  it('fails at once when no gateway is online', () => {
    expect(decidePress({ ...free, isGatewayOnline: false })).toMatchObject({
      ending: { reason: 'gateway_offline', safeToRetry: true },
    })
  })
})

describe('a claim', () => {
  const claim = { gatewayId: 'gw_a', bootId: 'boot1', nonce: 'nonce1' }
  const facts = { claim, opening: row, ageMs: 11_999, grantWithinMs: 12_000, denied: undefined }

  it('is granted in time and refused a moment later', () => {
    expect(decideClaim(facts)).toEqual({ kind: 'grant' })
    expect(decideClaim({ ...facts, ageMs: 12_000 })).toEqual({ kind: 'refuse', reason: 'expired' })
  })
  it('is refused when nobody knows the age of the opening', () => {
    expect(decideClaim({ ...facts, ageMs: undefined })).toEqual({ kind: 'refuse', reason: 'expired' })
  })
  it('gets the same answer when it is sent again', () => {
    expect(decideClaim({ ...facts, opening: granted, ageMs: 15_000 })).toMatchObject({
      kind: 'repeat',
      phoneNumber: row.phoneNumber,
    })
  })
  it.each([['gatewayId'], ['bootId'], ['nonce']])('of another %s is refused once granted', member => {
    const other = { ...claim, [member]: 'other' }
    expect(decideClaim({ ...facts, claim: other, opening: granted })).toEqual({
      kind: 'refuse',
      reason: 'already_granted',
    })
  })
  it('for a joined, an unknown or an ended opening is refused', () => {
    expect(decideClaim({ ...facts, opening: undefined }).kind).toBe('refuse')
    expect(decideClaim({ ...facts, opening: { ...row, joinedOpeningId: 'open_b' } }).kind).toBe('refuse')
    expect(decideClaim({ ...facts, opening: { ...row, status: 'failed' } }).kind).toBe('refuse')
    expect(decideClaim({ ...facts, opening: { ...granted, status: 'timeout' } }).kind).toBe('refuse')
  })
  it('ends the opening when the permission is gone', () => {
    expect(decideClaim({ ...facts, denied: 'permission_lost' })).toEqual({
      kind: 'end',
      reason: 'permission_lost',
    })
  })
})

describe('a report', () => {
  it('counts only from the gateway that was granted', () => {
    expect(decideReport(granted, { ...ours, gatewayId: 'gw_b' }, endedReport)).toEqual({
      kind: 'refuse',
      reason: 'not_granted',
    })
    expect(decideReport(row, ours, endedReport)).toEqual({ kind: 'refuse', reason: 'not_granted' })
    expect(decideReport(undefined, ours, endedReport)).toEqual({
      kind: 'refuse',
      reason: 'unknown_opening',
    })
  })
  it('connects once and ends once', () => {
    expect(decideReport(granted, ours, { phase: 'ringing', sinceClaimMs: 1 })).toEqual({ kind: 'connect' })
    expect(
      decideReport({ ...granted, status: 'connected' }, ours, { phase: 'answered', sinceClaimMs: 1 }),
    ).toEqual({ kind: 'keep' })
    expect(decideReport(granted, ours, endedReport)).toMatchObject({
      kind: 'end',
      dialled: true,
      isCorrection: false,
    })
    expect(decideReport({ ...granted, status: 'completed', isSettled: true }, ours, endedReport)).toEqual({
      kind: 'keep',
    })
  })
  it('corrects a timeout of the cloud once', () => {
    const late: OpeningRow = { ...granted, ...endingUnknown('no_report') }
    expect(decideReport(late, ours, endedReport)).toMatchObject({ kind: 'end', isCorrection: true })
    expect(decideReport({ ...late, isSettled: true }, ours, endedReport)).toEqual({ kind: 'keep' })
    const failed: OpeningRow = { ...granted, ...endingUndialled('interrupted') }
    expect(decideReport(failed, ours, endedReport)).toEqual({ kind: 'keep' })
  })
  it('that nothing was dialled is safe, and says nothing of an ungranted opening', () => {
    const report: Report = { phase: 'not_dialled', sinceClaimMs: 7_000 }
    expect(decideReport(granted, ours, report)).toMatchObject({
      kind: 'end',
      dialled: false,
      ending: { safeToRetry: true },
    })
    expect(decideReport(row, ours, report)).toEqual({ kind: 'keep' })
  })
  it('that nothing was dialled says nothing of what an earlier boot was granted, and its outcome does', () => {
    const later = { ...ours, bootId: 'boot2' }
    const report: Report = { phase: 'not_dialled', sinceClaimMs: 7_000 }
    expect(decideReport(granted, later, report)).toEqual({ kind: 'keep' })
    expect(decideReport(granted, later, endedReport)).toMatchObject({ kind: 'end', dialled: true })
  })
  it.each([
    ['sim_error', 'certain', false],
    ['no_network', 'certain', false],
    ['line_in_use', 'certain', false],
    ['network_rejected', 'certain', false],
    ['network_rejected', 'likely', true],
    ['no_network', 'likely', true],
    ['bad_number', 'certain', true],
    ['busy', 'likely', true],
  ] as const)('of %s, %s, tells whether the call left the modem', (reason, confidence, dialled) => {
    const judged: Verdict = { ...exampleVerdict, status: 'failed', opened: 'no', reason, confidence }
    expect(decideReport(granted, ours, { ...endedReport, verdict: judged } as Report)).toMatchObject({
      kind: 'end',
      dialled,
    })
  })
  it('never leads along a transition that is not allowed', () => {
    const phases: Report[] = [
      { phase: 'declined', reason: 'no_network' },
      { phase: 'not_dialled', sinceClaimMs: 1 },
      { phase: 'ringing', sinceClaimMs: 1 },
      endedReport,
      { ...endedReport, verdict: { ...exampleVerdict, status: 'timeout', reason: 'no_reaction' } },
      { ...endedReport, verdict: { ...exampleVerdict, status: 'failed', reason: 'busy' } },
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...openingStatuses),
        fc.constantFrom(...phases),
        fc.boolean(),
        fc.boolean(),
        (status, report, isGranted, isSettled) => {
          const before: OpeningRow = { ...(isGranted ? granted : row), status, isSettled }
          const decision = decideReport(before, ours, report)
          const after =
            decision.kind === 'connect'
              ? 'connected'
              : decision.kind === 'end'
                ? decision.ending.status
                : status
          expect(after === status || transitions[status].includes(after)).toBe(true)
          if (isSettled) expect(decision.kind).not.toBe('end')
        },
      ),
    )
  })
})

describe('the end of an opening', () => {
  it('is none while it runs, and none that is told in part', () => {
    const ended: OpeningRow = { ...row, ...endingUnknown('no_report') }
    expect(endingOf(row)).toBeUndefined()
    expect(endingOf(ended)).toEqual(endingUnknown('no_report'))
    for (const missing of ['reason', 'opened', 'confidence', 'safeToRetry'])
      expect(endingOf({ ...ended, [missing]: null })).toBeUndefined()
  })
  it('is the claim’s receipt and what the gateway counted, but never later than now', () => {
    const receiptMs = Date.parse(granted.grantedAt ?? '')
    expect(endedAtMs(granted, 8_000, receiptMs + 60_000)).toBe(receiptMs + 8_000)
    expect(endedAtMs(granted, 8_000, receiptMs + 3_000)).toBe(receiptMs + 3_000)
    expect(endedAtMs(granted, null, receiptMs + 3_000)).toBe(receiptMs + 3_000)
    expect(endedAtMs(granted, 8_000, 0)).toBe(Date.parse(granted.calledAt))
  })
  it('hands over to the oldest joiner in time', () => {
    const joiner = (id: string, second: string): OpeningRow => ({
      ...row,
      id,
      calledAt: `2026-01-05T08:00:${second}.000Z`,
    })
    const [a, b, c] = [joiner('open_1', '01'), joiner('open_2', '02'), joiner('open_3', '03')]
    const { followers, heir, tooLate } = handOver([c, b, a], candidate => candidate !== a)
    expect([heir, followers, tooLate]).toEqual([b, [c], [a]])
    expect(handOver([a, c, b], () => true)).toEqual({ heir: a, followers: [b, c], tooLate: [] })
  })
})
