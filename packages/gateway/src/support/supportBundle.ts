// The support bundle: all that a helper needs to see of a gateway, as one text without a secret, a number or a PIN.

import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type GatewayConfig, readConfig } from '../config.ts'
import { type DoctorParts, examine } from '../doctor/doctor.ts'
import { doctorText } from '../doctor/doctorText.ts'
import { journalName } from '../journalFile.ts'
import { readJournal } from '../journalLines.ts'
import { redactor } from './redact.ts'

const logLines = 400
const mostLogBytes = 1024 * 1024

/** The last lines of the daemon's log, or the reason why there are none. */
export function journaldLog(): Promise<string> {
  const args = ['-u', 'callgate-gateway', '-n', String(logLines), '--no-pager', '-o', 'short-iso']
  return new Promise(resolve => {
    execFile('journalctl', args, { maxBuffer: mostLogBytes, timeout: 10_000 }, (error, output) =>
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
  return Object.entries(fields)
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : value}`)
    .join('\n')
}

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

interface Section {
  readonly title: string
  readonly text: string
}

export interface SupportBundle {
  readonly text: string
  /** The parts of the bundle, and the number of lines of each. */
  readonly contents: readonly { readonly title: string; readonly lines: number }[]
}

/** Collects all parts and redacts them together, so that none can be forgotten. */
export async function supportBundle(parts: DoctorParts, log: string): Promise<SupportBundle> {
  const config = await readConfig(parts.configFile)
  const sections: Section[] = [{ title: 'Doctor', text: doctorText(await examine(parts)) }]
  const secrets: string[] = []
  if (config.ok) {
    const { mqttPassword, simPin = '' } = config.value
    secrets.push(mqttPassword, simPin)
    sections.push(
      { title: 'Configuration', text: configurationText(config.value) },
      { title: 'Journal', text: await journalText(config.value) },
      { title: 'Log', text: log },
    )
  } else {
    const text =
      'Left out: the configuration cannot be read, so its secrets could not be taken out of the log.'
    sections.push({ title: 'Log', text })
  }
  const redact = redactor(secrets)
  const clean = sections.map(({ title, text }) => ({ title, text: redact(text) }))
  const head =
    'A support bundle of a Callgate gateway. Secrets, numbers and PINs were taken out; read it before you send it.'
  return {
    text: `${head}\n${clean.map(({ text, title }) => `\n== ${title} ==\n${text}\n`).join('')}`,
    contents: clean.map(({ text, title }) => ({ title, lines: text.split('\n').length })),
  }
}
