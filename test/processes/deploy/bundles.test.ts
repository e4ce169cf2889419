// The bundles of the cloud and the simulator on a machine with Node alone: one folder is copied, started and used.

import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serialLine } from '@callgate/modem/serial'
import { realWorld } from '@callgate/world/real'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { freePort } from '../freePort.ts'

const packages = fileURLToPath(new URL('../../../packages', import.meta.url))
const world = realWorld({ logLevel: 'silent' })
const patient = { timeout: 60_000, interval: 50 }

let folder = ''
let running: ChildProcess | undefined

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'callgate-alone-')))
})
afterEach(async () => {
  if (running?.exitCode === null) {
    const ended = once(running, 'exit')
    running.kill('SIGTERM')
    await ended
  }
  rmSync(folder, { recursive: true })
})

/** Copies the bundle of a part, and makes a PATH on which there is nothing but Node. */
function install(part: 'cloud' | 'simulator') {
  const place = join(folder, part)
  cpSync(join(packages, part, 'dist'), place, { recursive: true })
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  symlinkSync(process.execPath, join(bin, 'node'))
  const env = { PATH: bin, CALLGATE_DATA: join(folder, 'data') }
  return {
    /** Runs the program to its end, and returns the JSON that it prints. */
    async run(...args: string[]) {
      const { stdout } = await promisify(execFile)('node', args, { cwd: place, env })
      return JSON.parse(stdout)
    },
    /** Starts the program, and returns the JSON of its first line. */
    async start(args: readonly string[], more: Readonly<Record<string, string>> = {}) {
      const child = spawn('node', args, {
        cwd: place,
        env: { ...env, ...more },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      running = child
      let errors = ''
      child.stderr.on('data', chunk => {
        errors += chunk
      })
      const ended = once(child, 'exit').then(([code]) => {
        throw new Error(`it ended with ${code}:\n${errors}`)
      })
      ended.catch(() => {})
      const [line] = await Promise.race([once(createInterface(child.stdout), 'line'), ended])
      return JSON.parse(String(line))
    },
  }
}

it('serves the API, its pages and its broker', async () => {
  const cloud = install('cloud')
  const { spaceId } = await cloud.run(
    ...['callgate.mjs', 'space', 'create', '--name', 'A', '--plan', 'pro', '--json'],
  )
  const of = ['--space', spaceId, '--name', 'Desk', '--scopes', 'all', '--json']
  const { key } = await cloud.run('callgate.mjs', 'key', 'create', ...of)
  const [port, mqttPort] = [await freePort(), await freePort()]
  const ports = { PORT: String(port), MQTT_PORT: String(mqttPort) }
  const { baseUrl } = await cloud.start(['callgate.mjs', 'serve', '--json'], ports)
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const body = JSON.stringify({ name: 'Front', phoneNumber: '0722123456' })
  const made = await fetch(`${baseUrl}/api/v1/gates`, { method: 'POST', headers, body })
  expect([made.status, await made.json()]).toMatchObject([201, { gate: { phoneNumber: '+40722123456' } }])
  await vi.waitFor(async () => expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200), patient)
  for (const page of ['/docs', '/docs/opening', '/docs/reference', '/docs/scalar.js', '/api/v1/openapi.json'])
    expect((await fetch(baseUrl + page)).status, page).toBe(200)
})

it('refuses a Node on which SQLite would crash silently', async () => {
  const old =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })"
  const listed = install('cloud').run(
    '--import',
    `data:text/javascript,${old}`,
    'callgate.mjs',
    'space',
    'list',
  )
  await expect(listed).rejects.toMatchObject({
    code: 1,
    stderr: 'callgate needs Node 22 or newer; this is Node 20.20.2.\n',
  })
})

it('uses rules of time zones that an operator has added, and none that it cannot use', async () => {
  const cloud = install('cloud')
  await cloud.run('callgate.mjs', 'space', 'create', '--name', 'A', '--plan', 'pro', '--json')
  const file = join(folder, 'cloud', 'timezones.json')
  const rules = JSON.parse(readFileSync(file, 'utf8'))
  const timezones = () => cloud.run('callgate.mjs', 'timezones', '--json')
  expect(await timezones()).toMatchObject({ version: rules.version, zones: 1, unknown: [] })
  writeFileSync(file, JSON.stringify({ ...rules, version: '2098b' }))
  expect(await timezones()).toEqual({ version: '2098b', zones: 1, unknown: [], complaints: [] })

  const refusal = (...args: string[]) =>
    cloud.run('callgate.mjs', ...args).catch(({ code, stderr }) => [code, stderr])
  writeFileSync(file, JSON.stringify({ ...rules, zones: rules.zones.slice(1) }))
  const missing = /^The rules of the time zones cannot be used: the zone Africa.\w+ is missing\.\n$/
  expect(await refusal('serve')).toEqual([1, expect.stringMatching(missing)])
  writeFileSync(file, '{"version": "2098b"')
  expect(await refusal('space', 'list')).toEqual([
    1,
    expect.stringMatching(/^The rules of the time zones cannot be read from \S+timezones\.json: .+\.\n$/),
  ])
})

it('answers AT commands on its virtual serial port', async () => {
  const { pts } = await install('simulator').start(['simulator.mjs', '--json', '--registered'])
  const opened = await serialLine({ world, paths: [pts], baudRate: 115_200 })(0)
  if (!opened.ok) throw new Error(opened.message)
  const { line } = opened
  let heard = ''
  line.onBytes(bytes => {
    heard += Buffer.from(bytes).toString('latin1')
  })
  line.write(Buffer.from('ATE0\r'))
  await vi.waitFor(() => expect(heard).toContain('OK'), patient)
  line.write(Buffer.from('AT+CREG?\r'))
  await vi.waitFor(() => expect(heard).toMatch(/\+CREG: 0,1\r\n\r\nOK/), patient)
  await line.close()
})
