// The rules of the rows: each is one query for the rows that break it.

import { deletedMember, notKept } from '@callgate/contract/identityWords'
import { flag, type RuleWords, said } from './ruleWords.ts'

/** One rule. Its query returns `id` and `what`, a row for each finding. */
export interface Rule {
  readonly name: string
  readonly sql: string
}

const running = `"status" in ('initiated', 'connected')`
const completedCalls = `"status" = 'completed' and "joinedOpeningId" is null`

/** Compares a value of a row with a recount. */
function recount(given: {
  readonly table: string
  readonly column: string
  /** A query that returns `of` and `value`. */
  readonly counted: string
  /** The value of a row for which the recount finds nothing. */
  readonly none: string
}): Rule {
  const { column, counted, none, table } = given
  return {
    name: `${table}.${column}`,
    sql: `select t."id" as id, '${column} says ' || ${said(`t."${column}"`)} || ', a recount gives ' || ${said(`coalesce(c.value, ${none})`)} as what
      from "${table}" t left join (${counted}) c on c.of = t."id"
      where t."${column}" is distinct from coalesce(c.value, ${none})`,
  }
}

const counters = ({ dayAfter, jsonAt }: RuleWords): readonly Rule[] => [
  recount({
    table: 'gates',
    column: 'openCount',
    counted: `select "gateId" as of, count(*) as value from "openings" where ${completedCalls} group by "gateId"`,
    none: '0',
  }),
  recount({
    table: 'gates',
    column: 'lastOpenedAt',
    counted: `select "gateId" as of, max("completedAt") as value from "openings" where ${completedCalls} group by "gateId"`,
    none: 'null',
  }),
  {
    name: 'accesses.usageCount',
    sql: `select a."id" as id, 'usageCount says ' || a."usageCount" || ', a recount gives ' || (coalesce(c.value, 0) + a."usesNotKept") as what
      from "accesses" a left join (select "accessId" as of, count(*) as value from "openings" where "usageHeld" and "accessId" is not null group by "accessId") c on c.of = a."id"
      where a."usageCount" <> coalesce(c.value, 0) + a."usesNotKept"`,
  },
  {
    // The opening may no longer contain the access.
    name: 'accesses.lastUsedAt',
    sql: `select a."id" as id, 'lastUsedAt says ' || coalesce(a."lastUsedAt", 'null') || ', a recount gives ' || coalesce(c.value, 'null') as what
      from "accesses" a left join (select "accessId" as of, max("completedAt") as value from "openings" where ${completedCalls} and "accessId" is not null group by "accessId") c on c.of = a."id"
      where a."lastUsedAt" is distinct from c.value and not (a."lastUsedAt" > coalesce(c.value, '') and exists (
        select 1 from "identityKeeping" k where k."spaceId" = a."spaceId" and a."lastUsedAt" < ${dayAfter('k."openingsAt"')}))`,
  },
  {
    // A cap may be lowered below the use; the activity has the change to the present value then.
    name: 'accesses.maxUsage',
    sql: `select a."id" as id, a."usageCount" || ' uses of at most ' || a."maxUsage" as what from "accesses" a
      where a."usageCount" > a."maxUsage" and not exists (
        select 1 from "activity" c where c."spaceId" = a."spaceId" and c."action" = 'guest.access_updated'
        and cast(${jsonAt('c."details"', ['changes', 'maxUsage', 'to'])} as text) = cast(a."maxUsage" as text))`,
  },
]

/** A rule about single openings: `wrong` finds them, `what` describes the fault, both as SQL. */
const ofOpenings = (name: string, wrong: string, what: string): Rule => ({
  name: `openings: ${name}`,
  sql: `select o."id" as id, ${what} as what from "openings" o where ${wrong}`,
})

const granted = ['gatewayId', 'grantedAt', 'grantNonce', 'bootId', 'grantedProfile']
const parts = (columns: readonly string[]) =>
  columns.map(column => flag(`o."${column}" is not null`)).join(' + ')
const grantedParts = parts(granted)
const endedParts = parts(['reason', 'opened', 'confidence', 'safeToRetry', 'completedAt'])

const openings: readonly Rule[] = [
  ofOpenings(
    'the status is known',
    `"status" not in ('initiated', 'connected', 'completed', 'failed', 'timeout')`,
    `'the status is ' || "status"`,
  ),
  ofOpenings(
    'what runs has no ending, and what has ended has a whole one',
    `(${endedParts}) <> case when ${running} then 0 else 5 end`,
    `"status" || ' with ' || (${endedParts}) || ' of 5 parts of an ending'`,
  ),
  ofOpenings(
    'a grant is whole',
    `(${grantedParts}) not in (0, ${granted.length})`,
    `(${grantedParts}) || ' of ${granted.length} parts of a grant'`,
  ),
  ofOpenings(
    'only what was granted is connected or completed',
    `("status" = 'connected' or ${completedCalls}) and o."grantedAt" is null`,
    `"status" || ' without a grant'`,
  ),
  ofOpenings(
    'what joined has no call, lock or use of its own',
    `o."joinedOpeningId" is not null and (o."grantedAt" is not null or o."lockedNumber" is not null or o."usageHeld")`,
    `'joined, with a grant, a lock or a use'`,
  ),
  ofOpenings(
    'a use belongs to a granted call of a guest',
    `o."usageHeld" and (o."grantedAt" is null or o."accessId" is null)`,
    `'holds a use without a grant or an access'`,
  ),
  ofOpenings(
    'what may be called holds its number',
    `${running} and o."joinedOpeningId" is null and o."lockedNumber" is null`,
    `"status" || ' and holds no number'`,
  ),
  ofOpenings(
    'a lock is on its own number',
    `o."lockedNumber" <> o."phoneNumber"`,
    `'holds the number of another gate'`,
  ),
  ofOpenings(
    'it ends after it began',
    `o."completedAt" < o."calledAt"`,
    `'called ' || o."calledAt" || ', ended ' || o."completedAt"`,
  ),
  ofOpenings(
    'what is settled was reported',
    `o."isSettled" and not exists (select 1 from "openingReports" r where r."openingId" = o."id"
      and r."gatewayId" = o."gatewayId" and r."phase" in ('ended', 'not_dialled'))`,
    `'settled without a report of its gateway'`,
  ),
  {
    name: 'openings: one lock for each number of a Space',
    sql: `select min("id") as id, count(*) || ' locks on one number' as what from "openings"
      where "lockedNumber" is not null group by "spaceId", "lockedNumber" having count(*) > 1`,
  },
  {
    name: 'openings: what joined ends as its leader',
    sql: `select j."id" as id, j."status" || ' ' || coalesce(j."reason", '') || ', its leader ' || l."id" || ' ' || l."status" || ' ' || coalesce(l."reason", '') as what
      from "openings" j join "openings" l on l."id" = j."joinedOpeningId"
      where l."spaceId" <> j."spaceId" or l."joinedOpeningId" is not null
        or (j."status" in ('initiated', 'connected')) <> (l."status" in ('initiated', 'connected'))
        or (l."completedAt" is not null and (j."status", j."reason", j."opened", j."confidence") is distinct from (l."status", l."reason", l."opened", l."confidence"))`,
  },
]

/** Every column with a time, by its table. */
const times: Readonly<Record<string, readonly string[]>> = {
  spaces: ['createdAt', 'trialEndsAt'],
  apiKeys: ['createdAt', 'expiresAt', 'revokedAt', 'lastUsedAt'],
  gates: ['createdAt', 'lastOpenedAt', 'driftedAt'],
  gateways: ['createdAt', 'revokedAt', 'lastBeatAt'],
  members: ['createdAt', 'erasedAt', 'erasureDoneAt'],
  accesses: ['createdAt', 'lastUsedAt'],
  users: ['createdAt', 'deactivatedAt', 'totpEnabledAt'],
  sessions: ['createdAt', 'lastSeenAt', 'expiresAt', 'confirmedAt'],
  passkeys: ['createdAt', 'lastUsedAt'],
  userInvitations: ['createdAt', 'expiresAt'],
  passwordResets: ['createdAt', 'expiresAt'],
  signingKeys: ['createdAt'],
  openings: ['calledAt', 'grantBefore', 'grantedAt', 'completedAt'],
  tasks: ['createdAt', 'expiresAt', 'endedAt'],
  sims: ['answeredAt'],
  activity: ['timestamp'],
  incidents: ['seenAt', 'openedAt', 'betterAt', 'closedAt', 'openTold', 'closeTold'],
  alertMails: ['createdAt'],
  outbox: ['createdAt', 'nextAttemptAt', 'sentAt', 'givenUpAt', 'failedAt'],
  restores: ['takenAt', 'restoredAt', 'confirmedAt'],
}

/** Every column with JSON, by its table. */
export const jsonColumns: Readonly<Record<string, readonly string[]>> = {
  apiKeys: ['scopes', 'limited'],
  gates: ['callProfile', 'callers', 'calibration', 'learnedFrom', 'metadata'],
  members: ['metadata'],
  gateways: ['lastBeat'],
  tasks: ['details', 'told'],
  accesses: ['schedules'],
  activity: ['details'],
  alertMails: ['incidentIds'],
}

const forms = ({ isTime }: RuleWords): readonly Rule[] =>
  Object.entries(times).flatMap(([table, columns]) =>
    columns.map(column => ({
      name: `${table}.${column}`,
      sql: `select "id" as id, 'is no time: ' || substr("${column}", 1, 40) as what from "${table}" where not ${isTime(`"${column}"`)}`,
    })),
  )

const others: readonly Rule[] = [
  {
    name: 'members: a link is whole, and an inactive member has none and no access',
    sql: `select m."id" as id, 'active ' || ${flag('m."isActive"')} || ', link ' || ${flag('m."linkHash" is not null')} || ${flag('m."linkSealed" is not null')} as what
      from "members" m where (m."linkHash" is null) <> (m."linkSealed" is null)
        or (not m."isActive" and (m."linkHash" is not null or exists (select 1 from "accesses" a where a."memberId" = m."id")))`,
  },
  {
    name: 'members.isAdmin',
    sql: `select m."id" as id, 'isAdmin says ' || ${flag('m."isAdmin"')} as what from "members" m where m."isAdmin" <> exists (
      select 1 from "userRoles" r join "users" u on u."id" = r."userId"
      where r."spaceId" = m."spaceId" and r."memberId" = m."id" and u."deactivatedAt" is null)`,
  },
  {
    name: 'members: of an erased member nothing personal is left',
    sql: `select m."id" as id, 'erased, and called ' || m."name" || ' or with data of its own' as what from "members" m
      where m."erasedAt" is not null and (m."isActive" or m."name" <> '${deletedMember}' or exists (select 1 from "userRoles" r where r."memberId" = m."id")
        or coalesce(m."email", m."phone", m."note", m."linkHash", m."preferredLanguage", m."externalId", m."metadata") is not null)`,
  },
  {
    name: 'openings: an erased member is not named',
    sql: `select o."id" as id, 'names a member who was erased' as what from "members" m join "openings" o on o."memberId" = m."id" and o."spaceId" = m."spaceId"
      where m."erasureDoneAt" is not null and (o."actorName" <> '${deletedMember}' or o."actorEmail" is not null)`,
  },
  {
    name: 'activity: an erased member is not named',
    sql: `select a."id" as id, 'names a member who was erased' as what from "members" m
      join "activityConcerns" c on c."concernedId" = m."id" and c."spaceId" = m."spaceId" join "activity" a on a."id" = c."activityId"
      where m."erasureDoneAt" is not null and a."targetType" = 'member' and a."targetLabel" <> '${deletedMember}'`,
  },
  {
    name: 'openings: what is kept no longer names nobody',
    sql: `select o."id" as id, 'says who pressed, and is older than that is kept' as what from "identityKeeping" k
      join "openings" o on o."spaceId" = k."spaceId" and (o."calledAt", o."id") <= (k."openingsAt", k."openingsId")
      where o."apiKeyId" is null and (o."actorName" <> '${notKept}' or coalesce(o."actorEmail", o."memberId", o."userId", o."sessionId", o."accessId") is not null)`,
  },
  {
    name: 'identityRemovals: the activity is closed to changes',
    sql: `select "spaceId" as id, 'lets entries be changed' as what from "identityRemovals"`,
  },
  {
    name: 'outbox: no mail is both sent and given up',
    sql: `select "id" as id, 'sent and given up' as what from "outbox" where "sentAt" is not null and "givenUpAt" is not null`,
  },
  {
    name: 'events: the numbers of a Space have no gap, and end at its counter',
    sql: `select e."spaceId" as id, count(*) || ' events from ' || min(e."seq") || ' to ' || max(e."seq") || ', counted to ' || coalesce(cast(max(c."lastSeq") as text), 'nothing') as what
      from "events" e left join "eventCounters" c on c."spaceId" = e."spaceId" group by e."spaceId"
      having count(*) <> max(e."seq") - min(e."seq") + 1 or max(e."seq") is distinct from max(c."lastSeq")`,
  },
  {
    name: 'gateways: the boot that counts is not superseded',
    sql: `select g."id" as id, 'its boot is superseded' as what from "gateways" g
      join "supersededBoots" s on s."gatewayId" = g."id" and s."bootId" = g."bootId"`,
  },
  {
    name: 'openingReports: a report is of the Space of its opening',
    sql: `select r."openingId" as id, 'reported by ' || r."gatewayId" || ' of another Space' as what from "openingReports" r
      join "openings" o on o."id" = r."openingId" join "gateways" g on g."id" = r."gatewayId" where g."spaceId" <> o."spaceId"`,
  },
]

const ofActivity = ({ isJson, jsonAt }: RuleWords): readonly Rule[] => [
  {
    // Entries of older versions have no target id.
    name: 'activity: an entry is found by its target',
    sql: `select a."id" as id, 'not found by ' || ${jsonAt('a."details"', ['targetId'])} as what from "activity" a
      where ${isJson('a."details"')} and ${jsonAt('a."details"', ['targetId'])} is not null and not exists (
        select 1 from "activityConcerns" c where c."spaceId" = a."spaceId" and c."timestamp" = a."timestamp"
          and c."concernedId" = ${jsonAt('a."details"', ['targetId'])} and c."activityId" = a."id")`,
  },
  {
    name: 'activityConcerns: a row has the Space and the time of its entry',
    sql: `select c."activityId" as id, 'found in ' || c."spaceId" || ' at ' || c."timestamp" as what from "activityConcerns" c
      join "activity" a on a."id" = c."activityId" where a."spaceId" <> c."spaceId" or a."timestamp" <> c."timestamp"`,
  },
]

/** Openings, and the counters that depend on them. */
export const openingRules = (words: RuleWords): readonly Rule[] => [...counters(words), ...openings]

/** All rules about rows. */
export const rowRules = (words: RuleWords): readonly Rule[] => [
  ...openingRules(words),
  ...forms(words),
  ...others,
  ...ofActivity(words),
]
