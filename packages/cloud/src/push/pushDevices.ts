// The SQL of devices: the browsers of users that get pushes, and who may get one at this moment.

import { createHash } from 'node:crypto'
import type { PushDevice } from '@callgate/contract/app/push'
import type { PushKind, PushMessage } from '@callgate/contract/app/pushMessage'
import type { Db } from '../database/database.ts'
import type { Seal } from '../secrets/sealing.ts'
import type { PushSubscription } from './encryptedPush.ts'

/** A row of the table `pushDevices`. */
export interface PushDeviceRow extends PushDevice {
  readonly userId: string
  readonly subscriptionSealed: string
}

/** How many devices a user has at most: another one replaces the oldest. */
export const mostDevices = 10

/** The id of a browser: nobody can make its endpoint of it. */
export const deviceIdOf = (endpoint: string) => createHash('sha256').update(endpoint).digest('base64url')

/** The context with which the subscription of a device is sealed. */
export const pushDevicePlace = (id: string) => `push device ${id}`

/** The column that says whether a device gets pushes of a kind. */
const switchOf = { alert: 'device.alerts', opening: 'device.openings' } as const satisfies Record<
  PushKind,
  string
>

export const toDevice = ({ alerts, browser, createdAt, id, openings }: PushDeviceRow): PushDevice => ({
  id,
  browser,
  alerts: Boolean(alerts),
  openings: Boolean(openings),
  createdAt,
})

/** The devices of a user, oldest first. */
export const devicesOf = (db: Db, userId: string): Promise<PushDeviceRow[]> =>
  db<PushDeviceRow>('pushDevices').where({ userId }).orderBy(['createdAt', 'id'])

/** Adds a device, or replaces what was known of it. */
export async function addDevice(tx: Db, row: PushDeviceRow): Promise<void> {
  await tx('pushDevices').where({ id: row.id }).delete()
  const known = await devicesOf(tx, row.userId)
  const replaced = known.slice(0, Math.max(0, known.length + 1 - mostDevices)).map(({ id }) => id)
  await tx('pushDevices').whereIn('id', replaced).delete()
  await tx('pushDevices').insert(row)
}

export async function changeDevice(
  tx: Db,
  of: { readonly id: string; readonly userId: string },
  change: Partial<Pick<PushDevice, 'alerts' | 'openings'>>,
): Promise<PushDeviceRow | undefined> {
  if (Object.keys(change).length > 0) await tx('pushDevices').where(of).update(change)
  return tx<PushDeviceRow>('pushDevices').where(of).first()
}

/** Removes a device, of this user or of whoever has it. False where there is none. */
export async function removeDevice(
  tx: Db,
  of: { readonly id: string; readonly userId?: string },
): Promise<boolean> {
  return (await tx('pushDevices').where(of).delete()) > 0
}

/** The devices that want pushes of a kind, with each live Space of their users, who may sign in. A sandbox sends nothing. */
const wanted = (db: Db, kind: PushKind) =>
  db('pushDevices as device')
    .join('users as user', 'user.id', 'device.userId')
    .join('userRoles as role', 'role.userId', 'device.userId')
    .join('spaces as space', 'space.id', 'role.spaceId')
    .whereNull('user.deactivatedAt')
    .where({ [switchOf[kind]]: true, 'space.mode': 'live' })

/** The devices that get a push about a Space, by the roles of this moment. */
export const devicesToTell = (db: Db, { kind, spaceId }: Pick<PushMessage, 'kind' | 'spaceId'>) =>
  wanted(db, kind).where('role.spaceId', spaceId)

/** The Spaces with events that were not looked through, and somebody who wants to know of openings. */
export async function spacesToLookAt(db: Db): Promise<readonly string[]> {
  return wanted(db, 'opening')
    .join('eventCounters as counter', 'counter.spaceId', 'role.spaceId')
    .leftJoin('pushCursors as cursor', 'cursor.spaceId', 'role.spaceId')
    .where(query => query.whereNull('cursor.seq').orWhere('cursor.seq', '<', db.ref('counter.lastSeq')))
    .distinct('role.spaceId')
    .pluck('role.spaceId')
}

/** The subscription of a device, where it may get this push at this moment. */
export async function subscriptionFor(
  db: Db,
  seal: Seal,
  { deviceId, message }: { readonly deviceId: string; readonly message: PushMessage },
): Promise<PushSubscription | undefined> {
  const row = await devicesToTell(db, message).where('device.id', deviceId).first('device.subscriptionSealed')
  const text = row && seal.unseal(row.subscriptionSealed, pushDevicePlace(deviceId))
  return text === undefined ? undefined : (JSON.parse(text) as PushSubscription)
}
