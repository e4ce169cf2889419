import type { Access } from '@callgate/contract/rest/access'
import type { OperationId } from '@callgate/contract/rest/operations'
import { isProblem } from '@callgate/contract/rest/problem'
import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { orderWritten, testDatabase } from '../database/postgres.kit.ts'
import { gateHandlers } from '../gate/gates.ts'
import type { Principal, Request } from '../http/handler.ts'
import { bodyOf, newPrincipal, outdated, requestOf } from '../http/requests.kit.ts'
import { newSeal } from '../space/space.kit.ts'
import { memberHandlers } from './members.ts'

const world = fakeWorld(2)
let database: Database
let principal: Principal
let members: ReturnType<typeof memberHandlers>
let gates: ReturnType<typeof gateHandlers>
let front = ''
let memberId = ''

const asked = <Id extends OperationId>(given: Partial<Request<Id>> = {}) =>
  requestOf<Id>(database, principal, given)

async function gate(name: string): Promise<string> {
  return (await bodyOf(gates.createGate(asked({ body: { name, phoneNumber: '0722123456' } })))).gate.id
}

async function member(name: string, email: string | null): Promise<string> {
  return (await bodyOf(members.createMember(asked({ body: { name, email } })))).member.id
}

async function addAccess(body: Partial<Request<'addAccess'>['body']> = {}): Promise<Access> {
  const request = asked<'addAccess'>({ params: { memberId }, body: { gateId: front, ...body } })
  return (await bodyOf(members.addAccess(request))).access
}

const patch = (accessId: string, body: Request<'updateAccess'>['body']) =>
  members.updateAccess(asked({ params: { memberId, accessId }, body }))
const revoke = (accessId: string) => members.revokeAccess(asked({ params: { memberId, accessId } }))

async function held(): Promise<readonly Access[]> {
  const answer = await members.getMember(asked({ params: { memberId } }))
  return isProblem(answer) ? [] : answer.body.member.accesses
}

const entries = async (action: RegExp) =>
  (await database.knex('activity').orderByRaw(orderWritten))
    .filter(entry => action.test(entry.action))
    .map(({ action, actor, details, targetLabel, targetType }) => [
      action,
      actor,
      targetType,
      targetLabel,
      JSON.parse(details),
    ])
/** The ids that an activity entry about an access contains besides its own. */
const idsOf = ({ gateId, id }: Pick<Access, 'gateId' | 'id'>) => ({
  gateId,
  accessId: id,
  actorId: 'key',
  targetId: memberId,
})
const notices = () => database.knex('outbox').where({ kind: 'access_granted' }).select('memberId', 'gateId')

beforeEach(async () => {
  database = await testDatabase(world)
  const seal = newSeal(world)
  members = memberHandlers({ database, world, seal, appUrl: 'https://gates.example.com' })
  gates = gateHandlers({ database, world })
  principal = await newPrincipal({ database, world })
  front = await gate('Front')
  memberId = await member('Ana', 'ana@example.com')
})
afterEach(() => database.close())

describe('adding an access', () => {
  it('returns it with its defaults, records it and mails the member', async () => {
    const access = await addAccess()
    expect(access).toEqual({
      id: access.id,
      gateId: front,
      schedules: [{ type: 'always', timezone: 'Europe/Bucharest' }],
      maxUsage: null,
      usageCount: 0,
      isActive: true,
      accessUrl: expect.stringMatching(/^https:\/\/gates\.example\.com\/g\/[\w-]{32}$/),
      lastUsedAt: null,
    })
    expect(await held()).toEqual([access])
    const back = await addAccess({ gateId: await gate('Back'), maxUsage: 2 })
    expect(back).toMatchObject({ accessUrl: access.accessUrl, maxUsage: 2 })
    expect(await entries(/^guest/)).toEqual([
      ['guest.access_added', 'api:Desk', 'member', 'Ana', { deviceName: 'Front', ...idsOf(access) }],
      ['guest.access_added', 'api:Desk', 'member', 'Ana', { deviceName: 'Back', ...idsOf(back) }],
    ])
    expect(await notices()).toEqual([
      { memberId, gateId: front },
      { memberId, gateId: back.gateId },
    ])
  })

  it('sends no mail to a member without an address', async () => {
    memberId = await member('Bob', null)
    await addAccess()
    expect(await notices()).toEqual([])
  })

  it('is accepted for an inactive gate, and rejected twice for one gate and for a gate that does not exist', async () => {
    await gates.deactivateGate(asked({ params: { gateId: front } }))
    await addAccess()
    const again = members.addAccess(asked({ params: { memberId }, body: { gateId: front } }))
    expect(await again).toMatchObject({ problem: 'conflict', message: expect.stringMatching(/^gateId: /) })
    const foreign = front
    principal = await newPrincipal({ database, world }, 'Other')
    memberId = await member('Bob', 'bob@example.com')
    const gateIds = [foreign, 'nothing', '\0']
    const answers = await Promise.all(
      gateIds.map(gateId => members.addAccess(asked({ params: { memberId }, body: { gateId } }))),
    )
    const missing = { problem: 'not_found', message: 'gateId: there is no gate with this id.' }
    expect(answers).toEqual([missing, missing, missing])
    expect(await notices()).toHaveLength(1)
    expect(await entries(/^guest/)).toHaveLength(1)
  })

  it('happens once, however many requests come at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        members.addAccess(asked({ params: { memberId }, body: { gateId: front } })),
      ),
    )
    expect(answers.filter(isProblem).map(({ problem }) => problem)).toEqual(Array(9).fill('conflict'))
    expect(await held()).toHaveLength(1)
  })
})

describe('changing an access', () => {
  it('keeps absent fields, replaces schedules whole, keeps the usage, and records once', async () => {
    const access = await addAccess({ maxUsage: 5, schedules: [{ type: 'weekends' }, { type: 'always' }] })
    await database.knex('accesses').where({ id: access.id }).update({ usageCount: 3 })
    const schedules = [{ type: 'weekdays', timezone: 'Europe/Bucharest' }] as const
    const changed = { ...access, schedules: [...schedules], maxUsage: 1, usageCount: 3 }
    expect(await patch(access.id, { schedules: [{ type: 'weekdays' }], maxUsage: 1 })).toEqual({
      status: 200,
      body: { access: changed },
    })
    for (const body of [{}, { maxUsage: 1 }, { schedules: [{ type: 'weekdays' } as const], isActive: true }])
      expect(await patch(access.id, body)).toEqual({ status: 200, body: { access: changed } })
    expect(await patch(access.id, { maxUsage: null, isActive: false })).toMatchObject({
      body: { access: { maxUsage: null, isActive: false, usageCount: 3, schedules } },
    })
    expect(await held()).toEqual([{ ...changed, maxUsage: null, isActive: false }])
    expect((await entries(/^guest.access_updated/)).map(([, , , , details]) => details)).toEqual([
      {
        deviceName: 'Front',
        changes: {
          schedules: { from: access.schedules, to: schedules },
          maxUsage: { from: 5, to: 1 },
        },
        ...idsOf(access),
      },
      {
        deviceName: 'Front',
        changes: { maxUsage: { from: 1, to: null }, isActive: { from: true, to: false } },
        ...idsOf(access),
      },
    ])
    expect(await notices()).toHaveLength(1)
  })

  it('is rejected with an invalid schedule, before anything else is checked', async () => {
    const refused = { problem: 'validation_error', message: expect.stringMatching(/^schedules\[0\]/) }
    const body = { schedules: [{ type: 'always', timezone: 'Europe/Atlantis' } as const] }
    expect(await patch((await addAccess()).id, body)).toMatchObject(refused)
    expect(await patch('nothing', body)).toMatchObject(refused)
  })

  it('is rejected when If-Match names an old state', async () => {
    const access = await addAccess()
    const seen: object[] = []
    const stale = (current: object) => {
      seen.push(current)
      return outdated
    }
    const params = { memberId, accessId: access.id }
    expect(await members.updateAccess(asked({ params, stale, body: { maxUsage: 1 } }))).toBe(outdated)
    expect(await members.revokeAccess(asked({ params, stale }))).toBe(outdated)
    expect(seen).toEqual([{ access }, { access }])
    expect(await held()).toEqual([access])
  })
})

describe('revoking an access', () => {
  it('deletes and records it; the gate can be added again', async () => {
    const access = await addAccess()
    expect(await revoke(access.id)).toEqual({ status: 204 })
    expect(await held()).toEqual([])
    expect(await revoke(access.id)).toMatchObject({ problem: 'not_found' })
    expect(await patch(access.id, { maxUsage: 1 })).toMatchObject({ problem: 'not_found' })
    expect(await entries(/^guest.access_revoked/)).toEqual([
      ['guest.access_revoked', 'api:Desk', 'member', 'Ana', { deviceName: 'Front', ...idsOf(access) }],
    ])
    expect((await addAccess()).id).not.toBe(access.id)
  })

  it('finds no access of another member or another Space', async () => {
    const { id } = await addAccess()
    const missing = await revoke('nothing')
    const own = memberId
    memberId = await member('Bob', null)
    expect(await revoke(id)).toEqual(missing)
    expect(await patch(id, { isActive: false })).toEqual(missing)
    memberId = own
    const owner = principal
    principal = await newPrincipal({ database, world }, 'Other')
    expect(await revoke(id)).toEqual(missing)
    expect(await patch(id, { isActive: false })).toEqual(missing)
    principal = owner
    expect(await held()).toMatchObject([{ id, isActive: true }])
  })
})
