// What a plan allows a Space: gateways, API keys, users and webhooks.

import type { Problem } from '@callgate/contract/rest/problem'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { PlanLimit } from '../core/plan.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { addGateway, revokeGateway } from '../gateway/gateways.ts'
import { adminRequest } from '../http/requests.kit.ts'
import { keySettings } from '../settings/keySettings.ts'
import { newUser } from '../user/user.kit.ts'
import { userHandlers } from '../user/userHandlers.ts'
import { webhookHandlers } from '../webhook/webhookHandlers.ts'
import { endApiKey } from './apiKeys.ts'
import { createKeyUses } from './keyUses.ts'
import { setOwnLimits } from './plans.ts'
import { newSeal, newSpace } from './space.kit.ts'

let world: FakeWorld
let database: Database
let spaceId: string

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
})
afterEach(() => database.close())

const actor = 'operator'
const allow = (limit: PlanLimit, count: number) =>
  setOwnLimits({ database, world }, { spaceId, limits: { [limit]: count }, actor })
const refused = (message: string) => ({
  problem: 'plan_limit_reached',
  message: expect.stringContaining(message),
})

it('limits gateways; a revoked one does not count', async () => {
  await allow('gatewayLimit', 2)
  const add = (publicKey: string, of = spaceId) =>
    addGateway({ database, world }, { spaceId: of, name: 'Pi', publicKey, actor })
  const first = await add('a')
  expect(await add('b')).toMatchObject({ ok: true })
  expect(await add('c')).toMatchObject({ problem: refused('may have 2 gateways, and 2 are in use') })
  expect(await add('d', await newSpace({ world, database }))).toMatchObject({ ok: true })
  if (first.ok) await revokeGateway({ database, world }, { gatewayId: first.gateway.gatewayId, actor })
  expect(await add('c')).toMatchObject({ ok: true })
})

it('limits API keys; a revoked or expired one does not count', async () => {
  await allow('keyLimit', 2)
  const handlers = keySettings({ database, world, uses: createKeyUses({ database, world }) })
  const create = (expiresAt: string | null = null) =>
    handlers.createApiKey(
      adminRequest(database, spaceId, { body: { name: 'Desk', scopes: ['gates:read'], expiresAt } }),
    )
  await create()
  await create(isoTime(world.nowMs() + 1_000))
  expect(await create()).toMatchObject(refused('may have 2 API keys, and 2 are in use'))
  await world.advance(1_000)
  expect(await create()).toMatchObject({ status: 201 })
  expect(await create()).toMatchObject(refused('may have 2 API keys'))
  const { id } = await database.knex('apiKeys').where({ spaceId, expiresAt: null }).first('id')
  await database.write(tx => endApiKey(tx, world, { id }, { actor, actorId: null }))
  expect(await create()).toMatchObject({ status: 201 })
})

it('limits users with their invitations; a repeated invitation does not count again', async () => {
  await newUser({ database, world }, { email: 'ada@example.com', spaceId })
  await allow('userLimit', 2)
  const handlers = userHandlers({ database, world, seal: newSeal(world) })
  const invite = (email: string): Promise<object | Problem> =>
    handlers.inviteUser(adminRequest(database, spaceId, { body: { email, name: 'Ion', role: 'admin' } }))
  expect(await invite('ion@example.com')).toMatchObject({ status: 201 })
  expect(await invite('ana@example.com')).toMatchObject(refused('may have 2 users, and 2 are in use'))
  expect(await invite('Ion@example.com')).toMatchObject({ status: 201 })
  await world.advance(72 * 60 * 60 * 1_000)
  expect(await invite('ana@example.com')).toMatchObject({ status: 201 })
})

it('limits webhooks, also those that are switched off', async () => {
  await allow('webhookLimit', 1)
  const rules = { ports: [443], hasNetworks: false, ownHost: 'callgate.example.com' }
  const handlers = webhookHandlers({ database, world, seal: newSeal(world), rules })
  const add = () =>
    handlers.createWebhook(
      adminRequest(database, spaceId, { body: { url: 'https://desk.example.com/' } }) as never,
    )
  expect(await add()).toMatchObject({ status: 201 })
  await database.knex('webhooks').update({ stoppedAt: isoTime(0), stoppedWhy: 'gone' })
  expect(await add()).toMatchObject(refused('may have 1 webhook, and 1 is in use'))
})
