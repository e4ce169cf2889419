// Tasks in the database: what a gateway is asked to do, and the result.

import { idPrefix } from '@callgate/contract/idPrefix'
import type { CloudFailure, Task, TaskKind, TaskOf, TaskReport } from '@callgate/contract/wire/tasks'
import { taskEndsWithinMs } from '@callgate/contract/wire/timing'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Db } from '../database/database.ts'
import { timeIn } from '../database/databaseTime.ts'

export interface TaskRow {
  readonly id: string
  readonly spaceId: string
  readonly gatewayId: string
  readonly kind: TaskKind
  /** JSON: the fields of the message except its id and its kind. */
  readonly details: string
  readonly createdAt: string
  readonly expiresAt: string
  /** The boot that was asked. No other one is asked to do it. */
  readonly bootId: string | null
  readonly endedAt: string | null
  readonly endedAs: 'done' | 'not_done' | null
  /** Why the task was not done: a word of the gateway, or of `cloudFailures`. */
  readonly reason: string | null
  /** JSON: the gateway's report, without its id. */
  readonly told: string | null
}

/** How long a task and its report are kept. */
export const keptForMs = 30 * 24 * 60 * 60_000

/** The message to the gateway. */
export const taskOf = ({ details, id, kind }: TaskRow): Task =>
  ({ taskId: id, kind, ...JSON.parse(details) }) as Task

/** The open task of a gateway; there is one at most. */
export const openTaskOf = (
  db: Db,
  { gatewayId, spaceId }: Pick<TaskRow, 'gatewayId' | 'spaceId'>,
): Promise<TaskRow | undefined> => db<TaskRow>('tasks').where({ spaceId, gatewayId, endedAt: null }).first()

/** The last task of this kind, ended or not. */
export const lastTaskOf = (
  db: Db,
  where: Pick<TaskRow, 'gatewayId' | 'spaceId' | 'kind'>,
): Promise<TaskRow | undefined> =>
  db<TaskRow>('tasks')
    .where(where)
    .orderBy(['createdAt', 'id'].map(column => ({ column, order: 'desc' })))
    .first()

/** The open tasks of these gateways, the oldest first. */
export const listOpenTasks = (db: Db, gatewayIds: readonly string[]): Promise<readonly TaskRow[]> =>
  db<TaskRow>('tasks').whereNull('endedAt').whereIn('gatewayId', gatewayIds).orderBy(['createdAt', 'id'])

/** A task with a later time than this was written before the clock was set back. */
const clocksDifferMs = 60_000

/** Whether the time of a task is over. */
export const isOver = ({ createdAt, expiresAt }: TaskRow, nowMs: number): boolean =>
  nowMs >= Date.parse(expiresAt) || nowMs < Date.parse(createdAt) - clocksDifferMs

/** Open tasks whose time is over: `limit` of all gateways, the Spaces in turns. */
export function listOverTasks(db: Db, nowMs: number, limit: number): Promise<readonly TaskRow[]> {
  const inTurns = 'row_number() over (partition by "spaceId" order by "expiresAt", "id") as "turn"'
  const over = db('tasks')
    .whereNull('endedAt')
    .where(time =>
      time
        .where('expiresAt', '<=', isoTime(nowMs))
        .orWhere('createdAt', '>', isoTime(nowMs + clocksDifferMs)),
    )
    .select('*', db.raw(inTurns))
  return db<TaskRow>(over.as('over')).orderBy(['turn', 'expiresAt', 'id']).limit(limit)
}

interface NewTask<Kind extends TaskKind> extends Pick<TaskRow, 'gatewayId' | 'spaceId'> {
  readonly kind: Kind
  readonly details: Omit<TaskOf<Kind>, 'taskId' | 'kind'>
}

/** Writes a task down, which the cloud then sends. Undefined: another task of the gateway is open. */
export async function insertTask<Kind extends TaskKind>(
  tx: Knex.Transaction,
  world: World,
  { details, gatewayId, kind, spaceId }: NewTask<Kind>,
): Promise<TaskRow | undefined> {
  if (await openTaskOf(tx, { spaceId, gatewayId })) return undefined
  const nowMs = timeIn(tx, world)
  await tx('tasks')
    .where({ spaceId, gatewayId })
    .where('createdAt', '<', isoTime(nowMs - keptForMs))
    .delete()
  const row: TaskRow = {
    id: newId(world, idPrefix.task),
    spaceId,
    gatewayId,
    kind,
    details: JSON.stringify(details),
    createdAt: isoTime(nowMs),
    expiresAt: isoTime(nowMs + taskEndsWithinMs[kind]),
    bootId: null,
    endedAt: null,
    endedAs: null,
    reason: null,
    told: null,
  }
  await tx('tasks').insert(row)
  return row
}

/** Records the boot before it is asked. False: the task has ended, or another boot is asked. */
export async function noteBoot(
  tx: Knex.Transaction,
  { id, spaceId }: TaskRow,
  bootId: string,
): Promise<boolean> {
  const noted = await tx('tasks')
    .where({ id, spaceId, endedAt: null })
    .where(builder => builder.whereNull('bootId').orWhere({ bootId }))
    .update({ bootId })
  return noted === 1
}

/** The details of an ended task that are kept: without the part that was sealed for its gateway, which is no longer needed. */
function detailsToKeep(details: string): string {
  const { sealedPassword: _, ...kept } = JSON.parse(details) as { readonly sealedPassword?: string }
  return JSON.stringify(kept)
}

/** Ends a task. False: it had ended before. */
export async function endTask(
  tx: Knex.Transaction,
  world: World,
  { details, id, spaceId }: Pick<TaskRow, 'details' | 'id' | 'spaceId'>,
  how: TaskReport | { readonly state: 'not_done'; readonly reason: CloudFailure },
): Promise<boolean> {
  const { state: endedAs } = how
  const { taskId: _, ...told } = 'taskId' in how ? how : { taskId: id }
  const reason = how.state === 'not_done' ? how.reason : null
  const columns = { details: detailsToKeep(details), endedAt: isoTime(timeIn(tx, world)), endedAs, reason }
  const kept = 'taskId' in how ? { told: JSON.stringify(told) } : {}
  return (
    (await tx('tasks')
      .where({ id, spaceId, endedAt: null })
      .update({ ...columns, ...kept })) === 1
  )
}
