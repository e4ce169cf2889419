// One thing of a Space in the API: finds and shows it, or changes it by a request, with its entry in the activity.

import type { ActivityAction } from '@callgate/contract/rest/activity'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import type { Db } from '../database/database.ts'
import type { Principal } from '../http/handler.ts'
import { type Activity, actorOf, recordActivity } from './activity.ts'

/** How the operations on one thing find and show it. */
export interface Thing<Row, Shown extends object> {
  /** Undefined where the Space has no thing with that id. */
  find(db: Db): Promise<Row | undefined>
  /** The answer to a request where there is none. */
  readonly none: Problem
  /** The body of its GET, which is the state that If-Match names. */
  show(row: NoInfer<Row>): Shown
}

/** The part of the activity entry that describes a change, without its maker and Space. */
type Entry<Action extends ActivityAction> = Pick<
  Activity<Action>,
  'action' | 'targetId' | 'targetLabel' | 'details'
>

/**
 * Changes the row. Returns its entry for the activity; undefined where nothing has changed, or everything is recorded already.
 */
type Work<Row, Action extends ActivityAction> = (
  row: Row,
  tx: Knex.Transaction,
) => Promise<Entry<Action> | Problem | undefined> | Problem | undefined

/** The parts of a request that are needed here. It is `stale` when If-Match names another state. */
interface Requested<Answer> {
  readonly principal: Pick<Principal, 'spaceId' | 'actor' | 'identity'>
  readonly stale?: (current: object) => Problem | undefined
  readonly write: (work: (tx: Knex.Transaction) => Promise<Answer | Problem>) => Promise<Answer | Problem>
}

/** The answer to a read of the thing. */
export async function showRow<Row, Shown extends object>(
  db: Db,
  thing: Thing<Row, Shown>,
): Promise<{ readonly status: 200; readonly body: Shown } | Problem> {
  const row = await thing.find(db)
  return row === undefined ? thing.none : { status: 200, body: thing.show(row) }
}

async function change<Row, Action extends ActivityAction>(
  tx: Knex.Transaction,
  world: World,
  { principal, stale }: Omit<Requested<object>, 'write'>,
  thing: Thing<Row, object>,
  work: Work<Row, Action>,
): Promise<Problem | undefined> {
  const row = await thing.find(tx)
  if (row === undefined) return thing.none
  const outdated = stale?.(thing.show(row))
  if (outdated) return outdated
  const entry = await work(row, tx)
  if (isProblem(entry)) return entry
  if (entry) await recordActivity(tx, world, { spaceId: principal.spaceId, ...actorOf(principal), ...entry })
  return undefined
}

/**
 * Finds the thing, compares it with If-Match, lets `work` change it, and records that, in one transaction. A problem rolls that
 * back. The answer shows the new state of the thing.
 */
export function changeRow<
  Row,
  Shown extends object,
  Action extends ActivityAction,
  Status extends 200 | 202 = 200,
>(
  world: World,
  request: Requested<{ readonly status: NoInfer<Status>; readonly body: NoInfer<Shown> }>,
  thing: Thing<Row, Shown>,
  work: Work<Row, Action>,
  status: Status = 200 as Status,
) {
  return request.write(async tx => {
    const refused = await change(tx, world, request, thing, work)
    if (refused) return refused
    const shown = await showRow(tx, thing)
    return isProblem(shown) ? shown : { ...shown, status }
  })
}

/** The same where nothing is left to show. */
export function endRow<Row, Action extends ActivityAction>(
  world: World,
  request: Requested<{ readonly status: 204 }>,
  thing: Thing<Row, object>,
  work: Work<Row, Action>,
) {
  return request.write(
    async tx => (await change(tx, world, request, thing, work)) ?? ({ status: 204 } as const),
  )
}
