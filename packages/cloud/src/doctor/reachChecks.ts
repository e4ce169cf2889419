// The doctor's checks of what must be reachable: the cloud itself, its public address, the mail server; and of the clock.

import { access } from 'node:fs/promises'
import { connect } from 'node:net'
import { isLoopback } from '@callgate/contract/loopback'
import type { World } from '@callgate/world/world'
import type { Config } from '../config.ts'
import { trySmtp } from '../mail/smtp.ts'
import { networkComplaints } from '../network/network.ts'
import { type Found, fine, unknown, warning, whyOf, wrong } from './check.ts'

/** How long any question may take, milliseconds. */
export const patienceMs = 8_000

/** The address by which this machine reaches itself: loopback for an address that listens on all interfaces. */
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
export async function checkCloud(world: World, { host, port }: Config): Promise<Found> {
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

/** The faults in the answer of /readyz, as one sentence. */
function notReady(body: unknown): string | undefined {
  const { checks } = (body ?? {}) as { checks?: Record<string, { ok?: boolean; reason?: string }> }
  if (typeof checks !== 'object') return undefined
  return Object.entries(checks)
    .filter(([, { ok }]) => ok === false)
    .map(([name, { reason }]) => `${name}: ${String(reason).replace(/\.$/, '')}`)
    .join('; ')
}

/** Why the cloud on this machine is not ready; undefined where it is. */
export async function whyNotReady(world: World, { host, port }: Config): Promise<string | undefined> {
  const local = localOf(host)
  const answer = await ask(world, `http://${local.includes(':') ? `[${local}]` : local}:${port}/readyz`)
  if (answer instanceof Error) return answer.message
  return answer.status === 200 ? undefined : (notReady(answer.body) ?? `it answers ${answer.status}`)
}

/** Whether people and integrators reach the cloud at APP_URL, and whether it is ready. */
export async function checkAppUrl(world: World, config: Config): Promise<Found> {
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
  if (reasons === undefined) {
    const isProxyAlone = [502, 503, 504].includes(answer.status) && !(await isListening(world, host, port))
    return isProxyAlone
      ? unknown(
          `${appUrl} leads to a proxy, which answers ${answer.status}: the cloud does not serve now`,
          'Start the cloud, and look again.',
        )
      : wrong(
          `${appUrl}/readyz answers ${answer.status}, and not as Callgate does`,
          'Check APP_URL, and where the proxy leads.',
        )
  }
  if (answer.status !== 200) return wrong(`The cloud is not ready: ${reasons}`, 'Mend what it names.')
  const [complaint] = networkComplaints(config)
  if (complaint !== undefined)
    return warning(complaint.replace(/\.$/, ''), 'See "Who reaches it" in install.md.')
  if (isPlain)
    return warning(`${appUrl} is not encrypted`, 'Put a proxy with a certificate in front: see proxy.md.')
  return fine(`${appUrl} answers, and the cloud is ready`)
}

const furthestMs = 5_000

/** The clock, as far as it can be checked: whether the machine synchronizes it, and how it differs from another machine's. */
export async function checkClock(world: World, { appUrl }: Config): Promise<Found> {
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

/** The mail server: whether it is reached, encrypted as required, and accepts the login. Nothing is sent. */
export async function checkMail(world: World, { dataFolder, smtp }: Config): Promise<Found> {
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
