// `callgate timezones`: the time zone rules of this program, and whether they know the stored zones.

import { zoneRules } from '@callgate/contract/time/zoneRules'
import { counted } from '../core/counted.ts'
import { zoneOf } from '../core/schedule/zone.ts'
import type { Database } from '../database/database.ts'
import { brokenRules, oldRules, rulesName } from '../health/zoneRules.ts'
import type { CommandWork } from './commandWork.ts'

/** The names of the zones in Spaces and schedules. */
async function storedNames(database: Database): Promise<readonly string[]> {
  const rows: readonly { readonly name: string }[] = await database.knex.raw(
    `select "timezone" as name from "spaces" union
      select json_extract(schedule.value, '$.timezone') from "accesses", json_each("accesses"."schedules") as schedule`,
  )
  return rows.map(({ name }) => name)
}

const show: CommandWork = async ({ database, world }) => {
  const names = await storedNames(database)
  const unknown = names.filter(name => !zoneOf(name))
  const lost = unknown.length === 0 ? undefined : `They do not know what is stored: ${unknown.join(', ')}.`
  const complaints = [brokenRules(), lost, oldRules(world.nowMs())].filter(said => said !== undefined)
  const heading = `The rules of the time zones are those of ${rulesName}. Spaces and schedules name ${counted(names.length, 'zone')}.`
  return {
    ok: true,
    json: { version: zoneRules.version, zones: names.length, unknown, complaints },
    text: [heading, ...complaints].join('\n'),
    exitCode: complaints.length > 0 ? 1 : 0,
  }
}

export const timezoneWork = { show } satisfies Record<string, CommandWork>
