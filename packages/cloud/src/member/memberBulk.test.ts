import { callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import type { BulkAnswer } from '@callgate/contract/rest/memberBulk'
import { isProblem, type Problem } from '@callgate/contract/rest/problem'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { principalIn, requestOf } from '../http/requests.kit.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { memberBulkHandlers } from './memberBulk.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let gateId: string
let handlers: ReturnType<typeof memberBulkHandlers>

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
  handlers = memberBulkHandlers({
    world,
    database,
    seal: newSeal(world),
    appUrl: 'https://gates.example.com',
  })
  gateId = newId(world, idPrefix.gate)
  const row = { id: gateId, spaceId, name: 'Yard', phoneNumber: '+40722000001', location: '', isActive: true }
  const profile = JSON.stringify(callProfile({ mode: 'reject' }))
  await database.write(tx =>
    tx('gates').insert({ ...row, createdAt: isoTime(world.nowMs()), callProfile: profile }),
  )
})
afterEach(() => database.close())

type Item = { readonly externalId: string; readonly [field: string]: unknown }

function requestFor(items: readonly Item[], isDryRun: boolean, sendsMails: boolean) {
  const body = { items, isDryRun, sendsMails } as never
  return requestOf<'bulkMembers'>(database, principalIn(spaceId), { body })
}
const said = (answer: object): BulkAnswer | Problem =>
  isProblem(answer) ? answer : (answer as { body: BulkAnswer }).body

/** What a dry run says. It has nothing to write with. */
async function tried(items: readonly Item[], sendsMails = false) {
  const write = () => Promise.reject(new Error('a dry run writes nothing'))
  return said(await handlers.bulkMembers({ ...requestFor(items, true, sendsMails), write }))
}
const done = async (items: readonly Item[], sendsMails = false) =>
  said(await handlers.bulkMembers(requestFor(items, false, sendsMails)))

/** Of a change that is made, what its dry run says as well. */
const compared = (answer: BulkAnswer | Problem) => {
  if (isProblem(answer)) return answer
  const members = answer.members.map(({ change, externalId }) => [externalId, change])
  return { ...answer, isDone: null, members }
}

/** Checks that the dry run says what the change says, and returns that. */
async function same(items: readonly Item[], sendsMails = false) {
  const before = compared(await tried(items, sendsMails))
  expect(before).toEqual(compared(await done(items, sendsMails)))
  return before
}

it('says in a dry run what the change does, of every kind of item', async () => {
  const ana = { externalId: 'a', name: 'Ana', email: 'ana@example.com', accesses: [] }
  await done([ana, { externalId: 'b', name: 'Dan', accesses: [{ gateId }] }])
  expect(
    await same(
      [
        { externalId: 'a', accesses: [{ gateId }] },
        { externalId: 'b', note: 'Attic', accesses: [] },
        { externalId: 'c', name: 'Eva', email: 'eva@example.com', accesses: [{ gateId }] },
        { externalId: 'd', isActive: false },
      ],
      true,
    ),
  ).toMatchObject({
    members: [
      ['a', 'changed'],
      ['b', 'changed'],
      ['c', 'created'],
      ['d', 'unchanged'],
    ],
    accessesAdded: 2,
    accessesRevoked: 1,
    mails: 2,
  })
  expect(await same([{ externalId: 'c', isActive: false }])).toMatchObject({
    members: [['c', 'deactivated']],
  })
})

it('refuses in a dry run what the change refuses', async () => {
  await done([{ externalId: 'a', name: 'Ana' }])
  const nowhere = newId(world, idPrefix.gate)
  const problem = await same([
    { externalId: 'a', accesses: [{ gateId: nowhere }] },
    { externalId: 'b', name: 'Dan', accesses: [{ gateId }, { gateId }] },
    { externalId: 'b', name: 'Dan' },
    { externalId: 'c' },
  ])
  expect(problem).toMatchObject({
    problem: 'not_found',
    extra: { faults: [{ index: 0 }, { index: 1 }, { index: 2 }, { index: 3 }] },
  })
})

it('counts in a dry run the members and mails before an item against the limits', async () => {
  await database.knex('plans').update({ monthlyInvitationLimit: 2 })
  const people = ['a', 'b', 'c'].map(externalId => ({ externalId, name: externalId }))
  expect(await same(people)).toMatchObject({ extra: { faults: [{ index: 2 }] } })
  await database.knex('plans').update({ monthlyInvitationLimit: 500 })
  const mailed = Array.from({ length: 40 }, (_, place) => ({
    externalId: `m${place}`,
    name: 'Eva',
    email: 'eva@example.com',
  }))
  expect(await same(mailed, true)).toHaveProperty('extra.faults')
})
