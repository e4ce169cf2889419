// The Debian package of the gateway: its bytes, its files, its scripts in a root of their own, and its daemon, which opens a gate.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createCloud } from '@callgate/cloud/app'
import { readConfig } from '@callgate/cloud/config'
import { openDatabase } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { addGateway } from '@callgate/cloud/gateway/gateways'
import { loadKeyring } from '@callgate/cloud/secrets/keyring'
import { createApiKey } from '@callgate/cloud/space/apiKeys'
import { createSpace } from '@callgate/cloud/space/spaces'
import { openPort } from '@callgate/simulator/port'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bundledGateway, gatewayPackage, nameOf, secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { type Architecture, architectures } from '../../../deploy/pi/nodeBinaries.ts'
import { version } from '../../../packages/gateway/src/version.ts'
import { freePort } from '../freePort.ts'
import { type Entry, readDeb } from './readDeb.ts'

const world = realWorld({ logLevel: 'silent' })
const isThere = (program: string) => spawnSync('which', [program]).status === 0
const maintains =
  process.getuid?.() === 0 && ['systemd-sysusers', 'systemd-tmpfiles', 'deb-systemd-helper'].every(isThere)

let folder = ''
type Bundle = Awaited<ReturnType<typeof bundledGateway>>
let bundle: Bundle = []
/** Made another time, and in another order, as a folder may be read. */
let bundledAgain: Bundle = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-package-'))
  bundle = await bundledGateway()
  bundledAgain = (await bundledGateway()).toReversed()
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A package with a small program in the place of Node: this test needs no download. */
function small(architecture: Architecture, files = bundle) {
  const node = { program: Buffer.from(`Node for ${architecture}`), license: Buffer.from('MIT') }
  return gatewayPackage({ architecture, bundle: files, node, seconds: secondsOf({}), level: 6 })
}

const pathsOf = (entries: readonly Entry[]) =>
  entries.filter(({ type }) => type === 'file').map(({ path }) => path)

describe.each(architectures)('the package for %s', architecture => {
  it('has the same bytes each time, and belongs to root', async () => {
    const bytes = await small(architecture)
    expect((await small(architecture, bundledAgain)).equals(bytes)).toBe(true)
    const { control, files, members } = await readDeb(bytes)
    expect(members).toEqual(['debian-binary', 'control.tar.gz', 'data.tar.gz'])
    for (const { mode, owner, path, seconds, type } of [...control, ...files]) {
      expect([path, owner, seconds]).toEqual([path, '0:0 root:root', 1_767_225_600])
      const isProgram = /usr\/bin\/|\/node$|\.\/(pre|post)(inst|rm)$/.test(path)
      expect([path, mode]).toEqual([path, type === 'directory' || isProgram ? 0o755 : 0o644])
    }
  }, 60_000)

  it('holds the native part for its processor alone, and says what it needs', async () => {
    const { control, files } = await readDeb(await small(architecture))
    const part = {
      amd64: 'linux-x64/@serialport+bindings-cpp.glibc.node',
      arm64: 'linux-arm64/@serialport+bindings-cpp.armv8.glibc.node',
      armhf: 'linux-arm/@serialport+bindings-cpp.armv7.glibc.node',
    }[architecture]
    const native = pathsOf(files).filter(path => path.includes('prebuilds'))
    expect(native).toEqual([`./usr/lib/callgate-gateway/prebuilds/${part}`])
    const textOf = (name: string) =>
      control.find(({ path }) => path === `./${name}`)?.content.toString() ?? ''
    expect(textOf('control')).toContain(`Version: ${version}\nArchitecture: ${architecture}\n`)
    expect(textOf('control')).toMatch(/^Depends: libatomic1, .*systemd/m)
    const sums = files
      .filter(({ type }) => type === 'file')
      .map(({ content, path }) => `${createHash('md5').update(content).digest('hex')}  ${path.slice(2)}\n`)
    expect(textOf('md5sums')).toBe(sums.join(''))
    expect(textOf('preinst')).toContain('armv6*)')
  }, 60_000)
})

it('takes the time of its files from SOURCE_DATE_EPOCH', () => {
  expect(secondsOf({ SOURCE_DATE_EPOCH: '1700000000' })).toBe(1_700_000_000)
  expect(secondsOf({ SOURCE_DATE_EPOCH: 'now' })).toBe(1_767_225_600)
})

/** Unpacks a package into a folder: by dpkg-deb where it is there, else by the reader of these tests. */
async function unpack(bytes: Buffer, root: string): Promise<void> {
  const file = join(folder, nameOf('amd64'))
  writeFileSync(file, bytes)
  if (isThere('dpkg-deb')) {
    execFileSync('dpkg-deb', ['-x', file, root])
    return
  }
  for (const { content, mode, path, type } of (await readDeb(bytes)).files) {
    if (type === 'directory') mkdirSync(join(root, path), { recursive: true })
    else writeFileSync(join(root, path), content, { mode })
  }
}

async function scriptsOf(bytes: Buffer): Promise<string> {
  const scripts = join(folder, 'scripts')
  mkdirSync(scripts, { recursive: true })
  for (const { content, path } of (await readDeb(bytes)).control.filter(entry => entry.type === 'file'))
    writeFileSync(join(scripts, path), content, { mode: 0o755 })
  return scripts
}

it('sets up a root of its own, keeps what is there at an upgrade and a removal, and purges it', async ({
  skip,
}) => {
  if (!maintains) return skip('this needs root, systemd-sysusers, systemd-tmpfiles and deb-systemd-helper')
  const root = join(folder, 'root')
  mkdirSync(join(root, 'etc'), { recursive: true })
  const bytes = await small('amd64')
  await unpack(bytes, root)
  const scripts = await scriptsOf(bytes)
  const run = (name: string, ...args: string[]) =>
    execFileSync(join(scripts, name), args, {
      env: { PATH: process.env['PATH'], DPKG_ROOT: root, DPKG_MAINTSCRIPT_PACKAGE: 'callgate-gateway' },
      stdio: 'pipe',
    })
  const modeOf = (path: string) => statSync(join(root, path)).mode & 0o777
  run('preinst', 'install')
  run('postinst', 'configure')
  const config = 'etc/callgate-gateway/callgate-gateway.yaml'
  const key = 'var/lib/callgate-gateway/gateway.key'
  expect(modeOf(config)).toBe(0o600)
  expect(modeOf('var/lib/callgate-gateway')).toBe(0o700)
  expect(readFileSync(join(root, 'etc/group'), 'utf8')).toMatch(/^dialout:.*:callgate-gateway$/m)
  for (const unit of ['callgate-gateway.service', 'callgate-gateway-first-boot.service']) {
    const enabled = join(root, 'etc/systemd/system/multi-user.target.wants', unit)
    expect(execFileSync('readlink', [enabled], { encoding: 'utf8' }).trim()).toMatch(new RegExp(`/${unit}$`))
  }
  writeFileSync(join(root, config), 'gatewayId: of-the-owner\n')
  writeFileSync(join(root, key), 'secret')
  run('prerm', 'upgrade', version)
  run('postinst', 'configure', version)
  run('prerm', 'remove')
  run('postrm', 'remove')
  expect(readFileSync(join(root, config), 'utf8')).toBe('gatewayId: of-the-owner\n')
  expect(readFileSync(join(root, key), 'utf8')).toBe('secret')
  run('postrm', 'purge')
  for (const path of [config, key, 'etc/callgate-gateway', 'var/lib/callgate-gateway'])
    expect([path, existsSync(join(root, path))]).toEqual([path, false])
}, 60_000)

/** A cloud with one gate, whose broker and API listen on this machine. */
async function startCloud() {
  const port = await freePort()
  const read = readConfig({ CALLGATE_DATA: folder })
  const keys = await loadKeyring(world, { folder })
  if (!read.ok || !keys.ok) throw new Error('the cloud cannot be configured')
  const database = await openDatabase({ url: join(folder, 'callgate.sqlite') })
  await migrate(database)
  const cloud = createCloud({ world, database, config: { ...read.config, port, mqttPort: 0 } })
  const started = await cloud.start()
  if (!started.ok) throw new Error(started.message)
  onTestFinished(async () => {
    await cloud.stop()
    await database.close()
  })
  const given = { name: 'A', plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace({ database, world }, given)
  const desk = { spaceId, name: 'Desk', actor: 'operator', expiresAt: null } as const
  const scopes = ['gates:read', 'gates:write', 'gates:open'] as const
  const key = await createApiKey({ database, world }, { ...desk, scopes: [...scopes] })
  const headers = { Authorization: `Bearer ${key?.key}`, 'Content-Type': 'application/json' }
  const post = async (path: string, body: object = {}) => {
    const url = `http://127.0.0.1:${port}${path}`
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as { gate?: { id: string } } }
  }
  const mqttUrl = started.mqttUrl.replace('localhost', '127.0.0.1')
  return { database, cloudKeys: keys.keyring.publicKeys(), spaceId, mqttUrl, post }
}

/** The template of the package, filled in as its guide says. */
function configurationOf(root: string, fields: Readonly<Record<string, unknown>>): string {
  const template = readFileSync(join(root, 'usr/share/callgate-gateway/callgate-gateway.yaml'), 'utf8')
  const own = template
    .replace(/^(dataFolder|privateKeyFile): .*$/gm, '')
    .replace(/^serialPort:\n(?: {2}- .*\n)+/m, '')
  return (
    own +
    Object.entries(fields)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join('')
  )
}

it.runIf(process.arch === 'x64')(
  'starts from its unpacked files with its own Node, and opens a gate',
  async () => {
    const root = join(folder, 'pi')
    mkdirSync(root)
    const node = { program: readFileSync(process.execPath), license: Buffer.from('MIT') }
    const options = { architecture: 'amd64', bundle, node, seconds: secondsOf({}), level: 1 } as const
    await unpack(await gatewayPackage(options), root)
    const own = join(root, 'usr/lib/callgate-gateway')
    // /usr/bin/callgate-gateway names the place where the package is installed, which is another one here.
    const callgate = (...args: string[]) => [join(own, 'node'), [join(own, 'gateway.mjs'), ...args]] as const
    const cloud = await startCloud()
    const privateKeyFile = join(folder, 'gateway.key')
    const made = execFileSync(...callgate('keygen', '--out', privateKeyFile, '--json'), { encoding: 'utf8' })
    const { publicKey } = JSON.parse(made)
    const { database, mqttUrl, spaceId } = cloud
    const added = await addGateway({ database, world }, { spaceId, name: 'Pi', publicKey, actor: 'operator' })
    if (!added.ok) throw new Error(added.code)
    const { gatewayId, mqttPassword } = added.gateway
    const simulator = usualSimulator({ world })
    const serialPort = join(folder, 'modem')
    const opened = openPort({ world, simulator, link: serialPort })
    if (!opened.ok) throw new Error(opened.message)
    const file = join(folder, 'callgate-gateway.yaml')
    const login = { gatewayId, mqttUrl, mqttPassword, cloudKeys: cloud.cloudKeys }
    const text = configurationOf(root, {
      ...login,
      privateKeyFile,
      serialPort,
      dataFolder: join(folder, 'state'),
    })
    writeFileSync(file, text)
    chmodSync(file, 0o640)
    const checked = execFileSync(...callgate('doctor', '--quick', '--config', file), { encoding: 'utf8' })
    expect(checked).toContain(`It can be read; gateway ${gatewayId}`)
    const told = join(folder, 'told')
    const tools = join(folder, 'tools')
    mkdirSync(tools)
    writeFileSync(join(tools, 'systemd-notify'), `#!/bin/sh\necho "$1" >> ${told}\n`, { mode: 0o755 })
    const env = { PATH: `${tools}:${process.env['PATH']}`, NOTIFY_SOCKET: '/none', WATCHDOG_USEC: '3000000' }
    const daemon: ChildProcess = spawn(...callgate('run', '--config', file), { env })
    onTestFinished(async () => {
      daemon.kill('SIGKILL')
      simulator.stop()
      await opened.port.close()
    })
    const gate = await cloud.post('/api/v1/gates', { name: 'Front', phoneNumber })
    await vi.waitFor(
      async () => {
        const pressed = await cloud.post(`/api/v1/gates/${gate.body.gate?.id}/open`)
        expect(pressed).toMatchObject({ status: 200, body: { opened: true } })
      },
      { timeout: 90_000, interval: 1_000 },
    )
    expect(simulator.state().gates.map(({ relayCount }) => relayCount)).toEqual([1])
    await vi.waitFor(
      () => {
        for (const message of ['READY=1\n', 'WATCHDOG=1\n'])
          expect(readFileSync(told, 'utf8')).toContain(message)
      },
      { timeout: 30_000 },
    )
    const ended = new Promise(resolve => daemon.once('exit', resolve))
    daemon.kill('SIGTERM')
    expect(await ended).toBe(0)
    expect(existsSync(join(dirname(file), 'state', 'journal'))).toBe(true)
  },
  240_000,
)
