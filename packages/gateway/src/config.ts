// The gateway's configuration: a JSON file and environment variables, which win; checked before anything starts.

import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { GatewayId } from '@callgate/contract/ids'
import { isLoopback } from '@callgate/contract/loopback'
import { closed, line, words } from '@callgate/contract/text'
import { type Checked, checker } from '@callgate/contract/validate'
import { type SigningKey, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { type LogLevel, logLevels } from '@callgate/world/real'
import Type, { type Static } from 'typebox'
import { systemCode } from './journalDisk.ts'
import { readKeyFile } from './keyFile.ts'
import { whoElseMayWrite } from './ownFile.ts'

const path = (what: string) => line(1, 1_000, `${what}; a relative path starts from the configuration file`)

const command = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      minItems: 1,
      maxItems: 20,
      description: what,
    }),
  )

/** The file as a person writes it. Every field may also come from the environment: `gatewayId` as `CALLGATE_GATEWAY_ID`. */
export const ConfigFile = closed({
  gatewayId: GatewayId,
  mqttUrl: line(1, 500, 'mqtts://host:port, or mqtt://host:port within the machine'),
  allowPlainMqtt: Type.Boolean({
    default: false,
    description: 'Let mqttUrl leave this machine without encryption',
  }),
  mqttPassword: line(1, 500, 'The password of the gateway at the broker'),
  cloudKeys: Type.Array(Type.String(), { minItems: 1, maxItems: 2 }),
  privateKeyFile: path('What the command keygen has made'),
  serialPort: Type.Union([
    path('The port of the modem; its last part may hold stars'),
    Type.Array(path('One of the ports that the modem may come up as'), { minItems: 1, maxItems: 8 }),
  ]),
  baudRate: Type.Integer({ minimum: 300, maximum: 921_600, default: 115_200 }),
  simPin: Type.Optional(Type.String({ pattern: '^[0-9]{4,8}$' })),
  modemHooks: Type.Optional(
    closed({
      pwrkey: command('Switches the modem on by its PWRKEY, whatever state it is in'),
      reset: command("Pulls the modem's RESET"),
      supply: command("Takes the modem's supply away and gives it back"),
    }),
  ),
  wireTrace: Type.Boolean({ default: false, description: "Log the modem's lines, numbers and PIN masked" }),
  dataFolder: path('Where the journal is kept'),
  logLevel: words(logLevels, { default: 'info' }),
  ca: Type.Optional(path("PEM file of the authority that signed the broker's certificate")),
})
export type ConfigFile = Static<typeof ConfigFile>

/** A checked configuration: paths are absolute, keys and certificates are read. */
export interface GatewayConfig {
  readonly gatewayId: string
  readonly mqttUrl: string
  readonly mqttPassword: string
  readonly cloudKeys: readonly VerifyingKey[]
  readonly signingKey: SigningKey
  /** Absolute paths, stars allowed. */
  readonly serialPorts: readonly string[]
  readonly baudRate: number
  readonly simPin: string | undefined
  /** By name, the program and its arguments. */
  readonly modemHooks: ModemHooks
  readonly wireTrace: boolean
  readonly dataFolder: string
  readonly logLevel: LogLevel
  /** PEM. */
  readonly ca: string | undefined
  /** What works, but should be changed. */
  readonly warnings: readonly string[]
}

export type ModemHooks = NonNullable<ConfigFile['modemHooks']>

type Environment = Readonly<Record<string, string | undefined>>

/** `gatewayId` → `CALLGATE_GATEWAY_ID`. */
export function variableOf(field: string): string {
  return `CALLGATE_${field.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()}`
}

const booleanOf = (text: string) => ({ true: true, false: false })[text] ?? text
const listOf = (text: string) => text.split(',').map(part => part.trim())

const readVariable: Readonly<Record<string, (text: string) => unknown>> = {
  cloudKeys: listOf,
  serialPort: listOf,
  allowPlainMqtt: booleanOf,
  wireTrace: booleanOf,
  modemHooks: text => parseObject(text) ?? text,
  // A text that is no number stays as it is, so that the check names the field.
  baudRate: text => (/^\d+$/.test(text) ? Number(text) : text),
}

function fromEnvironment(environment: Environment): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const field of Object.keys(ConfigFile.properties)) {
    const text = environment[variableOf(field)]
    if (text) given[field] = readVariable[field]?.(text) ?? text
  }
  return given
}

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

async function readFields(file: string, isOptional: boolean): Promise<Checked<Record<string, unknown>>> {
  try {
    const fields = parseObject(await readFile(file, 'utf8'))
    return fields ? { ok: true, value: fields } : refuse(`${file} is not a JSON object`)
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    if (code === 'ENOENT' && isOptional) return { ok: true, value: {} }
    return refuse(code === 'ENOENT' ? `there is no configuration ${file}` : `cannot read ${file}: ${code}`)
  }
}

/** What is wrong with the broker's address; undefined when nothing is. */
function addressProblem({ allowPlainMqtt, mqttUrl }: ConfigFile): string | undefined {
  const url = URL.canParse(mqttUrl) ? new URL(mqttUrl) : undefined
  if (!url || !/^mqtts?:$/.test(url.protocol) || url.hostname === '')
    return 'mqttUrl must be mqtts://host:port, or mqtt://host:port within the machine'
  if (url.username || url.password) return 'mqttUrl must hold no password: write it into mqttPassword'
  if (url.protocol === 'mqtt:' && !isLoopback(url.hostname) && !allowPlainMqtt)
    return (
      'mqttUrl leaves this machine without encryption: begin it with mqtts://, ' +
      'or set allowPlainMqtt to true where the whole way to the broker is trusted'
    )
  return undefined
}

async function warningsOf(file: string, uid: number): Promise<string[]> {
  const warnings: string[] = []
  if (uid === 0)
    warnings.push('the daemon runs as root: give it a user of its own, in the group that may use the modem')
  const mode = await stat(file).then(
    about => about.mode,
    () => 0,
  )
  if (mode & 0o004) warnings.push(`${file} holds a password and everybody can read it: chmod 600 ${file}`)
  return warnings
}

async function readPem(file: string): Promise<Checked<string>> {
  try {
    return { ok: true, value: await readFile(file, 'utf8') }
  } catch (error) {
    return refuse(`ca: cannot read ${file}: ${systemCode(error) ?? String(error)}`)
  }
}

const checkFile = checker(ConfigFile, 'the configuration')

/**
 * Reads the configuration from `file`, or from `CALLGATE_GATEWAY_CONFIG`, or from `gateway.json` (which need not be
 * there). A refusal names the field and says what would be right.
 */
export async function readConfig(
  file: string | undefined,
  environment: Environment,
  /** The user that the daemon runs as. */
  uid = process.getuid?.() ?? 0,
): Promise<Checked<GatewayConfig>> {
  const named = file ?? environment['CALLGATE_GATEWAY_CONFIG']
  const place = resolve(named ?? 'gateway.json')
  const fields = await readFields(place, named === undefined)
  if (!fields.ok) return fields
  const variables = fromEnvironment(environment)
  const namesCommands = 'modemHooks' in fields.value && !('modemHooks' in variables)
  const writable = namesCommands ? await whoElseMayWrite(place, uid) : undefined
  if (writable) return refuse(`${place} names commands in modemHooks, but ${writable}`)
  const checked = checkFile({ ...fields.value, ...variables })
  if (!checked.ok) return refuse(`${place}: ${checked.message}`)
  const config = checked.value
  const problem = addressProblem(config)
  if (problem) return refuse(`${place}: ${problem}`)
  const cloudKeys: VerifyingKey[] = []
  for (const [index, text] of config.cloudKeys.entries()) {
    const key = verifyingKey(text)
    if (!key)
      return refuse(
        `${place}: cloudKeys[${index}] is no public key of the cloud (43 characters of base64url)`,
      )
    cloudKeys.push(key)
  }
  const absolute = (relative: string) => resolve(dirname(place), relative)
  const own = await readKeyFile(absolute(config.privateKeyFile))
  if (!own.ok) return refuse(`${place}: privateKeyFile: ${own.message}`)
  const ca = config.ca === undefined ? undefined : await readPem(absolute(config.ca))
  if (ca && !ca.ok) return refuse(`${place}: ${ca.message}`)
  return {
    ok: true,
    value: {
      ...config,
      cloudKeys,
      signingKey: own.key,
      serialPorts: [config.serialPort].flat().map(absolute),
      modemHooks: config.modemHooks ?? {},
      simPin: config.simPin,
      dataFolder: absolute(config.dataFolder),
      ca: ca?.value,
      warnings: await warningsOf(place, uid),
    },
  }
}
