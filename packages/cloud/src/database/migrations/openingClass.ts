// The class of an opening, which the database derives from its end: the rule, and its replacement by a migration.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/**
 * The class as SQL, with the reasons of two classes as lists of SQL, which have grown. The same rule as `openingClassOf`; a test
 * compares them.
 */
export const classWith = ({ denied, notCalled }: { readonly denied: string; readonly notCalled: string }) =>
  `case
  when "status" in ('initiated', 'connected') then 'running'
  when "opened" in ('yes', 'likely') then case when "confidence" = 'assumed' then 'probably_opened' else 'opened' end
  when "opened" is not 'no' then 'unknown'
  when "reason" in (${denied}) then 'denied'
  when "reason" in (${notCalled}) then 'not_called'
  else 'did_not_open' end`

/** Replaces the column. `indexes`: those that have it, by name, with the columns after the Space's. */
export async function replaceClass(
  knex: Knex,
  definition: string,
  indexes: Readonly<Record<string, string>>,
): Promise<void> {
  for (const name of Object.keys(indexes)) await knex.raw(`drop index "${name}"`)
  await knex.raw('alter table "openings" drop column "class"')
  const generated = isPostgres(knex)
    ? `(${definition.replace('is not', 'is distinct from')}) stored`
    : `(${definition}) virtual`
  await knex.raw(`alter table "openings" add column "class" text generated always as ${generated}`)
  for (const [name, columns] of Object.entries(indexes))
    await knex.raw(
      `create index "${name}" on "openings" ("spaceId", ${columns}) where "completedAt" is not null`,
    )
}

/** The indexes with the class since migration 0042, on SQLite until 0047. */
export const classIndexes = {
  openings_by_class: '"class", "calledAt", "id"',
  openings_of_gate_by_class: '"gateId", "class", "calledAt", "id"',
}

/** The reasons of the class `denied` before the lock-down. */
export const deniedBeforeLockDown = `'gate_inactive', 'outside_schedule', 'access_ended', 'usage_exhausted', 'access_inactive',
    'access_revoked', 'permission_lost'`
