// What the specification and the decisions say of the two histories: openings and activity.

import { revokeApiKey } from '@callgate/cloud/space/apiKeys'
import { setPlan } from '@callgate/cloud/space/spaces'
import { activityActions } from '@callgate/contract/rest/activity'
import type { Gate } from '@callgate/contract/rest/gate'
import { expect } from 'vitest'
import { numberOf } from '../scriptedGateway.ts'
import { statusAndCode } from '../validRequests.ts'
import { conformance, rowsOf, type Stage } from './conforms.ts'

export const historyTests = conformance()
const conforms = historyTests

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

conforms(
  [...rowsOf('2 Activity.'), '4 GET activity', '1 record'],
  async ({ addAccess, addGate, addMember, get }) => {
    const gate = await addGate()
    const member = await addMember()
    await addAccess(member.id, { gateId: gate.id })
    const { json, status } = await get('/activity?limit=2')
    expect(status).toBe(200)
    const common = {
      id: expect.stringMatching(/^act_/),
      actor: 'api:Desk',
      timestamp: expect.stringMatching(time),
    }
    const target = { targetType: 'member', targetLabel: 'Ana' }
    // They are of the same instant, so their order is that of their ids.
    const entries = [
      { ...common, ...target, action: 'guest.access_added', details: { deviceName: gate.name } },
      { ...common, ...target, action: 'member.created', details: { accesses: [] } },
      {
        ...common,
        action: 'gate.created',
        targetType: 'gate',
        targetLabel: gate.name,
        details: { deviceName: gate.name },
      },
    ]
    expect(Object.keys(json)).toEqual(['activity'])
    for (const entry of json.activity) expect(entries).toContainEqual(entry)
    expect((await get('/activity')).json.activity).toHaveLength(4)
  },
)

/** Every change that the API can make, one after the other, each a second later. */
async function changeAll({ addAccess, addGate, addMember, api, del, patch, post }: Stage) {
  const tick = () => api.world.advance(1_000)
  const gate = await addGate({ name: 'Front' })
  await tick()
  await patch(`/gates/${gate.id}`, { name: 'Main', location: 'Yard' })
  await tick()
  await del(`/gates/${gate.id}`)
  await tick()
  await patch(`/gates/${gate.id}`, { isActive: true })
  await tick()
  const member = await addMember({ email: 'secret@example.com' })
  await tick()
  await patch(`/members/${member.id}`, { phone: '1' })
  await tick()
  const access = await addAccess(member.id, { gateId: gate.id })
  await tick()
  await patch(`/members/${member.id}/accesses/${access.id}`, { maxUsage: 2 })
  await tick()
  await post(`/members/${member.id}/link/reset`)
  await tick()
  await del(`/members/${member.id}/accesses/${access.id}`)
  await tick()
  await del(`/members/${member.id}`)
  await tick()
  return access
}

conforms(
  ['Activity actions', 'Activity `details`', 'Activity order', '4 activity log', '6 events', 'Events'],
  async stage => {
    const { api, get, space } = stage
    const { accessUrl } = await changeAll(stage)
    const { apiKeyId, key } = await space.addKey({ name: 'Old' })
    await api.world.advance(1_000)
    await revokeApiKey(api, { apiKeyId, actor: 'operator' })
    await api.world.advance(1_000)
    await setPlan(api, { spaceId: space.spaceId, plan: 'business', actor: 'operator' })
    const { json, text } = await get('/activity')
    const entries = json.activity.map(({ action, actor, details }) => [action, actor, details])
    const gate = { deviceName: 'Main' }
    expect(entries.reverse()).toEqual([
      ['api_key.created', 'operator', expect.objectContaining({ scopes: expect.any(Array) })],
      ['gate.created', 'api:Desk', { deviceName: 'Front' }],
      [
        'gate.updated',
        'api:Desk',
        { ...gate, changes: { name: { from: 'Front', to: 'Main' }, location: { from: '', to: 'Yard' } } },
      ],
      ['gate.deactivated', 'api:Desk', { ...gate, changes: { isActive: { from: true, to: false } } }],
      ['gate.reactivated', 'api:Desk', { ...gate, changes: { isActive: { from: false, to: true } } }],
      ['member.created', 'api:Desk', { accesses: [] }],
      ['member.updated', 'api:Desk', { changes: { phone: { from: null, to: '(set)' } } }],
      ['guest.access_added', 'api:Desk', gate],
      ['guest.access_updated', 'api:Desk', { ...gate, changes: { maxUsage: { from: null, to: 2 } } }],
      ['member.link_reset', 'api:Desk', {}],
      ['guest.access_revoked', 'api:Desk', gate],
      ['member.deactivated', 'api:Desk', { accesses: [] }],
      ['api_key.created', 'operator', expect.objectContaining({ scopes: expect.any(Array) })],
      ['api_key.revoked', 'operator', {}],
      [
        'space.plan_changed',
        'operator',
        { changes: expect.objectContaining({ plan: { from: 'pro', to: 'business' } }) },
      ],
    ])
    for (const { action } of json.activity) expect(Object.keys(activityActions)).toContain(action)
    const token = accessUrl.split('/').at(-1) ?? ''
    expect([token, key, key.slice(9)].filter(secret => text.includes(secret))).toEqual([])
  },
)

/** Makes `count` gates and an opening of each, three at each instant. Among those, the ids decide the order. */
async function fill({ api, open, post }: Stage, count: number) {
  const gates: Gate[] = []
  for (let index = 0; index < count; index++) {
    if (index % 3 === 0) await api.nextMinute()
    const body = { name: 'Gate', phoneNumber: numberOf('opens', index) }
    gates.push((await post('/gates', body)).json.gate)
  }
  for (const [index, { id }] of gates.entries()) {
    if (index % 3 === 0) await api.nextMinute()
    await open(id)
  }
}

const lists = { openings: 'calledAt', activity: 'timestamp' } as const

conforms(
  [
    '4 GET openings',
    '8 limit',
    '`limit` above 200 or below 1',
    'Offset',
    'Activity order',
    '4 openings order',
  ],
  async stage => {
    const { get } = stage
    await fill(stage, 7)
    for (const noun of ['openings', 'activity'] as const) {
      const list = async (query: string) => (await get(`/${noun}${query}`)).json
      const whole = await list('')
      const at = (row: object) => String((row as Record<string, unknown>)[lists[noun]])
      const places = whole[noun].map(row => `${at(row)} ${row.id}`)
      expect(places).toEqual([...places].sort().reverse())
      expect(places.length).toBeGreaterThanOrEqual(7)
      const ids = whole[noun].map(({ id }) => id)
      const page = await list('?limit=3&offset=2')
      expect(page[noun].map(({ id }) => id)).toEqual(ids.slice(2, 5))
      if (noun === 'openings') {
        expect(whole.pagination).toEqual({ limit: 50, offset: 0 })
        expect(page.pagination).toEqual({ limit: 3, offset: 2 })
      } else expect([whole.pagination, page.pagination]).toEqual([undefined, undefined])
      for (const offset of [1000, 2_147_483_647]) expect((await list(`?offset=${offset}`))[noun]).toEqual([])
      expect((await get(`/${noun}?limit=200`)).status).toBe(200)
      const refused = ['limit=0', 'limit=201', 'limit=-1', 'limit=1.5', 'limit=x', 'limit=']
      const offsets = ['offset=-1', 'offset=2147483648', 'offset=1e3', 'offset=', 'limit=1&limit=2']
      for (const query of [...refused, ...offsets]) {
        const answer = await get(`/${noun}?${query}`)
        expect([query, statusAndCode(answer)]).toEqual([query, '400 validation_error'])
        expect(answer.json.error.message).toContain(query.split('=')[0])
      }
      const paged: string[] = []
      let cursor: string | null | undefined = ''
      while (typeof cursor === 'string') {
        const { [noun]: rows, pagination } = await list(`?limit=3&cursor=${cursor}`)
        paged.push(...rows.map(({ id }) => id))
        cursor = pagination.nextCursor
      }
      expect(paged).toEqual(ids)
    }
  },
)

conforms('8 limit', async ({ api, get, space }) => {
  const { knex } = api.database
  const { spaceId } = space
  for (let index = 0; index < 60; index++) {
    const id = `act_${String(index).padStart(4, '0')}${spaceId.slice(-22)}`
    const entry = {
      action: 'gate.created',
      actor: 'operator',
      targetType: 'gate',
      targetLabel: 'x',
      details: '{"deviceName":"Front"}',
    }
    await knex('activity').insert({ ...entry, id, spaceId, timestamp: '2026-01-05T08:00:00.000Z' })
  }
  expect((await get('/activity')).json.activity).toHaveLength(50)
})
