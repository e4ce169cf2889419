import type { ScheduleInput } from '@callgate/contract/rest/schedule'
import { expect, it } from 'vitest'
import { previewOf } from './preview.ts'
import { readSchedules } from './readSchedules.ts'

const timezone = 'Europe/Bucharest'
// Friday, 14:32 in Bucharest.
const nowMs = Date.parse('2026-03-20T12:32:00Z')

function preview(...inputs: ScheduleInput[]) {
  const read = readSchedules(inputs, 'schedules')
  if (!read.ok) throw new Error(read.problem.message)
  return previewOf(read.schedules, timezone, nowMs)
}

const weekdays: ScheduleInput = { type: 'weekdays', timeWindows: [{ from: '07:00', to: '19:00' }] }
const nights: ScheduleInput = {
  type: 'custom',
  daysOfWeek: [5, 6],
  timeWindows: [{ from: '22:00', to: '06:00' }],
}

it('gives the next ten times, beginning with the current one', () => {
  const { state, times } = preview(weekdays, nights)
  expect(state).toBe('coming')
  expect(times.map(({ fromWall, toWall }) => `${fromWall} ${toWall?.slice(11)}`)).toEqual([
    '2026-03-20T14:32 19:00',
    '2026-03-20T22:00 06:00',
    '2026-03-21T22:00 06:00',
    '2026-03-23T07:00 19:00',
    '2026-03-24T07:00 19:00',
    '2026-03-25T07:00 19:00',
    '2026-03-26T07:00 19:00',
    '2026-03-27T07:00 19:00',
    '2026-03-27T22:00 06:00',
    '2026-03-28T22:00 06:00',
  ])
  expect(times.map(({ isNow }) => isNow).indexOf(true)).toBe(0)
  // The last one has 7 hours, because the clock goes from 03:00 to 04:00 that night.
  expect(times.map(({ clockChange }) => clockChange)).toEqual([...Array(9).fill(null), 'forward'])
  expect(times.at(-1)).toMatchObject({ from: '2026-03-28T20:00:00.000Z', to: '2026-03-29T03:00:00.000Z' })
})

it('gives a time without an end, and one with an unknown end', () => {
  expect(preview({ type: 'always' }).times).toMatchObject([{ isNow: true, to: null, toWall: null }])
  const autumn = preview({ type: 'one-shot', startsAt: '2026-10-24T22:00', expiresAt: '2026-10-25T06:00' })
  expect(autumn.times).toMatchObject([{ isNow: false, clockChange: 'back', toWall: '2026-10-25T06:00' }])
})

it('tells an ended schedule from one that never allows anything', () => {
  expect(preview({ type: 'always', expiresAt: '2026-03-01T00:00' })).toMatchObject({
    state: 'ended',
    times: [],
  })
  // Its last window was on Friday; it expires on Sunday.
  const until = { ...weekdays, timeWindows: [{ from: '07:00', to: '08:00' }], expiresAt: '2026-03-22T00:00' }
  expect(preview(until)).toMatchObject({ state: 'ended', times: [] })
  // On that day the clock goes from 03:00 to 04:00, so this window does not occur.
  const gap = { timeWindows: [{ from: '03:15', to: '03:45' }], startsAt: '2026-03-29T00:00' }
  expect(preview({ ...gap, type: 'weekends', expiresAt: '2026-03-30T00:00' })).toMatchObject({
    state: 'never',
    times: [],
  })
})

it("uses the wall clock of the schedules' zone, and of the Space where they have several zones", () => {
  const lisbon: ScheduleInput = { ...weekdays, timezone: 'Europe/Lisbon' }
  expect(preview(lisbon)).toMatchObject({ timezone: 'Europe/Lisbon' })
  expect(preview(lisbon).times[1]).toMatchObject({ fromWall: '2026-03-23T07:00' })
  expect(preview(lisbon, weekdays)).toMatchObject({ timezone })
})
