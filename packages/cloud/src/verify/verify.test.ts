import { afterEach, beforeEach, expect, it } from 'vitest'
import { onPostgres } from '../database/postgres.kit.ts'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { createSeal } from '../secrets/sealing.ts'
import { newTotp } from '../user/totp.ts'
import { newUser } from '../user/user.kit.ts'
import { rowRules } from './rules.ts'
import { postgresWords, sqliteWords } from './ruleWords.ts'
import { verify, verifyFile, verifyRows, verifySeals } from './verify.ts'

let rig: ExchangeRig
let openings: readonly string[] = []
let gateId = ''
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  const guest = await rig.addGuest(gateId, { maxUsage: 3 })
  const completed = await rig.run(guest, said.completed)
  const joined = await rig.press(guest)
  await rig.world.advance(120_000)
  const failed = await rig.run(guest, said.busy)
  await rig.world.advance(120_000)
  openings = [completed, joined, failed, await rig.press(guest)]
  const user = { id: (await newUser(rig, { email: 'olga@example.com' })).userId, email: 'olga@example.com' }
  const { totpSealed } = newTotp(rig, user)
  await rig.database.knex('users').update({ totpSealed })
})
afterEach(() => rig.close())

/** Changes rows as no program may: on Postgres without the triggers that protect keys and forbid changes. */
async function change(sql: string): Promise<void> {
  const { knex } = rig.database
  if (!onPostgres) await knex.raw(sql)
  else
    await knex.transaction(async tx => {
      await tx.raw('set local session_replication_role = replica')
      await tx.raw(sql)
    })
}
/** SQL that adds an activity entry about this gate. */
const entry = `insert into activity select 'act_1', "id", 'gate.created', 'a', 'gate', 'x', '{"targetId":"gate_1","actorId":null}', '2026-01-01T00:00:00.000Z' from spaces`
/** The same about the guest, with the name, and found by the guest's id. */
const memberEntry = `insert into activity select 'act_2', "spaceId", 'member.link_reset', 'a', 'member', 'Ana', '{"targetId":"' || "id" || '","actorId":null}', '2026-01-01T00:00:00.000Z' from members; insert into "activityConcerns" select "spaceId", "id", '2026-01-01T00:00:00.000Z', 'act_2' from members`
const of = (place: number) => `where "id" = '${openings[place]}'`

it('finds nothing wrong with data that the program has written', async () => {
  const { knex } = rig.database
  expect([
    ...(await verifyFile(knex)),
    ...(await verifyRows(knex)),
    ...(await verifySeals(knex, rig.seal)),
  ]).toEqual([])
})

const withoutKeys = onPostgres ? '' : 'pragma foreign_keys = off; '

/** A change to valid data, and the rule that finds it. */
const faults: readonly (readonly [rule: string, sql: () => string])[] = [
  ['gates.openCount', () => `update gates set "openCount" = 2`],
  ['gates.lastOpenedAt', () => `update gates set "lastOpenedAt" = null`],
  ['accesses.usageCount', () => `update accesses set "usageCount" = 0`],
  ['accesses.lastUsedAt', () => `update accesses set "lastUsedAt" = '2020-01-01T00:00:00.000Z'`],
  ['accesses.maxUsage', () => `update accesses set "maxUsage" = 1`],
  ['openings: the status is known', () => `update openings set "status" = 'opened' ${of(0)}`],
  [
    'openings: what runs has no ending, and what has ended has a whole one',
    () => `update openings set "status" = 'initiated' ${of(2)}`,
  ],
  ['openings: a grant is whole', () => `update openings set "grantNonce" = null ${of(0)}`],
  [
    'openings: only what was granted is connected or completed',
    () => `update openings set "status" = 'connected' ${of(3)}`,
  ],
  [
    'openings: what joined has no call, lock or use of its own',
    () => `update openings set "usageHeld" = true ${of(1)}`,
  ],
  [
    'openings: a use belongs to a granted call of a guest',
    () => `update openings set "usageHeld" = true ${of(3)}`,
  ],
  [
    'openings: what may be called holds its number',
    () => `update openings set "lockedNumber" = null ${of(3)}`,
  ],
  ['openings: a lock is on its own number', () => `update openings set "lockedNumber" = '+4070' ${of(3)}`],
  [
    'openings: it ends after it began',
    () => `update openings set "completedAt" = '2001-01-01T00:00:00.000Z' ${of(2)}`,
  ],
  [
    'openings: what is settled was reported',
    () => `update openings set "isSettled" = true, "gatewayId" = null ${of(2)}`,
  ],
  [
    'openings: one lock for each number of a Space',
    () => `drop index openings_single_flight; update openings set "lockedNumber" = "phoneNumber"`,
  ],
  ['openings: what joined ends as its leader', () => `update openings set "reason" = 'busy' ${of(1)}`],
  ['openings.calledAt', () => `update openings set "calledAt" = 'yesterday' ${of(0)}`],
  ['accesses.schedules', () => `update accesses set "schedules" = '[{'`],
  [
    'members: a link is whole, and an inactive member has none and no access',
    () => `update members set "isActive" = false`,
  ],
  [
    'members: of an erased member nothing personal is left',
    () => `update members set "erasedAt" = '2026-01-01T00:00:00.000Z'`,
  ],
  [
    'openings: an erased member is not named',
    () => `update members set "erasureDoneAt" = '2026-01-01T00:00:00.000Z'`,
  ],
  [
    'activity: an erased member is not named',
    () => `update members set "erasureDoneAt" = '2026-01-01T00:00:00.000Z'; ${memberEntry}`,
  ],
  [
    'openings: what is kept no longer names nobody',
    () =>
      `insert into "identityKeeping" select "id", 'P1M', '2999-01-01T00:00:00.000Z', 'z', null, null, null from spaces`,
  ],
  [
    'identityRemovals: the activity is closed to changes',
    () => `insert into "identityRemovals" values ('space_a')`,
  ],
  ['members.isAdmin', () => `update members set "isAdmin" = true`],
  [
    'outbox: no mail is both sent and given up',
    () =>
      `insert into outbox select 'mail_1', "spaceId", "id", 'invitation', null, null, "createdAt", 1, "createdAt", "createdAt", "createdAt", null, null from members`,
  ],
  [
    'events: the numbers of a Space have no gap, and end at its counter',
    () => `delete from events where "seq" = 2`,
  ],
  [
    'gateways: the boot that counts is not superseded',
    () => `insert into "supersededBoots" select "id", "bootId", "createdAt", 0 from gateways`,
  ],
  [
    'openingReports: a report is of the Space of its opening',
    () =>
      `${withoutKeys}insert into spaces ("id", "name", "plan", "country", "timezone", "language", "createdAt") select 'space_2', "name", "plan", "country", "timezone", "language", "createdAt" from spaces; update gateways set "spaceId" = 'space_2'`,
  ],
  ['activity: an entry is found by its target', () => entry],
  [
    'activityConcerns: a row has the Space and the time of its entry',
    () =>
      `${entry}; insert into "activityConcerns" select "id", 'gate_1', '2026-01-02T00:00:00.000Z', 'act_1' from spaces`,
  ],
]

it.each(faults)('finds data that breaks a rule: %s', async (rule, sql) => {
  for (const one of sql().split('; ')) await change(one)
  const found = await verifyRows(rig.database.knex)
  expect(found.map(finding => finding.rule)).toContain(rule)
  expect(found.every(({ what }) => what.length > 0)).toBe(true)
})

it.each([sqliteWords, postgresWords])('has an example of a violation for each rule', words => {
  const forms = /^\w+\.(\w+At|openTold|closeTold|timestamp|grantBefore)$/
  const shown = new Set(faults.map(([rule]) => rule))
  expect(
    rowRules(words)
      .map(({ name }) => name)
      .filter(name => !shown.has(name) && !forms.test(name)),
  ).toEqual([])
})

it('finds a dropped trigger, a forged report, a foreign key, and links and secrets that do not open', async () => {
  const [trigger, dropped] = onPostgres
    ? ['activity_no_change', 'drop trigger activity_no_change on activity']
    : ['activity_no_delete', 'drop trigger activity_no_delete']
  await change(dropped)
  if (!onPostgres) await change('pragma foreign_keys = off')
  await change(`update openings set "apiKeyId" = 'key_gone' ${of(0)}`)
  const other = createSeal(rig.world, new Map([[1, rig.world.randomBytes(32)]]))
  const found = await verify(rig.database, other)
  const kinds = new Set(found.map(({ id, rule }) => (rule === 'tables' ? id : rule)))
  // Functions that check the locks of the Spaces in tests are not part of the product.
  for (const kind of kinds) if (/^(trigger|function) check_/.test(kind ?? '')) kinds.delete(kind)
  expect(kinds).toEqual(
    new Set([
      'foreign keys',
      `trigger ${trigger}`,
      'members.linkSealed',
      'users.totpSealed',
      'openingReports.signature',
    ]),
  )
  // The transaction is over, and the database can still be used.
  await rig.database.write(tx => tx('plans').update({ gateLimit: 5 }))
})

it('checks each page of a table, and shows at most a hundred findings of a rule', async () => {
  await change(onPostgres ? 'select 1' : 'drop trigger activity_no_update')
  const numbers = onPostgres
    ? 'generate_series(1000, 2249) as key'
    : `json_each('[${Array.from({ length: 2_250 }, () => 0)}]') where key >= 1000`
  await change(
    `insert into activity select 'act_' || key, '${rig.spaceId}', 'gate.created', 'a', 'gate', 'x', case when key < 2100 then '{}' else '{' end, '2020-01-01T00:00:00.000Z' from ${numbers}`,
  )
  const found = (await verifyRows(rig.database.knex)).filter(({ rule }) => rule === 'activity.details')
  expect([found.length, found[0]?.id, found.at(-1)?.what]).toEqual([101, 'act_2100', 'and more'])
})
