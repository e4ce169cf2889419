// Checks the way to the broker step by step: the name, the port, the certificate, the login.

import { lookup } from 'node:dns/promises'
import { connect } from 'node:net'
import { connect as connectTls, type PeerCertificate } from 'node:tls'
import { connectMqtt, type Refusal } from '@callgate/mqtt/mqttConnection'
import type { World } from '@callgate/world/world'
import type { GatewayConfig } from '../config.ts'
import { systemCode } from '../journalDisk.ts'
import { type Check, type Found, fail, named, ok, unknown, warn } from './check.ts'

/** How long each step may take, milliseconds. */
const patienceMs = 8_000
const closeAfterMs = 100
const dayMs = 24 * 60 * 60 * 1_000
const fewDays = 14

interface BrokerAddress {
  readonly host: string
  readonly port: number
  readonly isTls: boolean
}

function placeOf(mqttUrl: string): BrokerAddress {
  const { hostname, port, protocol } = new URL(mqttUrl)
  const isTls = protocol === 'mqtts:'
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (isTls ? 8883 : 1883) : Number(port),
    isTls,
  }
}

async function checkName({ host }: BrokerAddress): Promise<Found> {
  try {
    const addresses = await lookup(host, { all: true })
    return ok(
      `${host} is ${addresses
        .map(({ address }) => address)
        .slice(0, 3)
        .join(', ')}`,
    )
  } catch (error) {
    const code = systemCode(error) ?? String(error)
    return code === 'ENOTFOUND'
      ? fail(`Nothing is called ${host}`, 'Correct mqttUrl; or look at the DNS of this network')
      : fail(
          `The name ${host} cannot be looked up: ${code}`,
          'Look at the network: ping 1.1.1.1, and the DNS (resolvectl status)',
        )
  }
}

function checkTcp(world: World, { host, port }: BrokerAddress): Promise<Found> {
  return new Promise(resolve => {
    const socket = connect({ host, port })
    const end = (found: Found) => {
      limit.cancel()
      socket.destroy()
      resolve(found)
    }
    const advice = 'Look at the port in mqttUrl, at the broker, and at a firewall in between'
    const limit = world.after(patienceMs, () =>
      end(fail(`${host}, port ${port}, has not answered within ${patienceMs / 1_000} s`, advice)),
    )
    socket.once('connect', () => end(ok(`Port ${port} answers`)))
    socket.once('error', error =>
      end(fail(`Port ${port} of ${host} cannot be reached: ${systemCode(error)}`, advice)),
    )
  })
}

const issuerOf = ({ issuer }: PeerCertificate) =>
  [issuer?.O, issuer?.CN].filter(Boolean).join(', ') || 'an authority without a name'

/** Checks a certificate. `fault` is why it was not accepted (Node's names of OpenSSL's X509_V_ERR). */
function checkCertificate(
  world: World,
  { host }: BrokerAddress,
  shown: PeerCertificate,
  fault: string | undefined,
  hasCa: boolean,
): Found {
  const [fromMs, toMs] = [Date.parse(shown.valid_from), Date.parse(shown.valid_to)]
  const days = Math.floor((toMs - world.nowMs()) / dayMs)
  const dates = `${new Date(fromMs).toISOString().slice(0, 10)} to ${new Date(toMs).toISOString().slice(0, 10)}`
  if (fromMs > world.nowMs())
    return fail(
      `The certificate begins only on ${dates.slice(0, 10)}: the clock of this machine is probably wrong`,
      'Set the clock: see the line "clock"',
    )
  if (days < 0)
    return fail(
      `The certificate was good from ${dates}`,
      'Set the clock if it is wrong; else have the certificate renewed at the broker',
    )
  if (fault === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return fail(`The certificate is not for ${host}`, 'Write the name of the certificate into mqttUrl')
  if (fault !== undefined)
    return fail(
      `The certificate is of ${issuerOf(shown)}, which ${hasCa ? 'is not the authority in the file of ca' : 'this machine does not trust'} (${fault})`,
      hasCa
        ? 'Correct the file of ca: ask whoever keeps the broker'
        : 'Get the certificate of the authority from whoever keeps the broker, and name its file in ca',
    )
  const told = `The certificate of ${issuerOf(shown)} is good, for ${days} more days`
  return days < fewDays ? warn(told, 'Have it renewed at the broker') : ok(told)
}

function checkTls(world: World, place: BrokerAddress, ca: string | undefined): Promise<Found> {
  const { host, isTls, port } = place
  if (!isTls)
    return Promise.resolve(
      warn('mqttUrl has no encryption', 'Use mqtts:// unless the whole way to the broker is trusted'),
    )
  return new Promise(resolve => {
    const socket = connectTls({
      host,
      port,
      // For a check only: the fault is reported below, and nothing is sent.
      rejectUnauthorized: false,
      ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
      ...(ca !== undefined && { ca }),
    })
    const end = (found: Found) => {
      limit.cancel()
      socket.destroy()
      resolve(found)
    }
    const advice = 'Look at the port in mqttUrl: the one with TLS is usually 8883'
    const limit = world.after(patienceMs, () => end(fail('It does not speak TLS', advice)))
    socket.once('secureConnect', () => {
      const fault = socket.authorized ? undefined : String(socket.authorizationError)
      end(checkCertificate(world, place, socket.getPeerCertificate(), fault, ca !== undefined))
    })
    socket.once('error', error => end(fail(`It does not speak TLS: ${systemCode(error) ?? 'error'}`, advice)))
  })
}

const refusedBecause: Partial<Readonly<Record<Refusal['kind'], Found>>> = {
  login: fail(
    'The broker answers and refuses the login',
    'Correct gatewayId and mqttPassword. A gateway that was revoked has to be enrolled anew',
  ),
}

/** Logs in with the gateway's own name; only while no daemon runs, because the daemon would lose its connection. */
function checkLogin(world: World, config: GatewayConfig): Promise<Found> {
  const { ca, gatewayId, mqttPassword, mqttUrl } = config
  return new Promise(resolve => {
    const connection = connectMqtt(
      {
        to: mqttUrl,
        clientId: gatewayId,
        username: gatewayId,
        password: mqttPassword,
        subscribe: [],
        reconnect: { nextMs: () => 60_000, reset: () => {} },
        ...(ca !== undefined && { ca }),
      },
      {
        onConnect: () => end(ok('The broker lets this gateway in')),
        onDisconnect: () => {},
        onMessage: () => {},
        onRefused: ({ kind, message }) =>
          end(
            refusedBecause[kind] ??
              fail(`The broker cannot be used: ${message.split('\n')[0]}`, 'Mend the lines above'),
          ),
      },
    )
    const limit = world.after(patienceMs, () =>
      end(fail('The broker does not answer the login', 'Look at the broker')),
    )
    function end(found: Found) {
      limit.cancel()
      resolve(found)
      // Delayed, because mqtt.js plans another try after it has reported a refusal.
      world.after(closeAfterMs, () => void connection.close())
    }
  })
}

/** Checks name, TCP, TLS and login until one fails. `login`: the finding of the running daemon, where one runs. */
export async function brokerChecks(
  world: World,
  config: GatewayConfig,
  login: Found | undefined,
): Promise<readonly Check[]> {
  const place = placeOf(config.mqttUrl)
  const steps: readonly (readonly [string, () => Promise<Found>])[] = [
    ['broker name', () => checkName(place)],
    ['broker port', () => checkTcp(world, place)],
    ['broker TLS', () => checkTls(world, place, config.ca)],
    ['broker login', async () => login ?? (await checkLogin(world, config))],
  ]
  const checks: Check[] = []
  for (const [name, look] of steps) {
    const isLost = checks.some(({ state }) => state === 'fail')
    const found =
      isLost && !(name === 'broker login' && login)
        ? unknown('It is known when the line above is mended')
        : await look()
    checks.push(named(name, found))
  }
  return checks
}
