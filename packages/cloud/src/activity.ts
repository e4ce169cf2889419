// Activity: the record of administrative actions, written in the transaction of the action itself.

import { isDeepStrictEqual } from 'node:util'
import type { ActivityAction } from '@callgate/contract/activity'
import { idPrefix } from '@callgate/contract/ids'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import type { Knex } from 'knex'

export interface Activity {
  readonly spaceId: string
  readonly action: ActivityAction
  /** `api:<key name>`, `user:<e-mail>`, `operator` or `system`. */
  readonly actor: string
  readonly targetType: 'gate' | 'member' | 'access' | 'api_key' | 'gateway' | 'user' | 'space'
  readonly targetLabel: string
  /** Never a secret, a token or a link. */
  readonly details: Readonly<Record<string, unknown>>
}

/** Adds one entry; it stands or falls with `tx`. */
export async function recordActivity(tx: Knex.Transaction, world: World, activity: Activity): Promise<void> {
  await tx('activity').insert({
    ...activity,
    id: newId(world, idPrefix.activity),
    details: JSON.stringify(activity.details),
    timestamp: isoTime(world.nowMs()),
  })
}

/** An entry's `changes`, by field. */
export type Changes = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>

/** What changed between two states of one thing; undefined when nothing did. */
export function changesOf<State extends object>(before: State, after: State): Changes | undefined {
  const changes = Object.entries(after)
    .map(([field, to]) => [field, { from: (before as Record<string, unknown>)[field], to }] as const)
    .filter(([, change]) => !isDeepStrictEqual(change.from, change.to))
  return changes.length > 0 ? Object.fromEntries(changes) : undefined
}
