import type { AccessTemplate } from '@callgate/contract/app/accessTemplate'
import { callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { adminRequest } from '../http/requests.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { accessTemplateHandlers } from './accessTemplates.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let gateId: string
let handlers: ReturnType<typeof accessTemplateHandlers>
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
  handlers = accessTemplateHandlers({ world, database })
  gateId = newId(world, idPrefix.gate)
  const row = { id: gateId, spaceId, name: 'Courtyard', phoneNumber: '+40722000001', location: '' }
  const callProfileText = JSON.stringify(callProfile({ mode: 'reject' }))
  await database.write(tx =>
    tx('gates').insert({
      ...row,
      isActive: true,
      createdAt: isoTime(world.nowMs()),
      callProfile: callProfileText,
    }),
  )
})
afterEach(() => database.close())

const cleaner = {
  name: 'Cleaner',
  gateIds: [],
  schedules: [{ type: 'weekdays', timeWindows: [{ from: '08:00', to: '12:00' }] }],
  endsAfterDays: null,
  maxUsage: null,
}

async function save(templates: readonly object[], given: object = {}) {
  const request = adminRequest<'saveAccessTemplates'>(database, spaceId, { body: { templates }, ...given })
  return handlers.saveAccessTemplates(request)
}
async function list(): Promise<AccessTemplate[]> {
  const answer = await handlers.listAccessTemplates(adminRequest(database, spaceId))
  return (answer as { body: { templates: AccessTemplate[] } }).body.templates
}
const entries = async (): Promise<object[]> => {
  const rows = await database
    .knex('activity')
    .where({ action: 'space.templates_changed' })
    .orderBy('timestamp')
  return rows.map(({ details }) => JSON.parse(details))
}

it('keeps the list of a Space in its order, with one entry for each save that changes it', async () => {
  expect(await list()).toEqual([])
  const guest = { ...cleaner, name: ' Weekend guest ', gateIds: [gateId], endsAfterDays: 3, maxUsage: 10 }
  await save([guest, cleaner])
  const timezone = 'Europe/Bucharest'
  const schedules = [{ ...cleaner.schedules[0], timezone }]
  expect(await list()).toEqual([
    { ...guest, name: 'Weekend guest', schedules },
    { ...cleaner, schedules },
  ])
  await save(await list())
  await world.advance(1_000)
  await save([{ ...cleaner, maxUsage: 5 }])
  expect(await list()).toMatchObject([{ name: 'Cleaner', maxUsage: 5 }])
  expect(await entries()).toMatchObject([
    { added: ['Weekend guest', 'Cleaner'], changed: [], removed: [] },
    { added: [], changed: ['Cleaner'], removed: ['Weekend guest'] },
  ])
})

it('refuses a name twice, a bound, and a gate of another Space, and keeps what was there', async () => {
  await save([cleaner])
  const refused = async (templates: readonly object[]) => {
    const answer = await save(templates)
    expect(isProblem(answer)).toBe(true)
    return (answer as Problem).message
  }
  expect(await refused([cleaner, { ...cleaner, name: 'CLEANER' }])).toMatch(/^templates\[1\]\.name/)
  const bounds = [
    { type: 'always', expiresAt: '2026-12-24T08:00' },
    { type: 'always', startsAt: '2026-12-24T08:00' },
    { type: 'one-shot', startsAt: '2026-12-24T08:00', expiresAt: '2026-12-24T09:00' },
  ]
  for (const bound of bounds)
    expect(await refused([{ ...cleaner, schedules: [...cleaner.schedules, bound] }])).toMatch(
      /^templates\[0\]\.schedules\[1\] must have no bounds/,
    )
  const other = newId(world, idPrefix.gate)
  expect(await refused([cleaner, { ...cleaner, name: 'B', gateIds: [other] }])).toMatch(
    /^templates\[1\]\.gateIds/,
  )
  expect(await list()).toMatchObject([{ name: 'Cleaner' }])
})

it('does not overwrite the change of another admin', async () => {
  const problem = { problem: 'precondition_failed', message: 'changed' } as const
  expect(await save([cleaner], { stale: () => problem })).toEqual(problem)
  expect(await list()).toEqual([])
})
