// What the decisions say of operations that the specification does not know.

import { recordEvents } from '@callgate/cloud/event/events'
import type { ScheduleInput } from '@callgate/contract/rest/schedule'
import { magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { expect } from 'vitest'
import type { Answer } from '../apiServer.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance } from './conforms.ts'
import { found } from './found.ts'

export const extensionTests = conformance()
const conforms = extensionTests

conforms('Preview of schedules, proof of an opening', async ({ addGate, as, get, open, post, space }) => {
  const schedules = [{ type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }] }]
  const preview = await found('previewSchedules', post('/schedules/preview', { schedules }))
  expect(preview).toMatchObject({ timezone: 'Europe/Bucharest', state: 'coming' })
  expect(preview.times).toHaveLength(10)
  const wrong = { schedules: [{ type: 'sometimes' }] }
  expect(statusAndCode(await post('/schedules/preview', wrong))).toBe('400 validation_error')

  const { id } = await addGate()
  const { openingId } = (await open(id)).json
  const { fileName, text } = await found('getProof', get(`/openings/${openingId}/proof`))
  expect(fileName).toContain(openingId)
  expect(JSON.parse(text)).toBeTypeOf('object')

  const { key } = await space.addKey({ scopes: ['gates:read', 'gates:open'] })
  for (const asked of [
    as(key).post('/schedules/preview', { schedules }),
    as(key).get(`/openings/${openingId}/proof`),
  ])
    expect(statusAndCode(await asked)).toBe('403 insufficient_scope')
})

conforms('Who a key is', async ({ as, get, space }) => {
  const { apiKeyId, key } = await space.addKey({ scopes: ['members:read'] })
  const self = await found('getSelf', as(key).get('/self'))
  expect(self).toMatchObject({
    space: { id: space.spaceId, timezone: 'Europe/Bucharest' },
    key: { id: apiKeyId, scopes: ['members:read'], expiresAt: null },
    rates: { default: { limit: 120, remaining: 119 }, write: { remaining: 30 }, open: { remaining: 10 } },
    plan: { gates: { used: expect.any(Number), limit: expect.any(Number) } },
  })
  expect((await as(key).get('/self')).headers).not.toHaveProperty('etag')
  expect((await found('getSelf', as(key).get('/self'))).rates.default.remaining).toBe(117)
  expect((await get('/gates')).status).toBe(200)
  expect(statusAndCode(await as('svc_live_none').get('/self'))).toBe('401 unauthorized')
})

conforms('Events of a Space', async ({ addGate, addMember, api, as, get, open, space }) => {
  const before = await found('listEvents', get('/events'))
  expect(before).toMatchObject({ events: [], hasMore: false, isReset: false })
  const gate = await addGate()
  const { id: memberId } = await addMember()
  const { openingId } = (await open(gate.id)).json
  const after = `/events?after=${before.lastSequence}`
  const all = await found('listEvents', get(after))
  const about = (targetId: string) =>
    all.events.filter(({ data }) => data.targetId === targetId).map(({ type }) => type)
  expect([about(gate.id), about(memberId)]).toEqual([['gate.created'], ['member.created']])
  expect(about(openingId)).toEqual(['opening.asked', 'opening.calling', 'opening.taken', 'opening.ended'])
  const numbers = all.events.map(({ sequence }) => sequence)
  expect(numbers).toEqual(numbers.map((_, place) => before.lastSequence + 1 + place))
  expect(all).toMatchObject({ hasMore: false, isReset: false })
  const first = await found('listEvents', get(`${after}&limit=2`))
  expect(first).toMatchObject({ events: all.events.slice(0, 2), hasMore: true })
  const second = await found('listEvents', get(`/events?after=${first.lastSequence}`))
  expect(second.events).toEqual(all.events.slice(2))
  expect(await found('listEvents', get('/events?after=999999'))).toMatchObject({ events: [], isReset: true })

  await api.database.write(tx =>
    recordEvents(tx, space.spaceId, [{ kind: 'gateway.offline', targetId: space.gatewayId, atMs: 0 }]),
  )
  const { key } = await space.addKey({ scopes: ['history:read'] })
  const since = `/events?after=${all.lastSequence}`
  const typesFor = async (asked: Promise<Answer>) =>
    (await found('listEvents', asked)).events.map(({ type }) => type)
  expect(await typesFor(get(since))).toEqual(['gateway.offline', 'api_key.created'])
  expect(await typesFor(as(key).get(since))).toEqual(['api_key.created'])
})

conforms('Gateways', async ({ addGate, api, as, get, open, space }) => {
  // The gateway comes online for a press.
  await open((await addGate()).id)
  const { gateways } = await found('listGateways', get('/gateways'))
  expect(gateways).toMatchObject([
    { id: space.gatewayId, now: { state: 'online', modem: { state: 'ready' } } },
  ])
  const path = `/gateways/${space.gatewayId}`
  const first = await get(path)
  expect(JSON.parse(first.text).gateway).toEqual(gateways[0])
  await api.world.advance(40_000)
  const again = await get(path)
  expect(JSON.parse(again.text).gateway.now).not.toEqual(gateways[0]?.now)
  const tag = first.headers.etag ?? ''
  expect((await get(path, { 'if-none-match': tag })).status).toBe(200)
  expect((await get('/gateways')).headers).not.toHaveProperty('etag')
  const { key } = await space.addKey({ scopes: ['members:read'] })
  expect(statusAndCode(await as(key).get('/gateways'))).toBe('403 insufficient_scope')
})

conforms('Webhooks', async ({ addGate, api, as, del, get, patch, post, space }) => {
  const made = await post('/webhooks', { url: 'https://desk.example.com/hook', types: ['gate.created'] })
  expect(made.status).toBe(201)
  const { secret, webhook } = made.json
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(webhook).toMatchObject({ types: ['gate.created'], isActive: true, stopped: null })
  const path = `/webhooks/${webhook.id}`
  expect((await get('/webhooks')).text).not.toContain(secret)

  for (const url of [
    'http://a.example.com/',
    'https://127.0.0.1/',
    'https://a.example.com:22/',
    'https://localhost/',
  ])
    expect(statusAndCode(await post('/webhooks', { url }))).toBe('400 validation_error')

  await addGate()
  const { delivery } = (await post(`${path}/test`)).json
  const { deliveries } = await found('listDeliveries', get(`${path}/deliveries`))
  expect(deliveries.map(({ state, type }) => [type, state])).toEqual([
    ['webhook.test', 'waiting'],
    ['gate.created', 'waiting'],
  ])
  expect(deliveries[0]).toEqual(delivery)
  expect((await post(`${path}/deliveries/${delivery.id}/resend`)).status).toBe(202)
  const again = await post(`${path}/resend`, { after: 0 })
  expect([again.status, again.text]).toEqual([202, expect.stringContaining('"events":2')])

  const rotated = await post(`${path}/secret`, { overlapHours: 1 })
  expect(rotated.json.secret).not.toBe(secret)
  expect(rotated.json.webhook.previousSecretEndsAt).not.toBeNull()

  const off = await patch(path, { isActive: false })
  expect(off.json.webhook).toMatchObject({ isActive: false, stopped: { why: 'switched_off' } })
  expect(statusAndCode(await post(`${path}/test`))).toBe('409 conflict')
  await addGate()
  await patch(path, { isActive: true })
  const types = async () =>
    (await found('listDeliveries', get(`${path}/deliveries`))).deliveries.map(({ type }) => type)
  expect(await types()).toEqual(['events.reset', 'webhook.test', 'gate.created'])

  const { key } = await space.addKey({ scopes: ['webhooks:read'] })
  expect((await as(key).get(path)).status).toBe(200)
  expect(statusAndCode(await as(key).post(`${path}/test`))).toBe('403 insufficient_scope')
  const other = await (await api.addSpace()).addKey()
  expect(statusAndCode(await as(other.key).get(path))).toBe('404 not_found')
  expect((await del(path)).status).toBe(204)
  expect(statusAndCode(await get(path))).toBe('404 not_found')
})

conforms('Whether a member may open', async stage => {
  const { addAccess, addGate, addMember, api, get, guest, patch } = stage
  const gate = await addGate()
  const other = await addGate()
  const { id } = await addMember()
  const weekdays: ScheduleInput = { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }] }
  const access = await addAccess(id, { gateId: gate.id, schedules: [weekdays], maxUsage: 2 })
  const path = `/members/${id}/decision?gateId=${gate.id}`
  const at = (text: string) => found('decideMember', get(`${path}&at=${encodeURIComponent(text)}`))
  // 2 March 2026 is a Monday.
  expect(await at('2026-03-02T10:00:00+02:00')).toEqual({
    allowed: true,
    reason: null,
    accessId: access.id,
    scheduleIndex: 0,
    untilAt: '2026-03-02T16:00:00.000Z',
    nextAt: null,
    endsAt: null,
    usesLeft: 2,
    decidedAt: '2026-03-02T08:00:00.000Z',
  })
  expect(await at('2026-03-07T12:00:00Z')).toMatchObject({
    allowed: false,
    reason: 'outside_schedule',
    scheduleIndex: null,
    untilAt: null,
    nextAt: '2026-03-09T06:00:00.000Z',
  })
  for (const text of ['2046-03-02T10:00:00Z', 'tomorrow'])
    expect(statusAndCode(await get(`${path}&at=${text}`))).toBe('400 validation_error')

  const { allowed } = await found('decideMember', get(path))
  expect((await guest(access.accessUrl).press(gate.id)) !== undefined).toBe(allowed)

  expect(await found('decideMember', get(`/members/${id}/decision?gateId=${other.id}`))).toMatchObject({
    allowed: false,
    reason: 'access_revoked',
    accessId: null,
  })
  await patch(`/gates/${gate.id}`, { isActive: false })
  expect(await at('2026-03-02T10:00:00+02:00')).toMatchObject({ reason: 'gate_inactive', nextAt: null })
  const { key } = await (await api.addSpace()).addKey()
  expect(statusAndCode(await stage.as(key).get(path))).toBe('404 not_found')
})

conforms('Whether a call can be placed', async stage => {
  const { addGate, api, get, open, patch } = stage
  const gate = await addGate()
  const ready = () => found('getGateReadiness', get(`/gates/${gate.id}/readiness`))
  await open(gate.id)
  const { busyUntil, checkedAt, ...cooling } = await ready()
  expect(cooling).toEqual({ ready: false, reason: 'number_in_use' })
  expect(Date.parse(busyUntil ?? '')).toBeGreaterThan(Date.parse(checkedAt))
  await api.world.advance(Date.parse(busyUntil ?? '') - api.world.nowMs())
  expect(await ready()).toMatchObject({ ready: true, reason: null, busyUntil: null })
  expect((await open(gate.id)).json).not.toHaveProperty('joined')
  await patch(`/gates/${gate.id}`, { isActive: false })
  expect(await ready()).toMatchObject({ ready: false, reason: 'gate_inactive' })
  const calls = api.gateway.calls.length
  await ready()
  expect(api.gateway.calls).toHaveLength(calls)
})

conforms('Sandbox', async stage => {
  const { api, as } = stage
  const sandbox = await api.addSandbox()
  expect(sandbox.key).toMatch(/^svc_test_[0-9A-Za-z]{36}$/)
  const own = as(sandbox.key)
  expect(await found('getSelf', own.get('/self'))).toMatchObject({ space: { mode: 'sandbox' } })
  expect(statusAndCode(await stage.get('/sandbox/clock'))).toBe('404 not_found')
  const phoneNumber = magicNumber('confirmed')
  expect(statusAndCode(await stage.post('/gates', { name: 'A', phoneNumber }))).toBe('400 validation_error')
  const real = { name: 'A', phoneNumber: '+40722123456' }
  expect(statusAndCode(await own.post('/gates', real))).toBe('400 validation_error')

  const { gate } = (await own.post('/gates', { name: 'A', phoneNumber })).json
  const email = 'ana@example.com'
  const accesses = [{ gateId: gate.id, schedules: [{ type: 'always' }] }]
  const { member } = (await own.post('/members', { name: 'Ana', email, accesses })).json
  const { mails } = await found('listSandboxMails', own.get('/sandbox/mails'))
  expect(mails).toMatchObject([{ memberId: member.id, text: expect.stringContaining('/g/') }])
  expect(mails[0]).not.toHaveProperty('to')
  const reader = await sandbox.addKey({ scopes: ['members:read', 'members:read_email', 'gates:write'] })
  const seen = await found('listSandboxMails', as(reader.key).get('/sandbox/mails'))
  expect(seen.mails).toMatchObject([{ memberId: member.id, to: email }])
  expect(statusAndCode(await as(reader.key).post('/sandbox/reset'))).toBe('403 insufficient_scope')

  const at = '2026-03-29T00:59:50.000Z'
  const clock = await found('setSandboxClock', own.patch('/sandbox/clock', { at, isFrozen: true }))
  expect(clock).toEqual({ now: at, isFrozen: true, isReal: false })
  const decided = await found('decideMember', own.get(`/members/${member.id}/decision?gateId=${gate.id}`))
  expect(decided).toMatchObject({ allowed: true, decidedAt: at })

  const { status, json } = await api.outlast(own.open(gate.id))
  expect([status, json.opened]).toEqual([200, true])
  expect(statusAndCode(await own.get(`/openings/${json.openingId}/proof`))).toBe('409 conflict')
  expect(await found('resetSandbox', own.post('/sandbox/reset'))).toEqual({ gates: 1, members: 1 })
  expect(await found('getSandboxClock', own.get('/sandbox/clock'))).toMatchObject({ isReal: true })
})
