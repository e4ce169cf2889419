// Activity: the record of administrative actions, written in the transaction of the action itself.

import { isDeepStrictEqual } from 'node:util'
import { idPrefix } from '@callgate/contract/idPrefix'
import { type ActivityAction, type ActivityDetails, activityActions } from '@callgate/contract/rest/activity'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'

export interface Activity<Action extends ActivityAction> {
  readonly spaceId: string
  readonly action: Action
  /** `api:<key name>`, `user:<e-mail>`, `operator` or `system`. */
  readonly actor: string
  readonly targetLabel: string
  readonly details: ActivityDetails<Action>
}

/** Adds one entry in the transaction `tx`, which commits or rolls back both. */
export async function recordActivity<Action extends ActivityAction>(
  tx: Knex.Transaction,
  world: World,
  activity: Activity<Action>,
): Promise<void> {
  await tx('activity').insert({
    ...activity,
    targetType: activityActions[activity.action].targetType,
    id: newId(world, idPrefix.activity),
    details: JSON.stringify(activity.details),
    timestamp: isoTime(world.nowMs()),
  })
}

/** What a change was from and to, for each field that changed. */
export type Changes<State> = { [Field in keyof State]?: { from: State[Field]; to: State[Field] } }

/** What changed between two states of one thing; undefined when nothing did. */
export function changesOf<State extends object>(before: State, after: State): Changes<State> | undefined {
  return recordedChanges(before, after, state => state)
}

/** The same, where an entry does not show the values themselves: `recorded` says what it shows of a state. */
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
