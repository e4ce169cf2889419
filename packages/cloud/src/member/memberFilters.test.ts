import { fakeWorld } from '@callgate/world/fake'
import { expect, it } from 'vitest'
import { oldestFirst } from '../database/oldestFirst.ts'
import { onPostgres, testDatabase } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import { externalIdProblem } from '../space/externalIds.ts'
import { accessesByMember } from './accesses.ts'
import { type MemberFilter, selectFitting } from './memberRows.ts'

it.each([
  [{ externalId: 'crm-1' }, 'members_external_id (spaceId=? AND externalId=?)'],
  [{ externalId: 'crm-1', isActive: true }, 'members_external_id (spaceId=? AND externalId=?)'],
  [{ email: 'Ana@example.com' }, 'members_of_email (spaceId=? AND <expr>=?)'],
  [{ isActive: true }, 'members_spaceid_createdat_id_index (spaceId=?'],
] as const satisfies readonly (readonly [MemberFilter, string])[])(
  'finds the members of %j by an index',
  async (filter, index) => {
    if (onPostgres) return
    const database = await testDatabase(fakeWorld(1))
    const [steps = []] = await plansOf(database, async db =>
      oldestFirst(selectFitting(db, 'space_a', filter), 'members', { rows: 200 }),
    )
    await database.close()
    expect(steps.join()).toContain(index)
  },
)

it.each(['gates', 'members'] as const)('finds who has an external id by an index, of %s', async table => {
  if (onPostgres) return
  const database = await testDatabase(fakeWorld(1))
  const [steps = []] = await plansOf(database, db =>
    externalIdProblem(db, table, { spaceId: 'space_a', externalId: 'crm-1' }),
  )
  await database.close()
  expect(steps.join()).toContain(`${table}_external_id (spaceId=? AND externalId=?)`)
})

it('reads the accesses of several members by an index, in its order', async () => {
  if (onPostgres) return
  const database = await testDatabase(fakeWorld(1))
  const [steps = []] = await plansOf(database, db =>
    accessesByMember(db, 'space_a', ['member_a', 'member_b']),
  )
  await database.close()
  expect(steps.join()).toContain('accesses_spaceid_memberid_createdat_id_index (spaceId=? AND memberId=?)')
  expect(steps.join()).not.toContain('TEMP B-TREE')
})
