import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { access, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { version } from '@callgate/world/version'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const top = join(dirname(fileURLToPath(import.meta.url)), '../../..')
const gatewayId = 'gw_01kdhx3m8e2w7q5v9z4r6t8y0b'
let folder = ''
let bundle = ''

interface Ran {
  readonly code: number
  readonly output: string
  readonly errors: string
}

function run(args: readonly string[], node = process.execPath): Promise<Ran> {
  return new Promise(resolve => {
    execFile(node, [...args], { cwd: top }, (error, output, errors) =>
      resolve({ code: error ? Number(error.code) : 0, output, errors }),
    )
  })
}

/** The Node 20 of this machine, which is the version of Raspberry Pi OS trixie; undefined where there is none. */
function findNode20(): string | undefined {
  const programs = (process.env['PATH'] ?? '').split(delimiter).map(place => join(place, 'node'))
  return programs.find(node =>
    /^v20\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''),
  )
}
const node20 = findNode20()

/** Resolves when the daemon has logged `words`. */
function logged(daemon: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    daemon.stderr?.on('data', chunk => {
      log += chunk
      if (log.includes(words)) resolve()
    })
    daemon.once('exit', code => reject(new Error(`ended with ${code} before it logged "${words}":\n${log}`)))
  })
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'callgate-gateway-'))
  const built = await run(['--import', 'tsx', 'deploy/bundle.ts', '--to', folder, 'gateway'])
  expect(built).toMatchObject({ code: 0, errors: '' })
  bundle = join(folder, 'gateway/gateway.mjs')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each([
  ['the Node of the scripts', process.execPath],
  ['Node 20', node20],
])('the bundled daemon on %s', (name, node = '') => {
  beforeEach(context => {
    if (node === '') context.skip(`${name} is not installed`)
  })

  it('runs outside the repository and shows its version and help', async () => {
    expect(await run([bundle, '--version'], node)).toMatchObject({
      code: 0,
      output: `${version}\n`,
      errors: expect.stringMatching(/^commit ([0-9a-f]{12}(-dirty)?|unknown)\n$/),
    })
    const help = await run([bundle, '--help'], node)
    for (const word of [
      'run',
      'enrol',
      'first-boot',
      'keygen',
      'doctor',
      'call',
      'modem',
      'report',
      'Exit codes: 0',
    ])
      expect(help.output).toContain(word)
    expect(await run([bundle, 'rnu', '--config', 'callgate-gateway.yaml'], node)).toEqual({
      code: 1,
      output: '',
      errors:
        "error: unknown command 'rnu'. The commands are run, enrol, first-boot, keygen, doctor, call, modem, update, report; --help says more.\n",
    })
    await access(join(folder, 'gateway/prebuilds/linux-arm'))
  })

  it('makes a key once, and checks a bad and a good configuration', async () => {
    const key = join(folder, `key of ${name}`)
    const made = await run([bundle, 'keygen', '--out', key, '--json'], node)
    const { publicKey } = JSON.parse(made.output)
    expect(publicKey).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect((await stat(key)).mode & 0o777).toBe(0o600)
    expect(made.output + made.errors).not.toContain((await readFile(key, 'utf8')).trim())
    expect(await run([bundle, 'keygen', '--out', key], node)).toMatchObject({ code: 1 })
    const file = join(folder, 'callgate-gateway.yaml')
    const config = {
      gatewayId,
      mqttUrl: 'mqtt://127.0.0.1:9',
      mqttPassword: 'of-the-broker',
      cloudKeys: [publicKey],
      privateKeyFile: key,
      serialPort: join(folder, 'no-port'),
      dataFolder: join(folder, `data of ${name}`),
    }
    await writeFile(file, JSON.stringify({ ...config, gatewayId: 'x' }), { mode: 0o600 })
    const bad = await run([bundle, '--config', file], node)
    expect(bad).toMatchObject({
      code: 1,
      errors: expect.stringContaining('gatewayId must be like "gw_'),
    })
    await writeFile(file, JSON.stringify(config))
    const checked = await run([bundle, 'doctor', '--quick', '--config', file], node)
    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining('no-port is missing') })
    expect(checked.output).not.toContain('of-the-broker')
  })

  it('runs without a port and a broker, alone with its identity, until it is stopped', async () => {
    const daemon = spawn(node, [bundle, 'run', '--config', join(folder, 'callgate-gateway.yaml')])
    const ended = new Promise(resolve => daemon.once('exit', resolve))
    await Promise.all([logged(daemon, 'is missing'), logged(daemon, 'the cloud cannot be reached')])
    const second = await run([bundle, 'run', '--config', join(folder, 'callgate-gateway.yaml')], node)
    expect(second).toMatchObject({ code: 2, errors: expect.stringContaining('another gateway daemon runs') })
    daemon.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(await readFile(join(folder, `data of ${name}`, 'journal'), 'utf8')).toContain('journalId')
  })
})
