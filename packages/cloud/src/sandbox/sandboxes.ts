// Sandboxes: Spaces that call nobody. How one is made.

import { refuse } from '@callgate/contract/app/refusals'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { Problem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import type { World } from '@callgate/world/world'
import type { Knex } from 'knex'
import { countRows, type Database, type Db } from '../database/database.ts'
import { insertStandIn } from '../gateway/gateways.ts'
import { insertSpace, type NewSpace, type Space } from '../space/spaces.ts'

/** How many sandboxes a user may own. */
export const mostSandboxes = 2

/** Makes a sandbox with its stand-in, inside the transaction `tx`. */
export async function insertSandbox(
  tx: Knex.Transaction,
  world: World,
  spaceId: string,
  given: Omit<NewSpace, 'mode'>,
): Promise<Space> {
  const space = await insertSpace(tx, world, spaceId, { ...given, mode: 'sandbox' })
  await insertStandIn(tx, world, spaceId)
  return space
}

/** The same in a transaction of its own, without an owner: for the operator. */
export function createSandbox(
  { database, world }: { readonly database: Database; readonly world: World },
  given: Omit<NewSpace, 'mode'>,
): Promise<Space> {
  const spaceId = newId(world, idPrefix.space)
  return database.write(tx => insertSandbox(tx, world, spaceId, given), { spaceId })
}

/** The problem that the user owns too many sandboxes to make another one. */
export async function sandboxLimit(db: Db, userId: string): Promise<Problem | undefined> {
  const owned = db('userRoles as role')
    .join('spaces as space', 'space.id', 'role.spaceId')
    .where({ 'role.userId': userId, 'role.role': 'owner', 'space.mode': 'sandbox' })
  const used = await countRows(owned)
  return used < mostSandboxes ? undefined : refuse('sandbox_limit', { limit: mostSandboxes, used })
}
