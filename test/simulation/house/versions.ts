// Two versions of the cloud: that of this repository, and a next one, whose last migration widens the tables.

import { type Migrations, migrations } from '@callgate/cloud/database/migrations/list'

export type Version = 'this version' | 'next version'

/** Everything that a migration may do while the former version runs. */
const widen: Migrations[string] = {
  async up(knex) {
    await knex.raw('alter table "openings" add column "later" text')
    await knex.raw(`alter table "gates" add column "later" text not null default '{}'`)
    await knex.raw('create index "openings_later" on "openings" ("spaceId", "later")')
    await knex.schema.createTable('laters', table => {
      table.string('id').primary()
    })
  },
  async down() {},
  readableFrom: Object.keys(migrations).at(-1),
}

/** The migrations that a program of each version knows. */
export const knownTo: Readonly<Record<Version, Migrations>> = {
  'this version': migrations,
  'next version': { ...migrations, '9999-later': widen },
}
