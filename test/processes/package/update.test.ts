// Updates of the installed package: its launcher, its command `update` and its daemon, with a systemctl of this test in the place of systemd.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addGateway } from '@callgate/cloud/gateway/gateways'
import { addRelease, releaseFolder } from '@callgate/cloud/release/releaseShelf'
import { signingKey } from '@callgate/contract/wire/signature'
import { openPort } from '@callgate/simulator/port'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { bundledGateway, gatewayPackage, secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { gatewayRelease } from '../../../deploy/pi/gatewayRelease.ts'
import { version as packaged } from '../../../packages/gateway/src/version.ts'
import { configurationOf, startCloud, unpack } from './oneGate.ts'

const world = realWorld({ logLevel: 'silent' })
const key = signingKey(new Uint8Array(32).fill(7))
const stranger = signingKey(new Uint8Array(32).fill(8))

let folder = ''
let bundle: Awaited<ReturnType<typeof bundledGateway>> = []

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-updated-'))
  execFileSync('chmod', ['755', folder])
  bundle = await bundledGateway()
}, 120_000)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The bundle as another version; `first` runs before it. */
function bundleOf(version: string, first = '') {
  const from = `version="${packaged}"`
  return bundle.map(file => {
    if (!file.path.endsWith('/gateway.mjs')) return file
    const text = file.content.toString()
    if (!text.includes(from)) throw new Error('the bundle says its version in other words')
    return { ...file, content: Buffer.from(`${first}\n${text.replace(from, `version="${version}"`)}`) }
  })
}

async function releaseFile(version: string, { first = '', by = key, alter = (bytes: Buffer) => bytes } = {}) {
  const bytes = await gatewayRelease({
    key: by,
    version,
    architecture: 'amd64',
    bundle: bundleOf(version, first),
    node: readFileSync(process.execPath),
    hasNode: false,
    replaces: packaged,
    seconds: secondsOf({}),
    level: 1,
  })
  const path = join(folder, `${version}.release`)
  writeFileSync(path, alter(bytes))
  return path
}

/** The package, unpacked, whose launcher names the places in this root. */
async function installedPackage() {
  const root = join(folder, 'pi')
  mkdirSync(root)
  const node = { program: readFileSync(process.execPath), license: Buffer.from('MIT') }
  const releaseKeys = `${key.publicKey}\n`
  const options = {
    architecture: 'amd64',
    bundle,
    node,
    releaseKeys,
    seconds: secondsOf({}),
    level: 1,
  } as const
  await unpack(await gatewayPackage(options), root)
  const launcher = join(root, 'usr/bin/callgate-gateway')
  const text = readFileSync(launcher, 'utf8')
  writeFileSync(launcher, text.replaceAll(/=\/(usr|var)\//g, `=${root}/$1/`))
  const store = join(root, 'var/lib/callgate-updates')
  mkdirSync(store, { recursive: true })
  return { launcher, store, packageFolder: join(root, 'usr/lib/callgate-gateway') }
}

/** Programs that this test plays. `systemctl restart` is what the unit does: stop, ExecStartPre, ExecStart. */
function playedTools(launcher: string, config: string, places: readonly string[]) {
  const tools = join(folder, 'tools')
  const pid = join(folder, 'pid')
  mkdirSync(tools)
  const program = (name: string, lines: readonly string[]) =>
    writeFileSync(join(tools, name), `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 })
  // -u USER -- PROGRAM
  program('runuser', ['shift 3', 'exec "$@"'])
  program('systemctl', [
    'case "$1" in',
    'restart)',
    `  read -r pid < ${pid} && kill "$pid"`,
    '  while kill -0 "$pid" 2> /dev/null; do sleep 0.1; done',
    `  ${launcher} update --before-start ${places.join(' ')} >> ${folder}/log`,
    `  ${launcher} run --config ${config} >> ${folder}/log 2>&1 &`,
    `  echo $! > ${pid}`,
    '  ;;',
    `show) read -r pid < ${pid}; if kill -0 "$pid" 2> /dev/null; then echo active; else echo failed; fi ;;`,
    'esac',
  ])
  return { pid, env: { ...process.env, PATH: `${tools}:${process.env['PATH']}` } }
}

/** A gateway that was installed by the package, its cloud with one gate, and its modem. */
async function runningGateway() {
  const { launcher, packageFolder, store } = await installedPackage()
  const { baseUrl, cloudKeys, database, mqttUrl, post, spaceId } = await startCloud(folder)
  const privateKeyFile = join(folder, 'gateway.key')
  const config = join(folder, 'callgate-gateway.yaml')
  const dataFolder = join(folder, 'state')
  const places = ['--store', store, '--package', packageFolder, '--data-folder', dataFolder, '--on-overlay']
  const { env, pid } = playedTools(launcher, config, places)
  const made = execFileSync(launcher, ['keygen', '--out', privateKeyFile, '--json'], {
    encoding: 'utf8',
    env,
  })
  const { publicKey } = JSON.parse(made)
  const added = await addGateway({ database, world }, { spaceId, name: 'Pi', publicKey, actor: 'operator' })
  if (!added.ok) throw new Error(added.code)
  const { gatewayId, mqttPassword } = added.gateway
  const simulator = usualSimulator({ world })
  const serialPort = join(folder, 'modem')
  const opened = openPort({ world, simulator, link: serialPort })
  if (!opened.ok) throw new Error(opened.message)
  const login = { gatewayId, mqttUrl, mqttPassword, cloudKeys, privateKeyFile, serialPort, dataFolder }
  writeFileSync(config, configurationOf(join(folder, 'pi'), login), { mode: 0o600 })
  const daemon: ChildProcess = spawn(launcher, ['run', '--config', config], { env, stdio: 'ignore' })
  writeFileSync(pid, `${daemon.pid}\n`)
  onTestFinished(async () => {
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
    simulator.stop()
    await opened.port.close()
  })
  const gate = (await post('/api/v1/gates', { name: 'Front', phoneNumber })).body.gate?.id
  return {
    store,
    press: () => post(`/api/v1/gates/${gate}/open`),
    relays: () => simulator.state().gates[0]?.relayCount ?? 0,
    versionNow: () => execFileSync(launcher, ['--version'], { encoding: 'utf8', env }).trim(),
    fromCloud: ['--cloud', baseUrl],
    update: (...from: readonly string[]) =>
      new Promise<{ code: number; text: string }>(resolve =>
        execFile(launcher, ['update', ...from, ...places], { env }, (error, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
        ),
      ),
  }
}

it.runIf(process.arch === 'x64')(
  'G5: installs a signed version between two calls, takes back one that does not start, and refuses all others',
  async () => {
    const { fromCloud, press, relays, store, update, versionNow } = await runningGateway()
    const isOpen = { status: 200, body: { opened: true } }
    const opens = () =>
      vi.waitFor(async () => expect(await press()).toMatchObject(isOpen), {
        timeout: 90_000,
        interval: 1_000,
      })
    await opens()
    const shelf = releaseFolder(folder)
    expect(await update(...fromCloud)).toMatchObject({
      code: 0,
      text: expect.stringContaining('the cloud offers none'),
    })
    expect(await addRelease(shelf, await releaseFile('0.2.0'))).toMatchObject({ ok: true })
    const before = relays()
    // A press within the cool-down would join the call before.
    await new Promise(resolve => world.after(6_000, () => resolve(undefined)))
    const [pressed, updated] = await Promise.all([press(), update(...fromCloud)])
    expect(pressed).toMatchObject(isOpen)
    expect(relays()).toBe(before + 1)
    expect(updated).toMatchObject({
      code: 0,
      text: expect.stringContaining('Installed: version 0.2.0 works.'),
    })
    expect(versionNow()).toBe('0.2.0')
    await opens()
    const crashes = "if (process.argv.includes('run')) process.exit(70)"
    const broken = (bytes: Buffer) =>
      Buffer.from(bytes.map((byte, at) => (at === bytes.length - 9 ? byte ^ 1 : byte)))
    for (const [path, words] of [
      [await releaseFile('0.3.0', { by: stranger }), 'not signed by a release key'],
      [await releaseFile('0.3.1', { alter: broken }), 'not the one that was signed'],
      [await releaseFile('0.1.5'), '0.1.5 is not newer than 0.2.0'],
      [await releaseFile('0.4.0', { first: crashes }), 'version 0.4.0 was taken back: it ended by itself'],
    ] as const) {
      expect(await update(path)).toMatchObject({ code: 6, text: expect.stringContaining(words) })
      expect(versionNow()).toBe('0.2.0')
    }
    await opens()
    expect(readdirSync(store).sort()).toEqual(['current', 'failed', 'outcome', 'versions'])
  },
  400_000,
)
