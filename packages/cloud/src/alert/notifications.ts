// Notifications: the mails about incidents, each queued in the transaction that records it as told.

import { idPrefix } from '@callgate/contract/idPrefix'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Database, Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'
import { locked } from '../database/dialect.ts'
import { queueAlertMail } from '../mail/outbox.ts'
import { notificationLimits, notificationOf, type RecentNotifications } from './core/notification.ts'
import { type IncidentRow, purge } from './incidentRows.ts'
import { usersWithFailingMails } from './mailChecks.ts'

export type AlertKind = 'opened' | 'closed' | 'digest'

/** A row of the table `alertMails`. */
export interface AlertMailRow {
  readonly id: string
  readonly tellingId: string
  readonly spaceId: string
  readonly userId: string
  readonly kind: AlertKind
  /** A list in JSON. */
  readonly incidentIds: string
  readonly isAboutMails: boolean
  readonly createdAt: string
}

/** Incidents whose beginning or end must still be notified. */
const untold = (db: Db) =>
  db<IncidentRow>('incidents')
    .whereNotNull('openedAt')
    .where(query =>
      query.whereNull('openTold').orWhere(ended => ended.whereNotNull('closedAt').whereNull('closeTold')),
    )

/**
 * The limit on mails about incidents to one person within a day, from all Spaces together. Beyond it only the dashboard shows
 * them.
 */
const mostToUser = 60

/** The users who are notified of incidents of a Space: those who have chosen it, and may sign in. */
export function alertedUsers(db: Db, spaceId: string): Promise<string[]> {
  return db('userRoles')
    .join('users', 'users.id', 'userRoles.userId')
    .where({ spaceId, getsAlerts: true, deactivatedAt: null })
    .orderBy('userRoles.userId')
    .pluck('userRoles.userId')
}

/** Whether the user has had all mails of a day. Transactions of other Spaces for the same user wait until the commit. */
async function isFull(tx: Db, userId: string, since: string): Promise<boolean> {
  await locked(tx, tx('users').where({ id: userId })).first('id')
  const rows: string[] = await tx('alertMails')
    .where({ userId })
    .where('createdAt', '>', since)
    .limit(mostToUser)
    .pluck('id')
  return rows.length >= mostToUser
}

/** The notifications of a Space since then. */
async function readTold(tx: Db, spaceId: string, since: string): Promise<RecentNotifications> {
  const row = await tx('alertMails')
    .where({ spaceId })
    .where('createdAt', '>', since)
    .countDistinct({ tellings: 'tellingId' })
    .max({ last: 'createdAt' })
    .first()
  const last = row?.['last']
  return {
    count: Number(row?.['tellings'] ?? 0),
    lastMs: typeof last === 'string' ? Date.parse(last) : undefined,
  }
}

/** A beginning or an end of which users are told; or several at once. */
export interface AlertNotification {
  readonly kind: AlertKind
  readonly incidents: readonly IncidentRow[]
}

async function notify(
  tx: Knex.Transaction,
  world: World,
  spaceId: string,
  notification: AlertNotification,
): Promise<void> {
  const { incidents, kind } = notification
  const nowMs = timeIn(tx, world)
  const now = isoTime(nowMs)
  for (const { closedAt, id, openTold } of incidents) {
    const told = { ...(openTold === null && { openTold: now }), ...(closedAt !== null && { closeTold: now }) }
    await tx('incidents').where({ id, spaceId }).update(told)
  }
  const isAboutMails = incidents.some(incident => incident.kind === 'mail_failing')
  const unreached = isAboutMails ? await usersWithFailingMails(tx, spaceId, nowMs) : new Set()
  await purge(tx, { table: 'alertMails', at: 'createdAt', spaceId, nowMs })
  const tellingId = newId(world, idPrefix.alertNotification)
  const incidentIds = JSON.stringify(incidents.map(({ id }) => id))
  for (const userId of await alertedUsers(tx, spaceId)) {
    if (unreached.has(userId) || (await isFull(tx, userId, isoTime(nowMs - notificationLimits.windowMs))))
      continue
    const id = newId(world, idPrefix.alertMail)
    const row = { id, tellingId, spaceId, userId, kind, incidentIds, isAboutMails, createdAt: now }
    await tx('alertMails').insert(row satisfies AlertMailRow)
    await queueAlertMail(tx, world, { spaceId, linkId: id })
  }
}

/** Queues the mails of the pending notifications of one Space, which it returns, or leaves them for later. */
async function tellSpace(
  tx: Knex.Transaction,
  world: World,
  spaceId: string,
): Promise<readonly AlertNotification[]> {
  const nowMs = timeIn(tx, world)
  const incidents = await untold(tx).where({ spaceId }).orderBy(['openedAt', 'id'])
  if (incidents.length === 0) return []
  const told = await readTold(tx, spaceId, isoTime(nowMs - notificationLimits.windowMs))
  const how = notificationOf(incidents.length, told, nowMs)
  if (how === 'later') return []
  const kindOf = ({ closedAt }: IncidentRow) => (closedAt === null ? 'opened' : 'closed')
  const notifications: readonly AlertNotification[] =
    how === 'all'
      ? [{ kind: 'digest', incidents }]
      : incidents.map(incident => ({ kind: kindOf(incident), incidents: [incident] }))
  for (const notification of notifications) await notify(tx, world, spaceId, notification)
  return notifications
}

interface TellingParts {
  readonly database: Database
  readonly world: World
}

/** Works on each Space with such incidents, in a transaction of its own; `then` gets what came of it after the commit. */
async function inEachSpace<T>(
  { database, world }: TellingParts,
  incidents: typeof untold,
  work: (tx: Knex.Transaction, spaceId: string) => Promise<T>,
  then: (done: T, spaceId: string) => void = () => {},
): Promise<void> {
  const spaceIds: string[] = await incidents(database.knex).distinct('spaceId').pluck('spaceId')
  for (const spaceId of spaceIds) {
    then(await database.write(tx => work(tx, spaceId), { spaceId }), spaceId)
    await world.turn()
  }
}

/** Is told of each notification once its mails are queued, by the one of several clouds that has queued them. */
export type AlertListener = (spaceId: string, notification: AlertNotification) => void

/** Queues the mails that are due. */
export const tellIncidents = (parts: TellingParts, told: AlertListener = () => {}): Promise<void> =>
  inEachSpace(
    parts,
    untold,
    (tx, spaceId) => tellSpace(tx, parts.world, spaceId),
    (notifications, spaceId) => {
      for (const notification of notifications) told(spaceId, notification)
    },
  )

/** Incidents of whose beginning nobody was told, and that are over. */
const overUntold = (db: Db) => untold(db).whereNotNull('closedAt').whereNull('openTold')

/**
 * While alerts are muted: nobody will be told of what has begun and ended meanwhile. What goes on, and the end of what was told,
 * waits for the end of the mute.
 */
export const dropOver = (parts: TellingParts): Promise<void> =>
  inEachSpace(parts, overUntold, (tx, spaceId) => {
    const now = isoTime(timeIn(tx, parts.world))
    const told = { openTold: now, closeTold: now }
    const over = tx('incidents').where({ spaceId, openTold: null }).whereNotNull('openedAt')
    return over.whereNotNull('closedAt').update(told)
  })
