// The Debian package of the gateway: its bytes, its files, its scripts in a root of their own, and its daemon, which opens a
// gate.

import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { addGateway } from '@callgate/cloud/gateway/gateways'
import { openPort } from '@callgate/simulator/port'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { bundledGateway, gatewayPackage, secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { type Architecture, architectures } from '../../../deploy/pi/nodeBinaries.ts'
import { debianVersion } from '../../../deploy/version.ts'
import { configurationOf, isThere, startCloud, unpack } from './oneGate.ts'
import { type Entry, readDeb } from './readDeb.ts'

const world = realWorld({ logLevel: 'silent' })
const maintains =
  process.getuid?.() === 0 && ['systemd-sysusers', 'systemd-tmpfiles', 'deb-systemd-helper'].every(isThere)
const mayMount =
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', tmpdir()], { stdio: 'ignore' }).status ===
  0

let folder = ''
type Bundle = Awaited<ReturnType<typeof bundledGateway>>
let bundle: Bundle = []
/** Made at another time, and with the files in another order, as the file system may list them. */
let bundledAgain: Bundle = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-package-'))
  bundle = await bundledGateway()
  bundledAgain = (await bundledGateway()).toReversed()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A package with a small program in place of Node: this test needs no download. */
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
  })

  it('contains the native part for its processor alone, and names what it needs', async () => {
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
    expect(textOf('control')).toContain(`Version: ${debianVersion}\nArchitecture: ${architecture}\n`)
    expect(textOf('control')).toMatch(/^Depends: libatomic1, .*systemd/m)
    const sums = files
      .filter(({ type }) => type === 'file')
      .map(({ content, path }) => `${createHash('md5').update(content).digest('hex')}  ${path.slice(2)}\n`)
    expect(textOf('md5sums')).toBe(sums.join(''))
    expect(textOf('preinst')).toContain('armv6*)')
  })
})

it('takes the time of its files from SOURCE_DATE_EPOCH', () => {
  expect(secondsOf({ SOURCE_DATE_EPOCH: '1700000000' })).toBe(1_700_000_000)
  expect(secondsOf({ SOURCE_DATE_EPOCH: 'now' })).toBe(1_767_225_600)
})

async function scriptsOf(bytes: Buffer): Promise<string> {
  const scripts = join(folder, 'scripts')
  mkdirSync(scripts, { recursive: true })
  for (const { content, path } of (await readDeb(bytes)).control.filter(entry => entry.type === 'file'))
    writeFileSync(join(scripts, path), content, { mode: 0o755 })
  return scripts
}

it('sets up a root of its own, keeps data at an upgrade and a removal, and purges it', async ({ skip }) => {
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
  for (const unit of [
    '.service',
    '-network.service',
    '-first-boot.service',
    '-update.service',
    '-offer.path',
  ].map(name => `callgate-gateway${name}`)) {
    const enabled = join(root, 'etc/systemd/system/multi-user.target.wants', unit)
    expect(execFileSync('readlink', [enabled], { encoding: 'utf8' }).trim()).toMatch(new RegExp(`/${unit}$`))
  }
  const store = join(root, 'var/lib/callgate-updates')
  expect(statSync(store).uid).toBe(0)
  // The daemon may write its request there, but not replace the folder.
  expect([statSync(join(store, 'inbox')).uid, modeOf('var/lib/callgate-updates/inbox')]).toEqual([
    statSync(join(root, 'var/lib/callgate-gateway')).uid,
    0o700,
  ])
  writeFileSync(join(store, 'trial'), '')
  writeFileSync(join(store, 'failed'), '[]')
  writeFileSync(join(root, config), 'gatewayId: of-the-owner\n')
  writeFileSync(join(root, key), 'secret')
  run('prerm', 'upgrade', debianVersion)
  run('postinst', 'configure', debianVersion)
  // The package that was installed last counts. The list of versions that failed before is kept.
  expect(readdirSync(store).sort()).toEqual(['failed', 'inbox'])
  run('prerm', 'remove')
  run('postrm', 'remove')
  expect(readFileSync(join(root, config), 'utf8')).toBe('gatewayId: of-the-owner\n')
  expect(readFileSync(join(root, key), 'utf8')).toBe('secret')
  run('postrm', 'purge')
  for (const path of [
    config,
    key,
    'etc/callgate-gateway',
    'var/lib/callgate-gateway',
    'var/lib/callgate-updates',
  ])
    expect([path, existsSync(join(root, path))]).toEqual([path, false])
})

it('purges a folder that is a partition of its own, and leaves the mount point', async ({ skip }) => {
  skip(!mayMount, 'this needs root, and a machine that lets it mount')
  const root = join(folder, 'mounted')
  const place = join(root, 'var/lib/callgate-gateway')
  mkdirSync(place, { recursive: true })
  const postrm = join(await scriptsOf(await small('amd64')), 'postrm')
  const inNamespace = 'mount -t tmpfs none "$1" && touch "$1/journal" "$1/.kept" && "$2" purge && ls -A "$1"'
  const left = execFileSync('unshare', ['--mount', 'sh', '-c', inNamespace, 'sh', place, postrm], {
    env: { PATH: process.env['PATH'], DPKG_ROOT: root, DPKG_MAINTSCRIPT_PACKAGE: 'callgate-gateway' },
    encoding: 'utf8',
    stdio: 'pipe',
  })
  expect(left).toBe('')
}, 60_000)

it('starts from its unpacked files with its own Node, and opens a gate', async ({ skip }) => {
  skip(process.arch !== 'x64', 'the package for amd64 does not run here')
  const root = join(folder, 'pi')
  mkdirSync(root)
  const node = { program: readFileSync(process.execPath), license: Buffer.from('MIT') }
  const options = { architecture: 'amd64', bundle, node, seconds: secondsOf({}), level: 1 } as const
  await unpack(await gatewayPackage(options), root)
  const own = join(root, 'usr/lib/callgate-gateway')
  // /usr/bin/callgate-gateway names the path of the installed package, which is a different one here.
  const callgate = (...args: string[]) => [join(own, 'node'), [join(own, 'gateway.mjs'), ...args]] as const
  const cloud = await startCloud(folder, onTestFinished)
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
})
