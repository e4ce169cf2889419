import { openingClasses } from '@callgate/contract/call/openingClass'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { zoneOf } from '../words/zone.ts'
import {
  activityQuery,
  type Filters,
  filtersOf,
  historyQuery,
  isFiltered,
  noFilters,
  searchOf,
} from './filters.ts'

const anyId = (prefix: string) => fc.stringMatching(/^[0-9a-z]{4,26}$/).map(id => `${prefix}_${id}`)
const anyDate = fc
  .integer({ min: 0, max: 20_000 })
  .map(day => new Date(day * 86_400_000).toISOString().slice(0, 10))
const anyFilters: fc.Arbitrary<Filters> = fc.record({
  classes: fc.subarray([...openingClasses]),
  gateId: fc.option(anyId('gate'), { nil: undefined }),
  by: fc.option(fc.record({ kind: fc.constantFrom('member', 'key', 'user'), id: anyId('x') }), {
    nil: undefined,
  }),
  time: fc.oneof(
    fc.constantFrom(1, 7, 30).map(days => ({ is: 'days' as const, days })),
    fc.tuple(anyDate, anyDate).map(dates => {
      const [from = '', to = ''] = dates.sort()
      return { is: 'dates' as const, from, to }
    }),
    fc.constant({ is: 'all' as const }),
  ),
})

it('reads the same filters from the address that it writes', () => {
  fc.assert(
    fc.property(anyFilters, filters => {
      expect(filtersOf(new URLSearchParams(searchOf(filters).toString()))).toEqual(filters)
    }),
  )
})

it('leaves out impossible filters', () => {
  const text = 'class=opened,blue&gate=<b>&member=&key=1&from=2026-02-30&to=2026-03-01&time=90d'
  expect(filtersOf(new URLSearchParams(text))).toEqual({ ...noFilters, classes: ['opened'] })
  expect(filtersOf(new URLSearchParams('from=2026-03-02&to=2026-03-01'))).toEqual(noFilters)
  expect(isFiltered(noFilters)).toBe(false)
})

it('asks for whole days of the zone, also where the clocks change', () => {
  const zone = zoneOf('Europe/Bucharest')
  const asked = (time: Filters['time']) => {
    const { from, to } = activityQuery({ ...noFilters, time }, zone, '2026-03-30')
    return [from, to]
  }
  expect(asked({ is: 'days', days: 1 })).toEqual(['2026-03-29T21:00:00.000Z', undefined])
  expect(asked({ is: 'days', days: 7 })).toEqual(['2026-03-23T22:00:00.000Z', undefined])
  expect(asked({ is: 'dates', from: '2026-03-29', to: '2026-03-29' })).toEqual([
    '2026-03-28T22:00:00.000Z',
    '2026-03-29T21:00:00.000Z',
  ])
  expect(asked({ is: 'all' })).toEqual([undefined, undefined])
})

it('asks for a person with the name that the API uses', () => {
  const asked = (kind: 'member' | 'key' | 'user') =>
    historyQuery({ ...noFilters, time: { is: 'all' }, by: { kind, id: 'a_1' } }, zoneOf('UTC'), '1970-01-01')
  expect(asked('member')).toMatchObject({ memberId: 'a_1', apiKeyId: undefined, userId: undefined })
  expect(asked('key')).toMatchObject({ memberId: undefined, apiKeyId: 'a_1', userId: undefined })
  expect(asked('user')).toMatchObject({ memberId: undefined, apiKeyId: undefined, userId: 'a_1' })
})
