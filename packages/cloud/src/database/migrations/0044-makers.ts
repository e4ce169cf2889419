// Who made an invitation and an API key: both have to end with whoever may not do that any more.

import type { Knex } from 'knex'

/** The program before this one has no use for these columns. */
export const readableFrom = '0020-replicas'

const makers = [
  ['userInvitations', 'user.invited'],
  ['apiKeys', 'api_key.created'],
] as const

export async function up(knex: Knex): Promise<void> {
  for (const [table, action] of makers) {
    await knex.raw(`alter table "${table}" add column "madeById" varchar(64)`)
    for (const { id, spaceId } of await knex(table).select('id', 'spaceId')) {
      // The entry that says who made it, by the index of what entries are about.
      const entry = await knex('activityConcerns as concern')
        .join('activity as entry', 'entry.id', 'concern.activityId')
        .where({ 'concern.spaceId': spaceId, concernedId: id, action })
        .first('details')
      const madeById = entry ? (JSON.parse(entry.details).actorId ?? null) : null
      if (madeById !== null) await knex(table).where({ id }).update({ madeById })
    }
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const [table] of makers) await knex.raw(`alter table "${table}" drop column "madeById"`)
}
