import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { selfSigned } from '@callgate/mqtt/certificate.kit'
import { realWorld } from '@callgate/world/real'
import type { World } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createCloud } from './app.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database/database.ts'
import { migrate } from './database/migrate.ts'

const world = realWorld({ logLevel: 'silent' })
let dataFolder = ''
let database: Database

beforeEach(async () => {
  dataFolder = mkdtempSync(join(tmpdir(), 'callgate-app-'))
  database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  await migrate(database)
})
afterEach(async () => {
  await database.close()
  rmSync(dataFolder, { recursive: true })
})

const cloud = (given: Partial<Config> = {}, on = database, within: World = world) =>
  createCloud({
    world: within,
    database: on,
    config: {
      host: '127.0.0.1',
      port: 0,
      mqttHost: '127.0.0.1',
      mqttPort: 0,
      mqttTls: undefined,
      mqttCaFile: undefined,
      mqttClientTls: undefined,
      mqttAdminUrl: undefined,
      metrics: undefined,
      trustProxy: [],
      webhookPorts: [443],
      webhookNetworks: [],
      mqttUrl: undefined,
      appUrl: 'http://localhost',
      allowsPlainPostgres: false,
      databaseUrl: join(dataFolder, 'callgate.sqlite'),
      dataFolder,
      keys: { folder: dataFolder },
      secretComplaints: [],
      smtp: undefined,
      mailFrom: { name: 'Callgate', address: 'callgate@localhost' },
      gatewayInstaller: undefined,
      securityContact: undefined,
      allowsMailFiles: false,
      isProduction: false,
      traces: undefined,
      logLevel: 'silent',
      ...given,
    },
  })

it('starts on free ports, answers, stops, and starts again on the same data', async () => {
  for (const _ of ['first', 'again']) {
    const one = cloud()
    const started = await one.start()
    if (!started.ok) throw new Error(started.message)
    const answer = await fetch(`http://127.0.0.1:${started.port}/healthz`)
    expect(answer.status).toBe(200)
    await one.stop()
    await expect(fetch(`http://127.0.0.1:${started.port}/healthz`)).rejects.toThrow()
  }
})

it('stops in time although the database accepts no more writes, and leaves no note of a clean stop', async () => {
  let isStuck = false
  const write: Database['write'] = (work, options) =>
    isStuck ? new Promise(() => {}) : database.write(work, options)
  const after: World['after'] = (ms, run) => world.after(isStuck ? ms / 100 : ms, run)
  const one = cloud({}, { ...database, write }, { ...world, after })
  const started = await one.start()
  if (!started.ok) throw new Error(started.message)
  isStuck = true
  await one.stop()
  await expect(fetch(`http://127.0.0.1:${started.port}/healthz`)).rejects.toThrow()
  expect(existsSync(join(dataFolder, 'callgate.sqlite-stopped'))).toBe(false)
})

it('knows how long no cloud has served the data after a clean stop, and nothing after a crash', async () => {
  const note = join(dataFolder, 'callgate.sqlite-stopped')
  const startAndStop = async () => {
    const one = cloud()
    const started = await one.start()
    expect(existsSync(note)).toBe(false)
    await one.stop()
    return started.ok ? started.quietForMs : undefined
  }
  expect(await startAndStop()).toBe(0)
  const stopped = JSON.parse(readFileSync(note, 'utf8'))
  const noteAnd = (changes: object) => writeFileSync(note, JSON.stringify({ ...stopped, ...changes }))
  const earlier = (byMs: number) => ({
    monotonicMs: stopped.monotonicMs - byMs,
    sinceBootMs: stopped.sinceBootMs - byMs,
  })
  noteAnd(earlier(7_000))
  expect(await startAndStop()).toBeGreaterThanOrEqual(7_000)
  // Another machine, a clock with another start, no clock, and no note at all.
  noteAnd({ ...earlier(7_000), machineBoot: 'another' })
  expect(await startAndStop()).toBe(0)
  noteAnd({ ...earlier(7_000), sinceBootMs: stopped.sinceBootMs + 1_000_000 })
  expect(await startAndStop()).toBe(0)
  noteAnd({ ...earlier(7_000), monotonicMs: null })
  expect(await startAndStop()).toBe(0)
  rmSync(note)
  expect(await startAndStop()).toBe(0)
})

it('has a security.txt where a contact is configured, and 404 otherwise', async () => {
  for (const securityContact of ['mailto:security@example.com', undefined]) {
    const one = cloud({ securityContact })
    const started = await one.start()
    if (!started.ok) throw new Error(started.message)
    const answer = await fetch(`http://127.0.0.1:${started.port}/.well-known/security.txt`)
    expect(answer.status).toBe(securityContact ? 200 : 404)
    expect(await answer.text()).toMatch(securityContact ? /^Contact: mailto:s/ : /"not_found"/)
    await one.stop()
  }
})

/** Whether a server listens there. Linux has all of 127.0.0.0/8, so 127.0.0.2 is like any other address of the machine. */
function isReached(host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host, port })
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

it('listens on the configured addresses only', async () => {
  const alone = cloud()
  const started = await alone.start()
  if (!started.ok) throw new Error(started.message)
  for (const port of [started.port, Number(new URL(started.mqttUrl).port)]) {
    expect(await isReached('localhost', port)).toBe(true)
    expect(await isReached('127.0.0.2', port)).toBe(false)
  }
  await alone.stop()
  const open = cloud({ host: '0.0.0.0', mqttHost: '0.0.0.0' })
  const opened = await open.start()
  if (!opened.ok) throw new Error(opened.message)
  expect(await isReached('127.0.0.2', opened.port)).toBe(true)
  expect(await isReached('127.0.0.2', Number(new URL(opened.mqttUrl).port))).toBe(true)
  await open.stop()
})

it('starts the broker with its certificate, or names the wrong file', async () => {
  const files = { certFile: join(dataFolder, 'cert.pem'), keyFile: join(dataFolder, 'key.pem') }
  const wrong = await cloud({ mqttTls: files }).start()
  expect(wrong).toMatchObject({ code: 'no_certificate', message: expect.stringMatching(/^MQTT_TLS_CERT: /) })
  const noAuthority = { mqttUrl: 'mqtts://localhost:9', mqttCaFile: files.certFile }
  expect(await cloud(noAuthority).start()).toMatchObject({ message: expect.stringMatching(/^MQTT_CA: /) })
  writeFileSync(files.certFile, selfSigned.cert)
  writeFileSync(files.keyFile, selfSigned.key)
  const one = cloud({ mqttTls: files })
  expect(await one.start()).toMatchObject({
    ok: true,
    mqttUrl: expect.stringMatching(/^mqtts:\/\/localhost:\d+$/),
  })
  await one.stop()
})

it('names HOST where the address is not of this machine', async () => {
  const http = await cloud({ host: '192.0.2.1' }).start()
  expect(http.ok ? '' : http.message).toMatch(/^The cloud cannot listen on 192\.0\.2\.1.* Set HOST/)
  const mqtt = await cloud({ mqttHost: '192.0.2.1' }).start()
  expect(mqtt.ok ? '' : mqtt.message).toContain('Set MQTT_HOST')
})

it('does not start while another cloud serves the same data', async () => {
  const first = cloud()
  expect(await first.start()).toMatchObject({ ok: true })
  const databaseUrl = join(dataFolder, 'callgate.sqlite')
  const other = await openDatabase({ url: databaseUrl })
  const second = cloud({ databaseUrl }, other)
  expect(await second.start()).toEqual({
    ok: false,
    code: 'data_in_use',
    message: `Another cloud serves ${databaseUrl} already, and a SQLite file has one server. Stop that one, or set CALLGATE_DATA to another folder.`,
  })
  await first.stop()
  expect(await second.start()).toMatchObject({ ok: true })
  await second.stop()
  await other.close()
})

it('names the variable of a port that is taken, and leaves nothing running', async () => {
  const taken = createServer()
  await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const http = await cloud({ port }).start()
  expect(http.ok ? '' : http.message).toMatch(/^Port \d+ is taken .* PORT/)
  const mqtt = await cloud({ mqttPort: port }).start()
  expect(mqtt.ok ? '' : mqtt.message).toContain('MQTT_PORT')
  await new Promise(resolve => taken.close(resolve))
})

it('serves the metrics on a separate port, and nowhere without one', async () => {
  const probe = createServer()
  await new Promise<void>(resolve => probe.listen(0, '127.0.0.1', resolve))
  const address = probe.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await cloud({ metrics: { host: '127.0.0.1', port } }).start()).toMatchObject({
    ok: false,
    code: 'port_in_use',
    message: expect.stringContaining('METRICS_PORT'),
  })
  await new Promise(resolve => probe.close(resolve))
  const one = cloud({ metrics: { host: '127.0.0.1', port } })
  const started = await one.start()
  if (!started.ok) throw new Error(started.message)
  const at = (path: string, on = port, init: RequestInit = {}) => fetch(`http://127.0.0.1:${on}${path}`, init)
  const api = await at('/metrics', started.port)
  expect(api.status).toBe(404)
  expect((await at('/api/v1/gates')).status).toBe(404)
  expect((await at('/metrics', port, { method: 'POST' })).status).toBe(405)
  // Each reading does what /readyz does: it takes the lock of the database.
  await at('/metrics')
  const read = await at('/metrics')
  expect([read.status, read.headers.get('content-type')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
  ])
  const text = await read.text()
  expect(text).toContain('callgate_http_requests_total{method="GET",route="none",status="4xx"} 1')
  expect(text).toMatch(/^callgate_database_writes_total\{outcome="committed"\} [1-9]/m)
  expect(text).toContain('callgate_ready{check="database"} 1')
  expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m)
  expect(text).toMatch(/^process_resident_memory_bytes /m)
  expect(await isReached('127.0.0.2', port)).toBe(false)
  await one.stop()
  await expect(at('/metrics')).rejects.toThrow()
})
