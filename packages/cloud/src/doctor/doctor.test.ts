import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { realWorld } from '@callgate/world/real'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createCloud } from '../app.ts'
import { type Ran, runCommand } from '../cli/terminal.kit.ts'
import { readConfig } from '../config.ts'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { migrations } from '../database/migrations/list.ts'
import type { Check } from './check.ts'
import { checkNode } from './dataChecks.ts'

const world = realWorld({ logLevel: 'silent' })
let folder = ''
let dataFolder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-doctor-'))
  dataFolder = join(folder, 'data')
})
afterEach(() => rmSync(folder, { recursive: true }))

/** Nothing listens on these ports: 1 is reserved. */
const nowhere = { PORT: '1', MQTT_PORT: '1' }

const run = (environment: Record<string, string> = {}, ...args: string[]): Promise<Ran> =>
  runCommand({ CALLGATE_DATA: dataFolder, ...nowhere, ...environment }, ['doctor', ...args])

async function examined(environment: Record<string, string> = {}, ...args: string[]) {
  const { code, err, out } = await run(environment, '--json', ...args)
  expect(err).toBe('')
  const { checks, ok } = JSON.parse(out) as { ok: boolean; checks: Check[] }
  expect(code).toBe(ok ? 0 : 1)
  const states = Object.fromEntries(checks.map(({ name, state }) => [name, state]))
  return { checks, states, text: out, of: (name: string) => checks.find(check => check.name === name) }
}

/** A cloud on the data, with the environment that leads to it. */
async function serving() {
  const database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
  await migrate(database)
  const read = readConfig({ CALLGATE_DATA: dataFolder })
  if (!read.ok) throw new Error(read.message)
  const cloud = createCloud({ world, database, config: { ...read.config, port: 0, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  return {
    environment: { PORT: String(started.port), MQTT_PORT: new URL(started.mqttUrl).port },
    async stop() {
      await cloud.stop()
      await database.close()
    },
  }
}

it('works without any data, and creates nothing', async () => {
  const { states } = await examined()
  expect(states).toMatchObject({ node: 'ok', 'data folder': 'warning', database: 'warning', keys: 'warning' })
  expect(states).toMatchObject({
    cloud: 'unknown',
    APP_URL: 'unknown',
    broker: 'unknown',
    backups: 'unknown',
  })
  expect(existsSync(dataFolder)).toBe(false)
})

it('accepts a serving cloud, and its data while it does not serve', async () => {
  const cloud = await serving()
  const before = readdirSync(dataFolder)
  const while_ = await examined(cloud.environment)
  const fine = { 'data folder': 'ok', database: 'ok', disk: 'ok', keys: 'ok' }
  // The rules are old one day in a repository that nobody updates.
  expect(while_.states['time zones']).toMatch(/^(ok|warning)$/)
  expect(while_.states).toMatchObject({ ...fine, cloud: 'ok', APP_URL: 'ok', broker: 'ok' })
  expect(readdirSync(dataFolder)).toEqual(before)
  const elsewhere = await examined({ ...cloud.environment, MQTT_PORT: '1' })
  expect(elsewhere.of('broker')).toMatchObject({
    state: 'wrong',
    advice: expect.stringContaining('MQTT_PORT'),
  })
  const unreachable = await examined({ ...cloud.environment, APP_URL: 'http://127.0.0.1:1' })
  expect(unreachable.states['APP_URL']).toBe('wrong')
  rmSync(join(dataFolder, 'signing-key'))
  const keyless = await examined(cloud.environment)
  expect(keyless.of('keys')).toMatchObject({ state: 'wrong', advice: expect.stringContaining('backup') })
  // The cloud caches its answer for a second.
  await vi.waitFor(
    async () => expect((await examined(cloud.environment)).of('APP_URL')?.says).toContain('signingKey'),
    { timeout: 20_000, interval: 200 },
  )
  await cloud.stop()
  expect((await examined()).states).toMatchObject({ database: 'ok', cloud: 'unknown', broker: 'unknown' })
})

describe('the data', () => {
  it('has a warning where a drill has left its copy', async () => {
    mkdirSync(join(dataFolder, 'callgate.sqlite.drill'), { recursive: true, mode: 0o700 })
    expect((await examined()).of('data folder')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('callgate.sqlite.drill may hold a whole copy'),
      advice: expect.stringContaining('delete it'),
    })
  })

  it('is wrong where it is damaged, of another kind, or of a newer version', async () => {
    mkdirSync(dataFolder, { mode: 0o700 })
    const file = join(dataFolder, 'callgate.sqlite')
    writeFileSync(file, 'no database, and long enough to be read as one'.repeat(100))
    expect((await examined()).of('database')).toMatchObject({ state: 'wrong' })
    rmSync(file)
    const database = await openDatabase({ url: file })
    await migrate(database)
    await database.write(tx => tx('migrations').insert({ name: '9999-later' }))
    await database.write(tx => tx('schemas').delete())
    await database.close()
    expect((await examined()).of('database')?.says).toContain('newer version')
    writeFileSync(join(dataFolder, 'signing-key'), 'short')
    writeFileSync(join(dataFolder, 'sealing-keys'), 'torn')
    expect((await examined()).of('keys')).toMatchObject({ state: 'wrong' })
  })

  it('is named as older in each check that reads it', async () => {
    mkdirSync(dataFolder, { mode: 0o700 })
    const database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
    const earlier = Object.fromEntries(Object.entries(migrations).slice(0, 40))
    await migrate(database, () => {}, earlier)
    await database.close()
    const { of, text } = await examined()
    expect(text).not.toMatch(/SQLITE|could not be looked at/)
    expect(of('database')).toMatchObject({ state: 'warning', advice: expect.stringContaining('migrate') })
    for (const name of ['reports', 'signing key', 'alerts'])
      expect(of(name), name).toMatchObject({
        state: 'unknown',
        says: expect.stringContaining('The tables are of an older version of Callgate'),
        advice: expect.stringContaining('"callgate migrate"'),
      })
  })

  it('may have gone back where a gateway reported a call for which it has no grant', async () => {
    const cloud = await serving()
    await cloud.stop()
    expect((await examined()).of('reports')).toMatchObject({ state: 'ok' })
    const database = await openDatabase({ url: join(dataFolder, 'callgate.sqlite') })
    const { knex } = database
    const createdAt = new Date().toISOString()
    const zone = { country: 'RO', timezone: 'Europe/Bucharest', language: 'en' }
    await knex('spaces').insert({ id: 'space_a', name: 'A', plan: 'free', ...zone, createdAt })
    const keys = { publicKey: 'k', passwordHash: 'p' }
    await knex('gateways').insert({ id: 'gw_a', spaceId: 'space_a', name: 'Pi', ...keys, createdAt })
    const sent = { gatewayId: 'gw_a', bootId: 'A'.repeat(22), seq: 1, body: '{}', signature: 's' }
    await knex('strayReports').insert({ ...sent, openingId: 'open_a', receivedAt: createdAt })
    await database.close()
    expect((await examined()).of('reports')).toMatchObject({
      state: 'warning',
      says: expect.stringContaining('told 1 time in'),
      advice: expect.stringContaining('databases.md'),
    })
  })

  it('should not be readable for others on the machine', async () => {
    const cloud = await serving()
    await cloud.stop()
    chmodSync(dataFolder, 0o755)
    chmodSync(join(dataFolder, 'sealing-keys'), 0o644)
    const { of } = await examined()
    expect(of('data folder')).toMatchObject({ state: 'warning', advice: `chmod 700 ${dataFolder}` })
    expect(of('keys')?.advice).toBe(`chmod 600 ${join(dataFolder, 'sealing-keys')}`)
  })

  it('has a recent backup, where its folder is named', async () => {
    const cloud = await serving()
    await cloud.stop()
    const backups = join(folder, 'backups')
    mkdirSync(backups)
    const check = async () => (await examined({}, '--backups', backups)).of('backups')
    expect(await check()).toMatchObject({
      state: 'wrong',
      says: expect.stringContaining('There is no backup'),
    })
    await runCommand({ CALLGATE_DATA: dataFolder }, ['backup', backups, '--without-keys'])
    expect(await check()).toMatchObject({ state: 'ok', says: expect.stringContaining('0 h old') })
    rmSync(backups, { recursive: true })
    expect(await check()).toMatchObject({ state: 'wrong', says: expect.stringContaining('ENOENT') })
  })
})

it('tries a broker of the operator and subscribes to nothing', async () => {
  const cloud = await serving()
  const { MQTT_PORT } = cloud.environment
  const refused = await examined({ MQTT_URL: `mqtt://cloud:s3cretword@127.0.0.1:${MQTT_PORT}` })
  expect(refused.of('broker')).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('refuses the login'),
  })
  const gone = await examined({ MQTT_URL: 'mqtt://cloud:s3cretword@127.0.0.1:1' })
  expect(gone.of('broker')).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('cannot be reached'),
  })
  const noCa = await examined({
    MQTT_URL: 'mqtts://cloud:s3cretword@127.0.0.1:1',
    MQTT_CA: join(folder, 'none.pem'),
  })
  expect(noCa.of('broker')?.says).toMatch(/^MQTT_CA: cannot read/)
  const noPair = await examined({
    MQTT_URL: 'mqtts://cloud:s3cretword@127.0.0.1:1',
    MQTT_CLIENT_CERT: join(folder, 'none.pem'),
    MQTT_CLIENT_KEY: join(folder, 'none.key'),
  })
  expect(noPair.of('broker')?.says).toMatch(/^MQTT_CLIENT_CERT: cannot read/)
  expect(refused.text + gone.text + noCa.text + noPair.text).not.toContain('s3cretword')
  await cloud.stop()
})

it('tries the mail server and its login, and sends nothing', async () => {
  const commands: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth: ({ password }, _session, done) =>
      password === 's3cretword' ? done(null, { user: 'gates' }) : done(new Error('no such login')),
    onMailFrom: (_address, _session, done) => {
      commands.push('MAIL FROM')
      done()
    },
  })
  server.on('error', () => {})
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  const port = typeof address === 'object' ? address?.port : 0
  const at = (password: string, to = port) => ({
    SMTP_URL: `smtp://gates:${password}@127.0.0.1:${to}`,
    MAIL_FROM: 'gates@example.com',
  })
  expect((await examined(at('s3cretword'))).of('mail')).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('takes the login'),
  })
  const refused = await examined(at('wr0ngword'))
  expect(refused.of('mail')).toMatchObject({
    state: 'wrong',
    says: expect.stringContaining('refused the login'),
  })
  const gone = await examined(at('s3cretword', 1))
  expect(gone.states['mail']).toBe('wrong')
  expect(refused.text + gone.text).not.toMatch(/wr0ngword|s3cretword/)
  expect(commands).toEqual([])
  await new Promise<void>(resolve => server.close(resolve))
})

it("does not report a proxy's answer as a fault while the cloud does not serve", async () => {
  const proxy = createHttpServer((_, answer) => answer.writeHead(502).end()).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const appUrl = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  expect((await examined({ APP_URL: appUrl })).of('APP_URL')).toMatchObject({
    state: 'unknown',
    says: `${appUrl} leads to a proxy, which answers 502: the cloud does not serve now`,
  })
})

it('has the refusals of production, which are faults where the cloud is declared as production', async () => {
  expect((await examined()).states['production']).toBe('warning')
  const { checks } = await examined({ NODE_ENV: 'production', MQTT_URL: 'mqtts://127.0.0.1:1' })
  const refusals = checks.filter(({ name }) => name === 'production')
  expect(refusals.map(({ says, state }) => `${state} ${says.split(' ')[0]}`)).toEqual([
    'wrong APP_URL',
    'wrong MQTT_URL',
    'wrong SMTP_URL',
  ])
})

it('says what is wrong with the configuration, and checks nothing else', async () => {
  const { checks } = await examined({ PORT: 'eighty' })
  expect(checks).toMatchObject([
    { name: 'configuration', state: 'wrong', says: expect.stringContaining('PORT') },
  ])
})

it('prints one check a line, with advice, and a summary', async () => {
  const { out } = await run()
  const lines = out.split('\n')
  expect(lines.at(-1)).toMatch(/^Nothing is wrong; \d+ to look at, \d+ unknown\.$/)
  for (const line of lines.slice(0, -2)) expect(line).toMatch(/^(ok|warning|WRONG|unknown) +[\w ]+ \S/)
  expect(out).toMatch(/^warning {2}keys .* → /m)
})

it.each([
  ['22.12.0', 'wrong'],
  ['20.19.0', 'wrong'],
  ['22.13.0', 'ok'],
  ['24.21.0', 'ok'],
  ['27.0.0', 'warning'],
])('finds Node %s to be %s', (version, state) => {
  expect(checkNode(version).state).toBe(state)
})
