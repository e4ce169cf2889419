// `callgate status`: prints what serves, what it is connected to and what waits, a line for each.

import { counted } from '../core/counted.ts'
import { readStatus, type Status } from '../status/status.ts'
import type { CommandWork } from './commandWork.ts'

const mebibyte = 2 ** 20

/** Such as "40 s", "12 min", "5 h" and "300 days". */
function sayFor(since: string, at: string): string {
  const seconds = Math.max(0, Math.floor((Date.parse(at) - Date.parse(since)) / 1_000))
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  return hours < 72 ? `${hours} h` : `${Math.floor(hours / 24)} days`
}

const sayClouds = ({ at, clouds }: Status): string[] =>
  clouds.length === 0
    ? ['None serves now, or only one of a version before this one.']
    : clouds.map(
        ({ machine, seenAt, startedAt, version }) =>
          `${machine} serves ${version} since ${startedAt} (${sayFor(startedAt, at)}), seen ${sayFor(seenAt, at)} ago.`,
      )

function sayDatabase({ database }: Status): string[] {
  const { bytes, migrations, newestMigration, product, unconfirmedRestoreAt, version } = database
  return [
    `${product} ${version}, ${(bytes / mebibyte).toFixed(1)} MiB, ${counted(migrations, 'migration')}, the newest ${newestMigration}.`,
    ...(unconfirmedRestoreAt === null
      ? []
      : [
          `Restored at ${unconfirmedRestoreAt}, and shut to guests and keys until "callgate confirm-restore".`,
        ]),
  ]
}

function sayBroker({ broker: { isConnected, isEmbedded, url } }: Status): string {
  const where = isEmbedded ? 'Embedded' : `Your own, ${url}`
  if (isConnected === null) return `${where}; no cloud serves that could be connected.`
  return `${where}; ${isConnected ? 'connected' : 'NOT connected: "callgate doctor" says why'}.`
}

function sayGateways({ gateways: { neverHeard, offline, online, tooOld } }: Status): string {
  const more = [
    ...(neverHeard > 0 ? [`${neverHeard} never heard`] : []),
    ...(tooOld > 0 ? [`${tooOld} with a program that is too old`] : []),
  ]
  return `${[`${online} online`, `${offline} offline`, ...more].join(', ')}.`
}

function sayOpenings({ openingsOfLastHour }: Status): string {
  const { failed, failedBy, opened, running, unknown } = openingsOfLastHour
  const reasons = Object.entries(failedBy)
    .sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1))
    .map(([reason, count]) => `${reason} ${count}`)
  const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : ''
  return `In the last hour ${opened} opened, ${failed} failed${why}, ${unknown} unknown. ${running === 0 ? 'None runs' : `${running} running`} now.`
}

function sayKeys({ at, keys }: Status): string[] {
  if (!keys) return ['The files of the keys cannot be read: "callgate doctor" says why.']
  const { sealing, signing } = keys
  const rotating = (isRotating: boolean) => (isRotating ? '; a rotation is under way' : '')
  return [
    `Signing ${signing.keyId}, ${sayFor(signing.since, at)} old${rotating(signing.isRotating)}.`,
    `Sealing version ${sealing.version}, ${sayFor(sealing.since, at)} old${rotating(sealing.isRotating)}.`,
  ]
}

function sayBackup({ at, backup, database }: Status): string[] {
  if (database.product === 'Postgres') return ['Made by the programs of Postgres, and not seen from here.']
  const { failed = null, made = null } = backup ?? {}
  return [
    made
      ? `${made.takenAt} (${sayFor(made.takenAt, at)} ago), in ${made.folder}.`
      : 'None was ever made by "callgate backup".',
    ...(failed ? [`The attempt of ${failed.at} FAILED: ${failed.why}`] : []),
  ]
}

function sayAlerts({ alerts: { goingOn, mute }, at }: Status): string[] {
  const count = goingOn === 0 ? 'None goes on.' : `${goingOn} on the dashboard.`
  if (!mute) return [count]
  return [
    count,
    `MUTED until ${mute.endsAt}, for ${sayFor(at, mute.endsAt)} more: ${mute.why}. Nobody is told by mail.`,
  ]
}

function sayWebhooks({ webhooks: { active, failing, off, waitingDeliveries } }: Status): string {
  const more = waitingDeliveries === 1 ? '1 delivery waits' : `${waitingDeliveries} deliveries wait`
  return `${active} active, ${failing} failing, ${off} off; ${more}.`
}

function sayMails({ at, mails: { oldestAt, waiting } }: Status): string {
  if (oldestAt === null) return 'None waits.'
  return `${waiting} wait${waiting === 1 ? 's' : ''}, the oldest for ${sayFor(oldestAt, at)}: "callgate mail list".`
}

/** Each part with its lines. */
const partsOf = (status: Status): readonly (readonly [string, readonly string[]])[] => [
  ['clouds', sayClouds(status)],
  ['database', sayDatabase(status)],
  ['broker', [sayBroker(status)]],
  ['gateways', [sayGateways(status)]],
  ['openings', [sayOpenings(status)]],
  ['mails', [sayMails(status)]],
  ['webhooks', [sayWebhooks(status)]],
  ['keys', sayKeys(status)],
  ['last backup', sayBackup(status)],
  ['alerts', sayAlerts(status)],
]

const status: CommandWork = async parts => {
  const read = await readStatus(parts)
  const text = partsOf(read)
    .flatMap(([name, lines]) => lines.map((line, place) => `${(place === 0 ? name : '').padEnd(12)} ${line}`))
    .join('\n')
  return { ok: true, json: read, text }
}

export const statusWork = { status } satisfies Record<string, CommandWork>
