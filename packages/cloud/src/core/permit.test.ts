import type { Schedule } from '@callgate/contract/rest/schedule'
import { magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { describe, expect, it } from 'vitest'
import { dialRefusal, type PrincipalFacts } from './permit.ts'

// Monday, 10:00 in Bucharest.
const nowMs = Date.parse('2026-01-05T08:00:00Z')
const timezone = 'Europe/Bucharest'
const at = (from: string, to: string): Schedule => ({
  type: 'weekdays',
  timeWindows: [{ from, to }],
  timezone,
})
const open = at('10:00', '11:00')
const until2020: Schedule = { type: 'one-shot', expiresAt: '2020-01-01T00:00:00Z', timezone: 'UTC' }
const gate = { isActive: true, phoneNumber: '+40722000001' }
const access = { isGateActive: true, isActive: true, schedules: [open], maxUsage: 2, usageCount: 1 }
const guest: PrincipalFacts = { kind: 'guest', isMemberActive: true, access }
const key = { revokedAt: null, expiresAt: null, mayOpen: true, planHasApi: true }
const own = { acceptedNumber: gate.phoneNumber, gate, principal: guest }
const facts = { nowMs, scheduleMs: nowMs, isSandbox: false, isLockedDown: false, ...own }

describe('a guest', () => {
  const having = (more: Partial<typeof access>): PrincipalFacts => ({
    ...guest,
    access: { ...access, ...more },
  })

  it.each<[string, PrincipalFacts, string | undefined]>([
    ['may open within the hours and below the cap', guest, undefined],
    ['may open by any one of the schedules', having({ schedules: [at('08:00', '09:00'), open] }), undefined],
    ['may not before the hours', having({ schedules: [at('10:01', '11:00')] }), 'outside_schedule'],
    ['may not when the hours are over', having({ schedules: [at('09:00', '10:00')] }), 'outside_schedule'],
    [
      'may not before the first day, when another schedule is over',
      having({ schedules: [until2020, { ...open, startsAt: '2030-01-01T00:00:00Z' }] }),
      'outside_schedule',
    ],
    ['may not, ever again, when all schedules are over', having({ schedules: [until2020] }), 'access_ended'],
    [
      'may not, ever again, when no window is left before the end',
      having({ schedules: [until2020, { ...at('09:00', '10:00'), expiresAt: '2026-01-06T09:00:00' }] }),
      'access_ended',
    ],
    ['may not at the cap', having({ usageCount: 2 }), 'usage_exhausted'],
    ['may not above a cap that was lowered', having({ usageCount: 5 }), 'usage_exhausted'],
    ['may not by an access that is switched off', having({ isActive: false }), 'access_inactive'],
    [
      'may not by an access that is gone',
      { kind: 'guest', isMemberActive: true, access: undefined },
      'access_revoked',
    ],
    ['may not when no longer a member', { ...guest, isMemberActive: false }, 'access_revoked'],
  ])('%s', (_, principal, reason) => {
    expect(dialRefusal({ ...facts, principal })).toBe(reason)
  })

  it('may open without a cap as often as they like', () => {
    const principal: PrincipalFacts = {
      ...guest,
      access: { ...access, maxUsage: null, usageCount: 1_000_000 },
    }
    expect(dialRefusal({ ...facts, principal })).toBeUndefined()
  })
})

describe('a key', () => {
  it.each([
    ['may open', key, undefined],
    ['may not once it is revoked', { ...key, revokedAt: '2026-01-05T07:59:59.999Z' }, 'permission_lost'],
    [
      'may not from the instant it expires',
      { ...key, expiresAt: '2026-01-05T08:00:00.000Z' },
      'permission_lost',
    ],
    ['may until it expires', { ...key, expiresAt: '2026-01-05T08:00:00.001Z' }, undefined],
    ['may not without the scope', { ...key, mayOpen: false }, 'permission_lost'],
    ['may not on a plan without the API', { ...key, planHasApi: false }, 'permission_lost'],
    ['may not when it is gone', undefined, 'permission_lost'],
  ])('%s', (_, held, reason) => {
    expect(dialRefusal({ ...facts, principal: { kind: 'key', key: held } })).toBe(reason)
  })
})

it('P4: is refused for a gate that is switched off, has a new number or one that is never called, whoever asks', () => {
  for (const principal of [guest, { kind: 'key', key } as const]) {
    expect(dialRefusal({ ...facts, principal, gate: { ...gate, isActive: false } })).toBe('gate_inactive')
    expect(dialRefusal({ ...facts, principal, gate: { ...gate, phoneNumber: '+40722000002' } })).toBe(
      'number_changed',
    )
    const premium = { acceptedNumber: '+4990012345678', gate: { ...gate, phoneNumber: '+4990012345678' } }
    expect(dialRefusal({ ...facts, principal, ...premium })).toBe('number_not_allowed')
  }
})

it('P3: is refused while all gates are locked, whoever asks and whatever else forbids it', () => {
  for (const principal of [guest, { kind: 'key', key }, { kind: 'user', user: undefined }] as const) {
    const locked = { ...facts, principal, isLockedDown: true }
    expect(dialRefusal(locked)).toBe('locked_down')
    expect(dialRefusal({ ...locked, gate: { ...gate, isActive: false } })).toBe('locked_down')
  }
})

describe('a sandbox', () => {
  const magic = { ...gate, phoneNumber: magicNumber('confirmed') }
  const inSandbox = { ...facts, isSandbox: true, acceptedNumber: magic.phoneNumber, gate: magic }

  it('P4: calls its own numbers alone, which a live Space never calls', () => {
    expect(dialRefusal(inSandbox)).toBeUndefined()
    expect(dialRefusal({ ...inSandbox, isSandbox: false })).toBe('number_not_allowed')
    expect(dialRefusal({ ...facts, isSandbox: true })).toBe('number_not_allowed')
  })

  it('P3: decides on schedules by its own clock, and on keys by the real one', () => {
    const scheduleMs = nowMs + 12 * 60 * 60_000
    expect(dialRefusal({ ...inSandbox, scheduleMs })).toBe('outside_schedule')
    const expiring = { ...key, expiresAt: '2026-01-05T09:00:00.000Z' }
    const principal = { kind: 'key', key: expiring } as const
    expect(dialRefusal({ ...inSandbox, scheduleMs, principal })).toBeUndefined()
  })
})
