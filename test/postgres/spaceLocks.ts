// A check in the databases of the tests: a write that names its Spaces changes only rows of these Spaces.

import type { Database } from '@callgate/cloud/database/database'

/** SQL of the Space of a row `changed`, where that is not its column `spaceId`. */
const byGateway = `(select "spaceId" from "gateways" where "id" = changed ->> 'gatewayId')`
const spaceOfRow: Readonly<Record<string, string>> = {
  spaces: `changed ->> 'id'`,
  supersededBoots: byGateway,
  beatFigures: byGateway,
  strayReports: byGateway,
  openingReports: `(select "spaceId" from "openings" where "id" = changed ->> 'openingId')`,
  apiKeyUses: `(select "spaceId" from "apiKeys" where "id" = changed ->> 'apiKeyId')`,
}

/** Rows of no Space. A write that names a Space changes them only by single atomic statements, or only adds some. */
const ofNoSpace = [
  ...[
    'alertMutes',
    'clouds',
    'keptAnswers',
    'limitLogs',
    'numberLocks',
    'openStreams',
    'passkeys',
    'passwordResets',
    'plans',
    'pressedForms',
    'pushDevices',
    'pushKeys',
    'recoveryCodes',
    'releaseStages',
    'replicas',
    'restores',
    'schemas',
    'servedTime',
    'servingClouds',
  ],
  ...['sessions', 'signingKeys', 'spentKeys', 'streamLocks', 'users', 'migrations', 'migrations_lock'],
]

/** Old rows of any Space are deleted along the way: see `unlocked`. */
const deletedOnTheWay = ['mailRecords', 'outbox']

// A write that names its Spaces holds the one-number lock shared; the numbers of a Space are those of `numbersOf`.
const functionOf = (table: string, space: string) => `
  create function "check_${table}"() returns trigger language plpgsql as $check$
  declare
    changed jsonb;
    space text;
    hash bytea;
  begin
    if not exists (select from pg_locks where pid = pg_backend_pid() and locktype = 'advisory'
      and objsubid = 1 and mode = 'ShareLock') then return null; end if;
    for changed in select jsonb_array_elements(jsonb_build_array(to_jsonb(old), to_jsonb(new))) loop
      space := ${space};
      hash := sha256(convert_to(space, 'UTF8'));
      if space is not null and not exists (select from pg_locks where pid = pg_backend_pid()
        and locktype = 'advisory' and objsubid = 2 and mode = 'ExclusiveLock'
        and lpad(to_hex(classid::bigint), 8, '0') || lpad(to_hex(objid::bigint), 8, '0')
          = encode(substr(hash, 1, 8), 'hex'))
      then raise exception 'a write without the lock of the Space % has changed a row of "${table}"', space; end if;
    end loop;
    return null;
  end $check$`

/** Makes every table of the database refuse a row of a Space that its transaction has not locked. */
export async function checkSpaceLocks({ knex }: Pick<Database, 'knex'>): Promise<void> {
  const { rows } = await knex.raw(
    `select t.table_name as "table", c.column_name is not null as "hasSpace" from information_schema.tables t
     left join information_schema.columns c on c.table_schema = t.table_schema and c.table_name = t.table_name
       and c.column_name = 'spaceId'
     where t.table_schema = 'public' and t.table_type = 'BASE TABLE'`,
  )
  for (const { hasSpace, table } of rows as { table: string; hasSpace: number }[]) {
    const space = hasSpace ? `changed ->> 'spaceId'` : spaceOfRow[table]
    if (space === undefined && !ofNoSpace.includes(table))
      throw new Error(`test/postgres/spaceLocks.ts does not know whose the rows of "${table}" are`)
    if (space === undefined) continue
    const changes = deletedOnTheWay.includes(table) ? 'insert or update' : 'insert or update or delete'
    await knex.raw(functionOf(table, space))
    await knex.raw(
      `create trigger "check_${table}" after ${changes} on "${table}" for each row execute function "check_${table}"()`,
    )
  }
}
