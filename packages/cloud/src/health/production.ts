// The faults that keep a cloud in production (NODE_ENV=production) from starting: each lets strangers in.

import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isLoopback } from '@callgate/contract/loopback'
import type { Config } from '../config.ts'
import { isSafeWay, isServer } from '../database/databaseAddress.ts'
import { brokerLogin } from '../network/brokerLogin.ts'
import { keyPaths } from '../secrets/keyring.ts'

/** Passwords from examples, and the default passwords of programs. */
const knownPasswords: ReadonlySet<string> = new Set(
  'admin callgate changeit changeme default demo example guest letmein mosquitto mqtt password postgres public root secret test 123456 12345678'.split(
    ' ',
  ),
)

const worded = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, '')

function isKnown(user: string, password: string): boolean {
  return knownPasswords.has(worded(password)) || password === user || password.length < 8
}

/** The fault of the login in an address; undefined when there is none. The message repeats no part of the login. */
function loginFault(variable: string, address: string | undefined): string | undefined {
  const url = address !== undefined && URL.canParse(address) ? new URL(address) : undefined
  if (!url || url.password === '') return undefined
  const { password, user } = brokerLogin(url.href) ?? { user: url.username, password: url.password }
  return isKnown(user, password)
    ? `${variable} holds a password that everybody tries first: make a random one`
    : undefined
}

function plainFault(variable: string, address: string): string | undefined {
  const { hostname, protocol } = new URL(address)
  return protocol === 'mqtt:' && !isLoopback(hostname)
    ? `${variable} leaves this machine without encryption: begin it with mqtts://`
    : undefined
}

/** The faults of DATABASE_URL. */
export function databaseFaults({ allowsPlainPostgres, databaseUrl }: Config): (string | undefined)[] {
  return [
    loginFault('DATABASE_URL', databaseUrl),
    isServer(databaseUrl) && !allowsPlainPostgres && !isSafeWay(databaseUrl)
      ? 'DATABASE_URL leaves this machine without TLS that checks the server: end it with ?sslmode=verify-full, or say ALLOW_PLAIN_POSTGRES=yes where the whole way is trusted'
      : undefined,
  ]
}

function mqttFaults({ mqttAdminUrl, mqttHost, mqttTls, mqttUrl }: Config): (string | undefined)[] {
  if (mqttUrl === undefined)
    return [
      !mqttTls && !isLoopback(mqttHost)
        ? 'MQTT_HOST lets other machines connect without encryption: set MQTT_TLS_CERT and MQTT_TLS_KEY'
        : undefined,
    ]
  const { password, username } = new URL(mqttUrl)
  return [
    username === '' || password === ''
      ? 'MQTT_URL has no user and password, so the broker lets anybody in: give the cloud an account of its own'
      : loginFault('MQTT_URL', mqttUrl),
    plainFault('MQTT_URL', mqttUrl),
    ...(mqttAdminUrl === undefined
      ? []
      : [loginFault('MQTT_ADMIN_URL', mqttAdminUrl), plainFault('MQTT_ADMIN_URL', mqttAdminUrl)]),
  ]
}

function smtpFault({ allowsMailFiles, smtp }: Config): string | undefined {
  if (!smtp)
    return allowsMailFiles
      ? undefined
      : 'SMTP_URL is missing, so no mail would leave this machine: set it, or say ALLOW_MAIL_FILES=yes'
  const { login } = smtp
  return login && isKnown(login.user, login.password)
    ? 'SMTP_URL holds a password that everybody tries first: make a random one'
    : undefined
}

/** The fault of a file that everybody on the machine can read. A missing file is created later, for its owner alone. */
async function openFileFault(variable: string, file: string): Promise<string | undefined> {
  const mode = await stat(file).then(
    about => about.mode,
    () => 0,
  )
  return mode & 0o004
    ? `${variable}: everybody on this machine can read ${file}: chmod 600 ${file}`
    : undefined
}

async function demoFault({ dataFolder }: Config): Promise<string | undefined> {
  const isThere = await stat(join(dataFolder, 'demo.json')).then(
    () => true,
    () => false,
  )
  return isThere ? `CALLGATE_DATA is the data of a demo, ${dataFolder}: give a folder of its own` : undefined
}

/** Every reason not to serve in production, each with the variable and advice. Repeats no secret. */
export async function productionFaults(config: Config): Promise<readonly string[]> {
  const { appUrl, keys, mqttTls } = config
  const files = await Promise.all([
    ...keyPaths(keys).map(({ file, variable }) => openFileFault(variable, file)),
    ...(mqttTls ? [openFileFault('MQTT_TLS_KEY', mqttTls.keyFile)] : []),
    demoFault(config),
  ])
  const faults = [
    new URL(appUrl).protocol === 'https:'
      ? undefined
      : 'APP_URL does not begin with https://, so links and passwords would cross the network readable: put a proxy with a certificate in front of the API',
    ...databaseFaults(config),
    ...mqttFaults(config),
    smtpFault(config),
    ...files,
  ]
  return faults.filter(fault => fault !== undefined)
}
