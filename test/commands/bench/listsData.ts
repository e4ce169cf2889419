// Rows for the benchmark of long lists on Postgres: one large Space, made by the server itself, and a small one beside it.

import type { Database } from '@callgate/cloud/database/database'
import { migrate } from '@callgate/cloud/database/migrate'
import { insertAccesses, readNewAccess } from '@callgate/cloud/member/accesses'
import { newLink } from '@callgate/cloud/member/memberLinks'
import { createSeal } from '@callgate/cloud/secrets/sealing'
import { newUser, type SignedInBrowser } from '@callgate/cloud/user/user.kit'
import { callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { isoTime, type World } from '@callgate/world/world'
import { benchSeal, furnish, type Tenant } from './served.ts'

const size = { gates: 100, gateways: 20, members: 5_000 } as const

/** The large Space, with the rows that the requests name: each is the worst of its kind. */
export interface LargeSpace extends Tenant {
  readonly user: SignedInBrowser
  /** Has 40 of 100 openings. */
  readonly busyGateId: string
  /** Has 5 openings, all of them the oldest. */
  readonly rareGateId: string
  /** Has 30 of 100 openings. */
  readonly memberId: string
  readonly apiKeyId: string
  readonly gatewayId: string
}

interface ListsDataParts {
  readonly world: World
  readonly database: Database
}

/** In the form of `idOf`: an array of this many ids would be searched for each row. */
const memberIdOf = (place: number) => `${idPrefix.member}_${String(place).padStart(26, '0')}`

/** Adds members with an access to the gate; one of ten is deactivated. */
export async function addMembers(
  { database, world }: ListsDataParts,
  { gateId, spaceId }: Pick<Tenant, 'gateId' | 'spaceId'>,
  count: number,
): Promise<void> {
  const seal = createSeal(world, benchSeal)
  const access = readNewAccess({ gateId, schedules: [{ type: 'always' }] })
  if (isProblem(access)) throw new Error(access.message)
  for (let from = 0; from < count; from += 500)
    await database.write(
      async tx => {
        for (let place = from; place < Math.min(from + 500, count); place++) {
          const owner = { spaceId, id: memberIdOf(place) }
          const rest = { isAdmin: false, isActive: place % 10 < 9, createdAt: isoTime(world.nowMs()) }
          const row = { ...owner, name: `Member ${place}`, email: `m${place}@example.com`, ...rest }
          await tx('members').insert({ ...row, ...(rest.isActive && newLink(world, seal, owner)) })
          if (rest.isActive) await insertAccesses(tx, world, owner, [access])
        }
      },
      { spaceId },
    )
}

async function addGateways({ database, world }: ListsDataParts, spaceId: string): Promise<readonly string[]> {
  const ids = Array.from({ length: size.gateways }, () => newId(world, 'gw'))
  const createdAt = isoTime(world.nowMs())
  const rows = ids.map(id => ({ id, spaceId, name: 'Pi', publicKey: id, passwordHash: 'p', createdAt }))
  await database.write(async tx => {
    await tx('gateways').insert(rows)
    // 4,272 figures of each are the most that are stored.
    await tx.raw(
      `insert into "beatFigures" ("gatewayId", "stepS", "startsAt", "onlineMs", "signalDbm", "supplyMv", "worstRegistration")
       select g."id", 3600, ${timeOf('(4272 - n) * 3600')}, 3600000, -70, 4000, 1 from "gateways" g, generate_series(1, 4272) n`,
    )
  })
  return ids
}

/** SQL of the time the given number of seconds ago, in the form of the rows. */
const timeOf = (secondsAgo: string) =>
  `to_char(to_timestamp(extract(epoch from now()) - (${secondsAgo})) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.000"Z"')`

/** SQL of an id of 26 digits. */
const idOf = (prefix: string, number: string) => `'${prefix}_' || lpad((${number})::text, 26, '0')`

/** SQL of one of several texts, by a number from 0 on. */
const oneOf = (texts: readonly string[], number: string) =>
  `(array[${texts.map(text => `'${text}'`).join(',')}])[1 + (${number})]`

interface Filling {
  readonly rows: number
  readonly spaceId: string
  readonly gateIds: readonly string[]
  readonly gatewayIds: readonly string[]
  readonly keyIds: readonly string[]
  readonly userId: string
}

/**
 * The columns of openings, each as SQL of the number `n`, from the oldest one on. They are spread over 340 days, until yesterday.
 */
function openingColumns({ gateIds, gatewayIds, keyIds, rows, spaceId, userId }: Filling) {
  // Spread so that no index follows the order of time.
  const mixed = (most: number) => `((n * 7919) % ${most})`
  const called = (more: number) => timeOf(`86400 + (${rows} - n) * ${(340 * 86_400) / rows} - ${more}`)
  const profile = JSON.stringify(callProfile({ mode: 'reject', learned: true }))
  const kind = `case when n % 100 < 90 then 0 when n % 100 < 97 then 1 when n % 100 < 99 then 2 else 3 end`
  const isCalled = `n % 100 <> 98`
  const byMember = `(n % 10 < 6)`
  const gate = `case when n <= 5 then 2 when n % 10 < 4 then 1 else 3 + ${mixed(gateIds.length - 2)} end`
  return {
    id: idOf('open', 'n'),
    spaceId: `'${spaceId}'`,
    gateId: `(array[${gateIds.map(id => `'${id}'`).join(',')}])[${gate}]`,
    gateName: `'Gate'`,
    phoneNumber: `'+40722010000'`,
    status: oneOf(['completed', 'failed', 'failed', 'timeout'], kind),
    reason: oneOf(['rejected_after_ring', 'no_reaction', 'outside_schedule', 'no_report'], kind),
    opened: oneOf(['yes', 'no', 'no', 'unknown'], kind),
    confidence: oneOf(['certain', 'certain', 'certain', 'unknown'], kind),
    safeToRetry: `${kind} = 2`,
    calledAt: called(0),
    grantBefore: called(12),
    completedAt: called(9),
    actorType: `case when ${byMember} then 'guest' else 'owner' end`,
    actorName: `'Ana Pop'`,
    actorEmail: 'null',
    memberId: `case when ${byMember} then ${idOf(idPrefix.member, `case when n % 10 < 3 then 0 else ${mixed(size.members)} end`)} end`,
    apiKeyId: `case when n % 10 in (6, 7, 8) then ${oneOf(keyIds, `case when n % 10 < 8 then 0 else ${mixed(keyIds.length)} end`)} end`,
    userId: `case when n % 10 = 9 then '${userId}' end`,
    gatewayId: `case when ${isCalled} then ${oneOf(gatewayIds, `n % ${gatewayIds.length}`)} end`,
    grantedAt: `case when ${isCalled} then ${called(1)} end`,
    grantNonce: `case when ${isCalled} then 'AAAAAAAAAAAAAAAAAAAAAA' end`,
    bootId: `case when ${isCalled} then 'BBBBBBBBBBBBBBBBBBBBBB' end`,
    grantedProfile: `case when ${isCalled} then '${profile}' end`,
  }
}

/** The rows of each table, as SQL. An entry of the activity concerns a gate and a member; events are those of one day. */
function insertsOf(filling: Filling): readonly string[] {
  const { gateIds, rows, spaceId } = filling
  const columns = openingColumns(filling)
  const names = Object.keys(columns).map(name => `"${name}"`)
  const entries = Math.ceil(rows / 10)
  const at = timeOf(`86400 + (${entries} - n) * ${(340 * 86_400) / entries}`)
  const details = `'{"targetId":"${gateIds[0]}","actorId":null,"changes":{"name":{"from":"A","to":"B"}}}'`
  const concern = (id: string) =>
    `insert into "activityConcerns" select '${spaceId}', ${id}, ${at}, ${idOf('act', 'n')} from generate_series(1::bigint, ${entries}) n`
  const place = (most: number) =>
    `case when n <= 5 then 1 when n % 10 < 4 then 0 else 2 + (n * 7919) % ${most - 2} end`
  return [
    `insert into "openings" (${names.join(', ')}) select ${Object.values(columns).join(', ')} from generate_series(1::bigint, ${rows}) n`,
    `insert into "activity" select ${idOf('act', 'n')}, '${spaceId}', 'gate.updated', 'api:bench', 'gate', 'Gate', ${details}, ${at} from generate_series(1::bigint, ${entries}) n`,
    concern(oneOf(gateIds, place(gateIds.length))),
    concern(idOf(idPrefix.member, place(size.members))),
    // The few events of the rows before.
    `delete from "events" where "spaceId" = '${spaceId}'`,
    `insert into "events" select '${spaceId}', n, ${timeOf('0')}, 'opening.completed', ${idOf('open', 'n')}, '${gateIds[0]}', '${memberIdOf(0)}' from generate_series(1::bigint, ${Math.ceil(rows / 20)}) n`,
    `insert into "eventCounters" values ('${spaceId}', ${Math.ceil(rows / 20)}) on conflict ("spaceId") do update set "lastSeq" = excluded."lastSeq"`,
    `insert into "incidents" select ${idOf('inc', 'n')}, '${spaceId}', 'gate_not_reacting', ${oneOf(gateIds, `n % ${gateIds.length}`)}, ${timeOf('n * 60')}, ${timeOf('n * 60')}, null, ${timeOf('n * 60 - 30')}, 3, ${timeOf('0')}, ${timeOf('0')} from generate_series(1::bigint, 100000) n`,
    `update "gates" g set "openCount" = c.openings, "lastOpenedAt" = c.last from
      (select "gateId", count(*) as openings, max("completedAt") as last from "openings" where "status" = 'completed' group by "gateId") c where c."gateId" = g."id"`,
  ]
}

const filled = ['openings', 'activity', 'activityConcerns', 'events', 'incidents']

/** Fills the tables without their indexes, which are made again afterwards, as when a dump is loaded. */
async function fill({ database }: ListsDataParts, filling: Filling): Promise<void> {
  await database.write(async tx => {
    const named = `from pg_indexes i where schemaname = 'public' and tablename = any(?)
      and not exists (select from pg_constraint where conname = i.indexname)`
    const { rows } = await tx.raw(`select indexname as name, indexdef as sql ${named}`, [filled])
    const indexes = rows as readonly { readonly name: string; readonly sql: string }[]
    for (const { name } of indexes) await tx.raw('drop index ??', [name])
    // The foreign keys are not checked for each row.
    await tx.raw(`set local session_replication_role = replica`)
    for (const insert of insertsOf(filling)) {
      await tx.raw(insert)
    }
    for (const { sql } of indexes) await tx.raw(sql)
  })
}

/** Makes both Spaces. The statistics of the tables are as on a server with autovacuum. */
export async function makeLists(
  parts: ListsDataParts,
  rows: number,
): Promise<{ readonly large: LargeSpace; readonly small: Tenant }> {
  const { database, world } = parts
  await migrate(database)
  const small = await furnish(world, database, 50)
  const tenant = await furnish(world, database, size.gates)
  const { gateId, spaceId } = tenant
  const user = await newUser(parts, { email: 'olga@example.com', spaceId })
  const gateIds: readonly string[] = await database
    .knex('gates')
    .where({ spaceId })
    .orderBy('createdAt')
    .pluck('id')
  const keyIds: readonly string[] = await database.knex('apiKeys').where({ spaceId }).pluck('id')
  await addMembers(parts, tenant, size.members)
  const gatewayIds = await addGateways(parts, spaceId)
  await fill(parts, { rows, spaceId, gateIds, gatewayIds, keyIds, userId: user.userId })
  const session = await database.knex.client.acquireRawConnection()
  session.connectionParameters.query_timeout = undefined
  await session.query('vacuum (analyze)')
  await session.end()
  const first = (ids: readonly string[], place = 0) => ids[place] ?? ''
  const large = {
    ...tenant,
    user,
    busyGateId: gateId,
    rareGateId: first(gateIds, 1),
    memberId: memberIdOf(0),
    apiKeyId: first(keyIds),
    gatewayId: first(gatewayIds),
  }
  return { large, small }
}
