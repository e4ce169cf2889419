// Alerts in the dashboard's API: the incidents of the own Space, and the choice of who gets mails.

import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Api, serveWholeApi } from './apiServer.ts'
import type { Tenant } from './servedCloud.ts'

let api: Api
let space: Tenant
let owner: SignedInBrowser
let admin: SignedInBrowser

beforeEach(async () => {
  api = await serveWholeApi()
  space = await api.addSpace()
  owner = await newUser(api, { email: 'owner@example.com', spaceId: space.spaceId })
  admin = await newUser(api, { email: 'admin@example.com', spaceId: space.spaceId, role: 'admin' })
})
afterEach(() => api.stop())

const dayMs = 24 * 3_600_000

/** An incident of a Space that began the given number of days ago, and is over unless `goesOn`. */
async function addIncident(of: Tenant, daysAgo: number, goesOn = false): Promise<string> {
  const id = newId(api.world, 'inc')
  const at = isoTime(api.world.nowMs() - daysAgo * dayMs)
  // At most one is open for each thing and kind.
  const targetId = goesOn ? of.gatewayId : newId(api.world, 'gw')
  const times = { seenAt: at, openedAt: at, closedAt: goesOn ? null : at, openTold: at, closeTold: at }
  const row = { id, spaceId: of.spaceId, kind: 'gateway_offline', targetId, ...times }
  await api.database.knex('incidents').insert(row)
  return id
}

const call = (browser: SignedInBrowser, method: string, path: string, body?: object, headers: object = {}) =>
  api.send(method, `/app/v1/spaces/${space.spaceId}${path}`, {
    key: null,
    headers: { ...browser.headers, ...headers },
    ...(body && { body }),
  })

const ids = (json: unknown) => (json as { incidents: { id: string }[] }).incidents.map(({ id }) => id)

it('lists open and ended alerts of the own Space alone, of the last 90 days, page by page', async () => {
  const other = await api.addSpace()
  await addIncident(other, 1, true)
  await addIncident(other, 1)
  const open = await addIncident(space, 3, true)
  const past = [await addIncident(space, 2), await addIncident(space, 5), await addIncident(space, 80)]
  await addIncident(space, 91)
  const { knex } = api.database
  await knex('gateways').where({ id: space.gatewayId }).update({ name: 'Attic' })

  const now = await call(admin, 'GET', '/incidents')
  expect(now.json).toMatchObject({
    total: 1,
    incidents: [{ id: open, target: { type: 'gateway', name: 'Attic' } }],
  })
  const first = await call(admin, 'GET', '/past-incidents?limit=2')
  expect(ids(first.json)).toEqual(past.slice(0, 2))
  const { pagination } = first.json as unknown as { pagination: { nextCursor: string } }
  const second = await call(admin, 'GET', `/past-incidents?limit=2&cursor=${pagination.nextCursor}`)
  expect(ids(second.json)).toEqual(past.slice(2))
  // The thing that it concerned is deleted.
  expect(second.json).toMatchObject({
    incidents: [{ target: { name: null } }],
    pagination: { nextCursor: null },
  })
  expect((await call(admin, 'GET', '/past-incidents?cursor=nonsense')).status).toBe(400)
})

const getsAlerts = async (user: SignedInBrowser) => {
  const row = await api.database.knex('userRoles').where({ userId: user.userId }).first('getsAlerts')
  return Boolean(row.getsAlerts)
}

it('lets everybody choose for themselves, and an owner for all, with an entry for each change', async () => {
  expect(await getsAlerts(admin)).toBe(true)
  expect((await call(admin, 'PATCH', '/own-alerts', { getsAlerts: false })).json).toEqual({
    getsAlerts: false,
  })
  expect(await getsAlerts(admin)).toBe(false)
  // Repeated, it is no change.
  await call(admin, 'PATCH', '/own-alerts', { getsAlerts: false })
  const session = await api.send('GET', '/app/v1/session', { key: null, headers: admin.headers })
  expect(session.json).toMatchObject({ spaces: [{ id: space.spaceId, getsAlerts: false }] })

  const path = `/users/${admin.userId}`
  expect((await call(admin, 'PATCH', path, { getsAlerts: true })).status).toBe(403)
  const read = await call(owner, 'GET', path)
  expect(read.json).toMatchObject({ user: { getsAlerts: false } })
  const etag = String(read.headers['etag'])
  expect((await call(owner, 'PATCH', path, { getsAlerts: true }, { 'If-Match': etag })).status).toBe(200)
  expect((await call(owner, 'PATCH', path, { getsAlerts: false }, { 'If-Match': etag })).status).toBe(412)
  expect(await getsAlerts(admin)).toBe(true)
  const { activity } = (await call(owner, 'GET', '/activity')).json as unknown as {
    activity: { action: string; actor: string; details: object }[]
  }
  const entries = activity.filter(({ action }) => action === 'user.alerts_changed')
  expect(entries.map(({ actor }) => actor)).toEqual(['user:owner@example.com', 'user:admin@example.com'])
  expect(entries[1]?.details).toMatchObject({
    targetId: admin.userId,
    changes: { getsAlerts: { from: true, to: false } },
  })
  expect((await call(admin, 'PATCH', '/own-alerts', {})).status).toBe(400)
})
