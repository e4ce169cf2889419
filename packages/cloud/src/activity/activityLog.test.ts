import type { ActivityEntry } from '@callgate/contract/rest/activity'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ApiServer, gate, json, serveApi, told } from '../http/server.kit.ts'
import { createSpace } from '../space/spaces.ts'
import { activityHandlers } from './activityLog.ts'

let api: ApiServer
beforeEach(async () => {
  api = await serveApi(activityHandlers)
  for (const name of ['A', 'B', 'C']) {
    await api.world.advance(1000)
    await api.send('POST', '/api/v1/gates', json({ ...gate, name }))
  }
  await createSpace(api, { name: 'Other', plan: 'pro', country: 'RO', timezone: 'UTC' })
})
afterEach(() => api.stop())

async function list(query: string) {
  const { json } = await api.send('GET', `/api/v1/activity${query}`)
  const activity = json['activity'] as ActivityEntry[]
  return { members: Object.keys(json), labels: activity.map(entry => entry.targetLabel), activity, json }
}

it('tells what was done in the Space, newest first, as specified', async () => {
  const { activity, members } = await list('?limit=3')
  expect(members).toEqual(['activity'])
  expect(activity.map(({ id: _, ...entry }) => entry)).toEqual(
    ['C', 'B', 'A'].map((name, before) => ({
      action: 'gate.created',
      actor: 'api:Desk',
      targetType: 'gate',
      targetLabel: name,
      details: { deviceName: name },
      timestamp: `2026-01-05T08:00:0${3 - before}.000Z`,
    })),
  )
  expect((await list('?limit=1&offset=1')).labels).toEqual(['B'])
  expect((await list('')).labels).not.toContain('Other')
})

it('is paged by a cursor, which alone adds the pagination', async () => {
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
