// Updates of gateways in the database: the state of each, and the permissions of owners.

import type { GatewayUpdate, UpdateHours } from '@callgate/contract/app/update'
import type { Beat } from '@callgate/contract/wire/messages'
import type { Db } from '../database/database.ts'
import type { TaskRow } from '../task/taskRows.ts'
import { type Asking, leaveLastsMs, type Offeree, offerFor, type Stage } from './core/updateOffer.ts'

export interface GatewayOfSpace {
  readonly spaceId: string
  readonly gatewayId: string
}

/** The row of a gateway; all columns are null where it has none. */
export interface UpdateColumns {
  readonly architecture: string | null
  readonly allowedVersion: string | null
  readonly allowedAt: string | null
  readonly askedVersion: string | null
  readonly askedAt: string | null
  readonly askedTask: string | null
  readonly lastTask: string | null
  readonly lastVersion: string | null
  readonly lastState: string | null
  readonly lastWhy: string | null
  readonly lastCause: string | null
  readonly lastAt: string | null
}

/** A gateway with the state of its updates. */
export interface UpdateRow extends UpdateColumns, GatewayOfSpace {
  readonly name: string
  /** JSON. */
  readonly lastBeat: string | null
  /** The result of the last requested task; null: it is open, or there is none. */
  readonly askedEndedAs: TaskRow['endedAs']
}

const columns = [
  ...['architecture', 'allowedVersion', 'allowedAt', 'askedVersion', 'askedAt', 'askedTask'],
  ...['lastTask', 'lastVersion', 'lastState', 'lastWhy', 'lastCause', 'lastAt'],
].map(name => `gatewayUpdates.${name}`)

/** Active gateways with their updates, in the order of their ids. */
const rows = (db: Db) =>
  db('gateways')
    .leftJoin('gatewayUpdates', 'gatewayUpdates.id', 'gateways.id')
    .leftJoin('tasks', 'tasks.id', 'gatewayUpdates.askedTask')
    .whereNull('gateways.revokedAt')
    .orderBy('gateways.id')
    .select(
      { gatewayId: 'gateways.id', askedEndedAs: 'tasks.endedAs' },
      'gateways.spaceId',
      'gateways.name',
      'gateways.lastBeat',
      ...columns,
    ) as unknown as QueryOf

/** The part of a query builder that is used here, with rows of this kind. */
interface QueryOf extends PromiseLike<readonly UpdateRow[]> {
  where(name: string, value: string): QueryOf
  where(name: string, operator: string, value: string): QueryOf
  whereIn(name: string, values: readonly string[]): QueryOf
  whereNotNull(name: string): QueryOf
  limit(count: number): QueryOf
}

/** The active gateways of a Space. */
export const updatesOf = (db: Db, spaceId: string): PromiseLike<readonly UpdateRow[]> =>
  rows(db).where('gateways.spaceId', spaceId)

/** The gateways of several Spaces, `limit` with an id after `afterId`. */
export const updatesOfAll = (
  db: Db,
  spaceIds: readonly string[],
  afterId: string,
  limit: number,
): PromiseLike<readonly UpdateRow[]> =>
  rows(db).whereIn('gateways.spaceId', spaceIds).where('gateways.id', '>', afterId).limit(limit)

/** One gateway; undefined where the Space has none, or it is revoked. */
export async function updateOf(
  db: Db,
  { gatewayId, spaceId }: GatewayOfSpace,
): Promise<UpdateRow | undefined> {
  const [row] = await rows(db).where('gateways.spaceId', spaceId).where('gateways.id', gatewayId)
  return row
}

/** Gateways of all Spaces with a permission of an owner, `limit` of them with an id after `afterId`. */
export const allowedUpdates = (db: Db, afterId: string, limit: number): PromiseLike<readonly UpdateRow[]> =>
  rows(db).whereNotNull('gatewayUpdates.allowedVersion').where('gateways.id', '>', afterId).limit(limit)

/** Writes some columns of a gateway's row, and makes the row where there is none. */
export async function saveUpdate(
  tx: Db,
  { gatewayId, spaceId }: GatewayOfSpace,
  changed: Partial<UpdateColumns>,
): Promise<void> {
  const saved = await tx('gatewayUpdates').where({ id: gatewayId, spaceId }).update(changed)
  if (saved === 0) await tx('gatewayUpdates').insert({ id: gatewayId, spaceId, ...changed })
}

export async function readHours(db: Db, spaceId: string): Promise<UpdateHours | null> {
  const row = await db('updateHours').where({ spaceId }).first('from', 'to')
  return row ? { from: row.from, to: row.to } : null
}

export async function writeHours(tx: Db, spaceId: string, hours: UpdateHours | null): Promise<void> {
  await tx('updateHours').where({ spaceId }).delete()
  if (hours) await tx('updateHours').insert({ spaceId, ...hours })
}

/** The Spaces with hours, and their zones: `limit` of them with an id after `afterId`. */
export const listHours = (
  db: Db,
  afterId: string,
  limit: number,
): Promise<readonly (UpdateHours & { readonly spaceId: string; readonly timezone: string })[]> =>
  db('updateHours')
    .join('spaces', 'spaces.id', 'updateHours.spaceId')
    .where('updateHours.spaceId', '>', afterId)
    .orderBy('updateHours.spaceId')
    .limit(limit)
    .select('updateHours.spaceId', 'updateHours.from', 'updateHours.to', 'spaces.timezone')

const beatOf = ({ lastBeat }: Pick<UpdateRow, 'lastBeat'>): Partial<Beat> =>
  lastBeat === null ? {} : (JSON.parse(lastBeat) as Beat)

const lastOf = ({
  lastAt,
  lastCause,
  lastState,
  lastVersion,
  lastWhy,
}: UpdateColumns): GatewayUpdate['last'] =>
  lastAt === null || lastState === null || lastVersion === null
    ? null
    : { version: lastVersion, state: lastState, why: lastWhy, cause: lastCause, at: lastAt }

/** Whether it has reported the result of the last request. */
const hasEnded = ({ askedTask, lastTask }: UpdateColumns) => askedTask !== null && askedTask === lastTask

/** The offer to this gateway. */
export function offerTo(stages: readonly Stage[], row: UpdateRow): Stage | undefined {
  const { architecture, spaceId } = row
  const offeree: Offeree = { spaceId, architecture, version: beatOf(row).version ?? null, last: lastOf(row) }
  return offerFor(stages, offeree)
}

/** The state of its requests. */
export function askingOf(row: UpdateRow, isInHours: boolean): Asking {
  const { allowedAt, allowedVersion, askedAt, askedEndedAs, askedVersion } = row
  const state = askedEndedAs === null ? 'open' : askedEndedAs === 'done' ? 'taken' : 'not_taken'
  return {
    allowed:
      allowedVersion === null || allowedAt === null
        ? null
        : { version: allowedVersion, atMs: Date.parse(allowedAt) },
    asked:
      askedVersion === null || askedAt === null
        ? null
        : { version: askedVersion, atMs: Date.parse(askedAt), state, hasEnded: hasEnded(row) },
    isInHours,
  }
}

/** A request without an answer for this time counts as lost. */
const shownAskedMs = 2 * 3_600_000

/** The row in the form of the dashboard. */
export function toUpdateView(row: UpdateRow, stages: readonly Stage[], nowMs: number): GatewayUpdate {
  const { allowedAt, allowedVersion, askedAt, askedEndedAs, gatewayId } = row
  const { can = [], version = null } = beatOf(row)
  const offer = offerTo(stages, row)
  const isAllowed =
    allowedVersion !== null && allowedAt !== null && nowMs - Date.parse(allowedAt) < leaveLastsMs
  const isAsked =
    askedAt !== null &&
    !hasEnded(row) &&
    askedEndedAs !== 'not_done' &&
    nowMs - Date.parse(askedAt) < shownAskedMs
  return {
    gatewayId,
    version,
    canUpdate: can.includes('update'),
    offered: offer ? { version: offer.version, notes: offer.notes } : null,
    allowed: isAllowed ? { version: allowedVersion, at: allowedAt } : null,
    askedAt: isAsked ? askedAt : null,
    last: lastOf(row),
  }
}
