// Updates of gateways over a real database, with a simulated gateway and the operator's command line.

import type { UpdateOutcome } from '@callgate/contract/releaseWords'
import { type FakeWorld, fakeWorld, settle } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { newSpace } from '../space/space.kit.ts'
import { gatewayInSpace } from '../task/gatewayInSpace.kit.ts'
import type { CurrentBoot } from '../task/taskEndpoint.ts'
import { endTask, lastTaskOf } from '../task/taskRows.ts'
import { readStages, writeStage } from './stageRows.ts'
import { updateHandlers } from './updateHandlers.ts'
import { saveUpdate, toUpdateView, updateOf, writeHours } from './updateRows.ts'
import { Updates } from './updates.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let gatewayId: string
let currentBoot: CurrentBoot | undefined
let stop: () => Promise<void>
let updates: Updates

beforeEach(async () => {
  world = fakeWorld(1)
  const lastBeat = JSON.stringify({ version: '0.1.0', can: ['update'] })
  ;({ database, gatewayId, spaceId } = await gatewayInSpace(world, { lastBeat }))
  currentBoot = { bootId: 'A'.repeat(22), seq: 1, can: ['update'] }
  updates = cloud()
  stop = updates.start()
})
afterEach(async () => {
  await stop()
  await database.close()
})

const cloud = (owns = true) =>
  new Updates({
    world,
    database,
    replica: { owns: () => owns, nowMs: world.nowMs },
    endpoint: { currentBoot: () => currentBoot },
  })

const released = (version = '0.2.0', percent = 100, spaces: readonly string[] = []) =>
  database.write(tx =>
    writeStage(tx, world, {
      version,
      notes: 'Better.',
      percent,
      spaces,
      archives: [{ architecture: 'arm64', sha256: 'a'.repeat(64) }],
    }),
  )
const allowed = (version = '0.2.0') =>
  database.write(tx =>
    saveUpdate(tx, { spaceId, gatewayId }, { allowedVersion: version, allowedAt: isoTime(world.nowMs()) }),
  )
const place = () => ({ spaceId, gatewayId })
const task = () => lastTaskOf(database.knex, { ...place(), kind: 'update' })
const tasks = async () => (await database.knex('tasks').where({ kind: 'update' })).length
const view = async () => {
  const row = await updateOf(database.knex, place())
  return row && toUpdateView(row, await readStages(database.knex), world.nowMs())
}
const entries = async () =>
  (await database.knex('activity').orderBy('id').select('action', 'details')).map(({ action, details }) => {
    const { actorId: _, targetId: __, ...told } = JSON.parse(details)
    return [action, told]
  })
async function pass(ms: number): Promise<void> {
  await world.advance(ms)
  for (let turn = 0; turn < 5; turn++) await settle()
}
/** The gateway has accepted the request. */
async function taken(): Promise<string> {
  const row = await task()
  if (!row) throw new Error('it was not asked')
  await database.write(tx => endTask(tx, world, row, { taskId: row.id, kind: 'update', state: 'done' }))
  return row.id
}
const told = (last?: UpdateOutcome) =>
  updates.told(gatewayId, spaceId, { architecture: 'arm64', ...(last && { last }) })

it('asks nothing without the permission of an owner, nor where the operator has not released the version', async () => {
  await released()
  await pass(120_000)
  expect(await tasks()).toBe(0)
  await released('0.2.0', 0, [])
  await allowed()
  await pass(120_000)
  expect(await tasks()).toBe(0)
  await released('0.2.0', 0, [spaceId])
  await pass(40_000)
  expect(JSON.parse((await task())?.details ?? '')).toEqual({
    version: '0.2.0',
    archives: [{ architecture: 'arm64', sha256: 'a'.repeat(64) }],
  })
  expect(await entries()).toEqual([['gateway.update_asked', { version: '0.2.0', by: 'owner' }]])
})

it('asks once, records the result, and ends the permission with it', async () => {
  await released()
  await allowed()
  await pass(40_000)
  const taskId = await taken()
  expect(await view()).toMatchObject({ allowed: { version: '0.2.0' }, askedAt: expect.any(String) })
  await pass(3_600_000)
  expect(await tasks()).toBe(1)
  const end = { taskId, version: '0.2.0', state: 'installed', why: null } as const
  await told(end)
  await told(end)
  // Another process learns the same by the next connection.
  await cloud().told(gatewayId, spaceId, { architecture: 'arm64', last: end })
  expect(await view()).toMatchObject({ allowed: null, askedAt: null, last: { state: 'installed' } })
  expect((await entries()).slice(1)).toEqual([
    ['gateway.update_ended', { version: '0.2.0', state: 'installed', why: null }],
  ])
  expect((await readStages(database.knex))[0]?.halted).toBeNull()
})

it('asks a gateway that is online and can update, and only from the cloud that owns it', async () => {
  await released()
  await allowed()
  const before = currentBoot
  for (const next of [undefined, { bootId: 'A'.repeat(22), seq: 1, can: ['ussd'] }]) {
    currentBoot = next
    await pass(60_000)
  }
  expect(await tasks()).toBe(0)
  await stop()
  currentBoot = before
  const idle = cloud(false).start()
  await pass(60_000)
  await idle()
  expect(await tasks()).toBe(0)
  stop = cloud().start()
  await pass(60_000)
  expect(await tasks()).toBe(1)
})

it('asks again where the gateway was gone, but not where the permission was withdrawn meanwhile', async () => {
  await released()
  await allowed()
  await pass(40_000)
  const row = await task()
  if (!row) throw new Error('it was not asked')
  await database.write(tx => endTask(tx, world, row, { state: 'not_done', reason: 'offline' }))
  expect(await view()).toMatchObject({ askedAt: null })
  await pass(16 * 60_000)
  expect(await tasks()).toBe(2)
  const again = await task()
  if (again) await database.write(tx => endTask(tx, world, again, { state: 'not_done', reason: 'offline' }))
  await database.write(tx => saveUpdate(tx, place(), { allowedVersion: null, allowedAt: null }))
  await pass(3 * 3_600_000)
  expect(await tasks()).toBe(2)
})

it('stops offering a version that was rolled back, until the operator resumes it', async () => {
  await released()
  await allowed()
  await pass(40_000)
  const taskId = await taken()
  const why = 'version 0.2.0 was taken back:\u001b[2J it ended by itself'
  await told({ taskId, version: '0.2.0', state: 'taken_back', why, cause: 'ended' })
  expect(await view()).toMatchObject({ last: { state: 'taken_back', cause: 'ended' } })
  const [stage] = await readStages(database.knex)
  expect(stage?.halted).toMatchObject({ by: gatewayId, why: expect.stringContaining('it ended by itself') })
  expect(stage?.halted?.why).not.toContain('\u001b')
  expect(world.lines.some(({ level, message }) => level === 'error' && message.includes('halted'))).toBe(true)
  const other = newId(world, 'gw')
  const columns = { name: 'Other', publicKey: 'o', passwordHash: 'p', createdAt: isoTime(world.nowMs()) }
  const lastBeat = JSON.stringify({ version: '0.1.0', can: ['update'] })
  await database.knex('gateways').insert({ id: other, spaceId, lastBeat, ...columns })
  const offerOf = async (id: string) => {
    const row = await updateOf(database.knex, { spaceId, gatewayId: id })
    return row && toUpdateView(row, await readStages(database.knex), world.nowMs()).offered
  }
  expect(await offerOf(other)).toBeNull()
  await released()
  expect(await offerOf(other)).toMatchObject({ version: '0.2.0' })
  // It did not work here, so it is not offered again.
  expect(await offerOf(gatewayId)).toBeNull()
})

it('does not halt a version by the report of a gateway whose Space it was not released to', async () => {
  await released('0.2.0', 0)
  // An older program reports no cause.
  await told({ taskId: null, version: '0.2.0', state: 'taken_back', why: null })
  expect((await readStages(database.knex))[0]?.halted).toBeNull()
  expect(await view()).toMatchObject({ last: { state: 'taken_back', cause: null } })
})

it('asks by the hours of the Space, in its zone, once a night', async () => {
  await released()
  // The fake world begins at a fixed time of day: the hours are the next one and the one after, in Bucharest.
  const hourThere = Number(
    new Intl.DateTimeFormat('en-GB', {
      timeZone: 'Europe/Bucharest',
      hour: '2-digit',
      hourCycle: 'h23',
    }).format(world.nowMs() + 2 * 3_600_000),
  )
  const time = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`
  const hours = { from: time(hourThere), to: time(hourThere + 2) }
  await database.write(tx => writeHours(tx, spaceId, hours))
  await pass(30 * 60_000)
  expect(await tasks()).toBe(0)
  await pass(2 * 3_600_000)
  expect(await tasks()).toBe(1)
  expect(await entries()).toEqual([['gateway.update_asked', { version: '0.2.0', by: 'hours' }]])
  const taskId = await taken()
  await told({ taskId, version: '0.2.0', state: 'refused', why: 'the disk is too full' })
  await pass(3 * 3_600_000)
  expect(await tasks()).toBe(1)
  await pass(21 * 3_600_000)
  expect(await tasks()).toBe(2)
})

it('reaches every gateway of many Spaces by their hours, with a few reads for each check', async () => {
  const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
  const createdAt = isoTime(world.nowMs())
  const spaces = Array.from({ length: 600 }, (_, index) => ({
    id: newId(world, 'space'),
    name: `Space ${index}`,
    plan: 'free',
    ...zone,
    createdAt,
  }))
  const gateways = spaces.map(({ id }) => ({
    id: newId(world, 'gw'),
    spaceId: id,
    name: 'Pi',
    publicKey: newId(world, 'gw'),
    createdAt,
    passwordHash: 'p',
    lastBeat: JSON.stringify({ version: '0.1.0', can: ['update'] }),
  }))
  const hours = spaces.map(({ id }) => ({ spaceId: id, from: '00:00', to: '23:59' }))
  await database.knex.batchInsert('spaces', spaces, 50)
  await database.knex.batchInsert('gateways', gateways, 50)
  await database.knex.batchInsert('updateHours', hours, 50)
  let reads = 0
  database.knex.on('query', ({ sql }) => {
    if (/from .gateways. .*left join/.test(sql)) reads++
  })
  await released('0.2.0', 0)
  await pass(20_000)
  // One read of owners' permissions, two pages of the first 500 Spaces, and one of the others.
  expect(reads).toBe(4)
  await released()
  for (let check = 0; check < 31; check++) await pass(20_000)
  const asked = await database.knex('tasks').distinct('gatewayId')
  expect(asked).toHaveLength(600)
})

it('is shown and allowed by an owner, for the offered version only', async () => {
  await released()
  const does = updateHandlers({ database, world })
  const principal = {
    spaceId,
    country: 'RO',
    actor: 'operator',
    name: 'operator',
    email: null,
    base: '/app',
    identity: { kind: 'operator' },
    role: 'owner',
    isConfirmed: true,
  } as const
  const request = (body: object) =>
    ({
      principal,
      params: { gatewayId, spaceId },
      query: {},
      body,
      write: (work: never) => database.write(work, { spaceId }),
      stale: () => undefined,
    }) as never
  expect(await does.allowUpdate(request({ version: '0.3.0' }))).toMatchObject({ problem: 'conflict' })
  expect(await does.allowUpdate(request({ version: '0.2.0' }))).toMatchObject({
    body: { update: { allowed: { version: '0.2.0' }, offered: { version: '0.2.0', notes: 'Better.' } } },
  })
  await does.allowUpdate(request({ version: '0.2.0' }))
  await does.disallowUpdate(request({}))
  await does.setUpdateHours(request({ hours: { from: '02:00', to: '05:00' } }))
  expect(await does.setUpdateHours(request({ hours: { from: '02:00', to: '02:00' } }))).toMatchObject({
    problem: 'validation_error',
  })
  expect(await does.listUpdates(request({}))).toMatchObject({
    body: { hours: { from: '02:00', to: '05:00' }, updates: [{ gatewayId, allowed: null }] },
  })
  expect(await entries()).toEqual([
    ['gateway.update_allowed', { version: '0.2.0' }],
    ['gateway.update_disallowed', { version: '0.2.0' }],
    ['space.updated', { changes: { updateHours: { from: null, to: '02:00-05:00' } } }],
  ])
  await database.knex('gateways').update({ lastBeat: JSON.stringify({ version: '0.1.0', can: ['ussd'] }) })
  expect(await does.allowUpdate(request({ version: '0.2.0' }))).toMatchObject({
    problem: 'conflict',
    message: expect.stringContaining('at the gateway itself'),
  })
})

it('asks the Spaces in turns, so that many gateways of one delay no other', async () => {
  await released()
  const own = await newSpace({ database, world })
  const more = async (inSpace: string, count: number, before: string) => {
    for (let at = 0; at < count; at++) {
      const id = `gw_${before}${String(at).padStart(25, '0')}`
      const { id: _, ...row } = await database.knex('gateways').where({ id: gatewayId }).first()
      await database.knex('gateways').insert({ ...row, id, spaceId: inSpace, publicKey: id })
      const leave = { allowedVersion: '0.2.0', allowedAt: isoTime(world.nowMs()) }
      await database.write(tx => saveUpdate(tx, { spaceId: inSpace, gatewayId: id }, leave))
    }
  }
  await more(spaceId, 60, '0')
  await more(own, 2, 'Z')
  await pass(21_000)
  const asked = async (of: string) => (await database.knex('tasks').where({ spaceId: of })).length
  expect([await asked(own), (await asked(spaceId)) <= 20]).toEqual([2, true])
})
