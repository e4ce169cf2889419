import { describe, expect, it } from 'vitest'
import { CallProfile, CallProfileInput, callProfile } from './call/callProfile.ts'
import { openApiDocument } from './openapi/openapi.ts'
import { GateCreate, GateUpdate } from './rest/gate.ts'
import { MemberCreate } from './rest/member.ts'
import { operations } from './rest/operations.ts'
import { historyQuery } from './rest/paging.ts'
import { ScheduleInput } from './rest/schedule.ts'
import { checker, faultFinder } from './validate.ts'
import { readUpTopic, topicOf } from './wire/topics.ts'

it('says of a list that is far too long no more than of one that is too long by one', () => {
  const { body } = operations.bulkMembers
  const find = faultFinder(body, 'the body')
  const faults = find({ items: new Array(500_000).fill(0) })
  expect(faults.map(({ sentence }) => sentence)).toContain('items must have at most 200 items')
  expect(faults.length).toBeLessThan(300)
  expect(find({ items: new Array(201).fill(0) })).toEqual(faults)
})

describe('a body', () => {
  const create = checker(GateCreate, 'the body')
  const gate = { name: 'North', phoneNumber: '+40722000001' }
  const readable = 'name must be visible text without control characters, direction marks or broken Unicode'

  it('is trimmed before it is measured, in code points', () => {
    expect(create({ ...gate, name: `  ${'🚪'.repeat(120)}  ` })).toEqual({
      ok: true,
      value: { ...gate, name: '🚪'.repeat(120) },
    })
    expect(create({ ...gate, name: '   ' })).toMatchObject({
      ok: false,
      message: 'name must have at least 1 character',
    })
    expect(create({ ...gate, name: 'x'.repeat(121) })).toMatchObject({
      ok: false,
      message: 'name must have at most 120 characters',
    })
  })

  it.each([
    [{}, 'name is required; phoneNumber is required'],
    [[], 'the body must be object'],
    [{ ...gate, isAdmin: true }, 'isAdmin is not a known field'],
    [
      JSON.parse('{"name":"a","phoneNumber":"+40722000001","__proto__":{}}'),
      '__proto__ is not a known field',
    ],
    [{ ...gate, name: 7 }, 'name must be string'],
    [{ ...gate, name: 'a\u0000b' }, readable],
    [{ ...gate, name: 'a\ud800' }, readable],
    [{ ...gate, name: 'a\u2028b' }, readable],
    [{ ...gate, name: 'a\u202eb' }, readable],
    [{ ...gate, name: '\u200b' }, readable],
    [{ ...gate, description: 7 }, 'description must be string or null'],
    [{ ...gate, description: 'x'.repeat(501) }, 'description must have at most 500 characters'],
  ])('is rejected as %j with the field and what would be right', (body, message) => {
    expect(create(body)).toMatchObject({ ok: false, message })
  })

  it('is rejected with an invalid e-mail, or with too short or long lists, and what would be right', () => {
    const create = checker(MemberCreate, 'the body')
    const accesses = [{ gateId: 'g', schedules: [] }]
    expect(create({ name: 'Ana', email: 'ana', accesses })).toMatchObject({
      ok: false,
      message:
        'email must be like "ana@example.com" (Accepted, not shown in the member; null clears it); accesses[0].schedules must have at least 1 item (Allowed when any one of them allows it; where an access is added without any, it gets one of type always)',
    })
    const message = 'accesses must have at most 100 items'
    expect(create({ name: 'Ana', accesses: Array(101).fill({ gateId: 'g' }) })).toMatchObject({
      ok: false,
      message,
    })
  })

  it('is rejected with a time that is not HH:mm, and a valid example', () => {
    const schedule = checker(ScheduleInput, 'the schedule')
    const windows = (from: string, to: string) => schedule({ type: 'weekdays', timeWindows: [{ from, to }] })
    expect(windows('8:00', '24:00')).toMatchObject({
      ok: false,
      message:
        `timeWindows[0].from must be like "08:00" (HH:mm on the wall clock of the schedule's zone; the window includes it); ` +
        'timeWindows[0].to must be like "18:00" (HH:mm; the window ends just before it. 23:59 and 00:00 both mean the end of the day)',
    })
  })

  const days = 'daysOfWeek must have at least 1 item (The days that it allows; only type custom has it)'
  const noDays = 'daysOfWeek must be left out (Only type custom has it)'
  const noWindows = 'timeWindows must be left out (Only weekdays, weekends and custom have it)'
  it.each([
    [{}, 'type is required'],
    [{ type: 7 }, 'type must be one of always, weekdays, weekends, custom, one-shot'],
    [{ type: 'sometimes' }, 'type must be one of always, weekdays, weekends, custom, one-shot'],
    [{ type: 'custom' }, 'daysOfWeek is required'],
    [{ type: 'custom', daysOfWeek: [] }, days],
    [{ type: 'custom', daysOfWeek: null }, 'daysOfWeek must be array'],
    [{ type: 'weekdays', daysOfWeek: [1] }, noDays],
    [{ type: 'always', daysOfWeek: [] }, noDays],
    [{ type: 'one-shot', timeWindows: [] }, noWindows],
    [{ type: 'always', daysOfWeek: [1], timeWindows: [] }, `${noDays}; S.${noWindows}`],
    [
      { type: 'weekends', timeWindows: [] },
      'timeWindows must have at least 1 item (The whole day when it is absent; only weekdays, weekends and custom have it)',
    ],
    [{ type: 'weekends', timeWindows: 'all' }, 'timeWindows must be array or null'],
    [{ type: 'weekends', colour: 'red' }, 'colour is not a known field'],
  ])('is rejected with the schedule %j, and the fields of its type', (schedule, message) => {
    const create = checker(MemberCreate, 'the body')
    const place = 'accesses[0].schedules[0]'
    const accesses = [{ gateId: 'g', schedules: [schedule] }]
    expect(create({ name: 'Ana', accesses })).toMatchObject({
      ok: false,
      message: `${place}.${message.replace('S.', `${place}.`)}`,
    })
  })

  it('may have null for fields that its schedule leaves out, for any type', () => {
    const schedule = checker(ScheduleInput, 'the schedule')
    const nothing = { daysOfWeek: null, timeWindows: null, startsAt: null, expiresAt: null, timezone: null }
    for (const type of ['always', 'weekdays', 'weekends', 'one-shot'])
      expect(schedule({ type, ...nothing }).ok).toBe(true)
  })

  it('may break lines in a description, and clear it', () => {
    const update = checker(GateUpdate, 'the body')
    expect(update({ description: 'left\nright' }).ok).toBe(true)
    expect(update({ description: null }).ok).toBe(true)
    expect(update({ name: null })).toMatchObject({ ok: false, message: 'name must be string' })
  })

  it('of a query gets its defaults', () => {
    const query = checker(historyQuery({}), 'the query')
    expect(query({})).toEqual({ ok: true, value: { limit: 50 } })
    expect(query({ limit: 201 })).toMatchObject({ ok: false, message: 'limit must be at most 200' })
    expect(query({ gateId: 'member_x', from: '2026-03-29' })).toMatchObject({
      ok: false,
      message:
        'gateId must be like "gate_01kdhx3m8e2w7q5v9z4r6t8y0a" (Only what concerns this gate); ' +
        'from must be like "2026-03-29T00:15:00.000Z" (From this instant on, with Z or an offset; in an address + is written %2B)',
    })
  })
})

describe('a call profile', () => {
  it('is complete once its mode is given', () => {
    expect(checker(CallProfile, 'the profile')(callProfile({ mode: 'unverified' })).ok).toBe(true)
    expect(checker(CallProfileInput, 'the profile')({ mode: 'reject', maxRingMs: 46_000 }).ok).toBe(false)
    expect(callProfile({ mode: 'reject_delayed', ringTimeMs: 20_000 }).maxRingMs).toBe(28_000)
  })
})

describe('a topic', () => {
  it('is parsed only in its exact form', () => {
    expect(readUpTopic(topicOf('gw_a', 'claim'))).toEqual({ gatewayId: 'gw_a', kind: 'claim' })
    for (const topic of [
      topicOf('gw_a', 'grant'),
      `${topicOf('gw_a', 'claim')}/x`,
      topicOf('', 'claim'),
      'claim',
    ])
      expect(readUpTopic(topic)).toBeUndefined()
  })
})

describe('the OpenAPI document', () => {
  it('has every operation with its parameters and problems, and none of our own keywords', () => {
    const document = openApiDocument('https://callgate.example')
    const paths = document['paths'] as Record<
      string,
      Record<string, { operationId: string; responses: object }>
    >
    const ids = Object.values(paths).flatMap(path =>
      Object.values(path).map(operation => operation.operationId),
    )
    expect(ids.sort()).toEqual(Object.keys(operations).sort())
    const open = paths['/api/v1/gates/{gateId}/open']?.['post']
    const declared = [
      '200',
      '202',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '502',
      '503',
    ]
    expect(Object.keys(open?.responses ?? {})).toEqual(declared)
    expect(JSON.stringify(document)).not.toContain('x-text')
  })
})

it('returns the refusals of a message where all of it has one', () => {
  const check = checker(GateCreate, 'the body')
  const refusals = (body: object) => {
    const checked = check(body)
    return checked.ok ? undefined : checked.refusals
  }
  const long = { name: 'field_long', values: { field: 'name', most: 120 } }
  expect(refusals({ name: 'x'.repeat(121) })).toEqual([
    { name: 'field_missing', values: { field: 'phoneNumber' } },
    long,
  ])
  // No refusal exists for an unknown field, since no person types field names.
  expect(refusals({ name: 'x'.repeat(121), phoneNumber: '+40722123456', colour: 'red' })).toBeUndefined()
})
