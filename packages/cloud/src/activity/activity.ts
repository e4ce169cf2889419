// Activity: the record of administrative actions, written in the transaction of the action itself.

import { isDeepStrictEqual } from 'node:util'
import { idPrefix } from '@callgate/contract/idPrefix'
import { type ActivityAction, activityActions, type RecordedDetails } from '@callgate/contract/rest/activity'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { type Identity, principalId } from '../core/identity.ts'
import { timeIn } from '../database/databaseTime.ts'
import { statement, type Values } from '../database/statement.ts'
import { recordEvents } from '../event/events.ts'

/** The person or program that does something. */
export interface Actor {
  /** `api:<key name>`, `user:<e-mail>`, `operator` or `system`. */
  readonly actor: string
  /** The id of the API key or the user; null for the operator and the system. */
  readonly actorId: string | null
}

/** The operator at the command line, or the program itself: they have no id. */
export function actorWithoutId(actor: string): Actor {
  return { actor, actorId: null }
}

/** The API key or the user that makes a request. */
export function actorOf({ actor, identity }: { readonly actor: string; readonly identity: Identity }): Actor {
  return { actor, actorId: principalId(identity) }
}

export interface Activity<Action extends ActivityAction> extends Actor {
  readonly spaceId: string
  readonly action: Action
  readonly targetId: string
  readonly targetLabel: string
  readonly details: RecordedDetails<Action>
}

/** The ids of all things that an entry is about; the entry is found by them. */
function concerned(targetId: string, details: object): ReadonlySet<string> {
  const { gateId, gateIds, memberId } = details as {
    gateId?: string
    gateIds?: readonly string[] | null
    memberId?: string | null
  }
  const single = [gateId, memberId].filter(id => typeof id === 'string')
  return new Set([targetId, ...single, ...(gateIds ?? [])])
}

const insertEntry = statement<Values, never>((db, entry) => db('activity').insert(entry))
const insertConcern = statement<Values, never>((db, concern) => db('activityConcerns').insert(concern))

/** Adds one entry in the transaction `tx`, which commits or rolls back both. */
export async function recordActivity<Action extends ActivityAction>(
  tx: Knex.Transaction,
  world: World,
  activity: Activity<Action>,
): Promise<void> {
  const { action, actor, actorId, details, spaceId, targetId, targetLabel } = activity
  const activityId = newId(world, idPrefix.activity)
  const nowMs = timeIn(tx, world)
  const timestamp = isoTime(nowMs)
  await insertEntry(tx, {
    id: activityId,
    spaceId,
    action,
    actor,
    targetType: activityActions[action].targetType,
    targetLabel,
    details: JSON.stringify({ ...details, actorId, targetId }),
    timestamp,
  })
  for (const concernedId of concerned(targetId, details))
    await insertConcern(tx, { spaceId, concernedId, timestamp, activityId })
  const { gateId = null } = details as { gateId?: string }
  await recordEvents(tx, spaceId, [{ kind: action, targetId, gateId, atMs: nowMs }])
}

/** The old and new value of each field that changed. */
export type Changes<State> = { [Field in keyof State]?: { from: State[Field]; to: State[Field] } }

/** The changes between two states of one thing; undefined where there are none. */
export function changesOf<State extends object>(before: State, after: State): Changes<State> | undefined {
  return recordedChanges(before, after, state => state)
}

/** The same for an entry that does not show the values themselves: `recorded` gives what it shows of a state. */
export function recordedChanges<State extends object, Recorded extends { [Field in keyof State]: unknown }>(
  before: State,
  after: State,
  recorded: (state: State) => Recorded,
): Changes<Recorded> | undefined {
  const [from, to] = [recorded(before), recorded(after)]
  const changes: Changes<Recorded> = {}
  for (const field of Object.keys(after) as (keyof State & keyof Recorded)[])
    if (!isDeepStrictEqual(before[field], after[field])) changes[field] = { from: from[field], to: to[field] }
  return Object.keys(changes).length > 0 ? changes : undefined
}
