// The gateway's doctor on a real virtual serial port, at a real broker with TLS, alone and beside the running daemon.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer as createWeb } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { examine } from '@callgate/gateway/doctor/doctor'
import { doctorText } from '@callgate/gateway/doctor/doctorText'
import { writeKeyFile } from '@callgate/gateway/keyFile'
import { serialLine } from '@callgate/modem/serial'
import { renewed, selfSigned } from '@callgate/mqtt/certificate.kit'
import { openPort } from '@callgate/simulator/port'
import type { ModemFaultName } from '@callgate/simulator/presets'
import { usualSimulator } from '@callgate/simulator/usual.kit'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { Aedes } from 'aedes'
import { expect, it, onTestFinished, vi } from 'vitest'

const main = new URL('../../../packages/gateway/src/main.ts', import.meta.url).pathname
const cloudMain = new URL('../../../packages/cloud/src/main.ts', import.meta.url).pathname
const world = realWorld({ logLevel: 'silent' })
const gatewayId = newId(world, 'gw')
const mqttPassword = 'canary-password'

/** A broker with TLS for `localhost` that accepts one password. */
async function startBroker() {
  const aedes = await Aedes.createBroker()
  aedes.authenticate = (_client, user, password, done) =>
    done(null, user === gatewayId && password?.toString() === mqttPassword)
  const server = createServer(selfSigned, socket => aedes.handle(socket)).listen(0, 'localhost')
  await once(server, 'listening')
  const logins: string[] = []
  aedes.on('client', ({ id }) => logins.push(id))
  onTestFinished(async () => {
    server.close()
    await new Promise<void>(resolve => aedes.close(() => resolve()))
  })
  return { url: `mqtts://localhost:${(server.address() as AddressInfo).port}`, logins }
}

/** A web server that gives a date. */
async function startClock(date: () => Date) {
  const server = createWeb(selfSigned, (_, answer) =>
    answer.setHeader('date', date().toUTCString()).end(),
  ).listen(0)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `https://localhost:${(server.address() as AddressInfo).port}/`
}

async function arrange({
  ca = selfSigned.cert,
  fault,
  ...fields
}: {
  ca?: string
  fault?: ModemFaultName
  simPin?: string
  mqttPassword?: string
  mqttUrl?: string
} = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'callgate-doctor-'))
  const broker = await startBroker()
  const simulator = usualSimulator({
    world,
    registered: fault === undefined,
    ...(fault && { faults: [fault] }),
  })
  const port = openPort({ world, simulator, link: join(folder, 'modem') })
  if (!port.ok) throw new Error(port.message)
  onTestFinished(async () => {
    simulator.stop()
    await port.port.close()
    rmSync(folder, { recursive: true })
  })
  const key = await writeKeyFile(join(folder, 'gateway.key'), new Uint8Array(32).fill(7))
  if (!key.ok) throw new Error(key.message)
  writeFileSync(join(folder, 'ca.pem'), ca)
  mkdirSync(join(folder, 'data'))
  const config = {
    gatewayId,
    mqttUrl: broker.url,
    mqttPassword,
    cloudKeys: [key.key.publicKey],
    privateKeyFile: 'gateway.key',
    serialPort: 'modem',
    dataFolder: 'data',
    ca: 'ca.pem',
    ...fields,
  }
  const configFile = join(folder, 'gateway.yaml')
  writeFileSync(configFile, JSON.stringify(config), { mode: 0o600 })
  const clockUrl = await startClock(() => new Date())
  const check = (more: Partial<Parameters<typeof examine>[0]> = {}) =>
    examine({
      world,
      configFile,
      clockUrl,
      nodeVersion: process.versions.node,
      mayFix: false,
      isQuick: false,
      openAt: ({ serialPorts: paths }, baudRate) => serialLine({ world, paths, baudRate }),
      ...more,
    })
  return { folder, configFile, broker, simulator, check }
}

type Checks = Awaited<ReturnType<typeof examine>>
const failed = (checks: Checks) => checks.filter(({ state }) => state === 'fail').map(({ name }) => name)
const found = (checks: Checks, name: string) => checks.find(check => check.name === name)

it('finds no fault in a ready gateway, and shows no secret', async () => {
  const { check } = await arrange()
  const checks = await check()
  expect(checks.filter(({ state }) => state === 'fail')).toEqual([])
  for (const name of [
    'baud',
    'modem',
    'SIM card',
    'PIN',
    'network',
    'signal',
    'voltage',
    'clock',
    'broker TLS',
    'broker login',
    'rights',
  ])
    expect(found(checks, name), name).toMatchObject({ state: 'ok' })
  expect(doctorText(checks)).not.toContain(mqttPassword)
  expect(doctorText(checks)).toContain('Nothing is wrong')
})

it('asks the daemon while it runs, and disturbs neither its modem nor its login', async () => {
  const { broker, configFile, folder, check, simulator } = await arrange()
  const daemon = spawn(process.execPath, [main, 'run', '--config', configFile], { stdio: 'ignore' })
  onTestFinished(async () => {
    const ended = once(daemon, 'exit')
    daemon.kill('SIGKILL')
    await ended
  })
  const socket = join(folder, 'data/daemon.sock')
  // While doctor checks alone, a daemon waits.
  await vi.waitFor(() => statSync(socket), { timeout: 60_000, interval: 50 })
  const status = async () => found(await check(), 'modem')
  await vi.waitFor(
    async () =>
      expect(await status()).toMatchObject({ state: 'ok', says: expect.stringContaining('SIM800L') }),
    {
      timeout: 60_000,
      interval: 500,
    },
  )
  const checks = await check()
  expect(found(checks, 'daemon')).toMatchObject({ state: 'ok', says: expect.stringContaining('It runs') })
  const held = `is held by the daemon (process ${daemon.pid}), as it should be`
  for (const isQuick of [false, true])
    expect(found(await check({ isQuick }), 'port')).toMatchObject({
      state: 'ok',
      says: expect.stringContaining(held),
    })
  expect(found(checks, 'broker login')).toMatchObject({ state: 'ok', says: 'The daemon is connected' })
  // There is no cloud, so nothing was signed.
  expect(failed(checks)).toEqual(['cloud key'])
  expect(broker.logins).toEqual([gatewayId])
  expect(statSync(socket).mode & 0o777).toBe(0o600)
  expect(simulator.state()).toMatchObject({ violations: 0 })
})

it('trusts an authority of the machine where the configuration names none, like the daemon', async () => {
  const { broker, configFile, folder } = await arrange()
  const { ca: _, ...config } = JSON.parse(readFileSync(configFile, 'utf8')) as { ca: string }
  writeFileSync(configFile, JSON.stringify(config))
  const env = { ...process.env, SSL_CERT_FILE: join(folder, 'ca.pem') }
  const doctor = spawn(process.execPath, [main, 'doctor', '--json', '--config', configFile], { env })
  const said: string[] = []
  doctor.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
  await once(doctor, 'close')
  const { checks } = JSON.parse(said.join('')) as { checks: Checks }
  expect(found(checks, 'broker TLS')).toMatchObject({ state: 'ok' })
  broker.logins.splice(0)
  const daemon = spawn(process.execPath, [main, 'run', '--config', configFile], { env, stdio: 'ignore' })
  onTestFinished(async () => {
    const ended = once(daemon, 'exit')
    daemon.kill('SIGKILL')
    await ended
  })
  await vi.waitFor(() => expect(broker.logins).toEqual([gatewayId]), { timeout: 60_000, interval: 100 })
}, 120_000)

it('trusts an authority of the machine also in front of the cloud', async () => {
  const clock = await startClock(() => new Date())
  const folder = mkdtempSync(join(tmpdir(), 'callgate-trust-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const authority = join(folder, 'ca.pem')
  writeFileSync(authority, selfSigned.cert)
  const examined = async (trusts: Readonly<Record<string, string>>) => {
    const env = { ...process.env, APP_URL: clock.replace(/\/$/, ''), CALLGATE_DATA: folder, ...trusts }
    const doctor = spawn(process.execPath, [cloudMain, 'doctor', '--json'], { env })
    const said: string[] = []
    doctor.stdout.setEncoding('utf8').on('data', (text: string) => said.push(text))
    await once(doctor, 'close')
    const { checks } = JSON.parse(said.join('')) as { checks: Checks }
    return found(checks, 'APP_URL')?.says
  }
  expect(await examined({})).toContain('does not answer')
  expect(await examined({ SSL_CERT_FILE: authority })).toContain('answers 200, and not as Callgate does')
}, 120_000)

it.each([
  [{ fault: 'wrong_baud_garbage' }, 'baud', 'nor at any usual rate'],
  [{ fault: 'sim_removed' }, 'SIM card', 'no SIM card'],
  [{ fault: 'puk_required' }, 'SIM card', 'PUK'],
  [{ fault: 'pin_required' }, 'PIN', 'the configuration has none'],
  [{ fault: 'reg_denied' }, 'network', 'turns the SIM card away'],
  [{ mqttPassword: 'another' }, 'broker login', 'refuses the login'],
  [{ ca: renewed.cert }, 'broker TLS', 'is not the authority in the file of ca'],
  [{ mqttUrl: 'mqtts://nothing.invalid:8883' }, 'broker name', 'nothing.invalid'],
  [{ mqttUrl: 'mqtts://localhost:9' }, 'broker port', 'Port 9 of localhost'],
] as const)(
  'names the fault with %j',
  async (given, name, says) => {
    const { check } = await arrange(given)
    const checks = await check()
    expect(found(checks, name)).toMatchObject({ state: 'fail', says: expect.stringContaining(says) })
    expect(doctorText(checks)).not.toMatch(/canary|another/)
  },
  120_000,
)

it('never enters the PIN of the configuration', async () => {
  const { check, simulator } = await arrange({ fault: 'pin_required', simPin: '1234' })
  expect(found(await check(), 'PIN')).toMatchObject({ state: 'unknown' })
  expect(found(await check(), 'PIN')).toMatchObject({ state: 'unknown' })
  // The right PIN would have unlocked it.
  expect(simulator.state().modem).toMatchObject({ sim: 'locked' })
})

it('waits for the whole reply of a modem that reports its registration in the middle of it', async () => {
  const { check } = await arrange({ fault: 'urc_inside_response' })
  const checks = await check()
  for (const name of ['network', 'operator', 'signal', 'voltage'])
    expect(found(checks, name), name).toMatchObject({ state: 'ok' })
})

it('detects a wrong clock', async () => {
  const { check } = await arrange()
  const clockUrl = await startClock(() => new Date(Date.now() + 400 * 24 * 60 * 60 * 1_000))
  expect(found(await check({ clockUrl }), 'clock')).toMatchObject({
    state: 'fail',
    says: expect.stringContaining('s behind'),
  })
})

it('repairs the permissions of the key, without which the configuration cannot be used', async () => {
  const { configFile, folder, check } = await arrange()
  const key = join(folder, 'gateway.key')
  chmodSync(key, 0o644)
  expect(failed(await check({ isQuick: true }))).toEqual(['configuration', 'rights'])
  expect(failed(await check({ isQuick: true, mayFix: true }))).toEqual([])
  expect(statSync(key).mode & 0o777).toBe(0o640)
  expect(readFileSync(configFile, 'utf8')).toContain(gatewayId)
})
