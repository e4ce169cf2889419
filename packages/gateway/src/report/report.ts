// The report: all that a helper needs to see of a gateway, as one text without a number, a name or a secret.

import { execFile } from 'node:child_process'
import { readFile, realpath } from 'node:fs/promises'
import { arch, release } from 'node:os'
import { join } from 'node:path'
import { NumberMasks } from '@callgate/modem/record/maskNumber'
import { maskRecording } from '@callgate/modem/record/maskRecording'
import type { Recording } from '@callgate/modem/record/recording'
import { readRecording, recordingLines } from '@callgate/modem/record/recordingText'
import { framed } from '@callgate/modem/record/reportFile'
import { fullVersion } from '@callgate/world/version'
import { isoTime } from '@callgate/world/world'
import { type GatewayConfig, readConfig } from '../config.ts'
import { type DoctorParts, examine } from '../doctor/doctor.ts'
import { doctorText } from '../doctor/doctorText.ts'
import { journalName } from '../journalFile.ts'
import { readJournal } from '../journalLines.ts'
import { askRecording, askStatus } from '../local/askDaemon.ts'
import { lockForTool } from '../lock.ts'
import { redactor } from './redact.ts'

export const logLines = 400
const mostLogBytes = 1024 * 1024

/** The last lines of the daemon's log, or the reason why there are none. */
export function journaldLog(): Promise<string> {
  const args = ['-u', 'callgate-gateway', '-n', String(logLines), '--no-pager', '--no-hostname']
  return new Promise(resolve => {
    execFile(
      'journalctl',
      [...args, '-o', 'short-iso'],
      { maxBuffer: mostLogBytes, timeout: 10_000 },
      (error, output) =>
        resolve(error ? `It cannot be read: ${String(error.code ?? error.signal)}` : output.trim()),
    )
  })
}

/** Lists the fields one by one, so that a new field is left out until somebody has decided on it. */
function configurationText(config: GatewayConfig): string {
  const fields = {
    gatewayId: config.gatewayId,
    mqttUrl: config.mqttUrl,
    mqttPassword: '(left out)',
    cloudKeys: config.cloudKeys.map(({ keyId }) => keyId),
    serialPort: config.serialPorts,
    baudRate: config.baudRate,
    simPin: config.simPin === undefined ? 'none' : '(left out)',
    // The arguments may contain anything.
    modemHooks: Object.entries(config.modemHooks).map(([name, command]) => `${name}: ${command[0]}`),
    wireTrace: config.wireTrace,
    dataFolder: config.dataFolder,
    logLevel: config.logLevel,
    ca: config.ca === undefined ? 'none' : 'given',
  }
  return textOf(fields)
}

const textOf = (fields: object) =>
  Object.entries(fields)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`)
    .join('\n')

/** The number of entries in the journal, but none of its openings. */
async function journalText({ dataFolder }: GatewayConfig): Promise<string> {
  const bytes = await readFile(join(dataFolder, journalName)).catch(() => undefined)
  if (!bytes) return 'There is none, or it cannot be read.'
  const read = readJournal(bytes)
  if (!read.ok && 'newerVersion' in read)
    return `${bytes.length} bytes, of a newer version of the daemon: ${read.newerVersion}.`
  if (!read.ok) return `${bytes.length} bytes; line ${read.badLine} is damaged.`
  const { intents, reports } = read.content
  return `${bytes.length} bytes; ${intents.size} calls without a result; ${reports.size} reports to be acknowledged${read.isTorn ? '; the last line is torn' : ''}.`
}

/** The versions of everything, and the board. */
async function aboutText({ nodeVersion, world }: DoctorParts): Promise<string> {
  const read = (path: string) => readFile(path, 'utf8').catch(() => '')
  const system = /^PRETTY_NAME="?([^"\n]*)/m.exec(await read('/etc/os-release'))?.[1]
  const board = (await read('/proc/device-tree/model')).replace(/\0/g, '').trim()
  return textOf({
    made: isoTime(world.nowMs()),
    gateway: `${fullVersion}, Node ${nodeVersion}`,
    system: `${system ?? 'unknown'}, Linux ${release()}, ${arch()}`,
    board: board === '' ? 'unknown' : board,
  })
}

interface Section {
  readonly title: string
  readonly text: string
}

const nothingRecorded: Recording = { setUp: null, failedSetUp: null, calls: [] }

/** What the running daemon tells: of the modem, and of its last calls. */
async function daemonTells(
  { world }: DoctorParts,
  config: GatewayConfig,
): Promise<{ readonly modem: string; readonly recording: Recording }> {
  const silent = (why: string) => ({
    modem: `${why}, so there is no call here. Doctor says what the modem says.`,
    recording: nothingRecorded,
  })
  const locked = await lockForTool(config, 'report')
  if (locked.ok) {
    locked.release()
    return silent('The daemon does not run')
  }
  const folder = await realpath(config.dataFolder).catch(() => config.dataFolder)
  const asked = await askStatus(world, folder)
  if (!asked.ok) return silent(`The daemon does not tell (${asked.why})`)
  const { answer } = asked
  const modem = textOf({ ...answer.modem, daemonRunsForMinutes: Math.floor(answer.upMs / 60_000) })
  const lines = await askRecording(world, folder)
  const read = lines.ok ? readRecording(lines.answer) : { ok: false as const, message: lines.why }
  return read.ok
    ? { modem, recording: read.recording }
    : { modem: `${modem}\nIts calls cannot be read: ${read.message}`, recording: nothingRecorded }
}

/** What is known of a gateway, before it is masked. */
export interface Findings {
  readonly sections: readonly Section[]
  readonly recording: Recording
  readonly secrets: readonly string[]
  /** Of the hosts of broker and cloud. */
  readonly hosts: readonly string[]
}

export interface Report {
  readonly text: string
  /** The parts of the report, and the number of lines of each. */
  readonly contents: readonly { readonly title: string; readonly lines: number }[]
  readonly calls: number
  /** How many different numbers have a mask. */
  readonly numbers: number
}

/** A title in a text would begin another part. */
const withoutTitles = (text: string) => text.replace(/^==/gm, ' ==')

/** The text of a report: everything is masked together, so that no part can be forgotten. */
export function reportOf({ hosts, recording, secrets, sections }: Findings): Report {
  const redact = redactor(secrets, hosts)
  const numbers = new NumberMasks()
  const clean = sections.map(({ title, text }) => ({ title, text: withoutTitles(redact(text)) }))
  const wire = recordingLines(maskRecording(recording, { numbers, secrets }))
  return {
    text: framed([
      'For whoever helps. Numbers, names, keys, PIN and messages are masked; read it before you send it.',
      ...clean.flatMap(({ text, title }) => ['', `== ${title} ==`, text]),
      '',
      ...wire,
    ]),
    contents: clean.map(({ text, title }) => ({ title, lines: text.split('\n').length })),
    calls: recording.calls.length,
    numbers: numbers.count,
  }
}

/** The names of the hosts in the configuration, without addresses and without this machine. */
function hostsOf({ cloudUrl, mqttUrl }: GatewayConfig): string[] {
  const names = [mqttUrl, cloudUrl ?? '']
    .filter(url => URL.canParse(url))
    .map(url => new URL(url.replace(/^mqtts?:/, 'https:')).hostname)
  return names.filter(name => name !== 'localhost' && !/^[\d.]+$|^\[/.test(name))
}

/** Collects everything, and masks it. */
export async function makeReport(parts: DoctorParts, log: string): Promise<Report> {
  const config = await readConfig(parts.configFile)
  const about = { title: 'About', text: await aboutText(parts) }
  const doctor = { title: 'Doctor', text: doctorText(await examine(parts)) }
  if (!config.ok) {
    const text =
      'Left out: the configuration cannot be read, so its secrets could not be taken out of the log.'
    const sections = [about, doctor, { title: 'Log', text }]
    return reportOf({ sections, recording: nothingRecorded, secrets: [], hosts: [] })
  }
  const { mqttPassword, simPin = '' } = config.value
  const { modem, recording } = await daemonTells(parts, config.value)
  return reportOf({
    sections: [
      about,
      { title: 'Modem', text: modem },
      doctor,
      { title: 'Configuration', text: configurationText(config.value) },
      { title: 'Journal', text: await journalText(config.value) },
      { title: 'Log', text: log },
    ],
    recording,
    secrets: [mqttPassword, simPin],
    hosts: hostsOf(config.value),
  })
}
