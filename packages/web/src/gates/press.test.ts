import { exampleEvidence, exampleOpening } from '@callgate/contract/rest/opening'
import { expect, it } from 'vitest'
import { endOf, noticeMs, refusalOf, stepOf } from './press.ts'

const opening = { ...exampleOpening, status: 'initiated' as const, completedAt: null, duration: null }
const evidence = {
  ...exampleEvidence,
  reason: null,
  opened: null,
  confidence: null,
  safeToRetry: null,
  grantedAt: null,
  verdict: null,
  call: null,
}
const given = { nowMs: 1_000, coolDownMs: 5_000 }

it('is as far as the cloud reports, and no further', () => {
  expect(stepOf({ opening, evidence })).toBe('asked')
  expect(stepOf({ opening, evidence: { ...evidence, grantedAt: '2026-03-27T16:04:03.154Z' } })).toBe(
    'calling',
  )
  expect(stepOf({ opening: { ...opening, status: 'connected' }, evidence })).toBe('ringing')
  expect(endOf({ opening, evidence }, given)).toBeUndefined()
})

it('is opening until the cool-down is over', () => {
  expect(endOf({ opening: exampleOpening, evidence: exampleEvidence }, given)).toMatchObject({
    is: 'ended',
    class: 'opened',
    readyAtMs: 6_000,
  })
})

it('offers another press only where it is safe', () => {
  const failed = { ...opening, status: 'failed' as const }
  const end = (safeToRetry: boolean) =>
    endOf(
      {
        opening: failed,
        evidence: { ...evidence, reason: 'busy', opened: 'no', confidence: 'certain', safeToRetry },
      },
      given,
    )
  expect(end(true)).toMatchObject({ class: 'did_not_open', safeToRetry: true, readyAtMs: 1_000 + noticeMs })
  expect(end(false)).toMatchObject({ safeToRetry: false })
})

it('is unknown where the outcome is unknown, whatever the reason', () => {
  const lost = { ...opening, status: 'timeout' as const }
  const end = endOf(
    { opening: lost, evidence: { ...evidence, reason: 'no_report', opened: 'unknown' } },
    given,
  )
  expect(end).toMatchObject({ class: 'unknown', safeToRetry: false })
})

it('shows why a press was refused', () => {
  const failure = { ok: false, message: '', extra: {} } as const
  expect(refusalOf({ ...failure, code: 'rate_limited', retryAfterS: 12 }, 0)).toEqual({
    is: 'not_sent',
    why: 'too_many',
    waitS: 12,
  })
  expect(refusalOf({ ...failure, code: 'unavailable', retryAfterS: 84 }, 0)).toEqual({
    is: 'not_sent',
    why: 'unavailable',
    waitS: 84,
  })
  expect(refusalOf({ ...failure, code: 'not_found' }, 0)).toMatchObject({ why: 'refused' })
  const extra = { reason: 'gate_inactive', safeToRetry: false }
  expect(refusalOf({ ...failure, code: 'open_failed', extra }, 0)).toMatchObject({ class: 'denied' })
})
