// The question of `callgate setup` about the broker: the embedded one with its certificate, or a broker of the operator.

import { X509Certificate } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { World } from '@callgate/world/world'
import { codeOf, type OperatorFiles } from '../backup/operatorFiles.ts'
import type { Config } from '../config.ts'
import { checkBroker, checkBrokerAdmin, checkOwnCertificate } from '../doctor/brokerChecks.ts'
import { type Check, fine, wrong } from '../doctor/check.ts'
import { isListening } from '../doctor/reachChecks.ts'
import {
  type Asking,
  addressOf,
  authorityFile,
  type Change,
  hostOf,
  passwordFault,
  type Question,
  withPassword,
} from './question.ts'

const names = {
  cert: 'fullchain.pem',
  key: 'privkey.pem',
  from: 'certificate-from',
} as const

/** Caddy keeps the certificates that it has got below this folder, one folder for each authority. */
const ofCaddy = '/var/lib/caddy/.local/share/caddy/certificates'

/** Where certbot or Caddy keeps a certificate of this name; empty where there is none. */
export async function knownCertificate(files: OperatorFiles, host: string): Promise<string> {
  const authorities = await files.at(ofCaddy, () => readdir(ofCaddy).catch(() => []))
  const places = [
    `/etc/letsencrypt/live/${host}/fullchain.pem`,
    ...authorities.map(authority => join(ofCaddy, authority, host, `${host}.crt`)),
  ]
  for (const place of places) if (typeof (await contentOf(files, place)) !== 'string') return place
  return ''
}

/** The key beside a certificate, as certbot and Caddy name it. */
const keyBeside = (file: string) =>
  basename(file) === names.cert ? join(dirname(file), names.key) : file.replace(/\.[a-z]+$/, '.key')

/** The content of a file that the caller names, in an object; or why it cannot be read. */
function contentOf(files: OperatorFiles, file: string): Promise<{ readonly text: string } | string> {
  return files.at(file, as =>
    readFile(file, 'utf8').then(
      text => ({ text }),
      error => `${file} cannot be read${as} (${codeOf(error)}).`,
    ),
  )
}

const foreign = ['MQTT_URL', 'MQTT_URL_FILE', 'MQTT_ADMIN_URL', 'MQTT_ADMIN_URL_FILE', 'MQTT_CA'] as const
const embedded = ['MQTT_HOST', 'MQTT_PORT', 'MQTT_TLS_CERT', 'MQTT_TLS_KEY'] as const
const without = (variables: readonly string[]): Record<string, undefined> =>
  Object.fromEntries(variables.map(name => [name, undefined]))

/** The embedded broker. Its certificate is copied, because the cloud may not read that of the proxy. */
async function readEmbedded(asking: Asking): Promise<Change | string> {
  const { draft, files, folder, follow, hasOption } = asking
  const host = addressOf(draft.variables['APP_URL'] ?? '', 'https')?.hostname ?? ''
  const words = `Certificate of ${host} for the broker, a PEM file; none: only gateways on this machine`
  const certFile = await follow('certificate', words, (await knownCertificate(files, host)) || 'none')
  if (certFile === 'none')
    // The port stays, where somebody has chosen one.
    return { variables: { ...without(foreign), ...without(embedded.filter(name => name !== 'MQTT_PORT')) } }
  const beside = keyBeside(certFile)
  const isBeside = !hasOption('certificate-key') && typeof (await contentOf(files, beside)) !== 'string'
  const keyFile = isBeside ? beside : await follow('certificate-key', 'Its key, a PEM file', beside)
  const cert = await contentOf(files, certFile)
  if (typeof cert === 'string') return cert
  const key = await contentOf(files, keyFile)
  if (typeof key === 'string') return key
  return {
    variables: {
      ...without(foreign),
      MQTT_HOST: '0.0.0.0',
      MQTT_PORT: draft.variables['MQTT_PORT'] ?? '8883',
      MQTT_TLS_CERT: join(folder, names.cert),
      MQTT_TLS_KEY: join(folder, names.key),
    },
    // The last one tells the timer which files a renewal changes.
    files: { [names.cert]: cert.text, [names.key]: key.text, [names.from]: `${certFile}\n${keyFile}\n` },
  }
}

const noAdmin = 'none'

async function readForeign(url: URL, asking: Asking): Promise<Change | string> {
  const { files, folder, follow } = asking
  const fault = passwordFault(url, asking)
  if (fault !== undefined) return `The broker: ${fault}.`
  const MQTT_URL = await withPassword(url, asking)
  const adminWords = 'Its account that may add gateways; none: you add each gateway there'
  const admin = await follow('broker-admin', adminWords, noAdmin)
  const adminUrl = new URL(url.href)
  adminUrl.username = encodeURIComponent(admin)
  adminUrl.password = ''
  const MQTT_ADMIN_URL = admin === noAdmin ? undefined : await withPassword(adminUrl, asking)
  const given = await follow('broker-ca', 'PEM file of its authority; none: a public one', 'none')
  const authority = given === 'none' ? undefined : await contentOf(files, given)
  if (typeof authority === 'string') return authority
  return {
    variables: {
      ...without(foreign),
      ...without(embedded),
      MQTT_URL,
      MQTT_ADMIN_URL,
      MQTT_CA: authority && join(folder, authorityFile),
    },
    ...(authority && { files: { [authorityFile]: authority.text } }),
  }
}

/** The embedded broker: its certificate is for the public name, and its port is free or its own. */
async function checkEmbedded(world: World, config: Config): Promise<Check> {
  const { appUrl, host, mqttHost, mqttPort, mqttTls, port } = config
  const found = await checkOwnCertificate(world, config)
  if (found?.state === 'wrong') return { name: 'broker', ...found }
  const { hostname } = new URL(appUrl)
  if (mqttTls) {
    const certificate = new X509Certificate(await readFile(mqttTls.certFile))
    if (certificate.checkHost(hostname) === undefined)
      return {
        name: 'broker',
        ...wrong(
          `The certificate is not for ${hostname}`,
          'Give the one of that name, which gateways are told.',
        ),
      }
  }
  if (!(await isListening(world, host, port)) && (await isListening(world, mqttHost, mqttPort)))
    return {
      name: 'broker',
      ...wrong(
        `Another program listens on ${mqttHost}, port ${mqttPort}`,
        'Stop it, or name it as the broker.',
      ),
    }
  const who = mqttTls ? `with TLS for ${hostname}` : 'for gateways on this machine alone'
  return { name: 'broker', ...(found ?? fine(`The embedded broker is used, on port ${mqttPort}, ${who}`)) }
}

export const broker: Question = {
  option: 'broker',
  words: 'Broker: embedded, or mqtts://USER@HOST',
  variables: [...foreign, ...embedded],
  answeredBy: ['MQTT_URL', 'MQTT_URL_FILE', 'MQTT_TLS_CERT'],
  present: ({ MQTT_TLS_CERT, MQTT_URL, MQTT_URL_FILE }) =>
    MQTT_URL_FILE ?? hostOf(MQTT_URL) ?? (MQTT_TLS_CERT && 'embedded'),
  standard: 'embedded',
  async read(answer, asking) {
    if (answer === 'embedded') return readEmbedded(asking)
    const url = addressOf(answer, 'mqtts')
    if (!url || !/^mqtts?:$/.test(url.protocol) || url.hostname === '')
      return 'The broker is embedded, or begins with mqtts://.'
    return readForeign(url, asking)
  },
  async check(world, config) {
    if (config.mqttUrl === undefined) return [await checkEmbedded(world, config)]
    const found: Check = { name: 'broker', ...(await checkBroker(world, config)) }
    return config.mqttAdminUrl === undefined
      ? [found]
      : [found, { name: 'broker accounts', ...(await checkBrokerAdmin(world, config)) }]
  },
}
