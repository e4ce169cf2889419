// The configuration of a newly enrolled gateway: written whole, and readable by its owner only.

import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { addressProblem } from '../config.ts'
import { systemCode } from '../journalDisk.ts'
import { readYaml } from '../yamlFile.ts'
import type { ModemPlace } from './device.ts'
import type { NewLogin } from './enrol.ts'
import { writeWhole } from './syncedFile.ts'

/** The choices of a person; everything else comes from the cloud. */
export interface Chosen {
  /** The address where the gateway was enrolled; updates are fetched from there. */
  readonly cloudUrl: string
  readonly serialPort: string
  readonly dataFolder: string
  readonly allowPlainMqtt: boolean
  /** Replaces the modem's fields of the configuration; the other choices apply where it has none. */
  readonly ofModem?: { readonly serialPort?: string; readonly simPin?: string }
}

const nameIn = (line: string) => /^(\w+):/.exec(line)?.[1]

/** The lines of a configuration without some fields. Indented lines belong to the field above. */
function linesWithout(text: string, names: ReadonlySet<string>): string[] {
  let isLeftOut = false
  return text.split('\n').filter(line => {
    const name = nameIn(line)
    if (name !== undefined || !/^[\s-]/.test(line)) isLeftOut = name !== undefined && names.has(name)
    return !isLeftOut && line.trim() !== ''
  })
}

async function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((error: unknown) => {
    if (systemCode(error) === 'ENOENT') return ''
    throw error
  })
}

/** Whether the configuration names a gateway. The configuration of a new package names none. */
export async function hasIdentity(file: string): Promise<boolean> {
  const read = readYaml(await textOf(file))
  // An unreadable configuration may be that of a gateway.
  return !read.ok || (typeof read.value === 'object' && read.value !== null && 'gatewayId' in read.value)
}

const usualBaudRate = 115_200

/** The place of the modem and the daemon in the configuration that `storeLogin` would write. */
export async function modemPlaceOf(
  file: string,
  { dataFolder, ofModem, serialPort }: Pick<Chosen, 'dataFolder' | 'ofModem' | 'serialPort'>,
): Promise<ModemPlace> {
  const read = readYaml(await textOf(file))
  const written = (read.ok && typeof read.value === 'object' ? read.value : null) ?? {}
  const { baudRate, ...said } = { dataFolder, serialPort, ...written, ...ofModem } as Record<string, unknown>
  const textsOf = (value: unknown) => [value].flat().filter(text => typeof text === 'string')
  const pathsOf = (value: unknown) => textsOf(value).map(path => resolve(dirname(file), path))
  return {
    serialPorts: pathsOf(said['serialPort']),
    baudRate: Number(baudRate) || usualBaudRate,
    dataFolder: pathsOf(said['dataFolder'])[0] ?? dataFolder,
  }
}

/** The reason why "run" would reject the broker, so that it is not stored; undefined where it is fine. */
export function brokerFault(
  { mqttUrl }: Pick<NewLogin, 'mqttUrl'>,
  allowPlainMqtt: boolean,
): string | undefined {
  const given = { mqttUrl, allowPlainMqtt }
  if (addressProblem(given) === undefined) return undefined
  return addressProblem({ mqttUrl, allowPlainMqtt: true }) === undefined
    ? `The broker of this cloud is ${mqttUrl}, without encryption, so nothing was stored. Set up TLS there; or run enrol again with --allow-plain-mqtt where the whole way is trusted.`
    : `The broker that this cloud names has no address that a gateway connects to, so nothing was stored: it is ${JSON.stringify(mqttUrl)}, and must be like mqtts://gates.example.com:8883. Its operator sets it.`
}

/** Why the new text is not a valid configuration; undefined where it is. Only text that a person wrote there can be the cause. */
function textFault(file: string, text: string): string | undefined {
  const read = readYaml(text)
  return read.ok
    ? undefined
    : `What ${file} holds besides the login cannot be kept: it has another form than one "name: value" a line. Move that file away and run enrol again.`
}

/**
 * Writes the configuration to `file`. Keeps fields of an existing one that an enrolment does not give, such as those of its
 * modem, with their comments. The message of a failure is for a person.
 */
export async function storeLogin(
  file: string,
  { ca, privateKeyFile, ...login }: NewLogin,
  { allowPlainMqtt, cloudUrl, ofModem, ...usual }: Chosen,
): Promise<{ readonly ok: true } | { readonly ok: false; readonly message: string }> {
  const fault = brokerFault(login, allowPlainMqtt)
  if (fault !== undefined) return { ok: false, message: fault }
  const folder = dirname(file)
  const caFile = 'broker-authority.pem'
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const given = {
      ...login,
      cloudUrl,
      privateKeyFile: relative(folder, privateKeyFile),
      ...(allowPlainMqtt && { allowPlainMqtt }),
      ...(ca !== undefined && { ca: caFile }),
      ...ofModem,
    }
    const kept = linesWithout(await textOf(file), new Set([...Object.keys(given), 'allowPlainMqtt', 'ca']))
    const names = kept.map(nameIn)
    const added = Object.entries(usual).filter(([name]) => !names.includes(name) && !(name in given))
    // A JSON value is a YAML value.
    const lines = [...Object.entries(given), ...added].map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    )
    const text = `${[...lines, ...kept].join('\n')}\n`
    const message = textFault(file, text)
    if (message !== undefined) return { ok: false, message }
    if (ca !== undefined) await writeWhole(join(folder, caFile), ca)
    await writeWhole(file, text)
    return { ok: true }
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return { ok: false, message: `The configuration ${file} cannot be written: ${code}. Run enrol again.` }
  }
}
