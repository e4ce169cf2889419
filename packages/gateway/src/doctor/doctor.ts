// The doctor: runs every check of a gateway one by one, so that none uses what another check or the daemon holds.

import { mkdir, readFile, realpath } from 'node:fs/promises'
import type { OpenLine } from '@callgate/modem/byteLine'
import { fullVersion, version } from '@callgate/world/version'
import type { World } from '@callgate/world/world'
import { type GatewayConfig, readConfig } from '../config.ts'
import { askStatus } from '../local/askDaemon.ts'
import type { DaemonStatus } from '../local/localMessages.ts'
import { lockForTool, type NotLocked, sayLockFault } from '../lock.ts'
import { askModem, findRate } from './askModem.ts'
import { brokerChecks } from './brokerChecks.ts'
import { type Check, type Found, fail, named, ok, unknown, warn } from './check.ts'
import { checkClock } from './clockCheck.ts'
import { checkDisk, checkLeftOvers, checkRights, checkWatchdog, keyFileOf } from './fileChecks.ts'
import { modemChecks } from './modemChecks.ts'
import { checkPorts, type RunningHere } from './portChecks.ts'

export interface DoctorParts {
  readonly world: World
  readonly configFile: string
  readonly nodeVersion: string
  /** Opens the ports of the configuration at a rate. */
  readonly openAt: (config: GatewayConfig, baudRate: number) => OpenLine
  readonly mayFix: boolean
  /** Checks only what is on this machine, and asks neither modem nor broker. */
  readonly isQuick: boolean
  /** The URL that is asked for the time; undefined: port 443 of the broker's host. */
  readonly clockUrl?: string
  /** /proc, or another in tests. */
  readonly procFolder?: string
}

const readText = (path: string) => readFile(path, 'utf8').catch(() => undefined)

/** The checks that need no valid configuration. */
async function checkSecrets({ configFile, mayFix }: DoctorParts): Promise<Found> {
  const text = (await readText(configFile)) ?? ''
  const key = keyFileOf(configFile, text)
  return checkRights([configFile, ...(key === undefined ? [] : [key])], mayFix)
}

function checkVersion(nodeVersion: string, running: DaemonStatus | undefined): Found {
  const told = `Callgate ${fullVersion} on Node ${nodeVersion}`
  if (running && running.version !== version)
    return warn(
      `${told}; the daemon that runs is ${running.version}`,
      'Restart it: sudo systemctl restart callgate-gateway',
    )
  return ok(told)
}

function checkConfiguration({ gatewayId, signingKey, warnings }: GatewayConfig): Found {
  const told = `It can be read; gateway ${gatewayId}, public key ${signingKey.publicKey}`
  return warnings.length === 0 ? ok(told) : warn(`${told}; ${warnings.join('; ')}`, 'Change what is named')
}

interface Daemon {
  /** The program that holds the modem, which may be another command; undefined where none does. */
  readonly running: RunningHere | undefined
  /** The daemon's status; undefined where it does not run or does not answer. */
  readonly status: DaemonStatus | undefined
  readonly found: Found
  /** Allows a daemon to start again. */
  release(): void
}

const runningBy = ({ pid, tool }: NotLocked): RunningHere => ({
  name: tool === undefined ? 'the daemon' : `callgate-gateway ${tool}`,
  pid,
})

/** Takes the daemon's locks, so that a daemon that starts meanwhile waits; asks the daemon that holds them. */
async function findDaemon(world: World, config: GatewayConfig): Promise<Daemon> {
  const locked = await lockForTool(config, 'doctor')
  if (locked.ok) {
    const found = ok('It does not run: the modem and the login are tried without it')
    return { running: undefined, status: undefined, found, release: () => locked.release() }
  }
  const running = runningBy(locked)
  const silent = (found: Found): Daemon => ({ running, status: undefined, found, release() {} })
  if (locked.code !== 'held')
    return silent(
      unknown(
        `It cannot be known whether it runs: ${sayLockFault(locked)}`,
        "Run doctor as the daemon's user or with sudo",
      ),
    )
  if (locked.tool !== undefined)
    return silent(
      warn(
        `${running.name} has the modem: nothing is known of it`,
        'Wait until it has ended, and look again',
      ),
    )
  const asked = await askStatus(world, await realpath(config.dataFolder).catch(() => config.dataFolder))
  if (!asked.ok)
    return silent(
      warn(
        `It runs, and ${asked.why}`,
        'Restart it, or stop it while doctor looks: sudo systemctl stop callgate-gateway',
      ),
    )
  const { isOpening, upMs } = asked.answer
  const found = ok(
    `It runs since ${Math.floor(upMs / 60_000)} min${isOpening ? ', and serves an opening now' : ''}`,
  )
  return { running, status: asked.answer, found, release() {} }
}

/** The daemon's findings on its login and on the cloud's key. */
function cloudFindings(
  { running, status }: Daemon,
  config: GatewayConfig,
): { readonly login: Found | undefined; readonly key: Found } {
  const ids = `${(status?.cloud.keyIds ?? config.cloudKeys.map(({ keyId }) => keyId)).join(', ')}`
  if (!status) {
    const why = running ? 'The daemon does not tell' : 'It is known when the daemon runs'
    return {
      login: running ? unknown(why) : undefined,
      key: unknown(`Trusted: ${ids}. ${why} whether the cloud has it`),
    }
  }
  const { isConnected, isTakenUp, problem } = status.cloud
  const login = isConnected
    ? ok('The daemon is connected')
    : fail(
        `The daemon is not connected${problem === null ? '' : `: ${problem}`}`,
        'Mend the lines above; correct gatewayId and mqttPassword',
      )
  const advice =
    'Compare with "callgate signing-key status" at the cloud. A gateway that was revoked has to be enrolled anew'
  const key = isTakenUp
    ? ok(`The cloud has signed with a trusted key: ${ids}`)
    : isConnected
      ? fail(`The cloud has sent nothing that is signed with a trusted key (${ids})`, advice)
      : unknown(`Trusted: ${ids}. It is known when the daemon is connected`)
  return { login, key }
}

/** Checks the modem through the daemon, or directly. */
async function checkModem(
  parts: DoctorParts,
  config: GatewayConfig,
  daemon: Daemon,
): Promise<readonly Check[]> {
  const { openAt, world } = parts
  const { baudRate, simPin } = config
  const words = { hasPin: simPin !== undefined, isDaemon: daemon.running !== undefined }
  if (daemon.status) return [named('baud', ok(`${baudRate}`)), ...modemChecks(daemon.status.modem, words)]
  if (daemon.running) return [named('modem', unknown('The daemon holds it and does not tell'))]
  const seen = await askModem(world, openAt(config, baudRate))
  const isSilent = seen.trouble === 'silent'
  const rate = isSilent ? await findRate(world, other => openAt(config, other), baudRate) : undefined
  const baud =
    rate !== undefined
      ? fail(`Nothing answers at ${baudRate}, but a modem answers at ${rate}`, `Write baudRate: ${rate}`)
      : isSilent
        ? fail(`Nothing answers at ${baudRate}, nor at any usual rate`, 'Do what the line "modem" says')
        : seen.state === 'lost'
          ? unknown('It is known when a modem answers')
          : ok(`${baudRate}`)
  return [named('baud', baud), ...modemChecks(seen, words)]
}

async function examineConfigured(parts: DoctorParts, config: GatewayConfig): Promise<readonly Check[]> {
  const { mayFix, nodeVersion, procFolder, world } = parts
  const { dataFolder, mqttUrl, serialPorts } = config
  if (mayFix) await mkdir(dataFolder, { recursive: true, mode: 0o700 }).catch(() => {})
  const daemon = await findDaemon(world, config)
  try {
    const { key, login } = cloudFindings(daemon, config)
    const ports = await checkPorts(serialPorts, daemon.running, procFolder)
    const clockUrl =
      parts.clockUrl ?? `https://${new URL(mqttUrl.replace(/^mqtts?:/, 'https:')).hostname}/healthz`
    return [
      named('configuration', checkConfiguration(config)),
      named('version', checkVersion(nodeVersion, daemon.status)),
      named('daemon', daemon.found),
      ...ports.map(found => named('port', found)),
      ...(await checkModem(parts, config, daemon)),
      named('clock', await checkClock(world, clockUrl)),
      ...(await brokerChecks(world, config, login)),
      named('cloud key', key),
      named('disk', await checkDisk(world, dataFolder)),
      named(
        'left over',
        await checkLeftOvers(dataFolder, { isDaemon: daemon.running !== undefined, mayFix }),
      ),
    ]
  } finally {
    daemon.release()
  }
}

async function checkQuickly(
  { nodeVersion, procFolder, world }: DoctorParts,
  config: GatewayConfig,
): Promise<readonly Check[]> {
  const locked = await lockForTool(config, 'doctor')
  if (locked.ok) locked.release()
  const ports = await checkPorts(config.serialPorts, locked.ok ? undefined : runningBy(locked), procFolder)
  return [
    named('configuration', checkConfiguration(config)),
    named('version', checkVersion(nodeVersion, undefined)),
    // A modem that is not plugged in yet does not keep the daemon from starting.
    ...ports.map(found =>
      named('port', found.state === 'fail' ? { ...found, state: 'warn' as const } : found),
    ),
    named('disk', await checkDisk(world, config.dataFolder)),
  ]
}

/** Runs all checks. Changes something only with `mayFix`, and reports it. */
export async function examine(parts: DoctorParts): Promise<readonly Check[]> {
  // Before the configuration is read, because reading it fails on a key that everybody may read.
  const rights = named('rights', await checkSecrets(parts))
  const config = await readConfig(parts.configFile)
  const watchdog = named('watchdog', await checkWatchdog(readText))
  if (config.ok) {
    const found = parts.isQuick ? checkQuickly(parts, config.value) : examineConfigured(parts, config.value)
    return [...(await found), rights, watchdog]
  }
  const isDenied = /EACCES|EPERM/.test(config.message)
  const advice = isDenied
    ? "Run it as root or as the daemon's user: sudo callgate-gateway doctor"
    : 'Correct what is named. Nothing else was looked at'
  return [
    ...config.message.split('\n').map(line => named('configuration', fail(line, advice))),
    named('version', checkVersion(parts.nodeVersion, undefined)),
    rights,
    watchdog,
  ]
}
