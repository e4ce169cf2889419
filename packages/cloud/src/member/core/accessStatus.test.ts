import type { Schedule } from '@callgate/contract/rest/schedule'
import { expect, it } from 'vitest'
import type { AccessFacts } from '../../core/accessDecision.ts'
import { decide } from '../../core/schedule/decide.ts'
import { accessNow, bestOf } from './accessStatus.ts'

const timezone = 'Europe/Bucharest'
// Friday, 14:32 in Bucharest.
const nowMs = Date.parse('2026-03-20T12:32:00Z')
const always: Schedule = { type: 'always', timezone }
const night: Schedule = { type: 'weekdays', timeWindows: [{ from: '22:00', to: '06:00' }], timezone }
const day: Schedule = { type: 'weekdays', timeWindows: [{ from: '07:00', to: '19:00' }], timezone }

function stands({ schedules = [always], ...more }: Partial<AccessFacts>, isGateActive = true) {
  const decision = decide(schedules, nowMs)
  const access = { isGateActive, isActive: true, schedules, maxUsage: null, usageCount: 0, ...more }
  return accessNow(access, nowMs, decision.allowed ? decision.untilMs : null)
}

it('is allowed as long as its schedules allow it', () => {
  const none = { nextAt: null, endsAt: null, usesLeft: null }
  expect(stands({})).toEqual({ standing: 'allowed_now', untilAt: null, ...none })
  expect(stands({ schedules: [day] })).toMatchObject({
    standing: 'allowed_now',
    untilAt: '2026-03-20T17:00:00.000Z',
  })
})

it('names the next allowed time outside its hours, and before it begins', () => {
  expect(stands({ schedules: [night] })).toMatchObject({
    standing: 'outside_hours',
    nextAt: '2026-03-20T20:00:00.000Z',
  })
  expect(stands({ schedules: [{ ...always, startsAt: '2026-03-23T07:00' }] })).toMatchObject({
    standing: 'not_yet',
    nextAt: '2026-03-23T05:00:00.000Z',
  })
})

it('has ended where no allowed time is left, also when it is switched off', () => {
  const over = { schedules: [{ ...always, expiresAt: '2026-03-01T00:00' }], isActive: false }
  expect(stands(over)).toMatchObject({ standing: 'ended', endsAt: '2026-02-28T22:00:00.000Z' })
})

it('is denied by its gate, its switch and its cap, in this order', () => {
  const capped = { maxUsage: 10, usageCount: 12 }
  expect(stands({ ...capped, isActive: false }, false)).toMatchObject({ standing: 'gate_off', nextAt: null })
  expect(stands({ ...capped, isActive: false })).toMatchObject({ standing: 'switched_off' })
  expect(stands(capped)).toMatchObject({ standing: 'used_up', usesLeft: 0 })
  expect(stands({ maxUsage: 10, usageCount: 3 })).toMatchObject({ standing: 'allowed_now', usesLeft: 7 })
})

it('of a member is the status of the best access', () => {
  const [free, weekday, late, over] = [
    stands({}),
    stands({ schedules: [{ ...day, expiresAt: '2026-06-30T00:00' }] }),
    stands({ schedules: [night] }),
    stands({ schedules: [{ ...always, expiresAt: '2026-03-01T00:00' }] }),
  ]
  expect(bestOf([])).toMatchObject({ standing: null })
  expect(bestOf([late, weekday])).toMatchObject({
    standing: 'allowed_now',
    untilAt: '2026-03-20T17:00:00.000Z',
    endsAt: null,
  })
  expect(bestOf([weekday, free])).toMatchObject({ standing: 'allowed_now', untilAt: null })
  expect(bestOf([over, late])).toMatchObject({
    standing: 'outside_hours',
    nextAt: '2026-03-20T20:00:00.000Z',
  })
  const later = stands({ schedules: [{ ...night, startsAt: '2026-03-21T00:00' }] })
  expect(bestOf([{ ...later, standing: 'outside_hours' }, late])).toMatchObject({ nextAt: late.nextAt })
  expect(bestOf([weekday, over])).toMatchObject({ endsAt: '2026-06-29T21:00:00.000Z' })
})
