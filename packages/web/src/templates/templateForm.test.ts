import { expect, it } from 'vitest'
import { presetOf } from './templateForm.ts'

const template = {
  name: 'Weekend guest',
  gateIds: [],
  schedules: [{ type: 'weekends' as const, timezone: 'Europe/Bucharest' }],
  maxUsage: 10,
}

it('lasts to the end of its last day, of which today is the first', () => {
  const ends = (endsAfterDays: number | null) => {
    const { maxUsage, schedules } = presetOf({ ...template, endsAfterDays }, '2026-12-30T22:15')
    expect([maxUsage, schedules.map(({ repeats }) => repeats)]).toEqual(['10', ['weekends']])
    return schedules.map(({ expiresAt }) => expiresAt)
  }
  expect([ends(1), ends(3), ends(null)]).toEqual([['2026-12-31T00:00'], ['2027-01-02T00:00'], ['']])
})
