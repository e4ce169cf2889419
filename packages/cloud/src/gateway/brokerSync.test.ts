// Synchronizes the accounts at a broker with dynamic security with the gateways of the database.

import { downKinds, topicOf, upKinds } from '@callgate/contract/wire/topics'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Database } from '../database/database.ts'
import { memoryDatabase } from '../database/tables.kit.ts'
import type { Seal } from '../secrets/sealing.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { wantedCloud } from './brokerAccounts.ts'
import { createBrokerAdmin } from './brokerAdmin.ts'
import { type BrokerSync, createBrokerSync } from './brokerSync.ts'
import { cutOff } from './cutOff.ts'
import { type PretendPlugin, pretendPlugin } from './dynamicSecurity.kit.ts'
import { addGateway, changePassword, openPassword, passwordKeeper, revokeGateway } from './gateways.ts'

/** The rules of a gateway's role: one for each topic that it publishes, and two for each that it reads. */
const ruleCount = upKinds.length + 2 * downKinds.length

let world: FakeWorld
let database: Database
let seal: Seal
let plugin: PretendPlugin
let spaceId = ''
const running: BrokerSync[] = []

beforeEach(async () => {
  world = fakeWorld(1)
  database = await memoryDatabase()
  seal = newSeal(world)
  plugin = pretendPlugin()
  spaceId = await newSpace({ database, world })
})

afterEach(async () => {
  await Promise.all(running.splice(0).map(sync => sync.stop()))
  await database.close()
})

/** The part of a cloud that maintains the accounts. */
function start(): BrokerSync {
  const sync = createBrokerSync({
    world,
    database,
    connect: onConnect => createBrokerAdmin({ world, onConnect, connect: plugin.connect }),
    cloud: () => wantedCloud('callgate', 'of the cloud'),
    openPassword: (gatewayId, sealed) => openPassword(seal, gatewayId, sealed),
  })
  running.push(sync)
  sync.start()
  return sync
}

async function add({ isKept = true } = {}) {
  const keepPassword = isKept ? passwordKeeper(seal) : undefined
  const given = { spaceId, name: 'Pi', publicKey: newId(world, 'key'), actor: 'operator', keepPassword }
  const added = await addGateway({ database, world }, given)
  if (!added.ok) throw new Error(added.code)
  return { id: added.gateway.gatewayId, password: added.gateway.mqttPassword }
}

const revoke = (gatewayId: string) => revokeGateway({ database, world }, { gatewayId, actor: 'operator' })

async function renew(gatewayId: string): Promise<string> {
  const given = { gatewayId, actor: 'operator', keepPassword: passwordKeeper(seal), isKept: true }
  const changed = await changePassword({ database, world }, given)
  if (!changed.ok) throw new Error(changed.code)
  return changed.mqttPassword
}

/** Waits in real time for what depends on hashes, and advances the clock by one check each time. */
const becomes = (look: () => void) =>
  vi.waitFor(
    async () => {
      await world.advance(2_000)
      look()
    },
    { timeout: 20_000, interval: 10 },
  )
const names = () => [...plugin.clients.keys()].sort()

it('creates the accounts of the cloud and of every gateway, each with its own topics alone', async () => {
  const pi = await add()
  start()
  await becomes(() => expect(names()).toEqual(['callgate', pi.id].sort()))
  expect(plugin.clients.get(pi.id)).toMatchObject({
    clientid: pi.id,
    password: pi.password,
    roles: [{ rolename: pi.id }],
  })
  const allowed = (role: string) =>
    plugin.roles.get(role)?.acls?.map(({ acltype, topic }) => `${acltype} ${topic}`)
  expect(allowed(pi.id)).toEqual([
    ...upKinds.map(kind => `publishClientSend ${topicOf(pi.id, kind)}`),
    ...downKinds.map(kind => `subscribeLiteral ${topicOf(pi.id, kind)}`),
    ...downKinds.map(kind => `publishClientReceive ${topicOf(pi.id, kind)}`),
  ])
  expect(allowed('callgate-cloud')).toContain(`publishClientSend ${topicOf('+', 'grant')}`)
  expect(plugin.commands).toContain('setDefaultACLAccess')
  expect(JSON.stringify(world.lines)).not.toContain(pi.password)
})

it('adds and removes an account within 5 s, and adds one again after its hour', async () => {
  const first = await add()
  start()
  await becomes(() => expect(names()).toContain(first.id))
  const second = await add()
  await world.advance(2_000)
  await expect.poll(names).toContain(second.id)
  await revoke(first.id)
  await database.write(tx => cutOff(tx, world, second.id, 'beats'))
  await world.advance(2_000)
  await expect.poll(names).toEqual(['callgate'])
  expect(plugin.kicked).toEqual(expect.arrayContaining([first.id, second.id]))
  await world.advance(3_600_000)
  await becomes(() => expect(names()).toEqual(['callgate', second.id].sort()))
  expect(plugin.clients.get(second.id)?.password).toBe(second.password)
})

it('sends the broker a new password within seconds, which ends only the connection of the old one', async () => {
  const [pi, other] = [await add(), await add()]
  start()
  await becomes(() => expect(names().length).toBe(3))
  const password = await renew(pi.id)
  await world.advance(2_000)
  await expect.poll(() => plugin.clients.get(pi.id)?.password).toBe(password)
  await world.advance(2_000)
  expect(plugin.kicked).toEqual([pi.id])
  expect(plugin.clients.get(other.id)?.password).toBe(other.password)
  // A cloud that starts or checks later finds that the broker has it already.
  start()
  await becomes(() => expect(plugin.commands.filter(name => name.startsWith('set')).length).toBe(3))
  await world.advance(10_000)
  expect(plugin.kicked).toEqual([pi.id])
  expect(JSON.stringify(world.lines)).not.toContain(password)
})

it('creates the account of a gateway whose password nobody knew, once it has a new one', async () => {
  const { id } = await add({ isKept: false })
  const sync = start()
  await becomes(() => expect(sync.warning()).toContain('"callgate gateway password"'))
  const password = await renew(id)
  await becomes(() => expect(plugin.clients.get(id)?.password).toBe(password))
  await becomes(() => expect(sync.warning()).toBeUndefined())
})

it('creates everything again at a broker that has lost its data', async () => {
  const gateways = await Promise.all([add(), add(), add()])
  start()
  await becomes(() => expect(names().length).toBe(4))
  plugin.goAway()
  plugin.clients.clear()
  plugin.roles.clear()
  const late = await add()
  await revoke(gateways[0]?.id ?? '')
  plugin.comeBack()
  const there = [gateways[1]?.id, gateways[2]?.id, late.id, 'callgate'].sort()
  await becomes(() => expect(names()).toEqual(there))
})

it('corrects what differs, and leaves the accounts of others', async () => {
  const [pi, other] = [await add(), await add()]
  start()
  await becomes(() => expect(names().length).toBe(3))
  const widened = { rolename: pi.id, acls: [{ acltype: 'publishClientSend', topic: '#', allow: true }] }
  plugin.roles.set(pi.id, widened)
  plugin.clients.set(other.id, {
    username: other.id,
    password: 'other',
    disabled: true,
    groups: [{ groupname: 'g' }],
  })
  plugin.clients.set('sensor', { username: 'sensor', password: 'of the sensor' })
  plugin.roles.set('sensor', { rolename: 'sensor', acls: [] })
  const unknown = newId(world, 'gw')
  plugin.clients.set(unknown, { username: unknown })
  plugin.roles.set(unknown, { rolename: unknown, acls: [] })
  const foreign = structuredClone([plugin.clients.get('sensor'), plugin.roles.get('sensor')])
  await world.advance(180_000)
  await becomes(() => expect(plugin.clients.get(other.id)?.password).toBe(other.password))
  expect(plugin.clients.get(other.id)).not.toHaveProperty('disabled')
  expect(plugin.roles.get(pi.id)?.acls?.length).toBe(ruleCount)
  expect(plugin.clients.has(unknown) || plugin.roles.has(unknown)).toBe(false)
  expect([plugin.clients.get('sensor'), plugin.roles.get('sensor')]).toEqual(foreign)
  const done = plugin.commands.length
  await world.advance(180_000)
  await becomes(() => expect(plugin.commands.slice(done)).toContain('setDefaultACLAccess'))
  const changed = plugin.commands.slice(done).filter(command => !/^list|^setDefault/.test(command))
  expect(changed).toEqual([])
})

it.each([
  ['mosquitto version 2.0.11', 1],
  ['mosquitto version 2.0.22', 0],
  ['something else', 0],
])('warns of an old broker when it connects: %s', async (version, warnings) => {
  plugin.version = version
  start()
  await becomes(() => expect(names()).toEqual(['callgate']))
  const told = world.lines.filter(({ fields }) => fields['version'] === '2.0.11')
  expect(told.length).toBe(warnings)
})

it('reads more accounts than a page has', async () => {
  start()
  await becomes(() => expect(names()).toEqual(['callgate']))
  for (let count = 0; count < 450; count++) {
    const name = newId(world, 'gw')
    plugin.clients.set(name, { username: name })
  }
  await world.advance(180_000)
  await becomes(() => expect(names()).toEqual(['callgate']))
})

it('agrees with another cloud that does the same at once', async () => {
  const gateways = await Promise.all(Array.from({ length: 30 }, () => add()))
  const syncs = [start(), start()]
  await becomes(() => expect(names().length).toBe(31))
  await Promise.all(gateways.slice(0, 10).map(({ id }) => revoke(id)))
  await add()
  await world.advance(2_000)
  await becomes(() => expect(names().length).toBe(22))
  expect(syncs.map(sync => sync.warning())).toEqual([undefined, undefined])
})

it('says which gateways it cannot add, and leaves an account that somebody created for one', async () => {
  const [made, lost] = [await add({ isKept: false }), await add({ isKept: false })]
  plugin.clients.set(made.id, {
    username: made.id,
    clientid: made.id,
    password: made.password,
    roles: [{ rolename: made.id }],
  })
  const sync = start()
  await becomes(() => expect(sync.warning()).toMatch(/^1 gateway has no account at the broker/))
  expect(world.lines.find(({ fields }) => fields['gatewayIds'])?.fields['gatewayIds']).toEqual([lost.id])
  expect(plugin.clients.get(made.id)?.password).toBe(made.password)
  expect(plugin.roles.get(made.id)?.acls?.length).toBe(ruleCount)
})

it('says that the plugin is missing, that a change is refused, and that there is no connection', async () => {
  plugin.isLoaded = false
  const sync = start()
  await expect
    .poll(async () => {
      await world.advance(20_000)
      return sync.warning()
    })
    .toMatch(/does not answer as Mosquitto with its dynamic security/)
  plugin.isLoaded = true
  plugin.refuse = { command: 'createClient', error: 'Internal error' }
  plugin.goAway()
  expect(sync.warning()).toMatch(
    /^Accounts at the broker are not kept\. The connection to the broker is lost/,
  )
  plugin.comeBack()
  await becomes(() => expect(sync.warning()).toMatch(/^The broker refused changes of its accounts/))
  plugin.refuse = { command: 'listRoles', error: 'Internal error' }
  await world.advance(180_000)
  await becomes(() => expect(sync.warning()).toMatch(/could not be read or changed/))
  plugin.refuse = undefined
  await world.advance(180_000)
  await becomes(() => expect(sync.warning()).toBeUndefined())
})
