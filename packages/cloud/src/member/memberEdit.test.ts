import type { MemberEdit } from '@callgate/contract/app/memberEdit'
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
import { newSeal, newSpace } from '../space/space.kit.ts'
import { memberEditHandlers } from './memberEdit.ts'
import { memberHandlers } from './members.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let gateIds: string[]
let handlers: ReturnType<typeof memberEditHandlers> & ReturnType<typeof memberHandlers>

async function addGate(name: string): Promise<string> {
  const id = newId(world, idPrefix.gate)
  const row = { id, spaceId, name, phoneNumber: '+40722000001', location: '', isActive: true }
  const profile = JSON.stringify(callProfile({ mode: 'reject' }))
  await database.write(tx =>
    tx('gates').insert({ ...row, createdAt: isoTime(world.nowMs()), callProfile: profile }),
  )
  return id
}
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
  const parts = { world, database, seal: newSeal(world), appUrl: 'https://gates.example.com' }
  handlers = { ...memberHandlers(parts), ...memberEditHandlers(parts) }
  gateIds = [await addGate('Courtyard'), await addGate('Yard')]
})
afterEach(() => database.close())

const gate = (place: number) => gateIds[place] ?? ''
const weekdays = { type: 'weekdays', timeWindows: [{ from: '08:00', to: '18:00' }] }

async function add(name: string, gates: readonly number[] = [], email?: string): Promise<string> {
  const accesses = gates.map(place => ({ gateId: gate(place), maxUsage: 7 }))
  const body = { name, accesses, ...(email !== undefined && { email }) }
  const request = adminRequest(database, spaceId, { body })
  const made = (await handlers.createMember(request as never)) as { body: { member: { id: string } } }
  return made.body.member.id
}

async function asked(body: object): Promise<MemberEdit | Problem> {
  const given = { body: { isDryRun: false, sendsMails: false, ...body } }
  const answer = await handlers.editMembers(adminRequest<'editMembers'>(database, spaceId, given))
  return isProblem(answer) ? answer : (answer as { body: MemberEdit }).body
}
/** What a dry run says. It has nothing to write with. */
async function previewed(body: object): Promise<MemberEdit | Problem> {
  const request = adminRequest<'editMembers'>(database, spaceId, {
    body: { sendsMails: false, ...body, isDryRun: true },
  })
  const write = () => Promise.reject(new Error('a preview writes nothing'))
  const answer = await handlers.editMembers({ ...request, write })
  return isProblem(answer) ? answer : (answer as { body: MemberEdit }).body
}
/** What is planned for each member: the reason why one is left out, or the gates that change. */
async function planned(body: object) {
  const plan = (await previewed(body)) as MemberEdit
  expect(plan.isDone).toBe(false)
  return plan.members.map(({ gateIds: changed, leftOut, name }) => [name, leftOut ?? changed])
}
const accesses = () => database.knex('accesses').where({ spaceId }).orderBy(['memberId', 'id'])
const entries = async (action: string) =>
  (await database.knex('activity').where({ spaceId, action }).pluck('targetLabel')).sort()

it('gives an access to all who have none to the gate, with one entry for each', async () => {
  const ids = [await add('Ana', [0]), await add('Bogdan', [1]), await add('Carmen', [], 'c@example.com')]
  const body = { memberIds: ids, act: 'add_gate', access: { gateId: gate(1), schedules: [weekdays] } }
  const before = await accesses()
  expect(await planned({ ...body, sendsMails: true })).toEqual([
    ['Ana', [gate(1)]],
    ['Bogdan', 'has_gate'],
    ['Carmen', [gate(1)]],
  ])
  expect(await accesses(), 'a dry run').toEqual(before)
  expect(await entries('guest.access_added')).toEqual([])
  const meant = [ids[0], ids[2]]
  expect(await asked({ ...body, memberIds: meant, sendsMails: true })).toMatchObject({
    isDone: true,
    mails: 1,
  })
  expect(await entries('guest.access_added')).toEqual(['Ana', 'Carmen'])
  const given = (await accesses()).filter(({ gateId, memberId }) => gateId === gate(1) && memberId !== ids[1])
  expect(given.map(({ maxUsage, schedules }) => [maxUsage, JSON.parse(schedules)])).toEqual(
    Array.from({ length: 2 }, () => [null, [{ ...weekdays, timezone: 'Europe/Bucharest' }]]),
  )
  expect(await accesses()).toEqual(expect.arrayContaining(before))
  expect(await database.knex('outbox').where({ kind: 'access_granted' }).pluck('memberId')).toEqual([ids[2]])
})

it('changes the hours of one gate or of all, and keeps the cap', async () => {
  const ids = [await add('Ana', [0, 1]), await add('Bogdan', [1]), await add('Carmen')]
  const body = { memberIds: ids, act: 'set_hours', access: { schedules: [weekdays] } }
  expect(await planned({ ...body, access: { ...body.access, gateId: gate(0) } })).toEqual([
    ['Ana', [gate(0)]],
    ['Bogdan', 'no_access'],
    ['Carmen', 'no_access'],
  ])
  await asked({ ...body, memberIds: ids.slice(0, 2) })
  expect(await entries('guest.access_updated')).toEqual(['Ana', 'Ana', 'Bogdan'])
  for (const { maxUsage, schedules } of await accesses())
    expect([maxUsage, JSON.parse(schedules)]).toMatchObject([7, [weekdays]])
  expect(await planned({ ...body, memberIds: ids.slice(0, 2) })).toEqual([
    ['Ana', 'same'],
    ['Bogdan', 'same'],
  ])
})

it('deactivates, and sends the link again to those who have an address', async () => {
  const ids = [await add('Ana', [0], 'a@example.com'), await add('Bogdan', [1])]
  expect(await planned({ memberIds: ids, act: 'send_link' })).toEqual([
    ['Ana', []],
    ['Bogdan', 'no_email'],
  ])
  await asked({ memberIds: ids.slice(0, 1), act: 'send_link' })
  expect(await database.knex('outbox').where({ kind: 'invitation' })).toHaveLength(2)
  await asked({ memberIds: ids, act: 'deactivate' })
  expect(await entries('member.deactivated')).toEqual(['Ana', 'Bogdan'])
  expect(await accesses()).toEqual([])
  expect(await planned({ memberIds: ids, act: 'deactivate' })).toEqual([
    ['Ana', 'inactive'],
    ['Bogdan', 'inactive'],
  ])
})

it('changes nobody where one would be left out by now, or does not exist', async () => {
  const ids = [await add('Ana'), await add('Bogdan', [1])]
  const body = { memberIds: ids, act: 'add_gate', access: { gateId: gate(1) } }
  expect(await asked(body)).toMatchObject({ problem: 'conflict', refusals: [{ name: 'members_changed' }] })
  expect(await accesses()).toHaveLength(1)
  expect(await entries('guest.access_added')).toEqual([])
  const missing = newId(world, idPrefix.member)
  expect(await asked({ ...body, memberIds: [ids[0], missing] })).toMatchObject({ problem: 'not_found' })
  const unknown = { gateId: newId(world, idPrefix.gate) }
  expect(await asked({ ...body, memberIds: [ids[0]], access: unknown })).toMatchObject({
    problem: 'not_found',
  })
  expect(await accesses()).toHaveLength(1)
})

it('changes nobody where the change is another one than was shown', async () => {
  const ids = [
    await add('Ana', [0], 'a@example.com'),
    await add('Bogdan', [1], 'b@example.com'),
    await add('C'),
  ]
  const plan = async (body: object) => {
    const { members, preview } = (await previewed(body)) as MemberEdit
    const memberIds = members.filter(({ leftOut }) => leftOut === null).map(({ memberId }) => memberId)
    return { ...body, memberIds, preview }
  }
  const ending = await plan({ memberIds: ids.slice(0, 2), act: 'deactivate' })
  const another = { gateId: gate(1), schedules: [weekdays] }
  await asked({ memberIds: ids.slice(0, 1), act: 'add_gate', access: another })
  const changed = { problem: 'conflict', refusals: [{ name: 'members_changed' }] }
  expect(await asked(ending), 'one access more would end').toMatchObject(changed)
  expect(await entries('member.deactivated')).toEqual([])
  const giving = await plan({ memberIds: ids, act: 'add_gate', access: another, sendsMails: true })
  expect(giving.memberIds).toEqual([ids[2]])
  await database.knex('members').where({ id: ids[2] }).update({ email: 'c@example.com' })
  expect(await asked(giving), 'a mail more would be sent').toMatchObject(changed)
  const shown = await plan({ memberIds: ids, act: 'deactivate' })
  expect(await asked(shown)).toMatchObject({ isDone: true, preview: shown.preview })
})

it('says before the change which limit or gate refuses it', async () => {
  const ids: string[] = []
  for (let place = 0; place < 21; place++) {
    ids.push(await add(`M${place}`, [], `a+${place}@example.com`))
    // The invitation counts, too.
    await database.knex('mailRecords').where({ spaceId }).delete()
  }
  const body = { memberIds: ids, act: 'send_link' }
  expect(await previewed({ ...body, memberIds: ids.slice(1) })).toMatchObject({ mails: 20 })
  const limited = { problem: 'rate_limited', refusals: [{ name: 'mails_to_address' }] }
  expect(await previewed(body)).toMatchObject(limited)
  expect(await asked(body)).toMatchObject(limited)
  const unknown = { gateId: newId(world, idPrefix.gate) }
  expect(await previewed({ memberIds: ids, act: 'add_gate', access: unknown })).toMatchObject({
    problem: 'not_found',
    message: expect.stringContaining('access.gateId'),
  })
})

it('names what is missing in the request', async () => {
  const memberIds = [await add('Ana')]
  const faults = [
    [{ act: 'add_gate' }, 'access must be given'],
    [{ act: 'add_gate', access: {} }, 'access.gateId must be given'],
    [{ act: 'deactivate', access: {} }, 'access must be absent'],
    [
      { act: 'set_hours', access: { schedules: [{ type: 'always', timezone: 'Mars/Base' }] } },
      'access.schedules',
    ],
  ] as const
  for (const [body, says] of faults) {
    const problem = (await asked({ memberIds, ...body })) as Problem
    expect(problem.problem).toBe('validation_error')
    expect(problem.message).toContain(says)
  }
})
