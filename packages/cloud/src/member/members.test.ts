import type { Member } from '@callgate/contract/rest/member'
import type { OperationId } from '@callgate/contract/rest/operations'
import { operations } from '@callgate/contract/rest/operations'
import { isProblem } from '@callgate/contract/rest/problem'
import { checker } from '@callgate/contract/validate'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { orderWritten, testDatabase } from '../database/postgres.kit.ts'
import { gateHandlers } from '../gate/gates.ts'
import type { Principal, Request } from '../http/handler.ts'
import { bodyOf, newPrincipal, outdated, requestOf } from '../http/requests.kit.ts'
import { newSeal } from '../space/space.kit.ts'
import { setPlan } from '../space/spaces.ts'
import { findMemberByToken } from './memberLinks.ts'
import { memberHandlers } from './members.ts'

const appUrl = 'https://gates.example.com'
let world: FakeWorld
let database: Database
let principal: Principal
let members: ReturnType<typeof memberHandlers>
let gates: ReturnType<typeof gateHandlers>

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  const seal = newSeal(world)
  members = memberHandlers({ database, world, seal, appUrl })
  gates = gateHandlers({ database, world })
  principal = await newPrincipal({ database, world })
})
afterEach(() => database.close())

const asked = <Id extends OperationId>(given: Partial<Request<Id>> = {}) =>
  requestOf<Id>(database, principal, given)
const told = async (answer: Promise<object>) => {
  const said = await answer
  return isProblem(said) ? said.problem : said
}

async function gate(name: string): Promise<string> {
  return (await bodyOf(gates.createGate(asked({ body: { name, phoneNumber: '0722123456' } })))).gate.id
}

async function create(body: Partial<Request<'createMember'>['body']> = {}): Promise<Member> {
  return (await bodyOf(members.createMember(asked({ body: { name: 'Ana', ...body } })))).member
}

async function get(memberId: string): Promise<Member> {
  return (await bodyOf(members.getMember(asked({ params: { memberId } })))).member
}

async function list(query: Request<'listMembers'>['query'] = {}) {
  return bodyOf(members.listMembers(asked({ query })))
}

async function activity(prefix: RegExp) {
  const rows = await database.knex('activity').orderByRaw(orderWritten)
  return rows
    .filter(({ action }) => prefix.test(action))
    .map(({ action, actor, targetLabel, targetType, details }) => ({
      action,
      actor,
      targetType,
      targetLabel,
      details: JSON.parse(details),
    }))
}

const ofMember = /^(member|guest)\./
const mails = () => database.knex('outbox').select('memberId', 'kind', 'gateId')
const tokenOf = (member: Member) => member.accesses[0]?.accessUrl.slice(`${appUrl}/g/`.length) ?? ''

describe('a new member', () => {
  it('is returned whole, with accesses in the order of the request, one link, and one activity entry', async () => {
    const [front, back] = [await gate('Front'), await gate('Back')]
    const accesses = [
      { gateId: back, maxUsage: 3, schedules: [{ type: 'weekdays', timezone: 'Europe/Berlin' } as const] },
      { gateId: front, maxUsage: null, schedules: null },
    ]
    const member = await create({ email: 'ana@example.com', phone: '0722 1', accesses })
    expect(checker(operations.createMember.answers[201], 'the answer')({ member })).toMatchObject({
      ok: true,
    })
    expect(member).toMatchObject({
      name: 'Ana',
      phone: '0722 1',
      note: null,
      isAdmin: false,
      isActive: true,
      preferredLanguage: 'en',
      createdAt: '2026-01-05T08:00:00.000Z',
      accesses: [
        { gateId: back, maxUsage: 3, schedules: [{ type: 'weekdays', timezone: 'Europe/Berlin' }] },
        { gateId: front, maxUsage: null, schedules: [{ type: 'always', timezone: 'Europe/Bucharest' }] },
      ],
    })
    expect(member.accesses[0]).toMatchObject({ usageCount: 0, isActive: true, lastUsedAt: null })
    expect(member.accesses[0]?.accessUrl).toMatch(/^https:\/\/gates\.example\.com\/g\/[\w-]{32}$/)
    expect(member.accesses[1]?.accessUrl).toBe(member.accesses[0]?.accessUrl)
    expect(await get(member.id)).toEqual(member)
    expect(await activity(ofMember)).toEqual([
      {
        action: 'member.created',
        actor: 'api:Desk',
        targetType: 'member',
        targetLabel: 'Ana',
        details: {
          accesses: ['Back', 'Front'],
          gateIds: member.accesses.map(({ gateId }) => gateId),
          actorId: 'key',
          targetId: member.id,
        },
      },
    ])
    expect(await mails()).toEqual([{ memberId: member.id, kind: 'invitation', gateId: null }])
  })

  it('without e-mail and accesses gets no mail', async () => {
    const member = await create({ email: null, phone: null, note: 'Lives at 4\nTwo cars', accesses: null })
    expect(member).toMatchObject({ note: 'Lives at 4\nTwo cars', accesses: [] })
    expect(await mails()).toEqual([])
  })

  it('is not created at all when one access is invalid', async () => {
    const front = await gate('Front')
    const other = await newPrincipal({ database, world }, 'Other')
    const foreign = await gates.createGate(
      requestOf(database, other, { body: { name: 'Foreign', phoneNumber: '0722123456' } }),
    )
    const foreignId = isProblem(foreign) ? '' : foreign.body.gate.id
    const attempt = (accesses: NonNullable<Request<'createMember'>['body']['accesses']>) =>
      members.createMember(asked({ body: { name: 'Ana', email: 'ana@example.com', accesses } }))
    const missing = await attempt([{ gateId: front }, { gateId: 'nothing' }])
    expect(missing).toEqual({
      problem: 'not_found',
      message: 'accesses[1].gateId: there is no gate with this id.',
    })
    expect(await attempt([{ gateId: front }, { gateId: foreignId }])).toEqual(missing)
    expect(await attempt([{ gateId: front }, { gateId: front }])).toMatchObject({
      problem: 'conflict',
      message: expect.stringContaining('accesses[1].gateId'),
    })
    const schedules = [{ type: 'always', timezone: 'Mars/Olympus' } as const]
    expect(await attempt([{ gateId: front }, { gateId: front, schedules }])).toMatchObject({
      problem: 'validation_error',
      message: expect.stringContaining('accesses[1].schedules[0].timezone'),
    })
    expect((await list()).members).toEqual([])
    expect(await activity(ofMember)).toEqual([])
    expect(await mails()).toEqual([])
  })
})

describe('the monthly invitations', () => {
  const attempts = (count: number) =>
    Promise.all(
      Array.from({ length: count }, () =>
        members.createMember(asked({ body: { name: 'Ana', email: null } })),
      ),
    )

  it('are never exceeded, however many requests come at once', async () => {
    await setPlan({ database, world }, { spaceId: principal.spaceId, plan: 'free', actor: 'operator' })
    const answers = await attempts(50)
    const refused = answers.filter(isProblem)
    expect(refused.map(({ problem }) => problem)).toEqual(Array(40).fill('plan_limit_reached'))
    expect(refused[0]?.message).toContain('may have 10 invitations a month')
    expect(refused[0]?.message).toContain('10 are used; this resets at 2026-01-31T22:00:00.000Z')
    expect((await list()).members).toHaveLength(10)
    expect(await activity(ofMember)).toHaveLength(10)
  })

  it("are renewed with the next month of the Space's zone, and not by deactivating a member", async () => {
    const { spaceId } = principal
    await database.knex('spaceLimits').insert({ spaceId, gateLimit: null, monthlyInvitationLimit: 1 })
    const { id } = await create()
    await members.deactivateMember(asked({ params: { memberId: id } }))
    await expect(create()).rejects.toThrow('1 is used')
    world.jumpWallClock(Date.UTC(2026, 0, 31, 22) - world.nowMs() - 1)
    await expect(create()).rejects.toThrow('1 is used')
    world.jumpWallClock(1)
    await create()
    await expect(create()).rejects.toThrow('2026-02-28T22:00:00.000Z')
  })

  it('are those of the free plan after the trial', async () => {
    await setPlan({ database, world }, { spaceId: principal.spaceId, plan: 'trial', actor: 'operator' })
    expect((await attempts(11)).filter(isProblem)).toEqual([])
    world.jumpWallClock(14 * 24 * 60 * 60 * 1000)
    await expect(create()).rejects.toThrow('This Space may have 10 invitations')
  })
})

describe('the list of members', () => {
  it('contains each member with their own accesses, oldest first, whole or in pages, by state on request', async () => {
    const [front, back] = [await gate('Front'), await gate('Back')]
    const made: Member[] = []
    for (const name of ['Ana', 'Bob', 'Cleo']) {
      await world.advance(1)
      made.push(await create({ name, accesses: [{ gateId: front }, { gateId: back }] }))
    }
    const [ana, bob, cleo] = made
    expect(await list()).toEqual({ members: [ana, bob, cleo] })
    const page = await list({ limit: 2 })
    expect(page.members).toEqual([ana, bob])
    const cursor = page.pagination?.nextCursor ?? ''
    expect(await list({ cursor })).toEqual({ members: [cleo], pagination: { limit: 50, nextCursor: null } })
    await members.deactivateMember(asked({ params: { memberId: bob?.id ?? '' } }))
    expect(await list({ isActive: true })).toEqual({ members: [ana, cleo] })
    expect(await list({ isActive: false })).toEqual({ members: [{ ...bob, isActive: false, accesses: [] }] })
    principal = await newPrincipal({ database, world }, 'Other')
    expect(await list()).toEqual({ members: [] })
  })

  it('takes one query, and one for each member', async () => {
    const front = await gate('Front')
    for (const name of ['Ana', 'Bob', 'Cleo']) await create({ name, accesses: [{ gateId: front }] })
    const asking: string[] = []
    database.knex.on('query', ({ sql }) => asking.push(sql))
    await list()
    // Other processes may be notified just now of the earlier members.
    expect(asking.filter(sql => !sql.includes('pg_notify'))).toHaveLength(4)
  })
})

describe('changing a member', () => {
  const patch = (memberId: string, body: Request<'updateMember'>['body']) =>
    members.updateMember(asked({ params: { memberId }, body }))

  it('keeps absent fields, clears with null, records the change, and sends no mail', async () => {
    const made = await create({ phone: '1', note: 'Old' })
    const changed = { ...made, name: 'Anna', phone: null }
    const body = { name: 'Anna', phone: null, email: 'anna@example.com' }
    expect(await patch(made.id, body)).toEqual({ status: 200, body: { member: changed } })
    expect(await patch(made.id, body)).toEqual({ status: 200, body: { member: changed } })
    expect(await patch(made.id, {})).toEqual({ status: 200, body: { member: changed } })
    expect(await get(made.id)).toEqual(changed)
    expect(await activity(/^member\.updated/)).toEqual([
      {
        action: 'member.updated',
        actor: 'api:Desk',
        targetType: 'member',
        targetLabel: 'Anna',
        details: {
          changes: {
            name: { from: 'Ana', to: 'Anna' },
            email: { from: null, to: '(set)' },
            phone: { from: '(set)', to: null },
          },
          actorId: 'key',
          targetId: made.id,
        },
      },
    ])
    expect(await mails()).toEqual([])
  })

  it('records in the activity that an e-mail, a phone or a note changed, but never the value', async () => {
    const { id } = await create({ email: 'old@example.com', phone: '0722 old', note: 'old code' })
    await patch(id, { email: 'new@example.com', phone: '0722 new', note: 'new code' })
    const [entry] = await activity(/^member\.updated/)
    const set = { from: '(set)', to: '(set)' }
    expect(entry?.details.changes).toEqual({ email: set, phone: set, note: set })
    expect(JSON.stringify(await activity(/./))).not.toMatch(/old|new/)
  })

  it('shows the language that the member picked', async () => {
    const { id } = await create()
    await database.knex('members').where({ id }).update({ preferredLanguage: 'hu' })
    expect(await patch(id, { name: 'Anna' })).toMatchObject({ body: { member: { preferredLanguage: 'hu' } } })
  })

  it('is rejected for another Space, and when If-Match names an old state', async () => {
    const made = await create({ accesses: [{ gateId: await gate('Front') }] })
    const params = { memberId: made.id }
    const seen: object[] = []
    const stale = (current: object) => {
      seen.push(current)
      return outdated
    }
    expect(await members.updateMember(asked({ params, stale, body: { name: 'B' } }))).toBe(outdated)
    expect(await members.deactivateMember(asked({ params, stale }))).toBe(outdated)
    expect(seen).toEqual([{ member: made }, { member: made }])
    expect(await get(made.id)).toEqual(made)
    principal = await newPrincipal({ database, world }, 'Other')
    const every = (memberId: string) =>
      Promise.all([
        members.getMember(asked({ params: { memberId } })),
        patch(memberId, { name: 'B' }),
        members.deactivateMember(asked({ params: { memberId } })),
        members.resetMemberLink(asked({ params: { memberId } })),
        members.sendInvitation(asked({ params: { memberId } })),
        members.addAccess(asked({ params: { memberId }, body: { gateId: 'nothing' } })),
      ])
    const answers = await every(made.id)
    expect(answers).toEqual(await every('nothing'))
    expect(answers).toEqual(Array(6).fill(expect.objectContaining({ problem: 'not_found' })))
  })
})

describe('a deactivated member', () => {
  it('has no access and no link from then on, and stays deactivated', async () => {
    const [front, back] = [await gate('Front'), await gate('Back')]
    const made = await create({ email: 'a@example.com', accesses: [{ gateId: front }, { gateId: back }] })
    const params = { memberId: made.id }
    const token = tokenOf(made)
    expect(await findMemberByToken(database.knex, token)).toMatchObject({ id: made.id, isActive: true })
    for (const _ of [1, 2]) expect(await members.deactivateMember(asked({ params }))).toEqual({ status: 204 })
    expect(await get(made.id)).toEqual({ ...made, isActive: false, accesses: [] })
    expect(await findMemberByToken(database.knex, token)).toBeUndefined()
    expect(await database.knex('accesses')).toEqual([])
    const gateIds = made.accesses.map(({ gateId }) => gateId)
    expect((await activity(ofMember)).slice(1)).toMatchObject([
      { action: 'member.deactivated', targetLabel: 'Ana', details: { accesses: ['Front', 'Back'], gateIds } },
    ])
    expect(await told(members.addAccess(asked({ params, body: { gateId: front } })))).toBe('conflict')
    expect(await told(members.addAccess(asked({ params, body: { gateId: 'nothing' } })))).toBe('not_found')
    expect(await told(members.resetMemberLink(asked({ params })))).toBe('conflict')
    expect(await told(members.sendInvitation(asked({ params })))).toBe('conflict')
    expect(await mails()).toHaveLength(1)
    expect(await activity(ofMember)).toHaveLength(2)
  })
})

describe('a link', () => {
  it('is replaced by a reset; the old one is dead at once', async () => {
    const made = await create({ accesses: [{ gateId: await gate('Front') }] })
    const { member } = await bodyOf(members.resetMemberLink(asked({ params: { memberId: made.id } })))
    expect(await get(made.id)).toEqual(member)
    expect(tokenOf(member)).not.toBe(tokenOf(made))
    expect(await findMemberByToken(database.knex, tokenOf(made))).toBeUndefined()
    expect(await findMemberByToken(database.knex, tokenOf(member))).toEqual({
      spaceId: principal.spaceId,
      id: made.id,
      name: 'Ana',
      email: null,
      preferredLanguage: null,
      isActive: true,
    })
    expect((await activity(ofMember)).slice(1)).toMatchObject([
      {
        action: 'member.link_reset',
        targetLabel: 'Ana',
        details: { actorId: 'key', targetId: expect.any(String) },
      },
    ])
  })

  it('is in no other column and in no activity entry, neither whole nor readable', async () => {
    const made = await create({ email: 'a@example.com', accesses: [{ gateId: await gate('Front') }] })
    await members.resetMemberLink(asked({ params: { memberId: made.id } }))
    const token = tokenOf(await get(made.id))
    expect(token).toHaveLength(32)
    for (const table of ['members', 'accesses', 'activity', 'outbox'])
      expect(JSON.stringify(await database.knex(table))).not.toContain(token)
  })

  it('does not open with a text that is not a token', async () => {
    await create()
    for (const text of ['', 'x', 'x'.repeat(32), "' or 1 = 1 --", '\0'.repeat(32)])
      expect(await findMemberByToken(database.knex, text)).toBeUndefined()
  })

  it('cannot be unsealed in the row of another member', async () => {
    const gateId = await gate('Front')
    const [ana, bob] = [await create({ accesses: [{ gateId }] }), await create({ accesses: [{ gateId }] })]
    const { linkSealed } = await database.knex('members').where({ id: bob.id }).first()
    await database.knex('members').where({ id: ana.id }).update({ linkSealed })
    await expect(get(ana.id)).rejects.toThrow('cannot be read')
  })

  it('is mailed again on request, to a member with an e-mail address', async () => {
    const made = await create()
    const params = { memberId: made.id }
    expect(await told(members.sendInvitation(asked({ params })))).toBe('conflict')
    await members.updateMember(asked({ params, body: { email: 'ana@example.com' } }))
    expect(await members.sendInvitation(asked({ params }))).toEqual({ status: 202, body: { member: made } })
    expect(await mails()).toEqual([{ memberId: made.id, kind: 'invitation', gateId: null }])
  })
})
