// Tasks of the cloud over a real database, with a simulated gateway.

import type { TaskReport } from '@callgate/contract/wire/tasks'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { gatewayInSpace } from './gatewayInSpace.kit.ts'
import type { CurrentBoot } from './taskEndpoint.ts'
import { insertTask, lastTaskOf } from './taskRows.ts'
import { Tasks } from './tasks.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let gatewayId: string
const boot = (letter: string, seq = 1): CurrentBoot => ({ bootId: letter.repeat(22), seq, can: ['ussd'] })

beforeEach(async () => {
  world = fakeWorld(1)
  ;({ database, gatewayId, spaceId } = await gatewayInSpace(world))
})
afterEach(() => database.close())

/** A cloud that hears a gateway, until the test changes that. */
function cloud({ owns = true } = {}) {
  const sent: { taskId: string; bootId: string; seq: number }[] = []
  const applied: string[] = []
  const gateway: { currentBoot: CurrentBoot | undefined } = { currentBoot: boot('A') }
  const tasks = new Tasks({
    world,
    database,
    replica: { owns: () => owns, nowMs: world.nowMs },
    endpoint: {
      currentBoot: () => gateway.currentBoot,
      heard: () => (gateway.currentBoot ? [gatewayId] : []),
      ask: (_, { bootId, seq }, { taskId }) => sent.push({ taskId, bootId, seq }),
    },
    appliers: {
      async ussd(_tx, { id }) {
        applied.push(id)
      },
    },
  })
  return { tasks, stop: tasks.start(), sent, applied, gateway }
}

const ask = () =>
  database.write(tx =>
    insertTask(tx, world, { spaceId, gatewayId, kind: 'ussd', details: { code: '*100#' } }),
  )
async function asked() {
  const row = await ask()
  if (!row) throw new Error('another one waits')
  return row
}
const last = () => lastTaskOf(database.knex, { spaceId, gatewayId, kind: 'ussd' })
const done = (taskId: string): TaskReport => ({
  taskId,
  kind: 'ussd',
  state: 'done',
  answer: { text: 'Credit', isMenu: false },
})
const pass = async (ms: number) => {
  for (let left = ms; left > 0; left -= 1_000) {
    await world.advance(Math.min(1_000, left))
    await settle()
  }
}

it('T2: is sent to the current boot, repeated until its report comes, and ends once', async () => {
  const { applied, gateway, sent, stop, tasks } = cloud()
  const { id } = await asked()
  await pass(2_000)
  expect(sent).toEqual([{ taskId: id, bootId: boot('A').bootId, seq: 1 }])
  gateway.currentBoot = boot('A', 9)
  await pass(6_000)
  expect(sent.slice(1)).toEqual([{ taskId: id, bootId: boot('A').bootId, seq: 9 }])
  const told = { gatewayId, bootId: boot('A').bootId, told: done(id) }
  await Promise.all([tasks.told(told), tasks.told(told)])
  await tasks.told(told)
  expect([applied, (await last())?.endedAs]).toEqual([[id], 'done'])
  expect(JSON.parse((await last())?.told ?? '')).toEqual({
    kind: 'ussd',
    state: 'done',
    answer: { text: 'Credit', isMenu: false },
  })
  await pass(20_000)
  expect(sent).toHaveLength(2)
  await stop()
})

it('waits for its own gateway only', async () => {
  await asked()
  expect(await ask()).toBeUndefined()
})

it('T2: accepts no report from another gateway, of another boot or of another kind', async () => {
  const { applied, stop, tasks } = cloud()
  const { id } = await asked()
  await pass(2_000)
  const told = done(id)
  await tasks.told({ gatewayId: newId(world, 'gw'), bootId: boot('A').bootId, told })
  await tasks.told({ gatewayId, bootId: boot('B').bootId, told })
  await tasks.told({ gatewayId, bootId: boot('A').bootId, told: { ...told, kind: 'other' } as never })
  expect([applied, (await last())?.endedAt]).toEqual([[], null])
  await stop()
})

it('T2: is never sent to a second boot', async () => {
  const { gateway, sent, stop } = cloud()
  await asked()
  await pass(2_000)
  gateway.currentBoot = boot('B')
  await pass(10_000)
  expect(sent.map(({ bootId }) => bootId)).toEqual([boot('A').bootId])
  expect(await last()).toMatchObject({ endedAs: 'not_done', reason: 'restarted' })
  await stop()
})

it.each([
  ['offline', undefined],
  ['silent', boot('A')],
  ['cannot', { ...boot('A'), can: [] }],
])('T2: ends in limited time: %s', async (reason, currentBoot) => {
  const { gateway, stop } = cloud()
  gateway.currentBoot = currentBoot
  await asked()
  await pass(153_000)
  expect(await last()).toMatchObject({ endedAs: 'not_done', reason })
  expect(await ask()).toBeDefined()
  await stop()
})

it('ends also after a clock was set back', async () => {
  const { gateway, stop } = cloud()
  gateway.currentBoot = undefined
  const { id } = await asked()
  await database
    .knex('tasks')
    .where({ id })
    .update({ createdAt: isoTime(world.nowMs() + 3_600_000) })
  await pass(3_000)
  expect(await last()).toMatchObject({ reason: 'offline' })
  await stop()
})

it('survives a restart of the cloud, which asks the same boot again', async () => {
  const before = cloud()
  const { id } = await asked()
  await pass(2_000)
  await before.stop()
  const { applied, sent, stop, tasks } = cloud()
  await pass(2_000)
  expect(sent).toEqual(before.sent)
  await tasks.told({
    gatewayId,
    bootId: boot('A').bootId,
    told: { taskId: id, state: 'not_done', reason: 'busy' },
  })
  expect([applied, (await last())?.reason]).toEqual([[], 'busy'])
  await stop()
})

it('is sent and applied by the cloud that owns the gateway, once even if two clouds own it', async () => {
  const [one, other, idle] = [cloud(), cloud(), cloud({ owns: false })]
  const { id } = await asked()
  await pass(2_000)
  expect([one.sent.length, other.sent.length, idle.sent.length]).toEqual([1, 1, 0])
  const told = { gatewayId, bootId: boot('A').bootId, told: done(id) }
  await Promise.all([one, other, idle].map(({ tasks }) => tasks.told(told)))
  expect([...one.applied, ...other.applied, ...idle.applied]).toEqual([id])
  for (const { stop } of [one, other, idle]) await stop()
})

it('is deleted after a month', async () => {
  const { id } = await asked()
  await database
    .knex('tasks')
    .where({ id })
    .update({ endedAt: isoTime(0), createdAt: isoTime(world.nowMs() - 31 * 86_400_000) })
  await asked()
  expect(await database.knex('tasks').where({ id })).toEqual([])
})

it('is sent behind 200 older ones of absent gateways, which end', async () => {
  const other = newId(world, 'space')
  const createdAt = isoTime(world.nowMs())
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  await database.knex('spaces').insert({ id: other, name: 'B', plan: 'free', ...zone, createdAt })
  const absent = Array.from({ length: 200 }, () => newId(world, 'gw'))
  const columns = { spaceId: other, name: 'Away', passwordHash: 'p', createdAt }
  for (const id of absent) {
    await database.knex('gateways').insert({ id, publicKey: id, ...columns })
    const question = { gatewayId: id, spaceId: other, kind: 'ussd', details: { code: '*100#' } } as const
    await database.write(tx => insertTask(tx, world, question))
  }
  await world.advance(1)
  const { sent, stop } = cloud()
  const { id } = await asked()
  await pass(2_000)
  expect(sent.map(({ taskId }) => taskId)).toEqual([id])
  await pass(153_000)
  expect(await database.knex('tasks').where({ spaceId: other, endedAs: 'not_done' })).toHaveLength(200)
  await stop()
})
