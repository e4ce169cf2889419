// What a restore undoes: the restored data against that which it takes the place of, where that can still be read.

import { type Db, runSql } from '../database.ts'

export interface Undone {
  readonly what: string
  readonly id: string
  readonly change: string
}

/** For each kind of change. */
const mostOfEach = 200

/** `b` is the backup's row, `c` the current one. */
const compared = (what: string, table: string, change: string, where: string) =>
  `select '${what}' as what, b."id" as id, ${change} as change
   from main."${table}" b join "current"."${table}" c on c."id" = b."id" where ${where}`

/** What is in the current data and not in the backup, as one line. */
const forgotten = (what: string, table: string) =>
  `select '${what}' as what, count(*) as id, 'made since, and forgotten' as change from "current"."${table}" c
   where not exists (select 1 from main."${table}" b where b."id" = c."id") having count(*) > 0`

const queries: readonly string[] = [
  compared(
    'key',
    'apiKeys',
    `'revoked at ' || c."revokedAt" || ', and works again'`,
    `c."revokedAt" is not null and b."revokedAt" is null`,
  ),
  compared(
    'gateway',
    'gateways',
    `'revoked at ' || c."revokedAt" || ', and is admitted again'`,
    `c."revokedAt" is not null and b."revokedAt" is null`,
  ),
  compared(
    'member',
    'members',
    `'deactivated, and active again with link and accesses'`,
    `b."isActive" and not c."isActive"`,
  ),
  compared(
    'member',
    'members',
    `'the link was reset, and the old one works again'`,
    `c."isActive" and b."linkHash" is not null and b."linkHash" is not c."linkHash"`,
  ),
  compared('gate', 'gates', `'deactivated, and active again'`, `b."isActive" and not c."isActive"`),
  compared(
    'gate',
    'gates',
    `'had another number: ' || substr(b."phoneNumber", 1, 6) || '…'`,
    `b."phoneNumber" <> c."phoneNumber"`,
  ),
  `select 'access' as what, b."id" as id, 'revoked, and there again' as change from main."accesses" b
   join "current"."members" m on m."id" = b."memberId" and m."isActive"
   where not exists (select 1 from "current"."accesses" c where c."id" = b."id")`,
  compared('access', 'accesses', `'switched off, and on again'`, `b."isActive" and not c."isActive"`),
  compared(
    'access',
    'accesses',
    `'other hours or another cap'`,
    `b."schedules" <> c."schedules" or b."maxUsage" is not c."maxUsage"`,
  ),
  compared(
    'access',
    'accesses',
    `(c."usageCount" - b."usageCount") || ' uses are forgotten; it may be used ' || max(0, b."maxUsage" - b."usageCount") || ' times more'`,
    `b."maxUsage" is not null and c."usageCount" > b."usageCount"`,
  ),
  compared(
    'Space',
    'spaces',
    `'the plan was ' || c."plan" || ', and is ' || b."plan" || ' again'`,
    `b."plan" <> c."plan"`,
  ),
  forgotten('Spaces', 'spaces'),
  forgotten('keys', 'apiKeys'),
  forgotten('gateways', 'gateways'),
  forgotten('gates', 'gates'),
  forgotten('members', 'members'),
  forgotten('openings', 'openings'),
]

/**
 * What differs between the database of `db` and the one in `file`, which may be served no longer. Undefined when that
 * cannot be read.
 */
export async function findUndone(db: Db, file: string): Promise<readonly Undone[] | undefined> {
  try {
    await runSql(db, 'attach database ? as "current"', [file])
    try {
      const found: Undone[] = []
      for (const sql of queries) {
        const rows = await runSql(db, `select * from (${sql}) limit ${mostOfEach + 1}`, [])
        const told = (rows as readonly Undone[]).map(row => ({ ...row, id: String(row.id) }))
        found.push(...told.slice(0, mostOfEach))
        const [first] = told
        if (first && told.length > mostOfEach) found.push({ ...first, id: 'and more' })
      }
      return found
    } finally {
      await runSql(db, 'detach database "current"', [])
    }
  } catch {
    return undefined
  }
}
