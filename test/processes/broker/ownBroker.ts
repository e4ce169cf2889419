// A cloud that manages the accounts of a Mosquitto with TLS, and a gateway that is enrolled by a code and opens gates there.

import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCloud } from '@callgate/cloud/app'
import { runCommand } from '@callgate/cloud/cli/terminal.kit'
import { readConfig } from '@callgate/cloud/config'
import { type Database, openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { firstAccounts } from '@callgate/cloud/gateway/brokerSetup'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { openPort } from '@callgate/simulator/port'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { expect, onTestFinished, vi } from 'vitest'
import { freePort } from '../freePort.ts'
import { newMosquitto } from './mosquitto.ts'

export const world = realWorld({ logLevel: 'silent' })
export const patient = { timeout: 60_000, interval: 50 }
const logins = {
  cloud: { user: 'callgate', password: 'of the cloud' },
  admin: { user: 'callgate-admin', password: 'of the admin' },
}

/** One gate of a Space, and how it is pressed over the REST API. */
async function gateOf(database: Database, baseUrl: string) {
  const given = { name: 'A', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace({ database, world }, given)
  const desk = { spaceId, name: 'Desk', actor: 'operator', expiresAt: null } as const
  const key = await createApiKey(
    { database, world },
    { ...desk, scopes: ['gates:read', 'gates:write', 'gates:open'] },
  )
  const headers = { Authorization: `Bearer ${key?.key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object = {}) => {
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { gate?: { id: string } } }
  }
  const made = await post('/api/v1/gates', { name: 'Front', phoneNumber })
  return { spaceId, press: () => post(`/api/v1/gates/${made.body.gate?.id}/open`) }
}

/** A broker with its first accounts, and a cloud with one gate that uses it; everything ends with the test. */
export async function startOwnBroker() {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-own-broker-'))
  const broker = await newMosquitto(folder)
  const forget = async () =>
    writeFileSync(broker.accountsFile, await firstAccounts(world, logins), { mode: 0o600 })
  await forget()
  await broker.start()
  const urlOf = ({ password, user }: { user: string; password: string }) =>
    `mqtts://${user}:${encodeURIComponent(password)}@localhost:${broker.port}`
  const port = await freePort()
  const environment = {
    CALLGATE_DATA: folder,
    PORT: String(port),
    APP_URL: `http://127.0.0.1:${port}`,
    MQTT_URL: urlOf(logins.cloud),
    MQTT_ADMIN_URL: urlOf(logins.admin),
    MQTT_CA: broker.caFile,
  }
  const read = readConfig(environment)
  if (!read.ok) throw new Error('the cloud cannot be configured')
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const cloud = createCloud({ world, database, config: read.config })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  onTestFinished(async () => {
    await cloud.stop()
    await database.close()
    await broker.stop()
    rmSync(folder, { recursive: true })
  })
  const baseUrl = environment.APP_URL
  return { broker, database, environment, folder, forget, baseUrl, ...(await gateOf(database, baseUrl)) }
}

/**
 * A gateway that is enrolled by a code, with a modem on a virtual serial port and a running daemon. `program` is the gateway's
 * program, from a bundle or its package, with the Node that runs it.
 */
export async function enrolGateway(
  { baseUrl, environment, folder, spaceId }: Awaited<ReturnType<typeof startOwnBroker>>,
  [node, program]: readonly [node: string, program: string],
) {
  const json = async (...args: string[]) =>
    JSON.parse((await runCommand(environment, ['gateway', ...args, '--json'])).out)
  const { code, enrolment } = await json('add', '--space', spaceId, '--name', 'Pi')
  const simulator = usualSimulator({ world })
  const opened = openPort({ world, simulator, link: join(folder, 'modem') })
  if (!opened.ok) throw new Error(opened.message)
  const file = join(folder, 'pi', 'callgate-gateway.yaml')
  const own = ['--serial-port', join(folder, 'modem'), '--data-folder', join(folder, 'gateway')]
  const enrol = spawn(node, [program, 'enrol', code, '--cloud', baseUrl, '--config', file, ...own])
  const enrolled = new Promise(resolve => enrol.once('exit', resolve))
  const digits = async () => (await json('enrolments')).enrolments[0].gateway?.fingerprint ?? ''
  await vi.waitFor(async () => expect(await digits()).toMatch(/^\d{6}$/), patient)
  const confirm = ['confirm', '--enrolment', enrolment.id, '--fingerprint', await digits()]
  const { id: gatewayId } = (await json(...confirm)).gateway
  expect(await enrolled).toBe(0)
  const daemon: ChildProcess = spawn(node, [program, 'run', '--config', file])
  let log = ''
  daemon.stderr?.on('data', chunk => {
    log += chunk
  })
  onTestFinished(async () => {
    daemon.kill('SIGKILL')
    simulator.stop()
    await opened.port.close()
  })
  return {
    gatewayId,
    configuration: file,
    log: () => log,
    relays: () => simulator.state().gates.map(({ relayCount }) => relayCount),
  }
}
