// `callgate gateway password`: sets a new password of a gateway, wherever the accounts at the broker are maintained.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Database, openDatabase } from '../database/database.ts'
import { fillFolder } from '../database/tables.kit.ts'
import { checkLogin, openPassword } from '../gateway/gateways.ts'
import { loadKeyring } from '../secrets/keyring.ts'
import { runCommand } from './terminal.kit.ts'

const world = realWorld({ logLevel: 'silent' })
let folder: string
let gatewayId: string
let former: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-cli-'))
  await fillFolder(folder)
  const { spaceId } = await json({}, 'space', 'create', '--name', 'Demo', '--plan', 'pro')
  const add = ['gateway', 'add', '--space', spaceId, '--name', 'Attic', '--public-key']
  const added = await json({}, ...add, '5qQ1nbU4_nW1cBLoaYbHNKvxqcVnJ3a4Vw4h6tEq1Zk')
  gatewayId = added.gatewayId
  former = added.mqttPassword
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const callgate = (environment: Record<string, string>, ...args: string[]) =>
  runCommand({ CALLGATE_DATA: folder, ...environment }, args)
async function json(environment: Record<string, string>, ...args: string[]) {
  const { err, out } = await callgate(environment, ...args, '--json')
  expect(err).toBe('')
  return JSON.parse(out)
}
const password = (environment: Record<string, string> = {}, id = gatewayId) =>
  callgate(environment, 'gateway', 'password', '--gateway', id)
const shown = ({ out }: { readonly out: string }) => /mqttPassword {2}(\S{43})\n/.exec(out)?.[1] ?? ''

async function inDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
const rowOf = () => inDatabase(({ knex }) => knex('gateways').where({ id: gatewayId }).first())
const checked = (given: string) =>
  inDatabase(database => checkLogin(database, gatewayId, Buffer.from(given), world.nowMs()))

const ownBroker = { MQTT_URL: 'mqtts://callgate:secret-of-it@broker.example.com' }
const keptBroker = { ...ownBroker, MQTT_ADMIN_URL: 'mqtts://callgate-admin:secret-too@broker.example.com' }

it('shows it once, stores only its hash, and ends the former one', async () => {
  const said = await password()
  expect(said.out).toContain('within 5 s the broker ends a connection')
  expect([await checked(shown(said)), await checked(former)]).toEqual(['admitted', 'refused'])
  const row = await rowOf()
  expect(row).toMatchObject({ passwordSealed: null, passwordChangedAt: expect.stringMatching(/Z$/) })
  expect(JSON.stringify(row)).not.toContain(shown(said))
  const list = await callgate({}, 'gateway', 'list', '--json')
  expect(list.out).not.toContain(shown(said))
  const entries = await inDatabase(({ knex }) => knex('activity').where({ targetType: 'gateway' }))
  const entry = { action: 'gateway.password_changed', actor: 'operator', targetLabel: 'Attic' }
  expect(entries).toContainEqual(expect.objectContaining(entry))
  expect(JSON.stringify(entries)).not.toContain(shown(said))
})

it('seals it for a broker whose accounts the cloud maintains', async () => {
  const said = await password(keptBroker)
  expect(said.out).toContain('The cloud tells your broker')
  const loaded = await loadKeyring(world, { folder })
  if (!loaded.ok) throw new Error(loaded.message)
  const { passwordSealed } = await rowOf()
  expect(passwordSealed).not.toContain(shown(said))
  expect(openPassword(loaded.keyring.seal, gatewayId, passwordSealed)).toBe(shown(said))
})

it('stores it sealed where the former one was, also without the variables of that broker', async () => {
  await password(keptBroker)
  const said = await password()
  const loaded = await loadKeyring(world, { folder })
  if (!loaded.ok) throw new Error(loaded.message)
  expect(openPassword(loaded.keyring.seal, gatewayId, (await rowOf()).passwordSealed)).toBe(shown(said))
})

it('says whom to inform where the accounts are maintained by hand, and prints JSON', async () => {
  expect((await password(ownBroker)).out).toContain(
    `Tell your broker of it: the user name is ${gatewayId}. Until then the broker takes the old one.`,
  )
  const told = await json(ownBroker, 'gateway', 'password', '--gateway', gatewayId)
  expect(told).toEqual({ gatewayId, mqttPassword: expect.stringMatching(/^[\w-]{43}$/) })
})

it('refuses a revoked or unknown gateway, and changes nothing', async () => {
  const unknown = await password({}, 'gw_none')
  expect([unknown.code, unknown.err]).toEqual([
    1,
    'There is no gateway gw_none; see "callgate gateway list".',
  ])
  await callgate({}, 'gateway', 'revoke', '--gateway', gatewayId)
  const before = await rowOf()
  const revoked = await password()
  expect([revoked.code, revoked.err]).toEqual([1, expect.stringContaining('is revoked, for good')])
  expect(await rowOf()).toEqual(before)
})
