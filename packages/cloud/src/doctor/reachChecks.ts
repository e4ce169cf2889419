// What the doctor tries to reach: the cloud itself, the address that others use, the broker, the mail server; and the clock.

import { X509Certificate } from 'node:crypto'
import { access, readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { isLoopback } from '@callgate/contract/loopback'
import { connectMqtt } from '@callgate/mqtt/mqttConnection'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { trySmtp } from '../mail/smtp.ts'
import { loadCertificate, readAuthority, readClientPair } from '../network/certificate.ts'
import { networkComplaints } from '../network/network.ts'
import { type Found, fine, unknown, warning, whyOf, wrong } from './check.ts'

/** How long anything that is asked may take, milliseconds. */
const patienceMs = 8_000
const closeAfterMs = 100
const dayMs = 24 * 60 * 60 * 1_000

/** An address that listens on all of this machine is reached by loopback. */
const localOf = (host: string) => ({ '0.0.0.0': '127.0.0.1', '::': '::1' })[host] ?? host

/** Whether something listens there. */
export function isListening(world: World, host: string, port: number): Promise<boolean> {
  return new Promise(resolve => {
    const socket = connect({ host: localOf(host), port })
    const timer = world.after(patienceMs, () => socket.destroy())
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('close', () => {
      timer.cancel()
      resolve(false)
    })
    socket.once('connect', () => socket.destroy())
  })
}

/** Whether a cloud serves on this machine now. */
export async function lookAtCloud(world: World, { host, port }: Config): Promise<Found> {
  return (await isListening(world, host, port))
    ? fine(`It listens on ${host}, port ${port}`)
    : unknown(
        `Nothing listens on ${host}, port ${port}: the cloud does not serve now`,
        'Start it: callgate serve',
      )
}

interface Answered {
  readonly status: number
  readonly date: string | null
  readonly body: unknown
}

async function ask(world: World, url: string): Promise<Answered | Error> {
  const abort = new AbortController()
  const limit = world.after(patienceMs, () => abort.abort())
  try {
    const answer = await fetch(url, { signal: abort.signal, redirect: 'manual' })
    const text = await answer.text()
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : undefined
    return { status: answer.status, date: answer.headers.get('date'), body }
  } catch (error) {
    return abort.signal.aborted
      ? new Error(`no answer within ${patienceMs / 1_000} s`)
      : new Error(whyOf(error))
  } finally {
    limit.cancel()
  }
}

/** What /readyz finds wrong, as one sentence. */
function notReady(body: unknown): string | undefined {
  const { checks } = (body ?? {}) as { checks?: Record<string, { ok?: boolean; reason?: string }> }
  if (typeof checks !== 'object') return undefined
  return Object.entries(checks)
    .filter(([, { ok }]) => ok === false)
    .map(([name, { reason }]) => `${name}: ${String(reason).replace(/\.$/, '')}`)
    .join('; ')
}

/** Whether people and integrators reach the cloud at APP_URL, and whether it is ready. */
export async function lookAtAppUrl(world: World, config: Config): Promise<Found> {
  const { appUrl, host, port } = config
  const isPlain = new URL(appUrl).protocol === 'http:' && !isLoopback(new URL(appUrl).hostname)
  const answer = await ask(world, `${appUrl}/readyz`)
  if (answer instanceof Error) {
    const isHere = await isListening(world, host, port)
    return isHere
      ? wrong(
          `${appUrl} does not answer: ${answer.message}`,
          'Check its name in the DNS, its certificate and the proxy in front of the cloud.',
        )
      : unknown(
          `${appUrl} does not answer, and the cloud does not serve now`,
          'Start the cloud, and look again.',
        )
  }
  const reasons = notReady(answer.body)
  if (reasons === undefined)
    return wrong(
      `${appUrl}/readyz answers ${answer.status}, and not as Callgate does`,
      'Check APP_URL, and where the proxy leads.',
    )
  if (answer.status !== 200) return wrong(`The cloud is not ready: ${reasons}`, 'Mend what it names.')
  const [complaint] = networkComplaints(config)
  if (complaint !== undefined)
    return warning(complaint.replace(/\.$/, ''), 'See "Who reaches it" in operating.md.')
  if (isPlain)
    return warning(`${appUrl} is not encrypted`, 'Put a proxy with a certificate in front: see proxy.md.')
  return fine(`${appUrl} answers, and the cloud is ready`)
}

const furthestMs = 5_000

/** The clock, as far as it can be known: by what keeps it, and by another machine's. */
export async function lookAtClock(world: World, { appUrl }: Config): Promise<Found> {
  const askedMs = world.nowMs()
  const answer = isLoopback(new URL(appUrl).hostname) ? undefined : await ask(world, `${appUrl}/healthz`)
  const date = answer && !(answer instanceof Error) && answer.date
  const differsMs = date ? Math.abs(Date.parse(date) - (askedMs + world.nowMs()) / 2) : 0
  if (differsMs > furthestMs)
    return wrong(
      `The clock differs by ${Math.round(differsMs / 1_000)} s from that of ${appUrl}`,
      'Let systemd-timesyncd, chrony or ntpd keep it.',
    )
  const isKept = await access('/run/systemd/timesync/synchronized').then(
    () => true,
    () => false,
  )
  const at = new Date(askedMs).toISOString()
  if (isKept) return fine(`${at}; systemd-timesyncd keeps it`)
  return unknown(
    `${at}; nothing says whether it is kept right`,
    'Let systemd-timesyncd, chrony or ntpd keep it: schedules follow it.',
  )
}

/** A broker of the operator's: reached, by TLS where it is asked for, and let in. It subscribes to nothing. */
async function lookAtForeignBroker(
  world: World,
  { mqttCaFile, mqttClientTls, mqttUrl = '' }: Config,
): Promise<Found> {
  const { host } = new URL(mqttUrl)
  const ca = mqttCaFile === undefined ? undefined : await readAuthority(mqttCaFile)
  if (ca && !ca.ok) return wrong(ca.message.replace(/\.$/, ''), 'Check MQTT_CA.')
  const pair = mqttClientTls && (await readClientPair(mqttClientTls))
  if (pair && !pair.ok)
    return wrong(pair.message.replace(/\.$/, ''), 'Check MQTT_CLIENT_CERT and MQTT_CLIENT_KEY.')
  const clientId = `callgate-doctor-${Buffer.from(world.randomBytes(6)).toString('hex')}`
  const found = await new Promise<Found>(resolve => {
    const connection = connectMqtt(
      {
        to: mqttUrl,
        clientId,
        subscribe: [],
        reconnect: { nextMs: () => 60_000, reset: () => {} },
        ...(ca && { ca: ca.value }),
        ...(pair && { pair: pair.value }),
      },
      {
        onConnect: () => end(fine(`${host} lets the cloud in`)),
        onDisconnect: () => {},
        onMessage: () => {},
        onRefused: ({ kind, message }) =>
          end(
            kind === 'login'
              ? wrong(
                  `${host} answers, and refuses the login`,
                  'Check the user and the password in MQTT_URL, and the account at the broker.',
                )
              : wrong(
                  `${host} cannot be reached: ${message.split('\n')[0]}`,
                  'Check MQTT_URL, MQTT_CA, the broker and the way to it.',
                ),
          ),
      },
    )
    const limit = world.after(patienceMs, () =>
      end(
        wrong(
          `${host} has not answered within ${patienceMs / 1_000} s`,
          'Check MQTT_URL and the way to the broker.',
        ),
      ),
    )
    function end(last: Found) {
      limit.cancel()
      resolve(last)
      // Later, since mqtt.js plans another try once it has told of a refusal.
      world.after(closeAfterMs, () => void connection.close())
    }
  })
  return found
}

/** The embedded broker: its certificate, and whether it listens while the cloud serves. */
async function lookAtOwnBroker(
  world: World,
  { host, mqttHost, mqttPort, mqttTls, port }: Config,
): Promise<Found> {
  const loaded = mqttTls && (await loadCertificate(world, mqttTls))
  if (loaded && !loaded.ok)
    return wrong(loaded.message.replace(/\.$/, ''), 'Mend the file, or the variable that names it.')
  const endsMs = mqttTls && Date.parse(new X509Certificate(await readFile(mqttTls.certFile)).validTo)
  const leftDays = endsMs === undefined ? undefined : Math.floor((endsMs - world.nowMs()) / dayMs)
  if (leftDays !== undefined && leftDays < 0)
    return wrong(
      'The certificate in MQTT_TLS_CERT has expired',
      'Renew it; the cloud takes the new one within a minute.',
    )
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
  if (leftDays !== undefined && leftDays < 14)
    return warning(
      `The certificate in MQTT_TLS_CERT expires in ${leftDays} days`,
      'Renew it; the cloud takes the new one within a minute.',
    )
  const isTls = mqttTls ? 'with TLS' : 'without TLS, for this machine alone'
  return isServing
    ? fine(`The embedded broker listens on ${mqttHost}, port ${mqttPort}, ${isTls}`)
    : unknown(`The embedded broker is not running, since the cloud does not serve now`)
}

export function lookAtBroker(world: World, config: Config): Promise<Found> {
  return config.mqttUrl === undefined ? lookAtOwnBroker(world, config) : lookAtForeignBroker(world, config)
}

/** The mail server: reached, encrypted as it must be, and logged in to. Nothing is sent. */
export async function lookAtMail(world: World, { dataFolder, smtp }: Config): Promise<Found> {
  if (!smtp)
    return warning(
      `No mail leaves this machine: mails are files in ${dataFolder}/mails`,
      'Set SMTP_URL and MAIL_FROM.',
    )
  const where = `${smtp.host}, port ${smtp.port}`
  const abort = new AbortController()
  const limit = world.after(patienceMs, () => abort.abort())
  const tried = await trySmtp(smtp, abort.signal)
  limit.cancel()
  if (tried.ok) {
    const says = `${where} answers${smtp.login ? ' and takes the login' : ''}`
    return tried.isEncrypted || smtp.isLocal
      ? fine(says)
      : warning(
          `${says}, without encryption`,
          'Begin SMTP_URL with smtps://: each mail holds a link that opens gates.',
        )
  }
  const why = abort.signal.aborted ? `no answer within ${patienceMs / 1_000} s` : tried.why
  return wrong(`${where}: ${why}`, 'Check SMTP_URL, and what the server allows.')
}
