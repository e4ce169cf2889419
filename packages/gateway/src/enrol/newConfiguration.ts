// The configuration of a gateway that was just enrolled: written whole, and readable by its owner only.

import { mkdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import { addressProblem } from '../config.ts'
import { systemCode } from '../journalDisk.ts'
import { readYaml } from '../yamlFile.ts'
import type { ModemPlace } from './device.ts'
import type { NewLogin } from './enrol.ts'
import { writeWhole } from './fileOfMachine.ts'

/** What a person chooses: everything else comes from the cloud. */
export interface Chosen {
  /** Where it was enrolled; updates are fetched from there. */
  readonly cloudUrl: string
  readonly serialPort: string
  readonly dataFolder: string
  readonly allowPlainMqtt: boolean
  /** Takes the place of what the configuration says of the modem; the others are used where it says nothing. */
  readonly ofModem?: { readonly serialPort?: string; readonly simPin?: string }
}

const nameIn = (line: string) => /^(\w+):/.exec(line)?.[1]

/** The lines of a configuration without those of some fields. What is indented belongs to the field above it. */
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

/** Whether the configuration names a gateway. That of a package that was just installed names none. */
export async function hasIdentity(file: string): Promise<boolean> {
  const read = readYaml(await textOf(file))
  // What cannot be read may be a gateway's.
  return !read.ok || (typeof read.value === 'object' && read.value !== null && 'gatewayId' in read.value)
}

const usualBaudRate = 115_200

/** Where modem and daemon are, by what `storeLogin` would leave in the configuration. */
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

/** Why a broker is not stored that "run" would refuse; undefined where it is fine. */
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

/** Why the new text is no configuration; undefined where it is fine. Nothing but what a person wrote there can be the cause. */
function textFault(file: string, text: string): string | undefined {
  const read = readYaml(text)
  return read.ok
    ? undefined
    : `What ${file} holds besides the login cannot be kept: it has another form than one "name: value" a line. Move that file away and run enrol again.`
}

/**
 * Writes the configuration to `file`. Fields of the one that stands there and that an enrolment does not give, such as those of
 * its modem, are kept with their comments. The message of a failure is for a person.
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
    // A value of JSON is one of YAML.
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
