import type { DayCounts } from '@callgate/contract/app/openingRecord'
import { expect, it } from 'vitest'
import { type Filters, noFilters } from './filters.ts'
import { fittingTotal } from './fittingTotal.ts'

const dayOf = (date: string, opened: number): DayCounts => ({
  date,
  opened,
  didNotOpen: 20,
  unknown: 3,
  denied: 400,
})
const days = [...Array(29).fill(dayOf('2026-03-01', 1_000)), dayOf('2026-03-30', 7)]

it.each([
  ['all of 30 days, with what runs', {}, 29_007 + 30 * 423 + 2],
  ['today', { time: { is: 'days', days: 1 } }, 430 + 2],
  ['whole classes', { classes: ['did_not_open', 'not_called', 'unknown'] }, 30 * 23],
  ['what runs', { classes: ['running', 'denied'] }, 30 * 400 + 2],
  ['a class that is counted with another', { classes: ['did_not_open', 'unknown'] }, undefined],
  ['a gate', { gateId: 'gate_1' }, undefined],
  ['a person', { by: { kind: 'member', id: 'member_1' } }, undefined],
  ['all times', { time: { is: 'all' } }, undefined],
] as const satisfies readonly (readonly [string, Partial<Filters>, number | undefined])[])(
  'gives the total of %s where it is known',
  (_, filters, total) => {
    expect(fittingTotal({ ...noFilters, ...filters }, days, 2)).toBe(total)
  },
)
