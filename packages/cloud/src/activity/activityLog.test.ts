import { idPrefix } from '@callgate/contract/idPrefix'
import type { ActivityEntry } from '@callgate/contract/rest/activity'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { cursorOf } from '../database/paging.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import type { LongFile } from '../http/longList.ts'
import { adminRequest } from '../http/requests.kit.ts'
import { type ApiServer, gate, json, serveApi, told } from '../http/server.kit.ts'
import { memberHandlers } from '../member/members.ts'
import { createSpace } from '../space/spaces.ts'
import { readCsv } from '../text/csv.ts'
import { activityFileHandlers } from './activityFile.ts'
import { activityHandlers, readActivity } from './activityLog.ts'

let api: ApiServer
let gateIds: string[]
let apiKeyId: string

/** Sends a request a second later; resolves with the id of the new thing. */
async function make(path: string, noun: string, body: object): Promise<string> {
  await api.world.advance(1000)
  const made = await api.send('POST', `/api/v1${path}`, json(body))
  return (made.json[noun] as { id: string }).id
}

beforeEach(async () => {
  api = await serveApi(parts => ({
    ...activityHandlers(parts),
    ...memberHandlers({ ...parts, appUrl: 'http://localhost' }),
  }))
  gateIds = []
  for (const name of ['A', 'B', 'C']) gateIds.push(await make('/gates', 'gate', { ...gate, name }))
  apiKeyId = await api.database
    .knex('apiKeys')
    .first('id')
    .then(({ id }) => id)
  await createSpace(api, { name: 'Other', plan: 'pro', country: 'RO', timezone: 'UTC' })
})
afterEach(() => api.stop())

async function list(query: string) {
  const { json } = await api.send('GET', `/api/v1/activity${query}`)
  const activity = json['activity'] as ActivityEntry[]
  return { members: Object.keys(json), labels: activity.map(entry => entry.targetLabel), activity, json }
}

it('lists what was done in the Space, newest first, as specified', async () => {
  const { activity, members } = await list('?limit=3')
  expect(members).toEqual(['activity'])
  expect(activity.map(({ id: _, ...entry }) => entry)).toEqual(
    ['C', 'B', 'A'].map((name, before) => ({
      action: 'gate.created',
      actor: 'api:Desk',
      targetType: 'gate',
      targetLabel: name,
      details: { deviceName: name, actorId: apiKeyId, targetId: gateIds[2 - before] },
      timestamp: `2026-01-05T08:00:0${3 - before}.000Z`,
    })),
  )
  expect((await list('?limit=1&offset=1')).labels).toEqual(['B'])
  expect((await list('')).labels).not.toContain('Other')
})

it('is paged by a cursor, and only then has the pagination', async () => {
  const first = await list('?limit=2&cursor=')
  expect([first.members, first.labels]).toEqual([
    ['activity', 'pagination'],
    ['C', 'B'],
  ])
  const { nextCursor } = first.json['pagination'] as { nextCursor: string }
  expect((await list(`?limit=1&cursor=${nextCursor}`)).labels).toEqual(['A'])
  for (const query of [`cursor=${nextCursor}&offset=1`, `cursor=${nextCursor}x`, 'cursor=1'])
    expect(told(await api.send('GET', `/api/v1/activity?${query}`)), query).toBe('400 validation_error')
})

describe('a filter', () => {
  let memberId = ''
  beforeEach(async () => {
    const accesses = gateIds.slice(0, 2).map(gateId => ({ gateId }))
    memberId = await make('/members', 'member', { name: 'Ana', accesses })
    await make(`/members/${memberId}/accesses`, 'access', { gateId: gateIds[2] })
    await make('/members', 'member', { name: 'Ion' })
  })

  const told = async (query: string) =>
    (await list(query)).activity.map(({ action, targetLabel }) => `${action} ${targetLabel}`)
  const added = ['member.created Ana', 'guest.access_added Ana']

  it('finds what concerns a gate or a member, also among several gates of one entry', async () => {
    const [a, , c] = gateIds
    expect(await told(`?gateId=${a}`)).toEqual(['member.created Ana', 'gate.created A'])
    expect(await told(`?gateId=${c}`)).toEqual(['guest.access_added Ana', 'gate.created C'])
    expect(await told(`?memberId=${memberId}`)).toEqual([...added].reverse())
    expect(await told(`?memberId=${memberId}&gateId=${a}`)).toEqual(['member.created Ana'])
    expect(await told(`?gateId=${`gate_${'0'.repeat(26)}`}`)).toEqual([])
    const { headers } = await api.send('GET', `/api/v1/activity?gateId=${c}&limit=1`)
    const next = `</api/v1/activity?gateId=${c}&limit=1&offset=1>; rel="next"`
    expect(headers.get('link')).toContain(next)
  })

  it('is narrowed by instants, and pages keep to it', async () => {
    const at = (second: number) => isoTime(Date.parse('2026-01-05T08:00:00Z') + second * 1000)
    expect(await told(`?from=${at(2)}&to=${at(5)}`)).toEqual([
      'member.created Ana',
      'gate.created C',
      'gate.created B',
    ])
    expect(await told(`?memberId=${memberId}&from=${at(5)}`)).toEqual(['guest.access_added Ana'])
    const first = await list(`?memberId=${memberId}&limit=1&cursor=`)
    const { nextCursor } = first.json['pagination'] as { nextCursor: string }
    const rest = await list(`?memberId=${memberId}&limit=5&cursor=${nextCursor}`)
    expect([...first.labels, ...rest.labels]).toEqual(['Ana', 'Ana'])
    expect(rest.json['pagination']).toEqual({ limit: 5, nextCursor: null })
  })

  it('ignores entries from before the ids were recorded, which are still listed without a filter', async () => {
    const old = { action: 'gate.created', actor: 'operator', targetType: 'gate', targetLabel: 'Old' }
    const details = JSON.stringify({ deviceName: 'Old' })
    const id = newId(api.world, idPrefix.activity)
    const timestamp = isoTime(api.world.nowMs() + 1000)
    await api.database.knex('activity').insert({ ...old, id, spaceId: api.spaceId, details, timestamp })
    expect((await list('?limit=1')).activity).toEqual([
      { ...old, id, timestamp, details: { deviceName: 'Old' } },
    ])
    expect(await told(`?gateId=${gateIds[0]}&limit=1`)).toEqual(['member.created Ana'])
  })

  it('finds its place by an index, and sorts nothing', async () => {
    const at = '2026-01-05T08:00:02.000Z'
    const cursor = cursorOf({ at, id: newId(api.world, idPrefix.activity) })
    const bySpace = /^SEARCH activity USING INDEX activity_spaceid_timestamp_id_index /
    const byConcern = [
      expect.stringMatching(/^SEARCH c USING COVERING INDEX \w+ \(spaceId=\? AND concernedId=\?/),
      expect.stringMatching(/^SEARCH activity USING INDEX \w+ \(id=\?\)/),
    ]
    const both = expect.stringMatching(/SEARCH g (EXISTS )?USING COVERING INDEX .*activityId=\?\)/)
    for (const page of [{ offset: 3 }, { cursor }, { cursor: '' }])
      for (const span of [{}, { from: at }, { to: at }, { from: at, to: '2026-02-01T00:00:00Z' }])
        for (const given of [{}, { gateId: gateIds[0] }, { memberId }, { gateId: gateIds[0], memberId }]) {
          const filter = { spaceId: api.spaceId, gateId: undefined, memberId: undefined, ...given }
          const [steps] = await plansOf(api.database, db =>
            readActivity(db, filter, { limit: 50, ...page, ...span }),
          )
          const what = JSON.stringify({ given, page, span })
          if (Object.keys(given).length === 0) expect(steps, what).toEqual([expect.stringMatching(bySpace)])
          else expect(steps, what).toEqual(expect.arrayContaining(byConcern))
          if (Object.keys(given).length === 2) expect(steps, what).toContainEqual(both)
          expect(steps?.join(), what).not.toMatch(/SCAN|TEMP B-TREE/)
        }
  })

  it('is applied to the file, which has each fitting entry in a line of its own', async () => {
    const { exportActivity } = activityFileHandlers(api)
    const lines = async (query: object) => {
      const file = await exportActivity(adminRequest(api.database, api.spaceId, { query }))
      let text = ''
      for await (const piece of (file as LongFile).pieces) text += piece
      const read = readCsv(text, { mostRows: 10_000, mostCells: 20 })
      return read.ok ? read.rows : []
    }
    const [heading, ...all] = await lines({})
    expect(heading).toEqual(['id', 'doneAt', 'time', 'action', 'by', 'kind', 'to', 'details'])
    expect(all.map(([, , , , , , to]) => to)).toEqual((await list('?limit=200')).labels)
    const one = await lines({ gateId: gateIds[1] })
    expect(one.slice(1).map(line => line[6])).toContain('B')
    expect(one.slice(1).map(line => line[6])).not.toContain('C')
    const wrong = { query: { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' } }
    expect(await exportActivity(adminRequest(api.database, api.spaceId, wrong))).toMatchObject({
      problem: 'validation_error',
    })
  })

  it('cannot be a status or a kind of entry', async () => {
    for (const query of ['status=failed', 'include=reason'])
      expect((await api.send('GET', `/api/v1/activity?${query}`)).json.error?.message).toMatch(
        /^\w+ is not a known field$/,
      )
  })
})
