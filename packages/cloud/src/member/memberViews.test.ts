import type { MemberCounts, MemberView } from '@callgate/contract/app/appMember'
import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import { callProfile } from '@callgate/contract/call/callProfile'
import { idPrefix } from '@callgate/contract/idPrefix'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import type { AppRequest } from '../http/handler.ts'
import { adminRequest, bodyOf, outdated } from '../http/requests.kit.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { noteLinkUse } from './linkUses.ts'
import { memberAppHandlers } from './memberAppHandlers.ts'
import { memberHandlers } from './members.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let gateIds: string[]
let handlers: ReturnType<typeof memberAppHandlers> & ReturnType<typeof memberHandlers>

beforeEach(async () => {
  world = fakeWorld(1)
  // Friday, 14:32 in Bucharest.
  world.jumpWallClock(Date.parse('2026-03-20T12:32:00Z') - world.nowMs())
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
  const parts = { world, database, seal: newSeal(world), appUrl: 'https://gates.example.com' }
  handlers = { ...memberHandlers(parts), ...memberAppHandlers(parts) }
  gateIds = []
  for (const name of ['Courtyard', 'Yard', 'Garage']) {
    const id = newId(world, idPrefix.gate)
    const row = { id, spaceId, name, phoneNumber: '+40722000001', location: '', isActive: true }
    const profile = JSON.stringify(callProfile({ mode: 'reject' }))
    const createdAt = isoTime(world.nowMs())
    await database.write(tx => tx('gates').insert({ ...row, createdAt, callProfile: profile }))
    gateIds.push(id)
  }
})
afterEach(() => database.close())

const gate = (place: number) => gateIds[place] ?? ''
function request<Id extends OwnOperationId>(given: object = {}): AppRequest<Id> {
  return adminRequest<Id>(database, spaceId, given)
}
const weekdays = { type: 'weekdays', timeWindows: [{ from: '07:00', to: '19:00' }] }
const saturday = { type: 'custom', daysOfWeek: [6] }

async function add(name: string, accesses: object[] = [], more: object = {}): Promise<string> {
  const body = { name, accesses, ...more }
  const made = await bodyOf<{ member: { id: string } }>(
    handlers.createMember(request({ body }) as never) as never,
  )
  return made.member.id
}
async function find(query: object = {}): Promise<string[]> {
  const asked = { limit: 50, state: 'active', ...query }
  const { members } = await bodyOf<{ members: MemberView[] }>(
    handlers.listMemberViews(request({ query: asked })) as never,
  )
  return members.map(({ name }) => name)
}
async function view(memberId: string): Promise<MemberView> {
  const params = { memberId }
  const { member } = await bodyOf<{ member: MemberView }>(
    handlers.getMemberView(request({ params })) as never,
  )
  return member
}
const save = (memberId: string, body: object, more: object = {}) =>
  handlers.saveMember(request({ params: { memberId }, body, ...more }))
const entries = async () => (await database.knex('activity').orderBy('id')).map(({ action }) => action)

it('shows the status of each access, the link, and the mail that could not be sent', async () => {
  const accesses = [
    { gateId: gate(0), schedules: [weekdays], maxUsage: 10 },
    { gateId: gate(1), schedules: [saturday] },
  ]
  const id = await add('Ana Pop', accesses, { email: 'ana@example.com' })
  await database.write(async tx => {
    await tx('outbox').update({ lastError: 'the mailbox is full', givenUpAt: isoTime(world.nowMs()) })
    await tx('accesses')
      .where({ gateId: gate(0) })
      .update({ usageCount: 3 })
  })
  expect(await view(id)).toMatchObject({
    email: 'ana@example.com',
    now: {
      standing: 'allowed_now',
      untilAt: '2026-03-20T17:00:00.000Z',
      link: expect.stringMatching(/^https:\/\/gates\.example\.com\/g\//),
      mail: { state: 'failed', says: 'the mailbox is full' },
    },
    accesses: [
      { gateId: gate(0), now: { standing: 'allowed_now', usesLeft: 7 } },
      { gateId: gate(1), now: { standing: 'outside_hours', nextAt: '2026-03-20T22:00:00.000Z' } },
    ],
  })
  expect((await view(id)).now.newPhoneAt).toBeNull()
  const used = { spaceId, memberId: id, firstUsedAt: '2026-03-18T08:00:00.000Z' }
  await database.write(async tx => {
    await tx('linkUses').insert({ ...used, visitorHash: 'a' })
    await tx('linkUses').insert({ ...used, visitorHash: 'b', firstUsedAt: '2026-03-19T08:00:00.000Z' })
  })
  expect((await view(id)).now.newPhoneAt).toBe('2026-03-19T08:00:00.000Z')
  await database.write(tx => tx('outbox').update({ givenUpAt: null, sentAt: isoTime(world.nowMs()) }))
  expect((await view(id)).now.mail).toBeNull()
  expect(await handlers.getMemberView(request({ params: { memberId: 'member_x' } }))).toMatchObject({
    problem: 'not_found',
  })
})

it('is found by a part of any text, regardless of case and accents, by gate, and by status', async () => {
  await add('Ștefan Țurcanu', [{ gateId: gate(0) }], { note: 'Apartment 12' })
  await add('Ion Marin', [{ gateId: gate(1), schedules: [saturday] }], { phone: '0733 555 010' })
  const soon = { ...weekdays, expiresAt: '2026-03-25T00:00' }
  await add('Elena Stan', [{ gateId: gate(0), schedules: [soon] }], { email: 'elena@example.com' })
  await add('Dana', [{ gateId: gate(2), schedules: [{ type: 'always', expiresAt: '2026-03-01T00:00' }] }])
  const gone = await add('Gone')
  await handlers.deactivateMember(request({ params: { memberId: gone } }) as never)
  expect(await find()).toEqual(['Ștefan Țurcanu', 'Ion Marin', 'Elena Stan', 'Dana'])
  expect(await find({ search: ' STEFAN T' })).toEqual(['Ștefan Țurcanu'])
  expect(await find({ search: 'apartment' })).toEqual(['Ștefan Țurcanu'])
  expect(await find({ search: '555' })).toEqual(['Ion Marin'])
  expect(await find({ search: 'elena@' })).toEqual(['Elena Stan'])
  expect(await find({ search: '%' })).toEqual([])
  expect(await find({ gateId: gate(0) })).toEqual(['Ștefan Țurcanu', 'Elena Stan'])
  expect(await find({ state: 'allowed_now' })).toEqual(['Ștefan Țurcanu', 'Elena Stan'])
  expect(await find({ state: 'ending_soon' })).toEqual(['Elena Stan'])
  expect(await find({ state: 'ended' })).toEqual(['Dana'])
  expect(await find({ state: 'current' })).toEqual(['Ștefan Țurcanu', 'Ion Marin', 'Elena Stan'])
  expect(await find({ state: 'inactive' })).toEqual(['Gone'])
  const counts = await bodyOf<MemberCounts>(handlers.getMemberCounts(request()) as never)
  expect(counts).toEqual({ active: 4, current: 3, allowed_now: 2, ending_soon: 1, ended: 1, inactive: 1 })
})

it('is listed in pages that neither repeat nor skip one', async () => {
  const names = Array.from({ length: 7 }, (_, place) => `Member ${place}`)
  for (const name of names) await add(name)
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query = { limit: 3, state: 'active', search: 'member', cursor }
    const page: { members: MemberView[]; pagination: { nextCursor: string | null } } = await bodyOf(
      handlers.listMemberViews(request({ query })) as never,
    )
    seen.push(...page.members.map(({ name }) => name))
    cursor = page.pagination.nextCursor
  }
  expect(seen).toEqual(names)
  expect(await handlers.listMemberViews(request({ query: { limit: 3, cursor: 'x' } }))).toMatchObject({
    problem: 'validation_error',
  })
})

it('is saved with all accesses: one is changed, one is added, and a missing one is revoked', async () => {
  const id = await add('Ana Pop', [{ gateId: gate(0) }, { gateId: gate(1) }], { email: 'ana@example.com' })
  await database.write(tx => tx('outbox').delete())
  const [kept] = (await view(id)).accesses
  const accesses = [
    { id: kept?.id, gateId: gate(0), maxUsage: 5 },
    { gateId: gate(2), schedules: [weekdays], isActive: false },
  ]
  expect(await save(id, { name: 'Ana Popescu', accesses })).toMatchObject({
    status: 200,
    body: {
      member: {
        name: 'Ana Popescu',
        email: 'ana@example.com',
        accesses: [
          { id: kept?.id, maxUsage: 5, schedules: kept?.schedules },
          { gateId: gate(2), isActive: false, schedules: [{ type: 'weekdays' }] },
        ],
      },
    },
  })
  expect(await entries()).toEqual([
    'member.created',
    'member.updated',
    'guest.access_revoked',
    'guest.access_updated',
    'guest.access_added',
  ])
  expect(await database.knex('activity').pluck('actor')).toEqual(Array(5).fill('user:ada@example.com'))
  expect(await database.knex('outbox').select('kind', 'gateId')).toEqual([
    { kind: 'access_granted', gateId: gate(2) },
  ])
  const before = await view(id)
  await save(id, { accesses: before.accesses.map(({ gateId, id: accessId }) => ({ id: accessId, gateId })) })
  await save(id, {})
  expect(await view(id)).toEqual(before)
  expect(await entries()).toHaveLength(5)
})

it('is saved completely or not at all', async () => {
  const id = await add('Ana Pop', [{ gateId: gate(0) }])
  const other = await add('Ion', [{ gateId: gate(1) }])
  const before = await view(id)
  const own = { id: before.accesses[0]?.id, gateId: gate(0) }
  const foreign = { id: (await view(other)).accesses[0]?.id, gateId: gate(1) }
  const wrong = { type: 'weekdays', timeWindows: [{ from: '08:00', to: '08:00' }] }
  const refused: [object[], string, RegExp][] = [
    [[own, foreign], 'not_found', /^accesses\[1\]\.id/],
    [[{ ...own, gateId: gate(1) }], 'validation_error', /^accesses\[0\]\.gateId/],
    [[own, own], 'validation_error', /^accesses\[1\]\.id/],
    [[own, { gateId: gate(0) }], 'conflict', /^accesses\[1\]\.gateId/],
    [[own, { gateId: 'gate_x' }], 'not_found', /^accesses\[1\]\.gateId/],
    [
      [own, { gateId: gate(1), schedules: [wrong] }],
      'validation_error',
      /^accesses\[1\]\.schedules\[0\]\.timeWindows/,
    ],
  ]
  for (const [accesses, problem, message] of refused)
    expect(await save(id, { name: 'Changed', accesses })).toMatchObject({
      problem,
      message: expect.stringMatching(message),
    })
  expect(await save(id, { name: 'Changed' }, { stale: () => outdated })).toEqual(outdated)
  expect(await save('member_x', {})).toMatchObject({ problem: 'not_found' })
  expect(await view(id)).toEqual(before)
  expect(await entries()).toEqual(['member.created', 'member.created'])
})

it('reports that another phone used the link, until the link is replaced', async () => {
  const id = await add('Ana Pop', [{ gateId: gate(0) }])
  const use = (phone: string) =>
    database.write(tx => noteLinkUse(tx, { id, spaceId }, phone, isoTime(world.nowMs())))
  const reset = () => handlers.resetMemberLink(request({ params: { memberId: id }, body: {} }) as never)
  for (const _ of [1, 2]) await use('one phone')
  expect((await view(id)).now.newPhoneAt).toBeNull()
  await world.advance(60_000)
  await use('another')
  expect((await view(id)).now.newPhoneAt).toBe(isoTime(world.nowMs()))
  await reset()
  expect((await view(id)).now.newPhoneAt).toBeNull()
})

it('accepts no accesses while deactivated, and is reactivated with a new link', async () => {
  const id = await add('Ana Pop', [{ gateId: gate(0) }])
  const { link } = (await view(id)).now
  await handlers.deactivateMember(request({ params: { memberId: id } }) as never)
  expect(await save(id, { accesses: [{ gateId: gate(0) }] })).toMatchObject({ problem: 'conflict' })
  expect(await save(id, { note: 'Moved out' })).toMatchObject({ status: 200 })
  const again = () => handlers.reactivateMember(request({ params: { memberId: id } }) as never)
  expect(await again()).toMatchObject({ body: { member: { isActive: true, accesses: [] } } })
  const { now } = await view(id)
  expect(now.link).not.toBe(link)
  await again()
  expect((await view(id)).now.link).toBe(now.link)
  expect((await entries()).slice(1)).toEqual(['member.deactivated', 'member.updated', 'member.reactivated'])
  expect(
    await handlers.reactivateMember(request({ params: { memberId: 'member_x' } }) as never),
  ).toMatchObject({
    problem: 'not_found',
  })
})

it('checks many accesses in turns, so that nobody waits for all of them', async () => {
  const members = 120
  const first = await add(
    'Member',
    [0, 1, 2].map(place => ({ gateId: gate(place), schedules: [weekdays] })),
  )
  const [member] = await database.knex('members').where({ id: first })
  const accesses = await database.knex('accesses').where({ memberId: first })
  let days = 0
  /** Schedules that no other access has, because cached ones are no work. */
  const own = () => {
    days += 1
    const startsAt = `${new Date(days * 86_400_000).toISOString().slice(0, 10)}T00:00`
    return JSON.stringify([{ ...weekdays, timezone: 'Europe/Bucharest', startsAt }])
  }
  await database.write(async tx => {
    for (let count = 1; count < members; count++) {
      const id = newId(world, idPrefix.member)
      await tx('members').insert({ ...member, id, linkHash: id })
      for (const access of accesses)
        await tx('accesses').insert({
          ...access,
          id: newId(world, idPrefix.access),
          memberId: id,
          schedules: own(),
        })
    }
  })
  const work: number[] = []
  let checked = 0
  const counting: FakeWorld = {
    ...world,
    turn: of => {
      work.push(checked)
      checked = 0
      return world.turn(of)
    },
  }
  /** How many members each query for the rows of accesses names, beside the Space. */
  const read: number[] = []
  database.knex.on('query', ({ bindings, sql }: { bindings: readonly unknown[]; sql: string }) => {
    if (!/from .accesses. .*order by/.test(sql)) return
    read.push(bindings.length - 1)
    checked += accesses.length * (bindings.length - 1)
  })
  const seal = newSeal(world)
  const { getMemberCounts } = memberAppHandlers({
    world: counting,
    database,
    seal,
    appUrl: 'https://gates.example.com',
  })
  const counts = await bodyOf<MemberCounts>(getMemberCounts(request()) as never)
  expect(counts).toMatchObject({ active: members, allowed_now: members })
  // 20,000 characters of work: 100 for an access, and its schedules.
  const atOnce = Math.ceil(20_000 / (100 + own().length))
  expect(work.length).toBeGreaterThanOrEqual(Math.floor((members * accesses.length) / atOnce))
  // A query for each member would take most of the time; one for all of them would fill the memory.
  expect(read).toEqual([20, 20, 10, 20, 20, 10, 20])
  expect(Math.max(...work)).toBeLessThanOrEqual(atOnce + 20 * accesses.length)
})
