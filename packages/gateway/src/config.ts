// The gateway's configuration: one YAML file, checked before anything starts.

import { readFile, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { GatewayId } from '@callgate/contract/ids'
import { isLoopback } from '@callgate/contract/loopback'
import { closed, line, words } from '@callgate/contract/text'
import { type Checked, type Fault, faultFinder } from '@callgate/contract/validate'
import { type SigningKey, type VerifyingKey, verifyingKey } from '@callgate/contract/wire/signature'
import { type LogLevel, logLevels } from '@callgate/world/real'
import Type, { type Static } from 'typebox'
import { cloudUrlFault } from './cloudAddress.ts'
import { systemCode } from './journalDisk.ts'
import { readKeyFile } from './keyFile.ts'
import { whoElseMayWrite } from './ownFile.ts'
import { type Mistake, readYaml } from './yamlFile.ts'

/** The path of the configuration by default. */
export const usualFile = '/etc/callgate-gateway/callgate-gateway.yaml'

const path = (what: string) =>
  line({ least: 1, most: 1_000 }, `${what}; a relative path starts from the configuration file`)

const command = (what: string) =>
  Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      minItems: 1,
      maxItems: 20,
      description: what,
    }),
  )

/** The schema of the file as a person writes it. */
export const ConfigFile = closed({
  gatewayId: GatewayId,
  mqttUrl: line({ least: 1, most: 500 }, 'mqtts://host:port, or mqtt://host:port within the machine'),
  allowPlainMqtt: Type.Boolean({
    default: false,
    description: 'Let mqttUrl leave this machine without encryption',
  }),
  mqttPassword: line({ least: 1, most: 500 }, 'The password of the gateway at the broker'),
  cloudKeys: Type.Array(Type.String(), {
    minItems: 1,
    maxItems: 2,
    description: 'one key of the cloud, or two while it is replaced',
  }),
  privateKeyFile: path('What the command keygen has made'),
  serialPort: Type.Array(
    path('One of the ports that the modem may come up as; its last part may hold stars'),
    {
      minItems: 1,
      maxItems: 8,
      description: 'a path such as /dev/serial0, or a list of paths',
    },
  ),
  baudRate: Type.Integer({ minimum: 300, maximum: 921_600, default: 115_200 }),
  simPin: Type.Optional(
    Type.String({ pattern: '^[0-9]{4,8}$', examples: ['1234'], description: '4 to 8 digits' }),
  ),
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
  cloudUrl: Type.Optional(
    line(
      { least: 1, most: 500 },
      'Where the cloud is, such as https://gates.example.com; updates are fetched from there',
    ),
  ),
})
export type ConfigFile = Static<typeof ConfigFile>

/** A checked configuration: paths are absolute, keys and certificates are read. */
export interface GatewayConfig {
  readonly gatewayId: string
  readonly mqttUrl: string
  readonly mqttPassword: string
  readonly cloudKeys: readonly VerifyingKey[]
  readonly signingKey: SigningKey
  /** The file of the signing key. */
  readonly privateKeyFile: string
  /** Absolute paths; `*` is allowed. */
  readonly serialPorts: readonly string[]
  readonly baudRate: number
  readonly simPin: string | undefined
  /** For each name, the program and its arguments. */
  readonly modemHooks: ModemHooks
  readonly wireTrace: boolean
  readonly dataFolder: string
  readonly logLevel: LogLevel
  /** PEM. */
  readonly ca: string | undefined
  /** The address of the cloud; undefined: the cloud can ask for no update. */
  readonly cloudUrl: string | undefined
  /** Settings that work but should be changed. */
  readonly warnings: readonly string[]
}

export type ModemHooks = NonNullable<ConfigFile['modemHooks']>

function refuse(message: string): { readonly ok: false; readonly message: string } {
  return { ok: false, message }
}

/** How many mistakes one message names at most. */
const mostMistakes = 20

/** One line of text for each mistake, in the order of the file. */
function refuseFor(
  file: string,
  mistakes: readonly Mistake[],
): { readonly ok: false; readonly message: string } {
  const placeOf = (mistake: Mistake) => mistake.line ?? Number.POSITIVE_INFINITY
  const lines = [...mistakes]
    .sort((a, b) => placeOf(a) - placeOf(b) || 0)
    .map(
      ({ line: number, sentence }) => `${file}${number === undefined ? '' : `, line ${number}`}: ${sentence}`,
    )
  return refuse([...new Set(lines)].slice(0, mostMistakes).join('\n'))
}

type Read = (text: string) => unknown

const booleanOf: Read = text => ({ true: true, false: false })[text] ?? text
const numberOf: Read = text => (/^-?\d{1,15}$/.test(text) ? Number(text) : text)

/**
 * The YAML reader returns texts; these fields have other types. An unreadable text stays as it is, so that the check names it.
 */
const readField: Readonly<Record<string, Read>> = {
  allowPlainMqtt: booleanOf,
  baudRate: numberOf,
  cloudKeys: text => [text],
  serialPort: text => [text],
  wireTrace: booleanOf,
}

function fieldsOf(given: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const read = typeof value === 'string' ? readField[name] : undefined
      return [name, read ? read(value) : value]
    }),
  )
}

const findFaults = faultFinder(ConfigFile, 'the configuration')

const spelledAlike = (name: string) => name.replace(/[^a-z]/gi, '').toLowerCase()

/** Words a fault for this file, where the general sentence of a schema is not enough. */
function sayFault({ sentence, steps }: Fault): string {
  const [name = ''] = steps
  if (sentence.endsWith('must be boolean')) return `${name} must be true or false`
  if (sentence.endsWith('must be integer')) return `${name} must be a whole number, such as 115200`
  if (!sentence.endsWith('is not a known field')) return sentence
  const fields = Object.keys(ConfigFile.properties)
  const meant = fields.find(field => spelledAlike(field) === spelledAlike(name))
  if (meant !== undefined && steps.length === 1) return `${sentence}: write ${meant}`
  return steps.length === 1 ? `${sentence}. The fields are ${fields.join(', ')}` : sentence
}

/** The fault in the broker's address; undefined where there is none. */
export function addressProblem({
  allowPlainMqtt,
  mqttUrl,
}: Pick<ConfigFile, 'allowPlainMqtt' | 'mqttUrl'>): string | undefined {
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
    warnings.push('this runs as root: give the daemon a user of its own, in the group that may use the modem')
  const { mode } = await stat(file)
  if (mode & 0o004) warnings.push(`${file} holds a password and everybody can read it: chmod 600 ${file}`)
  return warnings
}

async function readText(file: string): Promise<Checked<string>> {
  try {
    return { ok: true, value: await readFile(file, 'utf8') }
  } catch (error) {
    const code = systemCode(error)
    if (code === undefined) throw error
    return refuse(code === 'ENOENT' ? `there is no ${file}` : `cannot read ${file}: ${code}`)
  }
}

/** The fields of the file, checked by its schema only. */
async function readFields(file: string, uid: number) {
  const text = await readText(file)
  if (!text.ok) return refuse(`the configuration: ${text.message}`)
  const read = readYaml(text.value)
  if (!read.ok) return refuseFor(file, read.mistakes)
  if (typeof read.value !== 'object' || read.value === null || Array.isArray(read.value))
    return refuseFor(file, [
      { line: 1, sentence: 'each field stands on a line of its own, as in gatewayId: gw_…' },
    ])
  const fields = fieldsOf(read.value)
  const writable = 'modemHooks' in fields ? await whoElseMayWrite(file, uid) : undefined
  if (writable) return refuse(`${file} names commands in modemHooks, but ${writable}`)
  const mistakeOf = (fault: Fault): Mistake => ({ line: read.lineOf(fault.steps), sentence: sayFault(fault) })
  const faults = findFaults(fields)
  if (faults.length > 0) return refuseFor(file, faults.map(mistakeOf))
  const mistakeAt = (name: string, sentence: string): Mistake => ({ line: read.lineOf([name]), sentence })
  return { ok: true, value: fields as ConfigFile, mistakeAt } as const
}

function readCloudKeys(texts: readonly string[]): Checked<readonly VerifyingKey[]> {
  const keys = texts.map(verifyingKey)
  const wrong = keys.indexOf(undefined)
  return wrong < 0
    ? { ok: true, value: keys.filter(key => key !== undefined) }
    : refuse(`cloudKeys[${wrong}] is no public key of the cloud (43 characters of base64url)`)
}

/**
 * Reads the configuration from `file`. A refusal has one line for each mistake, with its line number, the field and what would be
 * right. It never shows a value, which may be a secret.
 */
export async function readConfig(
  file = usualFile,
  /** The user that the daemon runs as. */
  uid = process.getuid?.() ?? 0,
): Promise<Checked<GatewayConfig>> {
  const place = resolve(file)
  const read = await readFields(place, uid)
  if (!read.ok) return read
  const { mistakeAt, value: config } = read
  const absolute = (relative: string) => resolve(dirname(place), relative)
  const problem = addressProblem(config)
  const cloudFault = config.cloudUrl === undefined ? undefined : cloudUrlFault(config.cloudUrl)
  const cloudKeys = readCloudKeys(config.cloudKeys)
  const own = await readKeyFile(absolute(config.privateKeyFile))
  const ca = config.ca === undefined ? undefined : await readText(absolute(config.ca))
  if (
    problem === undefined &&
    cloudFault === undefined &&
    cloudKeys.ok &&
    own.ok &&
    (ca === undefined || ca.ok)
  )
    return {
      ok: true,
      value: {
        ...config,
        cloudKeys: cloudKeys.value,
        signingKey: own.key,
        privateKeyFile: absolute(config.privateKeyFile),
        serialPorts: config.serialPort.map(absolute),
        modemHooks: config.modemHooks ?? {},
        simPin: config.simPin,
        cloudUrl: config.cloudUrl,
        dataFolder: absolute(config.dataFolder),
        ca: ca?.value,
        warnings: await warningsOf(place, uid),
      },
    }
  return refuseFor(place, [
    ...(problem === undefined ? [] : [mistakeAt('mqttUrl', problem)]),
    ...(cloudFault === undefined ? [] : [mistakeAt('cloudUrl', `cloudUrl: ${cloudFault}`)]),
    ...(cloudKeys.ok ? [] : [mistakeAt('cloudKeys', cloudKeys.message)]),
    ...(own.ok ? [] : [mistakeAt('privateKeyFile', `privateKeyFile: ${own.message}`)]),
    ...(ca === undefined || ca.ok ? [] : [mistakeAt('ca', `ca: ${ca.message}`)]),
  ])
}
