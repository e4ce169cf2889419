// Which Space has called a number last, for Spaces that have gates with the same number; and the class of an opening whose
// number was in use.

import type { Knex } from 'knex'
import { classIndexes, classWith, deniedBeforeLockDown, replaceClass } from './openingClass.ts'

/** The previous program grants without these locks. Until it is replaced, two Spaces may call one number at once. */
export const readableFrom = '0020-replicas'

const reasonsBefore = `'gateway_offline', 'modem_busy', 'modem_not_ready', 'no_network', 'not_dialled', 'interrupted',
  'number_not_allowed', 'number_changed', 'sim_error', 'line_in_use'`

const classFor = (notCalled: string) => classWith({ denied: deniedBeforeLockDown, notCalled })

export async function up(knex: Knex): Promise<void> {
  await knex.schema.createTable('numberLocks', table => {
    table.string('phoneNumber', 16).primary()
    // The last granted opening, and its Space.
    table.string('openingId').notNullable()
    table.string('heldBy').notNullable()
    table.string('heldSince', 24).notNullable().index()
    // Whether that opening calls the former number of its gate.
    table.boolean('isMoved').notNullable()
    // Whether a press of another Space was refused because of it.
    table.boolean('hasRefused').notNullable()
    // JSON: since when each Space has been refused, and how often each one has made others wait in this hour.
    table.text('waits').notNullable()
    table.text('refusals').notNullable()
  })
  await replaceClass(knex, classFor(`${reasonsBefore}, 'number_in_use'`), classIndexes)
}

export async function down(knex: Knex): Promise<void> {
  await replaceClass(knex, classFor(reasonsBefore), classIndexes)
  await knex.schema.dropTable('numberLocks')
}
