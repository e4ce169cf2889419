// Makes an opening write fewer pages, by indexes that hold only the rows for which they are read.

import type { Knex } from 'knex'
import { isPostgres } from '../dialect.ts'

/** Indexes of ended openings, each of which is added once, at its end. */
const ofEnded = {
  openings_by_status: ['spaceId', 'status', 'calledAt', 'id'],
  openings_of_gate_by_status: ['spaceId', 'gateId', 'status', 'calledAt', 'id'],
  openings_by_class: ['spaceId', 'class', 'calledAt', 'id'],
  openings_of_gate_by_class: ['spaceId', 'gateId', 'class', 'calledAt', 'id'],
}

const ofMember = ['spaceId', 'memberId', 'calledAt', 'id']

const listed = (columns: readonly string[]) => columns.map(column => `"${column}"`).join(', ')

async function replaceIndex(knex: Knex, name: string, on: string): Promise<void> {
  await knex.raw(`drop index if exists "${name}"`)
  await knex.raw(`create index "${name}" on "openings" ${on}`)
}

/** Creates the table of events again with its rows, and with another end of its definition. */
async function remakeEvents(knex: Knex, ending: string): Promise<void> {
  await knex.raw('alter table "events" rename to "eventsBefore"')
  await knex.raw(
    `create table "events" (
       "spaceId" varchar(255) not null references "spaces" ("id"), "seq" bigint not null, "at" varchar(24) not null,
       "kind" varchar(255) not null, "targetId" varchar(255) not null, "gateId" varchar(255), "memberId" varchar(255),
       primary key ("spaceId", "seq")) ${ending}`,
  )
  const columns = listed(['spaceId', 'seq', 'at', 'kind', 'targetId', 'gateId', 'memberId'])
  await knex.raw(`insert into "events" (${columns}) select ${columns} from "eventsBefore"`)
  await knex.raw('drop table "eventsBefore"')
  await knex.raw('create index "events_targetid_seq_index" on "events" ("targetId", "seq")')
}

export async function up(knex: Knex): Promise<void> {
  for (const [name, columns] of Object.entries(ofEnded))
    await replaceIndex(knex, name, `(${listed(columns)}) where "completedAt" is not null`)
  // In the order of the lists, because the lists of running openings are read by it.
  await replaceIndex(knex, 'openings_running', '("spaceId", "calledAt", "id") where "completedAt" is null')
  // Most presses are not those of a member.
  await replaceIndex(knex, 'openings_of_member', `(${listed(ofMember)}) where "memberId" is not null`)
  await replaceIndex(
    knex,
    'openings_joinedopeningid_index',
    `("joinedOpeningId") where "joinedOpeningId" is not null`,
  )
  // Running openings are found by their Space, and the calls on a number by `openings_called`.
  for (const name of ['openings_gatewayid_status_index', 'openings_spaceid_phonenumber_completedat_index'])
    await knex.raw(`drop index "${name}"`)
  // The oldest events are found by the primary key, in whose order SQLite stores the rows.
  if (isPostgres(knex)) await knex.raw('drop index "events_at_index"')
  else await remakeEvents(knex, 'without rowid')
}

export async function down(knex: Knex): Promise<void> {
  if (!isPostgres(knex)) await remakeEvents(knex, '')
  await knex.raw('create index "events_at_index" on "events" ("at")')
  for (const [name, columns] of Object.entries(ofEnded))
    await replaceIndex(knex, name, `(${listed(columns)})`)
  await replaceIndex(knex, 'openings_of_member', `(${listed(ofMember)})`)
  await replaceIndex(knex, 'openings_running', `("status") where "status" in ('initiated', 'connected')`)
  await replaceIndex(knex, 'openings_joinedopeningid_index', '("joinedOpeningId")')
  await replaceIndex(knex, 'openings_gatewayid_status_index', '("gatewayId", "status")')
  await replaceIndex(
    knex,
    'openings_spaceid_phonenumber_completedat_index',
    '("spaceId", "phoneNumber", "completedAt")',
  )
}
