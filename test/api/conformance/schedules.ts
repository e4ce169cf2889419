// What the specification and the decisions say of schedules: what is accepted, how it is answered, and what it allows.

import type { Schedule } from '@callgate/contract/rest/schedule'
import { expect } from 'vitest'
import { conformance, rowsOf, type Stage } from './conforms.ts'

export const scheduleTests = conformance()
const conforms = scheduleTests

const zone = 'Europe/Bucharest'

/** Sets schedules by the API. Returns them as they are answered, or the message of the refusal. */
async function addDecidedAccess({ addAccess, addGate, addMember, patch }: Stage) {
  const { id: gateId } = await addGate()
  const { id } = await addMember()
  const access = await addAccess(id, { gateId })
  return async (...schedules: readonly object[]): Promise<readonly Schedule[] | string> => {
    const { json, status } = await patch(`/members/${id}/accesses/${access.id}`, { schedules })
    return status === 200 ? json.access.schedules : `${json.error.code}: ${json.error.message}`
  }
}

conforms([...rowsOf('2 Schedule.'), 'Defaults'], async stage => {
  const ask = await addDecidedAccess(stage)
  const timeWindows = [{ from: '22:00', to: '06:00' }]
  const limits = { startsAt: '2026-01-01T00:00:00Z', expiresAt: '2026-12-31T23:00:00+02:00' }
  const timezone = 'Europe/London'
  const whole = [
    { type: 'always', ...limits, timezone },
    { type: 'weekdays', timeWindows, ...limits, timezone },
    { type: 'weekends', timeWindows, ...limits, timezone },
    { type: 'custom', daysOfWeek: [0, 6], timeWindows, ...limits, timezone },
    { type: 'one-shot', ...limits, timezone },
  ]
  expect(await ask(...whole)).toEqual(whole)
  const types = ['always', 'weekdays', 'weekends', 'one-shot']
  expect(await ask(...types.map(type => ({ type })))).toEqual(types.map(type => ({ type, timezone: zone })))
  const nothing = { daysOfWeek: null, timeWindows: null, startsAt: null, expiresAt: null, timezone: null }
  expect(await ask({ type: 'weekdays', ...nothing })).toEqual([{ type: 'weekdays', timezone: zone }])
  expect(await ask({ type: 'sometimes' })).toMatch(
    /^validation_error: schedules\[0\]\.type must be one of always/,
  )
  for (const day of [-1, 7, 1.5])
    expect(await ask({ type: 'custom', daysOfWeek: [day] })).toMatch(/schedules\[0\]\.daysOfWeek\[0\]/)
})

conforms('null and empty', async stage => {
  const ask = await addDecidedAccess(stage)
  const nulls = { daysOfWeek: null, timeWindows: null, startsAt: null, expiresAt: null, timezone: null }
  expect(await ask({ type: 'one-shot', ...nulls })).toEqual([{ type: 'one-shot', timezone: zone }])
})

/** Refused bodies and the field that the message names. */
function refuses(cases: readonly (readonly [schedule: object, field: string])[]) {
  return async (stage: Stage) => {
    const ask = await addDecidedAccess(stage)
    for (const [schedule, field] of cases) {
      const answer = await ask({ type: 'always' }, schedule)
      expect([schedule, answer]).toEqual([schedule, expect.stringContaining(`schedules[1].${field}`)])
      expect(answer).toMatch(/^validation_error: /)
    }
  }
}

const day = (from: string, to: string) => ({ type: 'weekdays', timeWindows: [{ from, to }] })

conforms('`schedules: []`, `timeWindows: []`', async stage => {
  const ask = await addDecidedAccess(stage)
  expect(await ask()).toMatch(/^validation_error: schedules /)
  expect(await ask({ type: 'weekdays', timeWindows: [] })).toMatch(/schedules\[0\]\.timeWindows/)
  expect(await ask({ type: 'weekdays' })).toEqual([{ type: 'weekdays', timezone: zone }])
})
conforms(
  'from = to, `24:00`, `8:00`',
  refuses([
    [day('08:00', '08:00'), 'timeWindows[0].to'],
    [day('08:00', '24:00'), 'timeWindows[0].to'],
    [day('8:00', '10:00'), 'timeWindows[0].from'],
  ]),
)
conforms(
  'timeWindows on always or one-shot, daysOfWeek on any type but custom',
  refuses([
    [{ ...day('08:00', '10:00'), type: 'always' }, 'timeWindows'],
    [{ ...day('08:00', '10:00'), type: 'one-shot' }, 'timeWindows'],
    [{ type: 'always', daysOfWeek: [1] }, 'daysOfWeek'],
    [{ type: 'weekdays', daysOfWeek: [1] }, 'daysOfWeek'],
    [{ type: 'weekends', daysOfWeek: [6] }, 'daysOfWeek'],
    [{ type: 'one-shot', daysOfWeek: [6] }, 'daysOfWeek'],
  ]),
)
conforms('custom without daysOfWeek, or with none', async stage => {
  await refuses([
    [{ type: 'custom' }, 'daysOfWeek'],
    [{ type: 'custom', daysOfWeek: [] }, 'daysOfWeek'],
  ])(stage)
  const ask = await addDecidedAccess(stage)
  const [schedule] = await ask({ type: 'custom', daysOfWeek: [5, 1, 5, 0, 1] })
  expect(schedule).toMatchObject({ daysOfWeek: [5, 1, 0] })
})
conforms(
  'startsAt, expiresAt',
  refuses([
    [{ type: 'always', startsAt: '2026-01-01' }, 'startsAt'],
    [{ type: 'always', expiresAt: 'tomorrow' }, 'expiresAt'],
    [{ type: 'one-shot', startsAt: '2026-01-02T08:00', expiresAt: '2026-01-02T08:00' }, 'expiresAt'],
    [{ type: 'one-shot', startsAt: '2026-01-02T08:00Z', expiresAt: '2026-01-01T08:00Z' }, 'expiresAt'],
  ]),
)
conforms(
  'Unknown zone',
  refuses([
    [{ type: 'always', timezone: 'Europe/Nowhere' }, 'timezone'],
    [{ type: 'always', timezone: '+02:00' }, 'timezone'],
    [{ type: 'always', timezone: '' }, 'timezone'],
  ]),
)
conforms('Lengths', async stage => {
  const ask = await addDecidedAccess(stage)
  const window = { from: '08:00', to: '09:00' }
  const of = (count: number) => ({ type: 'weekdays', timeWindows: Array(count).fill(window) })
  expect(await ask(...Array(20).fill({ type: 'always' }))).toHaveLength(20)
  expect(await ask(...Array(21).fill({ type: 'always' }))).toMatch(/^validation_error: schedules /)
  expect(await ask(of(10))).toHaveLength(1)
  expect(await ask(of(11))).toMatch(/^validation_error: schedules\[0\]\.timeWindows /)
})

/**
 * Says whether the page behind the link offers the gate at each instant. The fake wall clock jumps there, and back
 * when all are asked.
 */
async function offered(
  { addGate, addMember, api, guest }: Stage,
  schedules: readonly object[],
  instants: readonly string[],
) {
  const { id: gateId } = await addGate()
  const { accesses } = await addMember({ accesses: [{ gateId, schedules: schedules as Schedule[] }] })
  const browser = guest(accesses[0]?.accessUrl ?? '')
  const startMs = api.world.nowMs()
  const answers: boolean[] = []
  for (const at of instants) {
    api.world.jumpWallClock(Date.parse(at) - api.world.nowMs())
    answers.push((await browser.visit()).text.includes(`/gates/${gateId}"`))
  }
  api.world.jumpWallClock(startMs - api.world.nowMs())
  return Object.fromEntries(instants.map((at, place) => [at, answers[place]]))
}

/** Checks for each instant whether the gate is offered. */
function allows(schedules: readonly object[], expected: Readonly<Record<string, boolean>>) {
  return async (stage: Stage) => {
    expect(await offered(stage, schedules, Object.keys(expected))).toEqual(expected)
  }
}

// June 2026: the 1st is a Monday; Bucharest is 3 hours ahead of UTC.
conforms(
  '2 always',
  allows([{ type: 'always' }], { '2026-06-01T00:00:00Z': true, '2026-06-07T12:00:00Z': true }),
)
conforms(
  '2 weekdays',
  allows([{ type: 'weekdays' }], {
    '2026-05-31T20:59:59Z': false,
    '2026-05-31T21:00:00Z': true,
    '2026-06-05T20:59:59Z': true,
    '2026-06-05T21:00:00Z': false,
  }),
)
conforms(
  '2 weekends',
  allows([{ type: 'weekends', timeWindows: [{ from: '10:00', to: '12:00' }] }], {
    '2026-06-05T08:00:00Z': false,
    '2026-06-06T08:00:00Z': true,
    '2026-06-07T08:00:00Z': true,
    '2026-06-07T10:00:00Z': false,
  }),
)
conforms(
  '2 custom',
  allows([{ type: 'custom', daysOfWeek: [0, 3] }], {
    '2026-06-02T12:00:00Z': false,
    '2026-06-03T12:00:00Z': true,
    '2026-06-07T12:00:00Z': true,
    '2026-06-08T12:00:00Z': false,
  }),
)
conforms(
  ['2 one-shot', '2 Schedule.startsAt', '2 Schedule.expiresAt', 'startsAt, expiresAt'],
  async stage => {
    const limits = { startsAt: '2026-06-01T08:00:00', expiresAt: '2026-06-01T10:00:00+02:00' }
    const expected = {
      '2026-06-01T04:59:59.999Z': false,
      '2026-06-01T05:00:00.000Z': true,
      '2026-06-01T07:59:59.999Z': true,
      '2026-06-01T08:00:00.000Z': false,
    }
    for (const type of ['one-shot', 'always', 'weekdays'])
      await allows([{ type, ...limits }], expected)(stage)
  },
)
conforms(
  'one-shot without bounds',
  allows([{ type: 'one-shot' }], { '2026-06-01T00:00:00Z': true, '2036-06-07T12:00:00Z': true }),
)
conforms(
  ['2 Access.schedules', '2 Schedule.timezone'],
  allows(
    [
      { type: 'weekdays', timeWindows: [{ from: '08:00', to: '09:00' }] },
      { type: 'weekdays', timeWindows: [{ from: '08:00', to: '09:00' }], timezone: 'Europe/London' },
    ],
    {
      '2026-06-01T04:59:59Z': false,
      '2026-06-01T05:30:00Z': true,
      '2026-06-01T06:30:00Z': false,
      '2026-06-01T07:30:00Z': true,
    },
  ),
)
conforms(
  ['Overnight window', '2 Schedule.timeWindows'],
  allows([{ type: 'custom', daysOfWeek: [5], timeWindows: [{ from: '22:00', to: '06:00' }] }], {
    '2026-06-05T02:00:00Z': false,
    '2026-06-05T19:00:00Z': true,
    '2026-06-06T02:59:59Z': true,
    '2026-06-06T03:00:00Z': false,
    '2026-06-06T19:00:00Z': false,
  }),
)
conforms('Window bounds', async stage => {
  await allows([{ ...day('08:00', '10:00') }], {
    '2026-06-01T04:59:59.999Z': false,
    '2026-06-01T05:00:00.000Z': true,
    '2026-06-01T06:59:59.999Z': true,
    '2026-06-01T07:00:00.000Z': false,
  })(stage)
  for (const to of ['23:59', '00:00'])
    await allows([day('22:00', to)], { '2026-06-01T20:59:59.999Z': true, '2026-06-01T21:00:00.000Z': false })(
      stage,
    )
})
conforms(
  'DST gap',
  allows([{ type: 'weekends', timeWindows: [{ from: '03:15', to: '03:45' }] }], {
    '2026-03-28T01:30:00Z': true,
    '2026-03-29T00:30:00Z': false,
    '2026-03-29T01:00:00Z': false,
    '2026-03-29T01:30:00Z': false,
  }),
)
conforms(
  'DST repeat',
  allows([{ type: 'weekends', timeWindows: [{ from: '03:15', to: '03:45' }] }], {
    '2026-10-25T00:30:00Z': true,
    '2026-10-25T00:50:00Z': false,
    '2026-10-25T01:30:00Z': true,
    '2026-10-25T01:50:00Z': false,
  }),
)
