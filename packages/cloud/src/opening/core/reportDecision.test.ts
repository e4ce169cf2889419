import { isHelpedByAnother, passesByItself } from '@callgate/contract/call/advice'
import { type ReasonWord, reasons } from '@callgate/contract/call/reason'
import type { Verdict } from '@callgate/contract/call/verdict'
import { exampleVerdict } from '@callgate/contract/call/verdict'
import { openingStatuses } from '@callgate/contract/rest/opening'
import type { Report } from '@callgate/contract/wire/messages'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endingUndialled, endingUnknown, type OpeningRow, transitions } from '../../core/opening.ts'
import { grantedRow as granted, leadingRow as row } from '../openingRow.kit.ts'
import { decideReport, isForAnother } from './reportDecision.ts'

const ours = { gatewayId: 'gw_a', bootId: 'boot1' }
const endedReport: Report = { phase: 'ended', sinceClaimMs: 8_000, verdict: exampleVerdict, evidence: null }

describe('a report', () => {
  it('A3: counts only from the gateway that got the grant', () => {
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
  it('A2, A6: sets the opening connected once and ends it once', () => {
    expect(decideReport(granted, ours, { phase: 'ringing', sinceClaimMs: 1 })).toEqual({ kind: 'connect' })
    expect(
      decideReport({ ...granted, status: 'connected' }, ours, { phase: 'answered', sinceClaimMs: 1 }),
    ).toEqual({ kind: 'keep' })
    expect(decideReport(granted, ours, endedReport)).toMatchObject({
      kind: 'end',
      end: 'reportedCall',
    })
    expect(decideReport({ ...granted, status: 'completed', isSettled: true }, ours, endedReport)).toEqual({
      kind: 'keep',
    })
  })
  it('A3: leaves open whether the gate moved after an unanswered test call', () => {
    const said = (verdict: Partial<Verdict>, isTestCall: boolean | null = true) => {
      const report = { ...endedReport, verdict: { ...exampleVerdict, ...verdict } }
      return decideReport({ ...granted, isTestCall }, ours, report)
    }
    const rangOn = { status: 'timeout', reason: 'no_reaction', opened: 'no', confidence: 'likely' } as const
    const unknown = { opened: 'unknown', confidence: 'unknown', safeToRetry: false }
    expect(said(rangOn)).toMatchObject({ end: 'reportedCall', ending: { reason: 'no_reaction', ...unknown } })
    expect(said(rangOn, null)).toMatchObject({ ending: { opened: 'no', confidence: 'likely' } })
    expect(said({})).toMatchObject({ ending: { opened: exampleVerdict.opened } })
    const notLeft = { ...rangOn, reason: 'no_network', confidence: 'certain' } as const
    expect(said(notLeft)).toMatchObject({ end: 'reportedNoCall', ending: { opened: 'no' } })
  })
  it('A3: corrects a timeout of the cloud once', () => {
    const late: OpeningRow = { ...granted, ...endingUnknown('no_report') }
    expect(decideReport(late, ours, endedReport)).toMatchObject({ kind: 'end', end: 'correctedCall' })
    const undialled: Report = { phase: 'not_dialled', sinceClaimMs: 7_000 }
    expect(decideReport(late, ours, undialled)).toMatchObject({ kind: 'end', end: 'correctedNoCall' })
    expect(decideReport({ ...late, isSettled: true }, ours, endedReport)).toEqual({ kind: 'keep' })
    const failed: OpeningRow = { ...granted, ...endingUndialled('interrupted') }
    expect(decideReport(failed, ours, endedReport)).toEqual({ kind: 'keep' })
  })
  it('that nothing was dialled is ignored for an ungranted opening, and makes a granted one safe to retry', () => {
    const report: Report = { phase: 'not_dialled', sinceClaimMs: 7_000 }
    expect(decideReport(granted, ours, report)).toMatchObject({
      kind: 'end',
      end: 'reportedNoCall',
      ending: { safeToRetry: true },
    })
    expect(decideReport(row, ours, report)).toEqual({ kind: 'keep' })
  })
  it('A3: that nothing was dialled does not end the grant of an earlier boot, but an outcome does', () => {
    const later = { ...ours, bootId: 'boot2' }
    const report: Report = { phase: 'not_dialled', sinceClaimMs: 7_000 }
    expect(decideReport(granted, later, report)).toEqual({ kind: 'keep' })
    expect(decideReport(granted, later, endedReport)).toMatchObject({ kind: 'end', end: 'reportedCall' })
  })
  it.each([
    ['sim_error', 'certain', false],
    ['no_network', 'certain', false],
    ['line_in_use', 'certain', false],
    ['network_rejected', 'certain', false],
    ['network_rejected', 'likely', true],
    ['no_credit', 'certain', false],
    ['no_credit', 'likely', true],
    ['calls_barred', 'certain', false],
    ['calls_barred', 'likely', true],
    ['no_network', 'likely', true],
    ['bad_number', 'certain', true],
    ['busy', 'likely', true],
  ] as const)('of %s, %s, tells whether the call left the modem', (reason, confidence, dialled) => {
    const checked: Verdict = { ...exampleVerdict, status: 'failed', opened: 'no', reason, confidence }
    expect(decideReport(granted, ours, { ...endedReport, verdict: checked } as Report)).toMatchObject({
      kind: 'end',
      end: dialled ? 'reportedCall' : 'reportedNoCall',
    })
  })
  it('counts as safe to retry only where nothing moved and a retry can help', () => {
    for (const reason of Object.keys(reasons) as ReasonWord[])
      for (const opened of ['yes', 'likely', 'no', 'unknown'] as const)
        for (const safeToRetry of [true, false]) {
          const verdict: Verdict = { ...exampleVerdict, status: 'failed', reason, opened, safeToRetry }
          expect(decideReport(granted, ours, { ...endedReport, verdict })).toMatchObject({
            ending: { safeToRetry: safeToRetry && opened === 'no' && passesByItself(reason) },
          })
        }
  })
  it('A3: suggests another gateway only where nothing moved and the fault lies with the gateway that called', () => {
    const failed = { ...endingUndialled('sim_error'), confidence: 'likely' } as const
    for (const reason of Object.keys(reasons) as ReasonWord[]) {
      expect(isForAnother({ ...failed, reason })).toBe(isHelpedByAnother(reason))
      for (const opened of ['yes', 'likely', 'unknown'] as const)
        expect(isForAnother({ ...failed, reason, opened })).toBe(false)
    }
  })
  it('never causes a transition that is not allowed', () => {
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
