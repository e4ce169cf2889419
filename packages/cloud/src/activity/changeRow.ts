// One thing of a Space in the API: found and shown, or changed by a request, with its entry in the activity.

import type { ActivityAction } from '@callgate/contract/rest/activity'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Db } from '../database/database.ts'
import type { Caller } from '../http/handler.ts'
import { type Activity, actorOf, recordActivity } from './activity.ts'

/** How the operations on one thing find and show it. */
export interface Thing<Row, Shown extends object> {
  /** Undefined where the Space has none of that id. */
  find(db: Db): Promise<Row | undefined>
  /** The answer to a request where there is none. */
  readonly none: Problem
  /** What its GET answers, which is what If-Match names. */
  show(row: NoInfer<Row>): Shown
}

/** What the activity says of a change, beside who made it in which Space. */
type Entry<Action extends ActivityAction> = Pick<
  Activity<Action>,
  'action' | 'targetId' | 'targetLabel' | 'details'
>

/** Changes the row. Answers what the activity says of it; undefined where nothing has changed, or all is recorded already. */
type Work<Row, Action extends ActivityAction> = (
  row: Row,
) => Promise<Entry<Action> | Problem | undefined> | Problem | undefined

/** Who changes it. `stale`, as a request has it: the problem when If-Match names another state. */
interface By {
  readonly caller: Pick<Caller, 'spaceId' | 'actor' | 'asker'>
  readonly stale?: (current: object) => Problem | undefined
}

/** The answer to a read of the thing. */
export async function showRow<Row, Shown extends object>(
  db: Db,
  thing: Thing<Row, Shown>,
): Promise<{ readonly status: 200; readonly body: Shown } | Problem> {
  const row = await thing.find(db)
  return row === undefined ? thing.none : { status: 200, body: thing.show(row) }
}

/**
 * Finds the thing, compares it with If-Match, lets `work` change it, and records that, in the transaction `tx`, which a problem
 * rolls back. The answer to a request that leaves nothing to show.
 */
export async function endRow<Row, Action extends ActivityAction>(
  tx: Knex.Transaction,
  world: World,
  { caller, stale }: By,
  thing: Thing<Row, object>,
  work: Work<Row, Action>,
): Promise<{ readonly status: 204 } | Problem> {
  const row = await thing.find(tx)
  if (row === undefined) return thing.none
  const outdated = stale?.(thing.show(row))
  if (outdated) return outdated
  const entry = await work(row)
  if (isProblem(entry)) return entry
  if (entry) await recordActivity(tx, world, { spaceId: caller.spaceId, ...actorOf(caller), ...entry })
  return { status: 204 }
}

/** The same where the thing stays. The answer shows it as it is then. */
export async function changeRow<Row, Shown extends object, Action extends ActivityAction>(
  tx: Knex.Transaction,
  world: World,
  by: By,
  thing: Thing<Row, Shown>,
  work: Work<Row, Action>,
): Promise<{ readonly status: 200; readonly body: Shown } | Problem> {
  const changed = await endRow(tx, world, by, thing, work)
  return isProblem(changed) ? changed : showRow(tx, thing)
}
