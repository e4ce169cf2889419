// The gateway's program: runs each command in this process.

import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createModem } from '@callgate/modem/modem'
import { serialLine } from '@callgate/modem/serial'
import { connectMqtt } from '@callgate/mqtt/mqttConnection'
import { backoff } from '@callgate/world/backoff'
import { trustMachine } from '@callgate/world/machineTrust'
import { realWorld } from '@callgate/world/real'
import { readTraceTarget } from '@callgate/world/traceTarget'
import { commit, version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import { openCloudKeys } from './cloudKeys.ts'
import { commandLine, type DoctorOptions, type RunOptions } from './commandLine.ts'
import { type GatewayConfig, readConfig, usualFile } from './config.ts'
import { reachModem } from './console/modemAccess.ts'
import { serveConsole } from './console/modemConsole.ts'
import { Daemon } from './daemon.ts'
import { type DoctorParts, examine } from './doctor/doctor.ts'
import { doctorText } from './doctor/doctorText.ts'
import { bootNetworkCommand, runProgram } from './enrol/bootNetwork.ts'
import { type OpenPlace, ownAddresses } from './enrol/device.ts'
import { type EnrolOptions, enrolCommand } from './enrol/enrolCommand.ts'
import { type FirstBootOptions, firstBootCommand } from './enrol/firstBoot.ts'
import { openJournal } from './journal.ts'
import { folderDisk, systemCode } from './journalDisk.ts'
import { writeKeyFile } from './keyFile.ts'
import { openLocalServer } from './local/localServer.ts'
import { lockForDaemon, sayLockFault } from './lock.ts'
import { hooksIn, runModemHook } from './modemHooks.ts'
import { type ReportOptions, reportCommand } from './report/reportCommand.ts'
import { noting, tellSystemd } from './systemd.ts'
import { callCommand } from './trace/callCommand.ts'
import { Offers } from './update/offers.ts'
import { type UpdateOptions, updateCommand } from './update/updateCommand.ts'

const exitCodes = {
  clean: 0,
  badConfiguration: 1,
  cannotStart: 2,
  superseded: 3,
  forgotten: 4,
  faultFound: 5,
  notUpdated: 6,
  bug: 70,
} as const
type Exit = keyof typeof exitCodes

function leave(exit: Exit, message?: string): never {
  if (message !== undefined) process.stderr.write(`${message}\n`)
  process.exit(exitCodes[exit])
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

async function configOrLeave(file: string | undefined): Promise<GatewayConfig> {
  const config = await readConfig(file)
  return config.ok ? config.value : leave('badConfiguration', config.message)
}

async function lockOrLeave(world: World, config: GatewayConfig): Promise<void> {
  const { dataFolder, gatewayId, privateKeyFile } = config
  const locked = await lockForDaemon(world, config, tool =>
    world.log.warn(`callgate-gateway ${tool} has the modem: waiting until it has ended`),
  ).catch((error: unknown) => {
    const code = systemCode(error)
    if (code === undefined) throw error
    return leave('cannotStart', `dataFolder: cannot use ${dataFolder}: ${code}`)
  })
  if (locked.ok) return
  const { code, file, tool } = locked
  if (tool !== undefined)
    leave('cannotStart', `callgate-gateway ${tool} has the modem and does not end: end it`)
  const what = file === privateKeyFile ? `the identity ${gatewayId}` : `the data folder ${dataFolder}`
  leave(
    'cannotStart',
    code === 'held'
      ? `another gateway daemon runs with ${what} on this machine: stop it first (systemctl stop callgate-gateway)`
      : `cannot make sure that no other daemon runs with ${what}: ${sayLockFault(locked)}`,
  )
}

/** Opens the modem's ports. */
const openPlaceIn =
  (world: World): OpenPlace =>
  ({ baudRate, serialPorts: paths }) =>
    serialLine({ world, paths, baudRate })

function modemOf(world: World, config: GatewayConfig) {
  const { baudRate, logLevel, modemHooks, simPin, wireTrace } = config
  return createModem({
    world,
    openLine: openPlaceIn(world)(config),
    baudRate,
    hooks: hooksIn(modemHooks),
    runHook: hook => runModemHook(world, modemHooks, hook),
    ...(simPin !== undefined && { pin: simPin }),
    ...((wireTrace || logLevel === 'debug') && {
      trace: (direction, text) => world.log[wireTrace ? 'info' : 'debug']('at', { direction, text }),
    }),
  })
}

/** Starts to send traces where the environment names a collector. The exporter is loaded only then. */
async function tracesOf(world: World) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = process.env
  const read = readTraceTarget(endpoint, headers)
  if (!read.ok) return leave('badConfiguration', read.message)
  if (!read.target) return undefined
  const { startTraces } = await import('@callgate/world/traces')
  return startTraces(world, read.target, { program: 'gateway', version })
}

/** Handles updates that the cloud asks for, where the unit has named their folder. */
async function offersOf(world: World, { ca, cloudUrl }: GatewayConfig, options: RunOptions) {
  const { offers: store, package: folder } = options
  if (store === undefined || cloudUrl === undefined) return undefined
  return Offers.open({ world, store, package: folder, architecture: process.arch, cloudUrl, ca })
}

async function run(options: RunOptions): Promise<void> {
  const config = await configOrLeave(options.config)
  const world = realWorld(config)
  process.on('uncaughtException', error => {
    world.log.error('a bug ends the daemon', { error: error.stack ?? String(error) })
    leave('bug')
  })
  for (const warning of config.warnings) world.log.warn(warning)
  const traces = await tracesOf(world)
  await lockOrLeave(world, config)
  if (config.ca === undefined) trustMachine()
  const disk = folderDisk(config.dataFolder)
  const opened = await openJournal({ world, disk })
  if (!opened.ok) return leave('cannotStart', opened.message)
  const cloudKeys = await openCloudKeys({ world, disk, configured: config.cloudKeys })
  const { ca, gatewayId, mqttPassword, mqttUrl } = config
  const login = { clientId: gatewayId, username: gatewayId, password: mqttPassword }
  const account = { to: mqttUrl, ...login, reconnect: backoff(world) }
  const modem = modemOf(world, config)
  const systemd = tellSystemd({ world, environment: process.env, isStuck: () => daemon.isStuck() })
  modem.onStatus(({ state }) => {
    if (state !== 'starting') systemd.tried('modem')
  })
  const daemon = new Daemon({
    ...config,
    world,
    cloudKeys,
    portName: config.serialPorts[0] ?? 'modem',
    modem,
    journal: opened.journal,
    disk,
    offers: await offersOf(world, config, options),
    connect: (wire, handlers) =>
      connectMqtt({ ...wire, ...account, ...(ca !== undefined && { ca }) }, noting(systemd, handlers)),
    onSuperseded: () => stop('superseded'),
    onForgotten: () => stop('forgotten'),
  })
  let isStopping = false
  function stop(exit: Exit) {
    // A second signal means: do not wait for the end of the call. The journal keeps the reports that are still to be sent.
    if (isStopping) return exit === 'clean' ? leave('clean') : undefined
    isStopping = true
    systemd.stopping()
    world.log.info('stopping')
    void daemon
      .stop()
      .then(() => traces?.stop())
      .then(() => leave(exit))
  }
  process.on('SIGTERM', () => stop('clean'))
  process.on('SIGINT', () => stop('clean'))
  world.log.info('starting', { version, commit, gatewayId, bootId: daemon.bootId, ports: config.serialPorts })
  daemon.start()
  await openLocalServer({ world, folder: config.dataFolder, answers: daemon.answers() })
}

async function keygen({ json, out }: { out: string; json?: boolean }): Promise<void> {
  const made = await writeKeyFile(out, realWorld({ logLevel: 'silent' }).randomBytes(32))
  if (!made.ok) return leave('badConfiguration', made.message)
  const { keyId, publicKey } = made.key
  process.stdout.write(
    json
      ? `${JSON.stringify({ publicKey, keyId, privateKeyFile: out })}\n`
      : `The private key is in ${out}; it never leaves this machine.\nPublic key: ${publicKey}\n` +
          `Next, at the cloud: callgate gateway add --space ID --name NAME --public-key ${publicKey}\n`,
  )
}

async function enrol(code: string | undefined, options: EnrolOptions): Promise<void> {
  trustMachine()
  const world = realWorld({ logLevel: 'silent' })
  const said = await enrolCommand({ world, openPlace: openPlaceIn(world), print }, code, {
    ...options,
    config: options.config ?? usualFile,
  })
  if (!said.ok) return leave('badConfiguration', said.text)
  print(said.text)
}

function doctorParts(world: World, { config: configFile, fix, quick }: DoctorOptions): DoctorParts {
  return {
    world,
    configFile,
    nodeVersion: process.versions.node,
    openAt: (config, baudRate) => openPlaceIn(world)({ ...config, baudRate }),
    mayFix: fix === true,
    isQuick: quick === true,
  }
}

async function call(options: { config: string }): Promise<void> {
  const config = await configOrLeave(options.config)
  const seen = await callCommand({ world: realWorld({ logLevel: 'silent' }), print }, config)
  leave(seen === 'ok' ? 'clean' : seen === 'no_daemon' ? 'cannotStart' : 'faultFound')
}

async function modem(options: { config: string }): Promise<void> {
  const config = await configOrLeave(options.config)
  const world = realWorld({ logLevel: 'silent' })
  const reached = await reachModem(world, config, openPlaceIn(world)(config))
  if (!reached.ok) return leave('cannotStart', reached.why)
  const { stdin: input, stdout: output } = process
  const isTerminal = input.isTTY === true && output.isTTY === true
  if (isTerminal)
    output.write(
      `${reached.through === 'daemon' ? 'Through the daemon.' : 'The daemon does not run: by the port itself.'} help shows the commands.\n`,
    )
  await serveConsole({ world, input, output, isTerminal }, reached.access)
  await reached.access.close()
  leave('clean')
}

async function report(options: ReportOptions): Promise<void> {
  trustMachine()
  const { env: environment, stdin: input, stdout: output } = process
  const parts = doctorParts(realWorld({ logLevel: 'silent' }), options)
  const dropRoot = () => becomeOwnerOf(dirname(options.config))
  const written = await reportCommand(parts, options, { input, output, environment, dropRoot })
  if (!written.ok) leave('cannotStart', written.message)
}

async function doctor(options: DoctorOptions): Promise<void> {
  trustMachine()
  const world = realWorld({ logLevel: 'silent' })
  if (process.stderr.isTTY && !options.quick) process.stderr.write('This takes up to a minute.\n')
  const checks = await examine(doctorParts(world, options))
  const wrong = checks.filter(({ state }) => state === 'fail')
  const text = options.json ? JSON.stringify({ ok: wrong.length === 0, checks }) : doctorText(checks)
  process.stdout.write(`${text}\n`)
  if (wrong.length > 0)
    leave(wrong.some(({ name }) => name === 'configuration') ? 'badConfiguration' : 'faultFound')
}

/** The types of Node lack it (https://nodejs.org/api/process.html#processinitgroupsuser-extragroup). */
const withGroups: typeof process & { initgroups?(user: number, group: number): void } = process

/** Makes root the owner of the configuration's folder, who is the daemon's user, permanently. */
async function becomeOwnerOf(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { gid, uid } = await stat(folder)
  if (uid === 0) return
  try {
    // These include dialout, for the modem's port.
    withGroups.initgroups?.(uid, gid)
  } catch {
    // Not tested: a user without an entry in passwd, who is in no other group.
    process.setgroups?.([gid])
  }
  process.setgid?.(gid)
  process.setuid?.(uid)
}

async function bootFirst(options: FirstBootOptions): Promise<void> {
  trustMachine()
  const world = realWorld({ logLevel: 'silent' })
  const given = { world, addresses: ownAddresses, openPlace: openPlaceIn(world), print }
  const ended = options.network
    ? await bootNetworkCommand({ root: '/', print, run: runProgram }, options)
    : await firstBootCommand({ ...given, dropRoot: becomeOwnerOf }, options)
  leave(ended === 'failed' ? 'badConfiguration' : ended === 'unusable' ? 'cannotStart' : 'clean')
}

async function update(file: string | undefined, options: UpdateOptions): Promise<void> {
  trustMachine()
  const { arch: architecture } = process
  const isRoot = process.getuid?.() === 0
  // The daemon's user runs what root unpacks, so root's umask must not hide it.
  process.umask(0o022)
  const given = { world: realWorld({ logLevel: 'silent' }), print, architecture, isRoot }
  if (!(await updateCommand(given, file, options))) leave('notUpdated')
}

const program = commandLine({ run, enrol, bootFirst, keygen, doctor, call, modem, report, update })
const names = program.commands.map(command => command.name())
const [word] = process.argv.slice(2)
// Without this check, the default command would take a mistyped command for a superfluous argument.
if (word !== undefined && !word.startsWith('-') && ![...names, 'help'].includes(word))
  program.error(`error: unknown command '${word}'. The commands are ${names.join(', ')}; --help says more.`)
await program.parseAsync()
