// Who made an invitation and an API key: both end when their maker loses the right to make them.

import type { Knex } from 'knex'

/** The previous program does not use these columns. */
export const readableFrom = '0020-replicas'

const makers = [
  ['userInvitations', 'user.invited'],
  ['apiKeys', 'api_key.created'],
] as const

export async function up(knex: Knex): Promise<void> {
  for (const [table, action] of makers) {
    await knex.raw(`alter table "${table}" add column "madeById" varchar(64)`)
    for (const { id, spaceId } of await knex(table).select('id', 'spaceId')) {
      // The entry that names the maker, found by the index of the things that entries are about.
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
