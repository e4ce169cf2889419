// What the specification and the decisions say of opening a gate.

import { expect } from 'vitest'
import type { Answer } from '../apiServer.ts'
import { ended } from '../scriptedGateway.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance, rowsOf, type Stage } from './conforms.ts'

export const openingTests = conformance()
const conforms = openingTests

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Presses a gate whose call is not reported yet. Resolves when the gateway has called. */
async function start({ api, open }: Stage, gateId: string, headers: Record<string, string> = {}) {
  const { calls } = api.gateway
  const before = calls.length
  const answer = open(gateId, headers)
  while (calls.length === before) await api.world.advance(0)
  return { answer, openingId: calls[before] ?? '' }
}

/** Waits until another press has joined the opening. */
async function joined({ api }: Stage, openingId: string): Promise<void> {
  while (!(await api.database.knex('openings').where({ joinedOpeningId: openingId }).first('id')))
    await api.world.advance(0)
}

/** The opening as the API shows it, once it has ended. */
async function outcome({ api, get }: Stage, openingId: string | undefined): Promise<Answer['json']> {
  const running = () =>
    api.database
      .knex('openings')
      .where({ id: openingId })
      .whereIn('status', ['initiated', 'connected'])
      .first('id')
  while (await running()) await api.world.advance(0)
  return (await get(`/openings/${openingId}`)).json
}

const secondsOf = async ({ api }: Stage, answer: Promise<Answer>) => {
  const beganMs = api.world.monotonicMs()
  const { headers, json, status } = await api.outlast(answer)
  return { headers, json, status, s: Math.floor((api.world.monotonicMs() - beganMs) / 1000) }
}

conforms([...rowsOf('2 Opening.'), '1 gate', '4 POST open', '4 open call'], async stage => {
  const { addGate, api, get, open } = stage
  const gate = await addGate()
  const calls = api.gateway.calls.length
  const { headers, json, status } = await open(gate.id)
  expect([status, json]).toEqual([200, { opened: true, openingId: expect.stringMatching(/^open_/) }])
  expect(headers.location).toBe(`/api/v1/openings/${json.openingId}`)
  expect(api.gateway.calls.slice(calls)).toEqual([json.openingId])
  const { phoneNumber } = await api.database.knex('openings').where({ id: json.openingId }).first()
  expect(phoneNumber).toBe(gate.phoneNumber)
  const { openings } = (await get('/openings')).json
  expect(openings).toEqual([
    {
      id: json.openingId,
      gateId: gate.id,
      gateName: gate.name,
      status: 'completed',
      duration: 0,
      calledAt: expect.stringMatching(time),
      completedAt: expect.stringMatching(time),
      errorMessage: null,
      openedBy: { type: 'owner', name: 'api:Desk', email: null },
    },
  ])
})

conforms(['4 open failure', '7 502', '502 reason', '`errorMessage`'], async ({ addGate, get, open }) => {
  const { id } = await addGate({ kind: 'busy' })
  const { headers, json, status } = await open(id)
  expect(headers.location).toBe(`/api/v1/openings/${json.error.openingId}`)
  expect([status, json]).toEqual([
    502,
    {
      error: {
        code: 'open_failed',
        message: "The gate's number was busy. Try again in about 10 seconds.",
        reason: 'busy',
        openingId: expect.stringMatching(/^open_/),
        safeToRetry: true,
      },
    },
  ])
  const { evidence, opening } = (await get(`/openings/${json.error.openingId}`)).json
  expect(opening).toMatchObject({ status: 'failed', errorMessage: json.error.message })
  expect(evidence).toMatchObject({ reason: 'busy', safeToRetry: true })
})

conforms(['4 open record', '1 record', '4 openings order', '`openedBy`', 'Member `email`'], async stage => {
  const { addGate, addMember, api, get, guest, open } = stage
  const [good, bad] = [await addGate(), await addGate({ kind: 'busy' })]
  const { accesses } = await addMember({ email: 'ana@example.com', accesses: [{ gateId: good.id }] })
  await open(bad.id)
  await api.world.advance(1_000)
  const openingId = await guest(accesses[0]?.accessUrl ?? '').press(good.id)
  await outcome(stage, openingId)
  await api.world.advance(10_000)
  await open(good.id)
  const { openings } = (await get('/openings')).json
  const owner = { type: 'owner', name: 'api:Desk', email: null }
  expect(openings.map(({ gateId, openedBy, status }) => [gateId, status, openedBy])).toEqual([
    [good.id, 'completed', owner],
    [good.id, 'completed', { type: 'guest', name: 'Ana', email: 'ana@example.com' }],
    [bad.id, 'failed', owner],
  ])
})

conforms('When does `POST …/open` answer', async stage => {
  const { addGate, api, get } = stage
  const { id } = await addGate({ kind: 'neverReports' })
  const byDefault = await start(stage, id)
  const defaultAnswer = await secondsOf(stage, byDefault.answer)
  expect([defaultAnswer.status, defaultAnswer.json]).toEqual([
    200,
    { opened: false, openingId: byDefault.openingId },
  ])
  expect([50, 51]).toContain(defaultAnswer.s)
  await api.gateway.report(byDefault.openingId, ended(true))
  expect((await get(`/openings/${byDefault.openingId}`)).json.opening.status).toBe('completed')

  await api.nextMinute()
  const shortWait = await start(stage, id, { prefer: 'wait=5' })
  const shortAnswer = await secondsOf(stage, shortWait.answer)
  expect([shortAnswer.status, shortAnswer.json]).toEqual([
    200,
    { opened: false, openingId: shortWait.openingId },
  ])
  expect(shortAnswer.headers['preference-applied']).toBe('wait=5')
  expect([5, 6]).toContain(shortAnswer.s)
  await api.gateway.report(shortWait.openingId, ended(true))

  await api.nextMinute()
  const noWait = await start(stage, id, { prefer: 'respond-async' })
  const { headers, json, status } = await noWait.answer
  expect([status, json]).toEqual([202, { opened: false, openingId: noWait.openingId }])
  expect(headers.location).toBe(`/api/v1/openings/${noWait.openingId}`)
  await api.gateway.report(noWait.openingId, ended(true))

  await api.nextMinute()
  const pressed = await start(stage, id)
  await api.world.advance(8_000)
  await api.gateway.report(pressed.openingId, ended(true, 7_900))
  expect((await pressed.answer).json).toEqual({ opened: true, openingId: pressed.openingId })
})

conforms('From when a press counts', async stage => {
  const { addGate, api, get } = stage
  const { id } = await addGate({ kind: 'neverReports' })
  const readAtMs = api.world.nowMs()
  const { answer, openingId } = await start(stage, id)
  await api.world.advance(3_000)
  await Promise.all([api.gateway.report(openingId, ended(true, 2_900)), answer])
  expect(Date.parse((await get(`/openings/${openingId}`)).json.opening.calledAt)).toBe(readAtMs)
})

conforms(['`duration`', '`calledAt`, `completedAt`'], async stage => {
  const { addGate, api, get } = stage
  const { id } = await addGate({ kind: 'neverReports' })
  const { answer, openingId } = await start(stage, id, { prefer: 'respond-async' })
  await answer
  const running = (await get(`/openings/${openingId}`)).json.opening
  expect(running).toMatchObject({
    status: 'initiated',
    duration: null,
    completedAt: null,
    errorMessage: null,
  })
  await api.world.advance(9_000)
  await api.gateway.report(openingId, ended(true, 7_900))
  const { opening } = (await get(`/openings/${openingId}`)).json
  // 7.9 s by the clock of the gateway, in whole seconds; when the report came does not count.
  expect([opening.calledAt, opening.duration]).toEqual([running.calledAt, 7])
  expect(Date.parse(opening.completedAt ?? '') - Date.parse(opening.calledAt)).toBe(7_900)
})

conforms('`gateName`', async ({ addGate, get, open, patch }) => {
  const gate = await addGate()
  const { openingId } = (await open(gate.id)).json
  await patch(`/gates/${gate.id}`, { name: 'Renamed' })
  expect((await get(`/openings/${openingId}`)).json.opening.gateName).toBe(gate.name)
})

conforms(['Opening transitions', '`errorMessage`', '2 Opening.status'], async stage => {
  const { addGate, api, get, open } = stage
  const { id } = await addGate({ kind: 'neverReports' })
  const status = async (openingId: string) => (await get(`/openings/${openingId}`)).json.opening.status
  const first = await start(stage, id, { prefer: 'respond-async' })
  const seen = [await status(first.openingId)]
  for (const report of [
    { phase: 'ringing', sinceClaimMs: 50 } as const,
    ended(true),
    ended(false),
    { phase: 'ringing', sinceClaimMs: 50 } as const,
  ]) {
    await api.gateway.report(first.openingId, report)
    seen.push(await status(first.openingId))
  }
  expect(seen).toEqual(['initiated', 'connected', 'completed', 'completed', 'completed'])

  await api.nextMinute()
  const silent = await start(stage, id, { prefer: 'respond-async' })
  await api.world.advance(90_000)
  const { opening } = await outcome(stage, silent.openingId)
  expect(opening).toMatchObject({
    status: 'timeout',
    duration: 90,
    errorMessage: expect.stringContaining('reported'),
  })
  // While its number is still locked, another press ends as it ended.
  const after = await open(id)
  expect([statusAndCode(after), after.json.error.reason, after.json.error.safeToRetry]).toEqual([
    '502 open_failed',
    'no_report',
    false,
  ])
  await api.gateway.report(silent.openingId, ended(false))
  expect(await status(silent.openingId)).toBe('failed')
  await api.gateway.report(silent.openingId, ended(true))
  expect(await status(silent.openingId)).toBe('failed')
})

conforms('Body on open', async ({ addGate, api, space }) => {
  const { id } = await addGate()
  const send = (body: unknown, headers: Record<string, string>) =>
    api.send('POST', `/api/v1/gates/${id}/open`, { key: space.key, body, headers })
  const answers = [
    await send(undefined, {}),
    await send('', {}),
    await send('{}', {}),
    await send({}, { 'content-type': 'application/json; charset=utf-8' }),
    await send(undefined, { 'content-type': 'text/plain' }),
  ]
  expect(answers.map(statusAndCode)).toEqual(answers.map(() => '200'))
  expect(statusAndCode(await send({ speed: 1 }, {}))).toBe('400 validation_error')
})

conforms('Inactive gate', async ({ addGate, api, del, get, open }) => {
  const { id } = await addGate()
  await del(`/gates/${id}`)
  const calls = api.gateway.calls.length
  const { json, status } = await open(id)
  expect([status, json.error.reason, json.error.safeToRetry]).toEqual([502, 'gate_inactive', false])
  expect(api.gateway.calls.length).toBe(calls)
  const { openings } = (await get('/openings')).json
  expect(openings).toMatchObject([{ id: json.error.openingId, status: 'failed', duration: 0 }])
})

conforms('Gateway offline, modem busy, no network', async ({ addGate, api, open, space }) => {
  const { id } = await addGate()
  const beganMs = api.world.monotonicMs()
  for (const reason of ['modem_busy', 'no_network'] as const) {
    space.declineAll(reason)
    const { json, status } = await open(id)
    expect([status, json.error.reason, json.error.safeToRetry]).toEqual([502, reason, true])
  }
  space.unplug()
  const { json, status } = await open(id)
  expect([status, json.error.reason, json.error.safeToRetry]).toEqual([502, 'gateway_offline', true])
  // At once: the clock has not moved.
  expect(api.world.monotonicMs()).toBe(beganMs)
})

conforms('A second open while one runs on the same number, from anyone', async stage => {
  const { addGate, addMember, api, as, get, guest, open, space } = stage
  const { id } = await addGate({ kind: 'neverReports' })
  const { accesses } = await addMember({ accesses: [{ gateId: id }] })
  const first = await start(stage, id)
  const calls = api.gateway.calls.length
  const second = open(id)
  await joined(stage, first.openingId)
  const third = await guest(accesses[0]?.accessUrl ?? '').press(id)
  // The permission of a press is checked before it may join.
  const { key } = await space.addKey({ scopes: ['gates:read'] })
  expect(statusAndCode(await as(key).open(id))).toBe('403 insufficient_scope')
  const fourth = await open(id, { prefer: 'respond-async' })
  expect([fourth.status, fourth.json]).toEqual([
    202,
    { opened: false, openingId: expect.any(String), joined: true },
  ])
  await api.gateway.report(first.openingId, ended(false))
  const [own, other] = [await first.answer, await second]
  expect([own, other].map(statusAndCode)).toEqual(['502 open_failed', '502 open_failed'])
  // Only the answer to a press that placed no call says so.
  expect([own.json.error.joined, other.json.error.joined]).toEqual([undefined, true])
  expect(api.gateway.calls.length).toBe(calls)
  const { openings } = (await get('/openings')).json
  expect(openings.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed'])
  const { evidence } = (await get(`/openings/${third}`)).json
  expect(evidence).toMatchObject({ joinedOpeningId: first.openingId, reason: 'busy' })
})

conforms(['An open just after another', '`openCount`, `lastOpenedAt`'], async stage => {
  const { addGate, addMember, api, get, guest, open } = stage
  const gate = await addGate()
  const { accesses, id } = await addMember({ accesses: [{ gateId: gate.id }] })
  expect([gate.openCount, gate.lastOpenedAt]).toEqual([0, null])
  const calls = api.gateway.calls.length
  const first = (await open(gate.id)).json
  await api.world.advance(4_900)
  const again = await open(gate.id, { prefer: 'respond-async' })
  const openingId = expect.not.stringContaining(first.openingId)
  expect([again.status, again.json]).toEqual([200, { opened: true, openingId, joined: true }])
  expect(again.headers.location).toBe(`/api/v1/openings/${again.json.openingId}`)
  const pressed = await guest(accesses[0]?.accessUrl ?? '').press(gate.id)
  expect((await outcome(stage, pressed)).evidence.joinedOpeningId).toBe(first.openingId)
  expect(api.gateway.calls.length).toBe(calls + 1)
  const { opening } = (await get(`/openings/${first.openingId}`)).json
  const counted = (await get(`/gates/${gate.id}`)).json.gate
  expect([counted.openCount, counted.lastOpenedAt]).toEqual([1, opening.completedAt])
  const [access] = (await get(`/members/${id}`)).json.member.accesses
  expect(access).toMatchObject({ usageCount: 0, lastUsedAt: null })
  await api.world.advance(200)
  await open(gate.id)
  expect(api.gateway.calls.length).toBe(calls + 2)
  expect((await get(`/gates/${gate.id}`)).json.gate.openCount).toBe(2)
  // A failed opening is not counted.
  const bad = await addGate({ kind: 'busy' })
  await open(bad.id)
  expect((await get(`/gates/${bad.id}`)).json.gate).toMatchObject({ openCount: 0, lastOpenedAt: null })
})

conforms('Do schedules apply to keys and users', async ({ addGate, addMember, guest, open }) => {
  const { id } = await addGate()
  const past = [{ type: 'one-shot' as const, expiresAt: '2020-01-01T00:00:00Z' }]
  const { accesses } = await addMember({ accesses: [{ gateId: id, schedules: past }] })
  expect(await guest(accesses[0]?.accessUrl ?? '').press(id)).toBeUndefined()
  expect((await open(id)).json.opened).toBe(true)
})

conforms(["A guest's denied press", 'Members of an answer'], async stage => {
  const { addGate, addMember, api, get, guest, patch } = stage
  const { id: gateId } = await addGate()
  const { accesses, id } = await addMember({ accesses: [{ gateId }] })
  const [access] = accesses
  const browser = guest(access?.accessUrl ?? '')
  const path = `/members/${id}/accesses/${access?.id}`
  const calls = api.gateway.calls.length
  const denied = await browser.press(gateId, () => patch(path, { isActive: false }))
  const { evidence, opening } = await outcome(stage, denied)
  expect(opening).toMatchObject({ status: 'failed', duration: 0, openedBy: { type: 'guest', name: 'Ana' } })
  expect(opening.errorMessage).toMatch(/switched off/)
  expect(evidence.reason).toBe('access_inactive')
  expect(api.gateway.calls.length).toBe(calls)
  const shown = (await patch(path, { isActive: true })).json.access
  expect([shown.usageCount, shown.lastUsedAt]).toEqual([0, null])
  // Ten presses a minute are recorded; the eleventh is refused and leaves nothing.
  for (let press = 2; press <= 10; press++) expect(await browser.press(gateId)).toBeDefined()
  expect(await browser.press(gateId)).toBeUndefined()
  expect((await get('/openings')).json.openings).toHaveLength(10)
})

conforms('`usageCount`', async stage => {
  const { addGate, addMember, api, get, guest, space } = stage
  const [silent, busy] = [await addGate({ kind: 'neverReports' }), await addGate({ kind: 'busy' })]
  const member = await addMember({
    accesses: [
      { gateId: silent.id, maxUsage: 1 },
      { gateId: busy.id, maxUsage: 1 },
    ],
  })
  const browser = guest(member.accesses[0]?.accessUrl ?? '')
  const used = async () =>
    (await get(`/members/${member.id}`)).json.member.accesses.map(({ usageCount }) => usageCount)
  const { calls } = api.gateway
  const before = calls.length
  const openingId = await browser.press(silent.id)
  while (calls.length === before) await api.world.advance(0)
  expect(await used()).toEqual([1, 0])
  await api.gateway.report(openingId ?? '', { phase: 'not_dialled', sinceClaimMs: 100 })
  await outcome(stage, openingId)
  expect(await used()).toEqual([0, 0])
  // A busy number was dialled, so the use is kept.
  await outcome(stage, await browser.press(busy.id))
  expect(await used()).toEqual([0, 1])
  expect(await browser.press(busy.id)).toBeUndefined()
  // Without a gateway no use is counted.
  space.unplug()
  await outcome(stage, await browser.press(silent.id))
  expect(await used()).toEqual([0, 1])
})

conforms('Retrying a 502', async ({ addGate, api, open }) => {
  const { id } = await addGate({ kind: 'busy' })
  const headers = { 'idempotency-key': 'press-1' }
  const first = await open(id, headers)
  const calls = api.gateway.calls.length
  const again = await open(id, headers)
  expect([again.status, again.text]).toEqual([502, first.text])
  expect(again.headers['idempotency-replayed']).toBe('true')
  expect(api.gateway.calls.length).toBe(calls)
  expect(first.json.error.safeToRetry).toBe(true)
  const other = await open(id, { 'idempotency-key': 'press-2' })
  expect(other.json.error.openingId).not.toBe(first.json.error.openingId)
  expect(api.gateway.calls.length).toBe(calls + 1)
})
