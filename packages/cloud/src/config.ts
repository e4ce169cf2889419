// Configuration: reads and checks the environment. A message names the invalid variable.

import { resolve } from 'node:path'
import type { LogLevel } from '@callgate/world/real'
import { readTraceTarget, type TraceTarget } from '@callgate/world/traceTarget'
import { envSchema } from 'env-schema'
import { type Environment, variables } from './configVariables.ts'
import { type GatewayInstaller, readGatewayInstaller } from './enrolment/gatewayInstaller.ts'
import { isMailAddress, type Mailbox, readMailbox } from './mail/message.ts'
import { readSmtpUrl, type SmtpServer } from './mail/smtpServer.ts'
import { brokerLoginFault } from './network/brokerLogin.ts'
import { type Network, readNetwork } from './network/network.ts'
import type { IpNetwork } from './network/proxies.ts'
import type { KeyPlaces } from './secrets/keyring.ts'
import { readSecretFiles } from './secrets/secretFiles.ts'
import { readWebhookPlaces } from './webhook/webhookPlaces.ts'

export interface Config extends Network {
  readonly port: number
  /** Without a trailing slash. */
  readonly appUrl: string
  readonly databaseUrl: string
  /** Whether the connection to Postgres may be without TLS in production. */
  readonly allowsPlainPostgres: boolean
  /** Undefined: the embedded broker. */
  readonly mqttUrl: string | undefined
  /** The broker's administration for the gateways' accounts; undefined: the operator manages them. */
  readonly mqttAdminUrl: string | undefined
  readonly mqttPort: number
  /** An absolute path. */
  readonly dataFolder: string
  /** The files of the cloud's own keys. */
  readonly keys: KeyPlaces
  /** Undefined: mails are written to files. */
  readonly smtp: SmtpServer | undefined
  readonly mailFrom: Mailbox
  /** The ports that receivers of webhooks may have. */
  readonly webhookPorts: readonly number[]
  /** Networks that webhooks may lead to although they are not public. */
  readonly webhookNetworks: readonly IpNetwork[]
  /** Undefined: the dashboard shows no way to get the package. */
  readonly gatewayInstaller: GatewayInstaller | undefined
  /** A URI; undefined: no security.txt. */
  readonly securityContact: string | undefined
  /** Whether mails may be files in production. */
  readonly allowsMailFiles: boolean
  /** The cloud refuses to start with unsafe settings. */
  readonly isProduction: boolean
  /** Undefined: no traces. */
  readonly traces: TraceTarget | undefined
  /** Warnings on unsafe files with secrets. */
  readonly secretComplaints: readonly string[]
  readonly logLevel: LogLevel
}

export type ReadConfig =
  | { readonly ok: true; readonly config: Config }
  | { readonly ok: false; readonly message: string }

interface Failure {
  readonly instancePath: string
  readonly keyword: string
  readonly params: Record<string, unknown>
}

function oneOf(values: unknown): string {
  const [first, ...others] = [values].flat()
  return others.length === 0 ? `${first}` : `one of ${[first, ...others].join(', ')}`
}

/** The failures of ajv in words, without the values, because one may contain a password. */
function explain(failures: readonly Failure[]): string {
  return failures
    .map(({ instancePath, keyword, params }) => {
      const name = instancePath.slice(1)
      if (keyword === 'enum') return `${name} must be ${oneOf(params['allowedValues'])}`
      if (keyword === 'minimum' || keyword === 'maximum') return `${name} must be from 1 to 65535`
      return `${name} must be ${params['type'] === 'integer' ? 'a whole number' : String(params['type'])}`
    })
    .join('; ')
}

/** The fault of an address; undefined when it is a URL with one of the schemes. */
function addressFault(
  name: string,
  address: string | undefined,
  schemes: readonly string[],
): string | undefined {
  if (address === undefined) return undefined
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.hostname && schemes.includes(url.protocol)
    ? undefined
    : `${name} must begin with ${schemes.map(scheme => `${scheme}//`).join(' or ')} and name a host`
}

/** The fault of APP_URL as an address; undefined when it is a host, or a host and a port. */
function appUrlFault(address: string): string | undefined {
  const { hash, pathname, search, username } = new URL(address)
  return pathname === '/' && username + search + hash === ''
    ? undefined
    : 'APP_URL must end with the host or its port: pages and API have their own paths below it'
}

/** The sender of mails in files, which reach no mailbox. */
const nobody: Mailbox = { name: 'Callgate', address: 'callgate@localhost' }

/** Reads how mails are sent. A fault contains no value, because one contains a password. */
function readMail({
  MAIL_FROM,
  SMTP_URL,
}: Environment):
  | { readonly ok: true; readonly mail: Pick<Config, 'smtp' | 'mailFrom'> }
  | { readonly ok: false; readonly message: string } {
  const mailFrom = MAIL_FROM === undefined ? nobody : readMailbox(MAIL_FROM)
  if (!mailFrom)
    return {
      ok: false,
      message: 'MAIL_FROM must be an address, or a name with an address: Gates <gates@example.com>',
    }
  if (SMTP_URL === undefined) return { ok: true, mail: { smtp: undefined, mailFrom } }
  if (MAIL_FROM === undefined) return { ok: false, message: 'MAIL_FROM is needed with SMTP_URL' }
  const read = readSmtpUrl(SMTP_URL)
  return read.ok ? { ok: true, mail: { smtp: read.server, mailFrom } } : read
}

/** The contact as a URI (RFC 9116, 2.5.3); undefined when it is neither an e-mail address nor https or tel. */
function contactUri(contact: string): string | undefined {
  const uri = isMailAddress(contact) ? `mailto:${contact}` : contact
  const { href, protocol } = URL.canParse(uri) ? new URL(uri) : { href: '', protocol: '' }
  return ['mailto:', 'https:', 'tel:'].includes(protocol) ? href : undefined
}

/** The place of the keys: the data folder, or the files in the environment, which all replicas share. */
function keyPlaces(folder: string, { SEALING_KEYS_FILE, SIGNING_KEY_FILE }: Environment): KeyPlaces {
  return {
    folder,
    ...(SIGNING_KEY_FILE !== undefined && { signing: resolve(SIGNING_KEY_FILE) }),
    ...(SEALING_KEYS_FILE !== undefined && { sealing: resolve(SEALING_KEYS_FILE) }),
  }
}

/** The version of the running Node, such as 24.21.0. */
export const nodeVersion = process.versions.node

/** Reads the environment. An empty variable counts as absent. */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ReadConfig {
  const secrets = readSecretFiles(environment)
  if (!secrets.ok) return { ok: false, message: `The configuration is wrong: ${secrets.message}.` }
  const data = Object.fromEntries(
    Object.entries({ ...environment, ...secrets.values }).filter(
      ([name, value]) => Object.hasOwn(variables, name) && value?.trim(),
    ),
  )
  let read: Environment
  try {
    read = envSchema<Environment>({ schema: { type: 'object', properties: variables }, data, env: false })
  } catch (error) {
    const failures = (error as { errors?: Failure[] }).errors
    if (!failures) throw error
    return { ok: false, message: `The configuration is wrong: ${explain(failures)}.` }
  }
  const { APP_URL = `http://localhost:${read.PORT}`, DATABASE_URL, MQTT_ADMIN_URL, MQTT_URL } = read
  const fault =
    addressFault('APP_URL', APP_URL, ['http:', 'https:']) ??
    appUrlFault(APP_URL) ??
    addressFault('MQTT_URL', MQTT_URL, ['mqtt:', 'mqtts:']) ??
    addressFault('MQTT_ADMIN_URL', MQTT_ADMIN_URL, ['mqtt:', 'mqtts:']) ??
    brokerLoginFault({ MQTT_URL, MQTT_ADMIN_URL })
  if (fault) return { ok: false, message: `The configuration is wrong: ${fault}.` }
  const contact = read.SECURITY_CONTACT?.trim()
  const securityContact = contact === undefined ? undefined : contactUri(contact)
  if (contact !== undefined && securityContact === undefined) {
    const right = 'SECURITY_CONTACT must be an e-mail address, or begin with https:// or tel:'
    return { ok: false, message: `The configuration is wrong: ${right}.` }
  }
  const installer = readGatewayInstaller(read.GATEWAY_INSTALLER)
  if (!installer.ok) return { ok: false, message: `The configuration is wrong: ${installer.message}.` }
  const network = readNetwork(read)
  if (!network.ok) return { ok: false, message: `The configuration is wrong: ${network.message}.` }
  const webhooks = readWebhookPlaces(read)
  if (!webhooks.ok) return { ok: false, message: `The configuration is wrong: ${webhooks.message}.` }
  const mail = readMail(read)
  if (!mail.ok) return { ok: false, message: `The configuration is wrong: ${mail.message}.` }
  const traces = readTraceTarget(read.OTEL_EXPORTER_OTLP_ENDPOINT, read.OTEL_EXPORTER_OTLP_HEADERS)
  if (!traces.ok) return { ok: false, message: `The configuration is wrong: ${traces.message}.` }
  const dataFolder = resolve(read.CALLGATE_DATA)
  return {
    ok: true,
    config: {
      port: read.PORT,
      appUrl: APP_URL.replace(/\/$/, ''),
      databaseUrl: DATABASE_URL ?? resolve(dataFolder, 'callgate.sqlite'),
      allowsPlainPostgres: read.ALLOW_PLAIN_POSTGRES === 'yes',
      mqttUrl: MQTT_URL,
      mqttAdminUrl: MQTT_ADMIN_URL,
      mqttPort: read.MQTT_PORT,
      dataFolder,
      ...network.network,
      ...mail.mail,
      ...webhooks.places,
      gatewayInstaller: installer.installer,
      securityContact,
      allowsMailFiles: read.ALLOW_MAIL_FILES === 'yes',
      isProduction: read.NODE_ENV === 'production',
      traces: traces.target,
      keys: keyPlaces(dataFolder, read),
      secretComplaints: secrets.complaints,
      logLevel: read.LOG_LEVEL,
    },
  }
}

/** The address for gateways. It does not contain the cloud's own name and password at an external broker. */
export function mqttUrlOf(config: Config, port = config.mqttPort): string {
  if (config.mqttUrl === undefined) {
    const scheme = config.mqttTls ? 'mqtts' : 'mqtt'
    return `${scheme}://${new URL(config.appUrl).hostname}:${port}`
  }
  // Only these parts: the user, the password and the query are the cloud's own.
  const { host, protocol } = new URL(config.mqttUrl)
  return `${protocol}//${host}`
}
