// Plans, which the operator edits: what each allows, and a Space's own limits.

import type { World } from '@callgate/world/world'
import { actorWithoutId, changesOf, recordActivity } from '../activity/activity.ts'
import { type OwnLimits, type Plan, planLimits, planNames } from '../core/plan.ts'
import type { Database, Db } from '../database/database.ts'

/** All plans, the smallest first. */
export async function listPlans(database: Database): Promise<readonly Plan[]> {
  const rows = await database
    .knex('plans')
    .whereIn('name', [...planNames])
    .orderBy(['gateLimit', 'name'])
  return rows.map(row => ({ ...row, hasApi: Boolean(row.hasApi) }))
}

/**
 * Changes what a plan allows, for every Space that has it, from now on. Everything that exists stays, and a running trial keeps
 * its end. Undefined when there is no such plan.
 */
export async function changePlan(
  database: Database,
  name: string,
  changes: Partial<Omit<Plan, 'name'>>,
): Promise<Plan | undefined> {
  return database.write(async tx => {
    if (Object.keys(changes).length > 0) await tx('plans').where({ name }).update(changes)
    const row = await tx('plans').where({ name }).first()
    return row && { ...row, hasApi: Boolean(row.hasApi) }
  })
}

const noLimits = Object.fromEntries(planLimits.map(limit => [limit, null])) as OwnLimits

/** Writes a Space's own values: limits, and as JSON the countries whose numbers its gates may have. */
export async function keepOwn(
  tx: Db,
  spaceId: string,
  columns: Partial<OwnLimits> & { readonly allowedCountries?: string | null },
): Promise<void> {
  await tx('spaceLimits')
    .insert({ spaceId, ...columns })
    .onConflict('spaceId')
    .merge()
}

/** Sets a Space's own limits; null restores the plan's. Undefined when there is no such Space. */
export async function setOwnLimits(
  parts: { readonly database: Database; readonly world: World },
  given: { readonly spaceId: string; readonly limits: Partial<OwnLimits>; readonly actor: string },
): Promise<({ readonly spaceId: string; readonly name: string } & OwnLimits) | undefined> {
  const { database, world } = parts
  const { actor, limits, spaceId } = given
  return database.write(async tx => {
    const space = await tx('spaces').where({ id: spaceId }).first('name')
    if (!space) return undefined
    const before: OwnLimits =
      (await tx('spaceLimits')
        .where({ spaceId })
        .first(...planLimits)) ?? noLimits
    const after = { ...before, ...limits }
    const changes = changesOf(before, after)
    if (changes) {
      await keepOwn(tx, spaceId, after)
      const of = { spaceId, ...actorWithoutId(actor), targetId: spaceId, targetLabel: space.name }
      const details = { changes }
      await recordActivity(tx, world, { ...of, action: 'space.plan_changed', details })
    }
    return { spaceId, name: space.name, ...after }
  })
}
