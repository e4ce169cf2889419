// A revoked gateway at the embedded broker: its daemon ends with exit 3, because of the cloud's signed answer and nothing else.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { addGateway, revokeGateway } from '@callgate/cloud/gateway/gateways'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { createSpace } from '@callgate/cloud/space/spaces'
import { signingKey } from '@callgate/contract/wire/signature'
import { realWorld } from '@callgate/world/real'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'

const bundle = new URL('../../../packages/gateway/dist/gateway.mjs', import.meta.url).pathname
const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 60_000, interval: 50 }

let folder = ''
let database: Database
let stopCloud = async () => {}
let mqttUrl = ''
let cloudKeys: readonly string[] = []
let spaceId = ''
const daemons = new Set<ChildProcess>()

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-revoked-'))
  database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const read = readConfig({ CALLGATE_DATA: folder })
  const loaded = await loadKeyring(world, { folder })
  if (!read.ok || !loaded.ok) throw new Error('the cloud cannot be configured')
  const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  stopCloud = () => cloud.stop()
  mqttUrl = started.mqttUrl.replace('localhost', '127.0.0.1')
  cloudKeys = loaded.keyring.publicKeys()
  const given = { name: 'A', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  spaceId = (await createSpace({ database, world }, given)).spaceId
})
afterEach(() => {
  for (const daemon of daemons) daemon.kill('SIGKILL')
  daemons.clear()
})
afterAll(async () => {
  await stopCloud()
  await database.close()
  rmSync(folder, { recursive: true })
})

/** A gateway with a key of its own, and a function that starts its daemon. */
async function enrol() {
  const seed = world.randomBytes(32)
  const given = { spaceId, name: 'Pi', publicKey: signingKey(seed).publicKey, actor: 'operator' }
  const added = await addGateway({ database, world }, given)
  if (!added.ok) throw new Error(added.code)
  const { gatewayId, mqttPassword } = added.gateway
  const privateKeyFile = join(folder, `${gatewayId}.key`)
  writeFileSync(privateKeyFile, Buffer.from(seed).toString('base64url'), { mode: 0o600 })

  function start(changed: { readonly mqttUrl?: string; readonly mqttPassword?: string } = {}) {
    const file = join(folder, `${gatewayId}.json`)
    const config = {
      gatewayId,
      mqttUrl,
      mqttPassword,
      cloudKeys,
      privateKeyFile,
      ...changed,
      serialPort: join(folder, 'no-port'),
      dataFolder: join(folder, gatewayId),
    }
    writeFileSync(file, JSON.stringify(config), { mode: 0o600 })
    const daemon = spawn(process.execPath, [bundle, 'run', '--config', file])
    daemons.add(daemon)
    let log = ''
    daemon.stderr.on('data', chunk => {
      log += chunk
    })
    const ended = new Promise<number | null>(resolve => daemon.once('exit', resolve))
    const logged = (words: string) => vi.waitFor(() => expect(log).toContain(words), patient)
    return { daemon, ended, logged, log: () => log }
  }
  return { gatewayId, start }
}

const revoke = (gatewayId: string) => revokeGateway({ database, world }, { gatewayId, actor: 'operator' })

it('ends a running daemon with exit 3; within the next minute the broker refuses a start, which then waits', async () => {
  const { gatewayId, start } = await enrol()
  const running = start()
  await running.logged('the cloud has taken up this gateway')
  await revoke(gatewayId)
  expect(await running.ended).toBe(3)
  expect(running.log()).toContain('or it was revoked')
  // Within a minute after a farewell the broker refuses it; after that it gets the answer again.
  const again = start()
  await again.logged('the broker does not let this gateway in')
  expect(again.daemon.exitCode).toBeNull()
})

it('ends a daemon that was off when its gateway was revoked', async () => {
  const { gatewayId, start } = await enrol()
  await revoke(gatewayId)
  expect(await start().ended).toBe(3)
})

/** A man-in-the-middle broker: it answers each login with this code of MQTT 3.1.1, table 3.1, and signs nothing. */
async function refusingBroker(returnCode: number) {
  let logins = 0
  const server = createServer((socket: Socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      logins++
      socket.end(Buffer.from([0x20, 2, 0, returnCode]))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `mqtt://127.0.0.1:${port}`, logins: () => logins, close: () => server.close() }
}

it.each([4, 5])('goes on after an unsigned refusal %i', async returnCode => {
  const { start } = await enrol()
  const broker = await refusingBroker(returnCode)
  const { daemon } = start({ mqttUrl: broker.url })
  await vi.waitFor(() => expect(broker.logins()).toBeGreaterThan(2), patient)
  expect(daemon.exitCode).toBeNull()
  broker.close()
})

it('goes on after a refusal of its password', async () => {
  const { start } = await enrol()
  const { daemon, logged } = start({ mqttPassword: 'of-yesterday' })
  await logged('Check gatewayId and mqttPassword')
  expect(daemon.exitCode).toBeNull()
})
