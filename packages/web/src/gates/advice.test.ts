import { expect, it } from 'vitest'
import { adviceOf, hasSameCause, pathOf } from './advice.ts'

const opening = (reason: string | null, given: object = {}) => ({
  class: 'did_not_open' as const,
  reason,
  safeToRetry: false,
  gateId: 'gate_1',
  by: { kind: 'member' as const, id: 'member_1' },
  ...given,
})

it('advises what to do by the reason, and where', () => {
  expect(adviceOf(opening('no_reaction'))).toEqual({ remedy: 'allowNumber', page: 'gate' })
  expect(adviceOf(opening('modem_lost_after_ring'))).toEqual({ remedy: 'supply', page: 'gateway' })
  expect(adviceOf(opening('outside_schedule'))).toEqual({ remedy: 'hours', page: 'member' })
  expect(adviceOf(opening('cancelled'))).toEqual({ page: undefined })
  const gone = { by: { kind: 'member' as const, id: null } }
  expect(adviceOf(opening('outside_schedule', gone))).toEqual({ remedy: 'hours', page: undefined })
})

it('advises another press, and when, in agreement with the API', () => {
  expect(adviceOf(opening('busy', { safeToRetry: true }))).toEqual({ again: 'tenSeconds', page: undefined })
  expect(adviceOf(opening('no_network', { safeToRetry: true }))).toEqual({
    again: 'minute',
    remedy: 'gateway',
    page: 'gateway',
  })
  expect(adviceOf(opening('busy'))).toEqual({ page: undefined })
  expect(adviceOf(opening('busy', { safeToRetry: null }))).toEqual({ page: undefined })
})

it('gives no advice where all went well, and for an unknown reason of a newer cloud', () => {
  expect(adviceOf(opening('rejected_after_ring', { class: 'opened' }))).toBeUndefined()
  expect(adviceOf(opening('tired'))).toBeUndefined()
  expect(adviceOf(opening(null, { class: 'running' }))).toBeUndefined()
})

it('recognises a common cause of two openings', () => {
  const first = opening('no_reaction')
  expect(hasSameCause(first, opening('no_answer', { by: { kind: 'user', id: 'user_1' } }))).toBe(true)
  expect(hasSameCause(first, opening('no_reaction', { gateId: 'gate_2' }))).toBe(false)
  expect(hasSameCause(first, opening('busy'))).toBe(false)
  expect(hasSameCause(opening('busy'), opening('busy'))).toBe(false)
  const other = { by: { kind: 'member' as const, id: 'member_2' } }
  expect(hasSameCause(opening('usage_exhausted'), opening('usage_exhausted', other))).toBe(false)
})

it('leads to the part of a page where the action is', () => {
  const path = (reason: string, given: object = {}) => {
    const ended = { ...opening(reason), gatewayId: 'gw_1', ...given }
    return pathOf(adviceOf(ended) ?? { page: undefined }, ended, 's')
  }
  expect(path('no_reaction')).toBe('/spaces/s/gates/gate_1#let-in')
  expect(path('bad_number')).toBe('/spaces/s/gates/gate_1#edit')
  expect(path('outside_schedule')).toBe('/spaces/s/members/member_1')
  expect(path('no_credit')).toBe('/spaces/s/gateways/gw_1')
  expect(path('no_credit', { gatewayId: null })).toBe('/spaces/s/gateways')
  expect(path('cancelled')).toBeUndefined()
})
