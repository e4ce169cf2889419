// The command line of the gateway daemon: run, enrol, first-boot, keygen, doctor.

import { mkdir, realpath, stat } from 'node:fs/promises'
import { createModem } from '@callgate/modem/modem'
import { serialLine } from '@callgate/modem/serial'
import { connectMqtt, type MqttHandlers } from '@callgate/mqtt/mqttConnection'
import { backoff } from '@callgate/world/backoff'
import { realWorld } from '@callgate/world/real'
import { readTraceTarget } from '@callgate/world/traceTarget'
import type { World } from '@callgate/world/world'
import { Command } from 'commander'
import { openCloudKeys } from './cloudKeys.ts'
import { type GatewayConfig, readConfig, usualFile } from './config.ts'
import { Daemon } from './daemon.ts'
import { type DoctorParts, examine } from './doctor/doctor.ts'
import { doctorText } from './doctor/doctorText.ts'
import { type EnrolOptions, enrolCommand } from './enrol/enrolCommand.ts'
import { type FirstBootOptions, firstBootCommand } from './enrol/firstBoot.ts'
import { openJournal } from './journal.ts'
import { folderDisk, systemCode } from './journalDisk.ts'
import { writeKeyFile } from './keyFile.ts'
import { openLocalServer } from './local/localServer.ts'
import { lock } from './lock.ts'
import { hooksIn, runModemHook } from './modemHooks.ts'
import { supportCommand } from './support/supportCommand.ts'
import { type Systemd, tellSystemd } from './systemd.ts'
import { version } from './version.ts'

const exitCodes = {
  clean: 0,
  badConfiguration: 1,
  cannotStart: 2,
  superseded: 3,
  forgotten: 4,
  faultFound: 5,
  bug: 70,
} as const
type Exit = keyof typeof exitCodes

function leave(exit: Exit, message?: string): never {
  if (message !== undefined) process.stderr.write(`${message}\n`)
  process.exit(exitCodes[exit])
}

async function configOrLeave(file: string | undefined): Promise<GatewayConfig> {
  const config = await readConfig(file)
  return config.ok ? config.value : leave('badConfiguration', config.message)
}

/** The data folder as the lock names it; made when it is missing. */
async function ownFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    return await realpath(folder)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return leave('cannotStart', `dataFolder: cannot use ${folder}: ${code}`)
  }
}

async function lockOrLeave({ dataFolder, gatewayId }: GatewayConfig): Promise<void> {
  const locked = await lock([gatewayId, await ownFolder(dataFolder)])
  if (locked.ok) return
  const what = locked.name === gatewayId ? `the identity ${gatewayId}` : `the data folder ${dataFolder}`
  leave(
    'cannotStart',
    locked.code === 'EADDRINUSE'
      ? `another gateway daemon runs with ${what} on this machine: stop it first (systemctl stop callgate-gateway)`
      : `cannot make sure that no other daemon runs with ${what}: ${locked.code}`,
  )
}

function modemOf(world: World, config: GatewayConfig) {
  const { baudRate, logLevel, modemHooks, serialPorts, simPin, wireTrace } = config
  return createModem({
    world,
    openLine: serialLine({ world, paths: serialPorts, baudRate }),
    baudRate,
    hooks: hooksIn(modemHooks),
    runHook: hook => runModemHook(world, modemHooks, hook),
    ...(simPin !== undefined && { pin: simPin }),
    ...((wireTrace || logLevel === 'debug') && {
      trace: (direction, text) => world.log[wireTrace ? 'info' : 'debug']('at', { direction, text }),
    }),
  })
}

/** Notes that the broker was tried. */
function noting({ tried }: Systemd, handlers: MqttHandlers): MqttHandlers {
  return {
    ...handlers,
    onConnect() {
      tried('broker')
      handlers.onConnect()
    },
    onRefused(refusal) {
      tried('broker')
      handlers.onRefused(refusal)
    },
  }
}

/** Starts to send traces where the environment names a collector. What sends them is loaded only then. */
async function tracesOf(world: World) {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = process.env
  const read = readTraceTarget(endpoint, headers)
  if (!read.ok) return leave('badConfiguration', read.message)
  if (!read.target) return undefined
  const { startTraces } = await import('@callgate/world/traces')
  return startTraces(world, read.target, { program: 'gateway', version })
}

async function run({ config: file }: { config?: string }): Promise<void> {
  const config = await configOrLeave(file)
  const world = realWorld(config)
  process.on('uncaughtException', error => {
    world.log.error('a bug ends the daemon', { error: error.stack ?? String(error) })
    leave('bug')
  })
  for (const warning of config.warnings) world.log.warn(warning)
  const traces = await tracesOf(world)
  await lockOrLeave(config)
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
    connect: (wire, handlers) =>
      connectMqtt({ ...wire, ...account, ...(ca !== undefined && { ca }) }, noting(systemd, handlers)),
    onSuperseded: () => stop('superseded'),
    onForgotten: () => stop('forgotten'),
  })
  let isStopping = false
  function stop(exit: Exit) {
    // A second signal means: do not wait for the end of the call. The journal keeps what is still to be reported.
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
  world.log.info('starting', { version, gatewayId, bootId: daemon.bootId, ports: config.serialPorts })
  daemon.start()
  await openLocalServer({ world, folder: config.dataFolder, status: () => daemon.status() })
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
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const config = options.config ?? usualFile
  const said = await enrolCommand({ world: realWorld({ logLevel: 'silent' }), print }, code, {
    ...options,
    config,
  })
  if (!said.ok) return leave('badConfiguration', said.text)
  print(said.text)
}

interface DoctorOptions {
  readonly config: string
  readonly fix?: boolean
  readonly json?: boolean
  readonly quick?: boolean
}

function doctorParts(world: World, { config: configFile, fix, quick }: DoctorOptions): DoctorParts {
  return {
    world,
    configFile,
    nodeVersion: process.versions.node,
    openAt: ({ serialPorts: paths }, baudRate) => serialLine({ world, paths, baudRate }),
    mayFix: fix === true,
    isQuick: quick === true,
  }
}

async function bundle(options: { config: string; out?: string }): Promise<void> {
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const parts = doctorParts(realWorld({ logLevel: 'silent' }), options)
  const written = await supportCommand(parts, options.out, print)
  if (!written.ok) leave('cannotStart', written.message)
}

async function doctor(options: DoctorOptions): Promise<void> {
  const world = realWorld({ logLevel: 'silent' })
  if (process.stderr.isTTY && !options.quick) process.stderr.write('This takes up to a minute.\n')
  const checks = await examine(doctorParts(world, options))
  const wrong = checks.filter(({ state }) => state === 'fail')
  const text = options.json ? JSON.stringify({ ok: wrong.length === 0, checks }) : doctorText(checks)
  process.stdout.write(`${text}\n`)
  if (wrong.length > 0)
    leave(wrong.some(({ name }) => name === 'configuration') ? 'badConfiguration' : 'faultFound')
}

/** Root becomes the owner of the configuration's folder, which is the daemon's user, for good. */
async function becomeOwnerOf(folder: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { gid, uid } = await stat(folder)
  if (uid === 0) return
  process.setgroups?.([gid])
  process.setgid?.(gid)
  process.setuid?.(uid)
}

async function bootFirst(options: FirstBootOptions): Promise<void> {
  const print = (text: string) => void process.stdout.write(`${text}\n`)
  const world = realWorld({ logLevel: 'silent' })
  const ended = await firstBootCommand({ world, print, dropRoot: becomeOwnerOf }, options)
  leave(ended === 'failed' ? 'badConfiguration' : ended === 'unusable' ? 'cannotStart' : 'clean')
}

const program = new Command('callgate-gateway')
  .description('The gateway daemon: calls gates through the modem when the cloud allows it.')
  .version(version)
  .addHelpText(
    'after',
    `
Configuration: a YAML file with gatewayId, mqttUrl, mqttPassword, cloudKeys, privateKeyFile, serialPort, dataFolder and,
optionally, baudRate, simPin, modemHooks, wireTrace, logLevel, ca, allowPlainMqtt.
Exit codes: 0 stopped; 1 bad configuration; 2 cannot start (another daemon runs, or the journal cannot be read);
3 the cloud refuses this gateway (started elsewhere, or revoked); 4 the cloud has forgotten this start: start again;
5 doctor has found a fault; 70 a bug.`,
  )
const usualDataFolder = '/var/lib/callgate-gateway'
const configOption = ['--config <file>', 'where the configuration is', usualFile] as const
program
  .command('run', { isDefault: true })
  .description('serve until stopped by SIGTERM or SIGINT')
  .option(...configOption)
  .action(run)
program
  .command('enrol')
  .description('enrol this gateway with a one-time code, and write its configuration')
  .argument('[code]', 'the code, or the link of its QR code; without it, what was begun before goes on')
  .option('--cloud <url>', 'where the cloud is, such as https://gates.example.com')
  .option('--cloud-key <key>', 'the key of the cloud that came with the code: no other cloud is taken for it')
  .option(...configOption)
  .option('--ca <file>', "PEM of the authority that signed the cloud's certificate")
  .option('--serial-port <path>', 'for the configuration: the port of the modem', '/dev/serial0')
  .option('--data-folder <path>', 'for the configuration: where the journal is kept', usualDataFolder)
  .option('--show-at <paths...>', 'show the fingerprint also on these consoles or in these files')
  .option('--allow-plain-mqtt', 'take a broker without encryption')
  .option('--again', 'replace the configuration of a gateway that was enrolled before')
  .action(enrol)
program
  .command('first-boot')
  .description('enrol this gateway with the code of callgate-gateway.yaml on the boot partition')
  .option('--folder <path>', 'where the boot partition is mounted', '/boot/firmware')
  .option('--console <path>', 'show the fingerprint also there', '/dev/tty1')
  .option(...configOption)
  .option('--data-folder <path>', 'for the configuration: where the journal is kept', usualDataFolder)
  .action(bootFirst)
program
  .command('keygen')
  .description("make the gateway's key pair and print the public half")
  .requiredOption('--out <file>', 'where to write the private key; must not exist')
  .option('--json', 'print one object')
  .action(keygen)
program
  .command('doctor')
  .description('look at everything that a gateway needs, and say what to do')
  .option(...configOption)
  .option('--quick', 'look only at the configuration and at this machine, within a second')
  .option('--fix', 'also mend what is safe: the rights of its own files, files left over from an earlier run')
  .option('--json', 'print one object')
  .addHelpText(
    'after',
    `
While the daemon runs, doctor asks it and leaves the modem alone. While it does not, doctor asks the modem, without a PIN or a
call, and logs in at the broker. Exit code 0: nothing is wrong, though something may be worth a look; 1: the configuration
cannot be read; 5: something is wrong.`,
  )
  .action(doctor)
program
  .command('support-bundle')
  .description('show or write what somebody who helps needs to see, without secrets, numbers and PIN')
  .option(...configOption)
  .option('--out <file>', 'write it to this file, which must not exist; without it, everything is shown')
  .action(bundle)
const names = program.commands.map(command => command.name())
const [word] = process.argv.slice(2)
// Left to itself, the default command takes a mistyped one for an argument too many.
if (word !== undefined && !word.startsWith('-') && ![...names, 'help'].includes(word))
  program.error(`error: unknown command '${word}'. The commands are ${names.join(', ')}; --help says more.`)
await program.parseAsync()
