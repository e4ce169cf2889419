// What the specification and the decisions say of the two histories: openings and activity.

import { listApiKeys, revokeApiKey } from '@callgate/cloud/space/apiKeys'
import { setPlan } from '@callgate/cloud/space/spaces'
import { activityActions } from '@callgate/contract/rest/activity'
import type { Gate } from '@callgate/contract/rest/gate'
import { expect } from 'vitest'
import { numberOf } from '../scriptedGateway.ts'
import { furnish, statusAndCode } from '../validRequests.ts'
import { conformance, rowsOf, type Stage } from './conforms.ts'

export const historyTests = conformance()
const conforms = historyTests

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

conforms(
  [...rowsOf('2 Activity.'), '4 GET activity', '1 record'],
  async ({ addAccess, addGate, addMember, api, get, space }) => {
    const gate = await addGate()
    const member = await addMember()
    const access = await addAccess(member.id, { gateId: gate.id })
    const [key] = await listApiKeys(api.database, space.spaceId)
    const ids = (targetId: string) => ({ actorId: key?.apiKeyId, targetId })
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
      {
        ...common,
        ...target,
        action: 'guest.access_added',
        details: { deviceName: gate.name, gateId: gate.id, accessId: access.id, ...ids(member.id) },
      },
      {
        ...common,
        ...target,
        action: 'member.created',
        details: { accesses: [], gateIds: [], ...ids(member.id) },
      },
      {
        ...common,
        action: 'gate.created',
        targetType: 'gate',
        targetLabel: gate.name,
        details: { deviceName: gate.name, ...ids(gate.id) },
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
    const { accessUrl, gateId, id: accessId } = await changeAll(stage)
    const { apiKeyId, key } = await space.addKey({ name: 'Old' })
    await api.world.advance(1_000)
    await revokeApiKey(api, { apiKeyId, actor: 'operator' })
    await api.world.advance(1_000)
    await setPlan(api, { spaceId: space.spaceId, plan: 'business', actor: 'operator' })
    const { json, text } = await get('/activity')
    const entries = json.activity.map(({ action, actor, details }) => {
      // The ids that every entry has are compared below.
      const { actorId: _, targetId: __, ...own } = details as Record<string, unknown>
      return [action, actor, own]
    })
    const gate = { deviceName: 'Main' }
    const ofAccess = { ...gate, gateId, accessId }
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
      ['member.created', 'api:Desk', { accesses: [], gateIds: [] }],
      ['member.updated', 'api:Desk', { changes: { phone: { from: null, to: '(set)' } } }],
      ['guest.access_added', 'api:Desk', ofAccess],
      ['guest.access_updated', 'api:Desk', { ...ofAccess, changes: { maxUsage: { from: null, to: 2 } } }],
      ['member.link_reset', 'api:Desk', {}],
      ['guest.access_revoked', 'api:Desk', ofAccess],
      ['member.deactivated', 'api:Desk', { accesses: [], gateIds: [] }],
      ['api_key.created', 'operator', expect.objectContaining({ scopes: expect.any(Array) })],
      ['api_key.revoked', 'operator', {}],
      [
        'space.plan_changed',
        'operator',
        { changes: expect.objectContaining({ plan: { from: 'pro', to: 'business' } }) },
      ],
    ])
    const prefixes: Record<string, string> = {
      api_key: 'key',
      space: 'space',
      gate: 'gate',
      member: 'member',
    }
    for (const { action, actor, details, targetType } of json.activity) {
      expect(Object.keys(activityActions)).toContain(action)
      const { actorId, targetId } = details as Record<string, string | null>
      expect(targetId?.split('_')[0], action).toBe(prefixes[targetType])
      expect(actorId?.split('_')[0] ?? null, action).toBe(actor === 'operator' ? null : 'key')
    }
    const token = accessUrl.split('/').at(-1) ?? ''
    expect([token, key, key.slice(9)].filter(secret => text.includes(secret))).toEqual([])
  },
)

conforms(
  'Lists of openings and activity',
  async ({ addAccess, addGate, addMember, api, get, guest, open, space }) => {
    const near = await addGate()
    const far = await addGate({ kind: 'busy' })
    const member = await addMember()
    const { accessUrl } = await addAccess(member.id, { gateId: far.id })
    const ids: (string | undefined)[] = [(await open(near.id)).json.openingId]
    await api.world.advance(60_000)
    ids.push((await open(far.id)).json.error.openingId)
    const secondAt = new Date(api.world.nowMs()).toISOString()
    await api.world.advance(60_000)
    await guest(accessUrl).press(far.id)
    // The gateway calls after the press has been answered.
    const reasonOfNewest = async () => (await get('/openings?include=reason')).json.openings[0]?.reason
    await expect.poll(reasonOfNewest).toBe('busy')
    const [newest] = (await get('/openings?limit=1')).json.openings
    ids.push(newest?.id)
    const [first, second, third] = ids
    const found = async (query: string) => (await get(`/openings?${query}`)).json.openings.map(({ id }) => id)
    expect(await found(`gateId=${far.id}`)).toEqual([third, second])
    expect(await found(`memberId=${member.id}`)).toEqual([third])
    expect(await found('status=completed')).toEqual([first])
    // From is included, to is not.
    expect(await found(`from=${secondAt}`)).toEqual([third, second])
    expect(await found(`to=${secondAt}`)).toEqual([first])
    expect(await found(`gateId=${far.id}&status=failed&to=${secondAt}`)).toEqual([])
    const reasons = (await get('/openings?include=reason')).json.openings
    expect(reasons.map(({ id, reason }) => [id, reason])).toEqual([
      [third, 'busy'],
      [second, 'busy'],
      [first, expect.any(String)],
    ])
    expect(Object.keys(newest ?? {})).not.toContain('reason')
    const actions = async (query: string) => (await get(`/activity?${query}`)).json.activity
    expect((await actions(`gateId=${far.id}`)).map(({ action }) => action)).toEqual([
      'guest.access_added',
      'gate.created',
    ])
    expect((await actions(`memberId=${member.id}`)).map(({ action }) => action)).toEqual([
      'guest.access_added',
      'member.created',
    ])
    expect(await actions(`from=${secondAt}`)).toEqual([])
    // What is foreign is as empty as what is missing.
    const other = await furnish(api, await api.addSpace())
    for (const list of ['openings', 'activity'])
      for (const [foreign, missing] of [
        [`gateId=${other.own.gateId}`, `gateId=gate_${'0'.repeat(26)}`],
        [`memberId=${other.own.memberId}`, `memberId=member_${'0'.repeat(26)}`],
      ]) {
        const answers = [await get(`/${list}?${foreign}`), await get(`/${list}?${missing}`)]
        expect(answers.map(({ status }) => status)).toEqual([200, 200])
        expect(answers[0]?.text).toBe(answers[1]?.text)
      }
    const refused = [
      'gateId=1',
      'memberId=1',
      'from=2026-01-05',
      'to=now',
      'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
    ]
    for (const query of refused)
      for (const list of ['openings', 'activity']) {
        const answer = await get(`/${list}?${query}`)
        expect([query, statusAndCode(answer)]).toEqual([query, '400 validation_error'])
        expect(answer.json.error.message).toContain(query.split('=')[0])
      }
    expect(statusAndCode(await get('/openings?status=open'))).toBe('400 validation_error')
    expect(statusAndCode(await get('/activity?status=failed'))).toBe('400 validation_error')
    expect(space.spaceId).not.toBe(other.space.spaceId)
  },
)

conforms('Conditional reads', async stage => {
  const { api, get, space } = stage
  await fill(stage, 7)
  for (const path of ['/openings', '/activity', '/gates'] as const) {
    const noun = path.slice(1) as 'openings' | 'activity' | 'gates'
    const whole = (await get(`${path}?limit=200`)).json[noun].map(({ id }) => id)
    for (const start of ['?limit=3&cursor=', ...(noun === 'gates' ? [] : ['?limit=3'])]) {
      const seen: string[] = []
      const relations: string[] = []
      let next: string | undefined = `/api/v1${path}${start}`
      while (next !== undefined) {
        const { headers, json } = await api.send('GET', next, { key: space.key })
        seen.push(...json[noun].map(({ id }) => id))
        const links = [...String(headers['link']).matchAll(/<([^>]*)>; rel="(\w+)"/g)]
        relations.push(links.map(([, , rel]) => rel).join(' '))
        next = links.find(([, , rel]) => rel === 'next')?.[1]
      }
      expect(seen).toEqual(whole)
      const isCursor = start.includes('cursor')
      const between = isCursor ? 'next first' : 'next prev first'
      expect(relations[0]).toBe('next first')
      expect(new Set(relations.slice(1, -1))).toEqual(new Set([between]))
      expect(relations.at(-1)).toBe(isCursor ? 'first' : 'prev first')
    }
  }
  for (const path of ['/gates', '/members']) expect((await get(path)).headers['link']).toBeUndefined()

  const [opening] = (await get('/openings?limit=1')).json.openings
  for (const path of [
    `/gates/${opening?.gateId}`,
    `/gates/${opening?.gateId}/profile`,
    `/openings/${opening?.id}`,
  ]) {
    const { headers, text } = await get(path)
    const tag = headers.etag ?? ''
    for (const same of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const unchanged = await get(path, { 'if-none-match': same })
      expect([unchanged.status, unchanged.text, unchanged.headers.etag]).toEqual([304, '', tag])
    }
    expect((await get(path, { 'if-none-match': '"other"' })).text).toBe(text)
  }
  // An opening is a change that a reader is told of.
  const path = `/gates/${opening?.gateId}`
  const tag = (await get(path)).headers.etag ?? ''
  await api.nextMinute()
  await stage.open(opening?.gateId ?? '')
  expect((await get(path, { 'if-none-match': tag })).json.gate.openCount).toBe(2)
})

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

conforms('Events of an opening', async ({ addGate, get, open }) => {
  const { id } = await addGate()
  const { json } = await open(id)
  const { headers, text } = await get(`/openings/${json.openingId}/events`)
  expect(headers).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    ratelimit: '"default";r=119;t=60',
  })
  const told = [...text.matchAll(/^id: (\d+)\nevent: step\ndata: (.*)$/gm)]
  const steps = told.map(([, , data = '{}']) => (JSON.parse(data) as { step: string }).step)
  expect(steps).toEqual(['asked', 'calling', 'taken', 'ended'])
  const [, second = ''] = told[1] ?? []
  const rest = await get(`/openings/${json.openingId}/events`, { 'last-event-id': second })
  expect(rest.text.match(/"step":"\w+"/g)).toEqual(['"step":"taken"', '"step":"ended"'])
  const end = await get(`/openings/${json.openingId}/events`, { 'last-event-id': told.at(-1)?.[1] ?? '' })
  expect([end.status, end.text]).toEqual([204, ''])
  const unknown = await get(`/openings/${json.openingId}/events`, { 'last-event-id': '99999' })
  expect(unknown.text).toContain('event: reset')
})
