// A gateway that was installed by its package, and releases for it: the unpacked files, and a systemctl of the tests in place of
// systemd.

import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { addGateway } from '@callgate/cloud/gateway/gateways'
import { signingKey } from '@callgate/contract/wire/signature'
import { openPort } from '@callgate/simulator/port'
import { phoneNumber, usualSimulator } from '@callgate/simulator/usual.kit'
import { realWorld } from '@callgate/world/real'
import { version as packaged } from '@callgate/world/version'
import { type bundledGateway, gatewayPackage, secondsOf } from '../../../deploy/pi/gatewayPackage.ts'
import { gatewayRelease } from '../../../deploy/pi/gatewayRelease.ts'
import { configurationOf, startCloud, unpack } from './oneGate.ts'

const world = realWorld({ logLevel: 'silent' })
/** The release key that the package pins. */
const key = signingKey(new Uint8Array(32).fill(7))
/** Another release key. */
export const stranger = signingKey(new Uint8Array(32).fill(8))

type Bundle = Awaited<ReturnType<typeof bundledGateway>>
interface InstalledGatewayOptions {
  /** The folder of everything that belongs to this gateway and its cloud. */
  readonly folder: string
  readonly bundle: Bundle
  /** One of the test itself, because tests of one file may run at the same time. */
  readonly onTestFinished: (work: () => Promise<void>) => void
}

/** The bundle as another version, in which `first` runs before the program. */
function bundleOf(bundle: Bundle, version: string, first = '') {
  const from = `version="${packaged}"`
  return bundle.map(file => {
    if (!file.path.endsWith('/gateway.mjs')) return file
    const text = file.content.toString()
    if (!text.includes(from)) throw new Error('the bundle says its version in other words')
    return { ...file, content: Buffer.from(`${first}\n${text.replace(from, `version="${version}"`)}`) }
  })
}

/** A signed release in a file of this folder. */
export async function releaseFile(
  { bundle, folder }: Pick<InstalledGatewayOptions, 'bundle' | 'folder'>,
  version: string,
  { first = '', by = key, alter = (bytes: Buffer) => bytes } = {},
) {
  const bytes = await gatewayRelease({
    key: by,
    version,
    architecture: 'amd64',
    bundle: bundleOf(bundle, version, first),
    node: readFileSync(process.execPath),
    hasNode: false,
    replaces: '0.1.0',
    seconds: secondsOf({}),
    level: 1,
  })
  const path = join(folder, `${version}.release`)
  writeFileSync(path, alter(bytes))
  return path
}

/** The unpacked package, whose launcher names the paths in this root. */
async function installedPackage({ bundle, folder }: Pick<InstalledGatewayOptions, 'bundle' | 'folder'>) {
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
  mkdirSync(join(store, 'inbox'), { recursive: true })
  return { launcher, store, packageFolder: join(root, 'usr/lib/callgate-gateway') }
}

/** Programs that this test simulates. `systemctl restart` does what the unit does: stop, ExecStartPre, ExecStart. */
function playedTools(
  folder: string,
  launcher: string,
  { places, run }: { readonly places: readonly string[]; readonly run: readonly string[] },
) {
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
    `  ${launcher} ${run.join(' ')} >> ${folder}/log 2>&1 &`,
    `  echo $! > ${pid}`,
    '  ;;',
    `show) read -r pid < ${pid}; if kill -0 "$pid" 2> /dev/null; then echo active; else echo failed; fi ;;`,
    'esac',
  ])
  return { pid, env: { ...process.env, PATH: `${tools}:${process.env['PATH']}` } }
}

/** A gateway that was installed by the package, its cloud with one gate, and its modem. */
export async function runningGateway(given: InstalledGatewayOptions) {
  const { folder, onTestFinished } = given
  const { launcher, packageFolder, store } = await installedPackage(given)
  const { baseUrl, cloudKeys, database, mqttUrl, post, spaceId } = await startCloud(folder, onTestFinished)
  const privateKeyFile = join(folder, 'gateway.key')
  const config = join(folder, 'callgate-gateway.yaml')
  const dataFolder = join(folder, 'state')
  const places = ['--store', store, '--package', packageFolder, '--data-folder', dataFolder, '--on-overlay']
  const run = ['run', '--config', config, '--offers', store, '--package', packageFolder]
  const { env, pid } = playedTools(folder, launcher, { places, run })
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
  const login = {
    gatewayId,
    mqttUrl,
    mqttPassword,
    cloudKeys,
    privateKeyFile,
    serialPort,
    dataFolder,
    cloudUrl: baseUrl,
  }
  writeFileSync(config, configurationOf(join(folder, 'pi'), login), { mode: 0o600 })
  const daemon: ChildProcess = spawn(launcher, run, { env, stdio: 'ignore' })
  writeFileSync(pid, `${daemon.pid}\n`)
  onTestFinished(async () => {
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL')
    simulator.stop()
    await opened.port.close()
  })
  const gate = (await post('/api/v1/gates', { name: 'Front', phoneNumber })).body.gate?.id
  return {
    store,
    database,
    spaceId,
    gatewayId,
    press: () => post(`/api/v1/gates/${gate}/open`),
    relays: () => simulator.state().gates[0]?.relayCount ?? 0,
    versionNow: () => execFileSync(launcher, ['--version'], { encoding: 'utf8', env, stdio: 'pipe' }).trim(),
    fromCloud: ['--cloud', baseUrl],
    update: (...from: readonly string[]) =>
      new Promise<{ code: number; text: string }>(resolve =>
        execFile(launcher, ['update', ...from, ...places], { env }, (error, stdout, stderr) =>
          resolve({ code: Number(error?.code ?? 0), text: stdout + stderr }),
        ),
      ),
  }
}
