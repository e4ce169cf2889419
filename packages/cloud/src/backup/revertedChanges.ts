// The changes that a restore reverts: compares the restored data with the data that it replaces, where that is readable.

import { deletedMember } from '@callgate/contract/identityWords'
import { planLimits } from '../core/plan.ts'
import { type Db, runSql } from '../database/database.ts'

export interface RevertedChange {
  readonly what: string
  readonly id: string
  readonly change: string
}

/** The limit on the listed changes of each kind. */
const mostOfEach = 200

/** `b` is the backup's row, `c` the current one. */
const compared = (what: string, table: string, change: string, where: string) =>
  `select '${what}' as what, b."id" as id, ${change} as change
   from main."${table}" b join "current"."${table}" c on c."id" = b."id" where ${where}`

/** Rows of the current data that the backup lacks, as one line. */
const forgotten = (what: string, table: string) =>
  `select '${what}' as what, '-' as id, count(*) || ' made since, and forgotten' as change from "current"."${table}" c
   where not exists (select 1 from main."${table}" b where b."id" = c."id") having count(*) > 0`

/** A limit of the plan of the table `of`. */
const ofPlan = (of: string) =>
  [...planLimits, 'hasApi', 'trialDays'].map(column => `${of}."${column}"`).join(', ')

/** The Space's own setting. Where it has none, the plan or the usual list counts. */
const ownOfSpace = (column: string, change: string, usual: string) =>
  `select 'Space' as what, s."id" as id, '${change}: ' || coalesce(b."${column}", '${usual}') || ' again' as change
   from "current"."spaces" s join main."spaces" m on m."id" = s."id"
   left join main."spaceLimits" b on b."spaceId" = s."id" left join "current"."spaceLimits" c on c."spaceId" = s."id"
   where b."${column}" is not c."${column}"`

/** Such as "1 use" and "2 uses". */
const countedUses = (count: string, one: string, more: string) =>
  `(${count}) || case when (${count}) = 1 then ' ${one}' else ' ${more}' end`
const usesLeft = `max(0, b."maxUsage" - b."usageCount")`

const queries: readonly string[] = [
  compared(
    'key',
    'apiKeys',
    `'revoked at ' || c."revokedAt" || ', and works again'`,
    `c."revokedAt" is not null and b."revokedAt" is null`,
  ),
  compared(
    'key',
    'apiKeys',
    `'has the scopes ' || b."scopes" || ' again'`,
    `c."revokedAt" is null and b."scopes" <> c."scopes"`,
  ),
  compared(
    'key',
    'apiKeys',
    `case when b."expiresAt" is null then 'never expires again' else 'expires at ' || b."expiresAt" || ' again' end`,
    `c."revokedAt" is null and b."expiresAt" is not c."expiresAt"`,
  ),
  compared(
    'gateway',
    'gateways',
    `'revoked at ' || c."revokedAt" || ', and is admitted again'`,
    `c."revokedAt" is not null and b."revokedAt" is null`,
  ),
  compared(
    'gateway',
    'gateways',
    `'has a former password at the broker again: give it a new one by "callgate gateway password"'`,
    `c."revokedAt" is null and b."passwordHash" <> c."passwordHash"`,
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
  // Compared by name, so that a file from a version without erasure can be compared as well.
  compared(
    'member',
    'members',
    `'was erased, and is there again with all personal data: erase the member once more'`,
    `c."name" = '${deletedMember}' and b."name" <> '${deletedMember}'`,
  ),
  compared('gate', 'gates', `'deactivated, and active again'`, `b."isActive" and not c."isActive"`),
  compared(
    'gate',
    'gates',
    `'had another number: ' || substr(b."phoneNumber", 1, 6) || '…'`,
    `b."phoneNumber" <> c."phoneNumber"`,
  ),
  compared('gate', 'gates', `'has its former call profile again'`, `b."callProfile" <> c."callProfile"`),
  compared('gate', 'gates', `'is called by its former gateways again'`, `b."callers" <> c."callers"`),
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
    `${countedUses('c."usageCount" - b."usageCount"', 'use is', 'uses are')} || ' forgotten; it may be used ' || ${countedUses(usesLeft, 'time', 'times')} || ' more'`,
    `b."maxUsage" is not null and c."usageCount" > b."usageCount"`,
  ),
  compared(
    'Space',
    'spaces',
    `'the plan was ' || c."plan" || ', and is ' || b."plan" || ' again'`,
    `b."plan" <> c."plan"`,
  ),
  compared(
    'Space',
    'spaces',
    `case when b."trialEndsAt" is null then 'the trial has no end again' else 'the trial ends at ' || b."trialEndsAt" || ' again' end`,
    `b."plan" = 'trial' and c."plan" = 'trial' and b."trialEndsAt" is not c."trialEndsAt"`,
  ),
  ownOfSpace('allowedCountries', 'allowed countries', 'the usual ones'),
  ownOfSpace('gateLimit', 'active gates at most', 'as the plan says'),
  ownOfSpace('monthlyInvitationLimit', 'new members a month at most', 'as the plan says'),
  ownOfSpace('gatewayLimit', 'gateways at most', 'as the plan says'),
  ownOfSpace('webhookLimit', 'webhooks at most', 'as the plan says'),
  ownOfSpace('keyLimit', 'API keys at most', 'as the plan says'),
  ownOfSpace('userLimit', 'users at most', 'as the plan says'),
  `select 'plan' as what, b."name" as id, 'allows what it did before again' as change from main."plans" b
   join "current"."plans" c on c."name" = b."name"
   where (${ofPlan('b')}) is not (${ofPlan('c')})`,
  compared(
    'user',
    'users',
    `'shut out, and may sign in again'`,
    `c."deactivatedAt" is not null and b."deactivatedAt" is null`,
  ),
  compared(
    'user',
    'users',
    `'another password was set, and the former one works again'`,
    `b."passwordHash" is not null and b."passwordHash" is not c."passwordHash"`,
  ),
  `select 'user' as what, b."userId" as id, 'is ' || b."role" || ' of ' || b."spaceId" || ' again' as change from main."userRoles" b
   left join "current"."userRoles" c on c."userId" = b."userId" and c."spaceId" = b."spaceId"
   where c."role" is not b."role"`,
  forgotten('Spaces', 'spaces'),
  forgotten('users', 'users'),
  forgotten('keys', 'apiKeys'),
  forgotten('gateways', 'gateways'),
  forgotten('gates', 'gates'),
  forgotten('members', 'members'),
  forgotten('openings', 'openings'),
]

/**
 * The differences between the database `db` and the one in `file`, which must not be served now. Undefined when `file` cannot be
 * read.
 */
export async function findRevertedChanges(
  db: Db,
  file: string,
): Promise<readonly RevertedChange[] | undefined> {
  try {
    await runSql(db, 'attach database ? as "current"', [file])
    try {
      const found: RevertedChange[] = []
      for (const sql of queries) {
        const rows = await runSql(db, `select * from (${sql}) limit ${mostOfEach + 1}`, [])
        const told = (rows as readonly RevertedChange[]).map(row => ({ ...row, id: String(row.id) }))
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
