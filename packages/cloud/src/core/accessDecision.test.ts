import type { Schedule } from '@callgate/contract/rest/schedule'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type AccessFacts, decideAccess } from './accessDecision.ts'
import { allowedBy } from './schedule/decide.ts'

const timezone = 'Europe/Bucharest'
// Monday, 10:00 in Bucharest.
const nowMs = Date.parse('2026-01-05T08:00:00Z')
const hourMs = 60 * 60_000
const weekMs = 7 * 24 * hourMs

const window = (from: string, to: string): Schedule => ({
  type: 'weekdays',
  timeWindows: [{ from, to }],
  timezone,
})
const hours = {
  open: window('10:00', '11:00'),
  evening: window('18:00', '20:00'),
  later: { type: 'always', startsAt: '2026-02-01T00:00', timezone },
  over: { type: 'always', expiresAt: '2026-01-01T00:00', timezone },
  // This schedule expires before its next window begins.
  spent: { ...window('09:00', '10:00'), expiresAt: '2026-01-06T09:00' },
} as const satisfies Record<string, Schedule>

const access = {
  isGateActive: true,
  isActive: true,
  schedules: [hours.open],
  maxUsage: 2,
  usageCount: 1,
} satisfies AccessFacts

/** The refusal of a press, the status on a page, and the next opening time. */
function told(more: Partial<AccessFacts>): readonly (string | undefined)[] {
  const { nextMs, refusal, standing } = decideAccess({ ...access, ...more }, nowMs)
  return [refusal, standing, ...(nextMs === null ? [] : [new Date(nextMs).toISOString()])]
}

describe('a press and the pages', () => {
  const off = { isActive: false }
  const gateOff = { isGateActive: false }
  const usedUp = { usageCount: 2 }
  it.each<[string, Partial<AccessFacts>, readonly (string | undefined)[]]>([
    ['open', {}, [undefined, 'allowed_now']],
    ['open without a cap', { maxUsage: null, usageCount: 9 }, [undefined, 'allowed_now']],
    [
      'wait for the hours',
      { schedules: [hours.evening] },
      ['outside_schedule', 'outside_hours', '2026-01-05T16:00:00.000Z'],
    ],
    [
      'wait for the first day',
      { schedules: [hours.later] },
      ['outside_schedule', 'not_yet', '2026-01-31T22:00:00.000Z'],
    ],
    [
      'wait by the schedule that is left',
      { schedules: [hours.over, hours.later] },
      ['outside_schedule', 'not_yet', '2026-01-31T22:00:00.000Z'],
    ],
    ['end with the last schedule', { schedules: [hours.over] }, ['access_ended', 'ended']],
    ['end with the last window', { schedules: [hours.spent] }, ['access_ended', 'ended']],
    ['refuse what is used up', usedUp, ['usage_exhausted', 'used_up']],
    ['refuse what is switched off', off, ['access_inactive', 'switched_off']],
    ['refuse at a gate that is switched off', { ...gateOff, ...off }, ['gate_inactive', 'gate_off']],
    // A press is recorded with its first reason. A page promises no time to a guest whose uses are all taken.
    [
      'differ outside the hours, used up',
      { ...usedUp, schedules: [hours.evening] },
      ['outside_schedule', 'used_up'],
    ],
    [
      'differ before the first day, used up',
      { ...usedUp, schedules: [hours.later] },
      ['outside_schedule', 'used_up'],
    ],
    // A page names an end first, because switching the access on would not help.
    [
      'differ where it has ended, switched off',
      { ...off, schedules: [hours.over] },
      ['access_inactive', 'ended'],
    ],
    [
      'differ where it has ended, gate off',
      { ...gateOff, schedules: [hours.over] },
      ['gate_inactive', 'ended'],
    ],
    ['agree where it has ended, used up', { ...usedUp, schedules: [hours.over] }, ['access_ended', 'ended']],
  ])('%s', (_, more, expected) => {
    expect(told(more)).toEqual(expected)
  })
})

const clocks = fc.integer({ min: 0, max: 23 }).map(hour => `${String(hour).padStart(2, '0')}:00`)
const schedules = fc.array(
  fc
    .record({
      days: fc.subarray([0, 1, 2, 3, 4, 5, 6], { minLength: 1 }),
      windows: fc.option(fc.tuple(clocks, clocks).filter(([from, to]) => from !== to)),
      bounds: fc.tuple(fc.integer({ min: -99, max: 99 }), fc.integer({ min: 1, max: 99 })),
      isBounded: fc.tuple(fc.boolean(), fc.boolean()),
    })
    .map(({ bounds: [begin, length], days, isBounded: [begins, ends], windows }): Schedule => {
      const [from, to] = windows ?? []
      const at = (hour: number) => new Date(nowMs + hour * hourMs).toISOString()
      return {
        type: 'custom',
        daysOfWeek: days,
        timezone,
        ...(from !== undefined && to !== undefined && { timeWindows: [{ from, to }] }),
        ...(begins && { startsAt: at(begin) }),
        ...(ends && { expiresAt: at(begin + length) }),
      }
    }),
  { minLength: 1, maxLength: 3 },
)
const mostly = fc.constantFrom(true, true, true, false)
const accesses: fc.Arbitrary<AccessFacts> = fc.record({
  isGateActive: mostly,
  isActive: mostly,
  schedules,
  maxUsage: fc.option(fc.integer({ min: 1, max: 3 })),
  usageCount: fc.integer({ min: 0, max: 4 }),
})

/** All pairs of a press's refusal and a page's status that can occur at one instant. */
const pairs = new Set([
  'undefined allowed_now',
  'outside_schedule outside_hours',
  'outside_schedule not_yet',
  'outside_schedule used_up',
  'usage_exhausted used_up',
  'access_inactive switched_off',
  'access_inactive ended',
  'gate_inactive gate_off',
  'gate_inactive ended',
  'access_ended ended',
])

describe('the decision on any access at any instant', () => {
  const holds = (check: (access: AccessFacts) => void) =>
    fc.assert(fc.property(accesses, check), { numRuns: 600, seed: 20260105 })

  it('gives presses and pages one of ten pairs, and each pair occurs', () => {
    const seen = new Set<string>()
    holds(drawn => {
      const { refusal, standing } = decideAccess(drawn, nowMs)
      seen.add(`${refusal} ${standing}`)
    })
    expect([...seen].sort()).toEqual([...pairs].sort())
  })

  it('allows a press exactly where gate, access, schedules and cap allow it', () => {
    holds(drawn => {
      const { isActive, isGateActive, maxUsage, usageCount } = drawn
      const isFree =
        isGateActive &&
        isActive &&
        allowedBy(drawn.schedules, nowMs) !== undefined &&
        (maxUsage === null || usageCount < maxUsage)
      expect(decideAccess(drawn, nowMs).refusal === undefined).toBe(isFree)
    })
  })

  it('promises the first time at which the access opens, or none where it stays closed', () => {
    let kept = 0
    holds(drawn => {
      const { nextMs, refusal } = decideAccess(drawn, nowMs)
      if (refusal === undefined) return
      const untilMs = nextMs ?? nowMs + 3 * weekMs
      for (let atMs = nowMs; atMs < untilMs; atMs += hourMs)
        if (decideAccess(drawn, atMs).refusal === undefined)
          throw new Error(`opens at ${new Date(atMs).toISOString()}`)
      if (nextMs === null) return
      kept++
      expect(decideAccess(drawn, nextMs - 1).refusal).toBe('outside_schedule')
      expect(decideAccess(drawn, nextMs).standing).toBe('allowed_now')
    })
    expect(kept).toBeGreaterThan(50)
  })

  it('refuses an access for its cap only where one more use would open it', () => {
    holds(drawn => {
      if (decideAccess(drawn, nowMs).refusal !== 'usage_exhausted') return
      expect(decideAccess({ ...drawn, maxUsage: null }, nowMs).refusal).toBeUndefined()
    })
  })

  it('never opens an ended access again, whatever is switched on', () => {
    holds(drawn => {
      if (decideAccess(drawn, nowMs).standing !== 'ended') return
      const free = { ...drawn, isGateActive: true, isActive: true, maxUsage: null }
      for (let atMs = nowMs; atMs < nowMs + 3 * weekMs; atMs += hourMs)
        expect(decideAccess(free, atMs).refusal).toBe('access_ended')
    })
  })
})
