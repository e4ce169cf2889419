// The doctor's checks of the broker: the embedded one, or that of the operator with the accounts of the cloud there.

import { X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { connectMqtt, type MqttOptions, type Refusal } from '@callgate/mqtt/mqttConnection'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { oldestMosquitto, readMosquittoVersion } from '../core/mosquittoVersion.ts'
import { answerTopic, versionTopic } from '../gateway/brokerAdmin.ts'
import { loadCertificate, readAuthority, readClientPair } from '../network/certificate.ts'
import { type Found, fine, unknown, warning, wrong } from './check.ts'
import { isListening, patienceMs } from './reachChecks.ts'

const closeAfterMs = 100
/** How long a broker has to send its version, which is a retained message. */
const versionWithinMs = 1_000
const dayMs = 24 * 60 * 60 * 1_000

type Variable = 'MQTT_URL' | 'MQTT_ADMIN_URL'
type Tls = Pick<MqttOptions, 'ca' | 'pair'>

/** The files for TLS of the configuration, or the fault of one. */
async function readTls({ mqttCaFile, mqttClientTls }: Config): Promise<{ tls: Tls } | { found: Found }> {
  const ca = mqttCaFile === undefined ? undefined : await readAuthority(mqttCaFile)
  if (ca && !ca.ok) return { found: wrong(ca.message.replace(/\.$/, ''), 'Check MQTT_CA.') }
  const pair = mqttClientTls && (await readClientPair(mqttClientTls))
  if (pair && !pair.ok)
    return {
      found: wrong(pair.message.replace(/\.$/, ''), 'Check MQTT_CLIENT_CERT and MQTT_CLIENT_KEY.'),
    }
  return { tls: { ...(ca && { ca: ca.value }), ...(pair && { pair: pair.value }) } }
}

/** Why a broker was not reached, with advice. */
function sayRefusal(host: string, { kind, message }: Refusal, variable: Variable): Found {
  const found: Readonly<Record<Refusal['kind'], Found>> = {
    login: wrong(
      `${host} answers, and refuses the login`,
      `Check the user and the password in ${variable}, and the account at the broker.`,
    ),
    topics: wrong(
      `${host} lets the account in, but does not let it read the answers of its dynamic security`,
      'Load the plugin and give the account the right to it: deploy/broker says how.',
    ),
    authority: wrong(
      `The certificate of ${host} is not of an authority that is trusted`,
      'Name the PEM file of its authority in MQTT_CA; where it is named, it is that of another one.',
    ),
    name: wrong(
      `The certificate of ${host} is for another host`,
      `Write the host into ${variable} that the certificate names, or give the broker one for this host.`,
    ),
    expired: wrong(
      `The certificate of ${host} is not valid today`,
      'Renew it at the broker, and check the clocks of both machines.',
    ),
    network: wrong(
      `${host} cannot be reached: ${message.split('\n')[0]}`,
      `Check the host and the port in ${variable}, whether the broker runs, and the way to it.`,
    ),
  }
  return found[kind]
}

interface Trying {
  readonly to: string
  readonly variable: Variable
  readonly options?: Partial<Pick<MqttOptions, 'subscribe' | 'kept' | 'keepaliveS'>>
  /** The check after the broker has accepted the login; `told` resolves with the retained message, or undefined. */
  readonly check: (host: string, told: Promise<string | undefined>) => Promise<Found> | Found
}

/** Tries one login, once. */
function tryLogin(world: World, tls: Tls, { check, options, to, variable }: Trying): Promise<Found> {
  const { host } = new URL(to)
  const clientId = `callgate-doctor-${Buffer.from(world.randomBytes(6)).toString('hex')}`
  const reconnect = { nextMs: () => 60_000, reset: () => {} }
  return new Promise<Found>((resolve, reject) => {
    let tell = (_said: string | undefined) => {}
    const told = new Promise<string | undefined>(settle => {
      tell = settle
    })
    const connection = connectMqtt(
      { to, clientId, subscribe: [], reconnect, ...tls, ...options },
      {
        onConnect: () => {
          limit.cancel()
          world.after(versionWithinMs, () => tell(undefined))
          Promise.resolve(check(host, told)).then(end, reject)
        },
        onDisconnect: () => tell(undefined),
        onMessage: () => {},
        onKept: payload => tell(Buffer.from(payload).toString()),
        onRefused: refusal => end(sayRefusal(host, refusal, variable)),
      },
    )
    const limit = world.after(patienceMs, () =>
      end(
        wrong(
          `${host} has not answered within ${patienceMs / 1_000} s`,
          `Check the host and the port in ${variable}, and the way to the broker.`,
        ),
      ),
    )
    function end(last: Found) {
      limit.cancel()
      resolve(last)
      // Later, because mqtt.js plans another attempt after it has reported a refusal.
      world.after(closeAfterMs, () => void connection.close())
    }
  })
}

const keeps = (host: string) => `${host} lets the cloud keep the accounts`
const silentForS = 600

/**
 * The doctor's only question to a broker that does not publish its version, as with `deploy/broker/mosquitto.conf`: before
 * 2.0.12, `max_keepalive` did not apply to MQTT 3.1.1. A newer broker refuses the connection.
 */
async function checkSilence(world: World, tls: Tls, to: string): Promise<Found> {
  const found = await tryLogin(world, tls, {
    to,
    variable: 'MQTT_ADMIN_URL',
    options: { keepaliveS: silentForS },
    check: host =>
      warning(
        `${keeps(host)}, and lets a connection say nothing for ${silentForS} s: it is older than Mosquitto 2.0.12, or max_keepalive is not set`,
        `Update Mosquitto to ${oldestMosquitto} or newer, with max_keepalive 120 as in deploy/broker.`,
      ),
  })
  return found.state === 'warning'
    ? found
    : fine(
        `${keeps(new URL(to).host)}. It does not tell its version, which should be ${oldestMosquitto} or newer: "mosquitto -h" says it`,
      )
}

/**
 * The account of MQTT_ADMIN_URL: whether it is accepted, and may read the answers of the dynamic security. Also whether the
 * broker is too old, as far as that can be seen.
 */
export async function checkBrokerAdmin(world: World, config: Config): Promise<Found> {
  const read = await readTls(config)
  if ('found' in read) return read.found
  const { tls } = read
  const to = config.mqttAdminUrl ?? ''
  return tryLogin(world, tls, {
    to,
    variable: 'MQTT_ADMIN_URL',
    options: { subscribe: [answerTopic], kept: versionTopic },
    async check(host, told) {
      const version = readMosquittoVersion((await told) ?? '')
      if (!version) return checkSilence(world, tls, to)
      const says = `${keeps(host)}, and is Mosquitto ${version.text}`
      return version.isOld
        ? warning(
            `${says}, older than ${oldestMosquitto}`,
            'Update Mosquitto: deploy/broker says what was mended since.',
          )
        : fine(says)
    },
  })
}

/**
 * A broker of the operator: whether it is reached, by TLS where that is required, and accepts the login. It subscribes to
 * nothing.
 */
async function checkForeignBroker(world: World, config: Config): Promise<Found> {
  const read = await readTls(config)
  if ('found' in read) return read.found
  return tryLogin(world, read.tls, {
    to: config.mqttUrl ?? '',
    variable: 'MQTT_URL',
    check: host => fine(`${host} lets the cloud in`),
  })
}

/** The embedded broker's certificate; undefined where there is none, or nothing to say of it. */
export async function checkOwnCertificate(
  world: World,
  { mqttTls }: Pick<Config, 'mqttTls'>,
): Promise<Found | undefined> {
  if (!mqttTls) return undefined
  const loaded = await loadCertificate(world, mqttTls)
  if (!loaded.ok)
    return wrong(loaded.message.replace(/\.$/, ''), 'Mend the file, or the variable that names it.')
  const endsMs = Date.parse(new X509Certificate(await readFile(mqttTls.certFile)).validTo)
  const leftDays = Math.floor((endsMs - world.nowMs()) / dayMs)
  const advice = 'Renew it; the cloud takes the new one within a minute.'
  if (leftDays < 0) return wrong('The certificate in MQTT_TLS_CERT has expired', advice)
  return leftDays < 14
    ? warning(`The certificate in MQTT_TLS_CERT expires in ${leftDays} days`, advice)
    : undefined
}

/** The embedded broker: its certificate, and whether it listens while the cloud serves. */
async function checkOwnBroker(world: World, config: Config): Promise<Found> {
  const { host, mqttHost, mqttPort, mqttTls, port } = config
  const certificate = await checkOwnCertificate(world, config)
  if (certificate?.state === 'wrong') return certificate
  const [isServing, isThere] = await Promise.all([
    isListening(world, host, port),
    isListening(world, mqttHost, mqttPort),
  ])
  if (isServing && !isThere)
    return wrong(
      `The cloud serves, and nothing listens on ${mqttHost}, port ${mqttPort}`,
      'Check MQTT_HOST and MQTT_PORT: the cloud may run with others.',
    )
  if (!isServing && isThere)
    return wrong(
      `Another program listens on ${mqttHost}, port ${mqttPort}`,
      'Stop it, or set MQTT_PORT to a free port.',
    )
  if (certificate) return certificate
  const isTls = mqttTls ? 'with TLS' : 'without TLS, for this machine alone'
  return isServing
    ? fine(`The embedded broker listens on ${mqttHost}, port ${mqttPort}, ${isTls}`)
    : unknown(`The embedded broker is not running, since the cloud does not serve now`)
}

export function checkBroker(world: World, config: Config): Promise<Found> {
  return config.mqttUrl === undefined ? checkOwnBroker(world, config) : checkForeignBroker(world, config)
}
