import type { ScheduleInput } from '@callgate/contract/rest/schedule'
import { describe, expect, it } from 'vitest'
import { readSchedules } from './readSchedules.ts'

const night = { from: '22:00', to: '06:00' }

function messageOf(input: ScheduleInput): string {
  const read = readSchedules([{ type: 'always' }, input], 'accesses[0].schedules')
  return read.ok ? 'accepted' : read.problem.message
}

describe('readSchedules', () => {
  it.each<[string, ScheduleInput, object]>([
    ['fills in the zone', { type: 'always' }, { type: 'always', timezone: 'Europe/Bucharest' }],
    [
      'takes null for absent',
      {
        type: 'weekdays',
        daysOfWeek: null,
        timeWindows: null,
        startsAt: null,
        expiresAt: null,
        timezone: null,
      },
      { type: 'weekdays', timezone: 'Europe/Bucharest' },
    ],
    [
      'merges repeated days and keeps their order',
      { type: 'custom', daysOfWeek: [5, 1, 5, 0, 1], timeWindows: [night] },
      { type: 'custom', daysOfWeek: [5, 1, 0], timeWindows: [night], timezone: 'Europe/Bucharest' },
    ],
    [
      'keeps bounds as they were sent',
      { type: 'one-shot', startsAt: '2026-12-24T08:00', expiresAt: '2026-12-24T08:00:00.500+02:00' },
      {
        type: 'one-shot',
        startsAt: '2026-12-24T08:00',
        expiresAt: '2026-12-24T08:00:00.500+02:00',
        timezone: 'Europe/Bucharest',
      },
    ],
    [
      'takes an alias of a zone as it is',
      { type: 'weekends', timezone: 'Asia/Kolkata' },
      { type: 'weekends', timezone: 'Asia/Kolkata' },
    ],
  ])('%s', (_what, input, answered) => {
    expect(readSchedules([input], 'schedules')).toEqual({ ok: true, schedules: [answered] })
  })

  it.each<[ScheduleInput, string]>([
    [{ type: 'always', timezone: 'Mars/Olympus' }, 'timezone must be the IANA name of a time zone'],
    [{ type: 'always', timezone: '' }, 'timezone must be'],
    [{ type: 'always', timezone: 'BST' }, 'timezone must be'],
    [
      { type: 'weekdays', timeWindows: [night, { from: '08:00', to: '08:00' }] },
      'timeWindows[1].to must differ from its from',
    ],
    [{ type: 'weekdays', timeWindows: [{ from: '00:00', to: '00:00' }] }, 'timeWindows[0].to must differ'],
    [{ type: 'always', startsAt: '2026-12-24' }, 'startsAt must be a date with a time, such as'],
    [{ type: 'always', expiresAt: '2026-12-24' }, 'expiresAt must be a date with a time, such as'],
    [
      { type: 'always', startsAt: '2026-12-24T08:00Z', expiresAt: '2026-12-24T10:00+02:00' },
      'expiresAt must be after startsAt',
    ],
    [
      { type: 'always', startsAt: '2026-12-24T08:00', expiresAt: '2026-12-24T07:59' },
      'expiresAt must be after startsAt',
    ],
    // The later reading of the start is after the earlier reading of the end.
    [
      { type: 'always', startsAt: '2026-10-25T03:15', expiresAt: '2026-10-25T03:45' },
      'expiresAt must be after startsAt; when both lie in the hour of a DST change, give them with an offset',
    ],
  ])('%j: %s', (input, message) => {
    expect(messageOf(input)).toMatch(/^accesses\[0\]\.schedules\[1\]\./)
    expect(messageOf(input)).toContain(`accesses[0].schedules[1].${message}`)
  })

  it.each([
    '2026-12-24T08:00',
    '2026-12-24T08:00:00',
    '2026-12-24T08:00:00Z',
    '2026-12-24T08:00:00.123456789+05:45',
    '2026-12-24T08:00-03:30',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.9999999Z',
    '2028-02-29T00:00Z',
  ])('accepts %s as a bound', startsAt => {
    expect(messageOf({ type: 'always', startsAt })).toBe('accepted')
  })

  it.each([
    '',
    'tomorrow',
    '2026-12-24T',
    '2026-12-24T08',
    '2026-12-24T8:00',
    '2026-12-24 08:00',
    '2026-12-24T24:00',
    '2026-12-24T08:60',
    '2026-12-24T08:00:60Z',
    '2026-12-24T08:00+0200',
    '2026-12-24T08:00+02',
    '2026-12-24T08:00+24:00',
    '2026-12-24T08:00[Europe/Bucharest]',
    '2026-12-24T08:00:00.Z',
    '2026-02-29T08:00Z',
    '2026-02-30T08:00Z',
    '2026-13-01T08:00Z',
    '2026-00-01T08:00Z',
    '+012026-01-01T08:00Z',
    '2026-W10-1T08:00',
    '1798099200',
    '2026-12-24T08:00Z\n',
  ])('refuses %j as a bound', startsAt => {
    expect(messageOf({ type: 'always', startsAt })).toContain('startsAt must be a date with a time')
  })
})
