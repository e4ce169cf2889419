import { afterEach, beforeEach, expect, it } from 'vitest'
import { plansOf } from '../database/queryPlan.kit.ts'
import { adminRequest, bodyOf } from '../http/requests.kit.ts'
import { type ApiServer, gate, json, serveApi } from '../http/server.kit.ts'
import { createSpace } from '../space/spaces.ts'
import { newUser } from '../user/user.kit.ts'
import { recordActivity } from './activity.ts'
import { lastChangeHandlers, newestEntries } from './lastChange.ts'

let api: ApiServer
let gateId: string

beforeEach(async () => {
  api = await serveApi(() => ({}))
  const made = await api.send('POST', '/api/v1/gates', json(gate))
  gateId = (made.json['gate'] as { id: string }).id
})
afterEach(() => api.stop())

/** Changes the gate a second later; `given` determines the details of the entry. */
async function change(given: { actor: string; actorId: string | null; targetId?: string }) {
  await api.world.advance(1_000)
  const { targetId = gateId, ...by } = given
  const details = { deviceName: 'A', changes: { name: { from: 'A', to: 'B' } }, gateId }
  const of = { ...by, spaceId: api.spaceId, targetId, targetLabel: 'A', details }
  await api.database.write(tx => recordActivity(tx, api.world, { ...of, action: 'gate.updated' }))
}

async function lastChange(targetId?: string, spaceId = api.spaceId) {
  const asked = adminRequest<'getLastChange'>(api.database, spaceId, { query: { targetId } })
  const { getLastChange } = lastChangeHandlers(api)
  return (await bodyOf<{ change: unknown }>(getLastChange(asked) as never)).change
}

it('names the person, the key or the operator who changed a thing last', async () => {
  expect(await lastChange(gateId)).toMatchObject({ by: { kind: 'key', name: 'Desk' } })
  const { userId } = await newUser(api, { email: 'ana@example.com', name: 'Ana Pop', spaceId: api.spaceId })
  await change({ actor: 'user:ana@example.com', actorId: userId })
  expect(await lastChange(gateId)).toEqual({
    at: '2026-01-05T08:00:01.000Z',
    by: { kind: 'user', id: userId, name: 'Ana Pop' },
  })
  await change({ actor: 'user:gone@example.com', actorId: 'user_gone' })
  expect(await lastChange(gateId)).toMatchObject({ by: { kind: 'user', name: null } })
  await change({ actor: 'operator', actorId: null })
  expect(await lastChange(gateId)).toMatchObject({ by: { kind: 'operator', id: null, name: null } })
})

it('ignores changes by the cloud itself, and entries that only concern the thing', async () => {
  await change({ actor: 'system', actorId: null })
  await change({ actor: 'user:ana@example.com', actorId: 'user_a', targetId: 'member_1' })
  expect(await lastChange(gateId)).toMatchObject({ by: { kind: 'key' } })
  expect(await lastChange()).toMatchObject({ by: { kind: 'user' } })
})

it('ignores changes of another Space', async () => {
  const other = await createSpace(api, { name: 'Other', plan: 'pro', country: 'RO', timezone: 'UTC' })
  expect(await lastChange(gateId, other.spaceId)).toBeNull()
  expect(await lastChange('gate_1')).toBeNull()
})

it('finds its place by an index, and sorts nothing', async () => {
  for (const targetId of [undefined, gateId]) {
    const plans = await plansOf(api.database, db => newestEntries(db, { spaceId: api.spaceId, targetId }))
    expect(plans.flat().join('\n')).toMatch(/^SEARCH /)
    expect(plans.flat().join('\n')).not.toMatch(/SCAN|TEMP B-TREE/)
  }
})
