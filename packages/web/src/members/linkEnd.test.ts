import { expect, it } from 'vitest'
import { endAhead, endOf, offeredEnds, sayEnd } from './linkEnd.ts'

const en = { locale: 'en-GB' }

it('says an end by the last moment that the link opens', () => {
  expect(sayEnd('2026-03-20T18:00', en)).toBe('Until Friday, 20 March 2026, 18:00.')
  expect(sayEnd('2026-04-01T00:00', en)).toBe('Until the end of Tuesday, 31 March 2026.')
  expect(sayEnd('2026-03-20T18:00', { locale: 'ro-RO' })).toBe('Până vineri, 20 martie 2026, 18:00.')
})

it('offers the evening first, while it is more than an hour away', () => {
  expect(offeredEnds('2026-03-20T16:59')).toEqual(['evening', 'today', 'tomorrow', 'other'])
  expect(offeredEnds('2026-03-20T17:00')).toEqual(['today', 'tomorrow', 'other'])
})

it('ends at the evening, at the midnight after a day, or when it was typed', () => {
  const now = '2026-12-30T09:15'
  expect(endOf('evening', now, '')).toBe('2026-12-30T18:00')
  expect(endOf('today', now, '')).toBe('2026-12-31T00:00')
  expect(endOf('tomorrow', now, '')).toBe('2027-01-01T00:00')
  expect(endOf('other', now, '2027-02-03T08:00')).toBe('2027-02-03T08:00')
})

it('ends ahead of now where the dialog was open beyond the end', () => {
  const ends = (end: 'evening' | 'today' | 'tomorrow' | 'other', now: string) =>
    endAhead(end, '2026-03-20T16:58', now, '2026-03-20T17:00')
  expect(ends('evening', '2026-03-20T17:30')).toBe('2026-03-20T18:00')
  expect(ends('evening', '2026-03-20T18:00')).toBe('2026-03-21T00:00')
  expect(ends('today', '2026-03-21T00:00')).toBe('2026-03-22T00:00')
  expect(ends('tomorrow', '2026-03-21T00:01')).toBe('2026-03-22T00:00')
  expect(ends('other', '2026-03-20T17:30')).toBe('2026-03-20T17:00')
})
