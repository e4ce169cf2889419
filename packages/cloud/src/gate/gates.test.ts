import { callProfile } from '@callgate/contract/call/callProfile'
import type { Gate } from '@callgate/contract/rest/gate'
import type { OperationId } from '@callgate/contract/rest/operations'
import { isProblem } from '@callgate/contract/rest/problem'
import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { orderWritten, testDatabase } from '../database/postgres.kit.ts'
import type { Principal, Request } from '../http/handler.ts'
import { bodyOf, newPrincipal, outdated, requestOf } from '../http/requests.kit.ts'
import { setPlan } from '../space/spaces.ts'
import { setAllowedCountries } from './countries.ts'
import { gateHandlers, setGateProfile } from './gates.ts'

const world = fakeWorld(1)
let database: Database
let principal: Principal
let gates: ReturnType<typeof gateHandlers>

beforeEach(async () => {
  database = await testDatabase(world)
  gates = gateHandlers({ database, world })
  principal = await newPrincipal({ database, world })
})
afterEach(() => database.close())

const asked = <Id extends OperationId>(given: Partial<Request<Id>> = {}) =>
  requestOf<Id>(database, principal, given)

async function create(body: Request<'createGate'>['body']): Promise<Gate> {
  return (await bodyOf(gates.createGate(asked({ body })))).gate
}

async function update(gateId: string, body: Request<'updateGate'>['body']): Promise<Gate | string> {
  const answer = await gates.updateGate(asked({ params: { gateId }, body }))
  return isProblem(answer) ? answer.problem : answer.body.gate
}

/** The ids in an activity entry about a gate. */
const idsOf = ({ id }: { readonly id: string }) => ({ actorId: 'key', targetId: id })
const activity = () =>
  database.knex('activity').orderByRaw(orderWritten).select('action', 'actor', 'targetLabel', 'details')
const profileOf = async (id: string) =>
  JSON.parse((await database.knex('gates').where({ id }).first('callProfile')).callProfile)

describe('gates', () => {
  it('are created with defaults and E.164, listed oldest first, and recorded', async () => {
    const front = await create({ name: 'Front', phoneNumber: '0722 123 456' })
    await world.advance(5)
    const back = await create({ name: 'Back', phoneNumber: '+40722123456', description: 'Second\ngate' })
    expect(front).toMatchObject({
      phoneNumber: '+40722123456',
      location: '',
      description: null,
      isActive: true,
    })
    expect(front).toMatchObject({ openCount: 0, lastOpenedAt: null })
    expect(await bodyOf(gates.listGates(asked()))).toEqual({ gates: [front, back] })
    expect((await activity())[0]).toMatchObject({
      action: 'gate.created',
      actor: 'api:Desk',
      targetLabel: 'Front',
    })
    expect((await profileOf(front.id)).mode).toBe('unverified')
  })

  it('of another Space are answered like unknown ones', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    principal = await newPrincipal({ database, world }, 'Other')
    const foreign = await gates.getGate(asked({ params: { gateId: id } }))
    expect(foreign).toEqual(await gates.getGate(asked({ params: { gateId: 'nothing' } })))
    expect(await update(id, { name: 'Mine' })).toBe('not_found')
    expect(await gates.deactivateGate(asked({ params: { gateId: id } }))).toMatchObject({
      problem: 'not_found',
    })
  })

  it('record what changed, and record nothing without a change', async () => {
    const made = await create({ name: 'Front', phoneNumber: '0722123456' })
    expect(await update(made.id, {})).toEqual(made)
    expect(await update(made.id, { name: 'Front', phoneNumber: '+40722123456' })).toEqual(made)
    expect(await activity()).toHaveLength(1)
    expect(await update(made.id, { name: 'Main', location: 'Yard' })).toEqual({
      ...made,
      name: 'Main',
      location: 'Yard',
    })
    const [, entry] = await activity()
    expect([entry.action, JSON.parse(entry.details)]).toEqual([
      'gate.updated',
      {
        deviceName: 'Main',
        changes: { name: { from: 'Front', to: 'Main' }, location: { from: '', to: 'Yard' } },
        ...idsOf(made),
      },
    ])
  })

  it('lose their call profile with their number, and only then', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    const profile = callProfile({ mode: 'reject', coolDownMs: 9_000 })
    await setGateProfile({ database, world }, { gateId: id, profile, actor: 'operator' })
    await update(id, { phoneNumber: '0040722123456', name: 'Main' })
    expect(await profileOf(id)).toEqual(profile)
    await update(id, { phoneNumber: '0722999999' })
    const unverified = callProfile({ mode: 'unverified' })
    expect(await profileOf(id)).toEqual(unverified)
    // Both changes are in the one entry.
    const entries = await database.knex('activity').where({ action: 'gate.updated' }).pluck('details')
    expect(entries.map(details => JSON.parse(details).changes)).toContainEqual({
      phoneNumber: { from: '+40722123456', to: '+40722999999' },
      callProfile: { from: profile, to: unverified },
    })
    expect(await update(id, { phoneNumber: '112' })).toBe('validation_error')
  })

  it('may have numbers of the countries that the operator allows, and keep the numbers that they have', async () => {
    const { spaceId } = principal
    const allow = (countries: readonly string[] | null) =>
      setAllowedCountries({ database, world }, { spaceId, countries, actor: 'operator' })
    const turkish = { name: 'Back', phoneNumber: '+905321234567' }
    const front = await create({ name: 'Front', phoneNumber: '+491512345678' })
    await expect(create(turkish)).rejects.toThrow(
      /^phoneNumber belongs to a country that may not be called \(TR\); allowed are AT, BE, .*, US, CA\. The operator of the service can change this list$/,
    )
    expect(await update(front.id, { phoneNumber: turkish.phoneNumber })).toBe('validation_error')
    await allow(['TR'])
    const back = await create(turkish)
    expect(back.phoneNumber).toBe('+905321234567')
    expect(await update(back.id, { phoneNumber: '+491512345679' })).toBe('validation_error')
    expect(await update(front.id, { name: 'Main' })).toMatchObject({ phoneNumber: '+491512345678' })
    // The Space's own country needs no list.
    expect(await update(back.id, { phoneNumber: '0722123456' })).toMatchObject({
      phoneNumber: '+40722123456',
    })
    await allow(null)
    expect(await update(back.id, { phoneNumber: '+491512345679' })).toMatchObject({ name: 'Back' })
  })

  it('are deactivated a second time without an effect, and reactivated within the limit of the plan', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    for (const _ of [1, 2])
      expect(await gates.deactivateGate(asked({ params: { gateId: id } }))).toEqual({ status: 204 })
    await setPlan({ database, world }, { spaceId: principal.spaceId, plan: 'free', actor: 'operator' })
    await create({ name: 'Only', phoneNumber: '0722123456' })
    expect(await update(id, { isActive: true })).toBe('plan_limit_reached')
    expect(await update(id, { name: 'Still there' })).toMatchObject({ isActive: false })
    await setPlan({ database, world }, { spaceId: principal.spaceId, plan: 'pro', actor: 'operator' })
    expect(await update(id, { isActive: true })).toMatchObject({ isActive: true })
    const actions = (await activity()).map(entry => entry.action).filter(action => action.startsWith('gate.'))
    expect(actions.sort()).toEqual([
      'gate.created',
      'gate.created',
      'gate.deactivated',
      'gate.reactivated',
      'gate.updated',
    ])
  })

  it('never exceed the limit, however many are created at once', async () => {
    await setPlan({ database, world }, { spaceId: principal.spaceId, plan: 'free', actor: 'operator' })
    const body = { name: 'Front', phoneNumber: '0722123456' }
    const answers = await Promise.all(Array.from({ length: 50 }, () => gates.createGate(asked({ body }))))
    expect(answers.filter(isProblem).map(({ problem }) => problem)).toEqual(
      Array(49).fill('plan_limit_reached'),
    )
    expect(answers.find(isProblem)?.message).toContain('may have 1 active gate, and 1 is in use')
  })
  it('count against the limit that their Space has of its own', async () => {
    const { spaceId } = principal
    await database.knex('spaceLimits').insert({ spaceId, gateLimit: 2, monthlyInvitationLimit: null })
    const body = { name: 'Front', phoneNumber: '0722123456' }
    await create(body)
    const { id } = await create(body)
    await expect(create(body)).rejects.toThrow('may have 2 active gates, and 2 are in use')
    await update(id, { isActive: false })
    expect(await create(body)).toMatchObject({ isActive: true })
  })

  it('are listed in pages and by state on request', async () => {
    const made: Gate[] = []
    for (const name of ['A', 'B', 'C']) made.push(await create({ name, phoneNumber: '0722123456' }))
    await update(made[1]?.id ?? '', { isActive: false })
    const list = async (query: Request<'listGates'>['query']) => {
      const { gates: listed, pagination } = await bodyOf(gates.listGates(asked({ query })))
      return { ids: listed.map(({ id }) => id), pagination }
    }
    const ids = made.map(({ id }) => id).sort()
    expect(await list({})).toEqual({ ids, pagination: undefined })
    expect((await list({ cursor: '' })).pagination).toEqual({ limit: 50, nextCursor: null })
    const first = await list({ limit: 2 })
    expect(first.ids).toEqual(ids.slice(0, 2))
    const second = await list({ limit: 2, cursor: first.pagination?.nextCursor ?? '' })
    expect(second).toEqual({ ids: ids.slice(2), pagination: { limit: 2, nextCursor: null } })
    expect((await list({ isActive: false })).ids).toEqual([made[1]?.id])
    expect((await list({ isActive: true, limit: 3 })).ids).not.toContain(made[1]?.id)
    expect(await gates.listGates(asked({ query: { cursor: 'nonsense' } }))).toMatchObject({
      problem: 'validation_error',
    })
  })

  it('stay unchanged when If-Match names an old state', async () => {
    const gate = await create({ name: 'Front', phoneNumber: '0722123456' })
    const seen: object[] = []
    const stale = (current: object) => {
      seen.push(current)
      return outdated
    }
    const params = { gateId: gate.id }
    expect(await gates.updateGate(asked({ params, stale, body: { name: 'Main' } }))).toBe(outdated)
    expect(await gates.deactivateGate(asked({ params, stale }))).toBe(outdated)
    expect(await gates.updateGateProfile(asked({ params, stale, body: { coolDownMs: 0 } }))).toBe(outdated)
    expect(seen).toEqual([
      { gate },
      { gate },
      { profile: callProfile({ mode: 'unverified' }), calibration: 'none' },
    ])
    expect(await gates.getGate(asked({ params }))).toEqual({ status: 200, body: { gate } })
    expect(await activity()).toHaveLength(1)
  })
})

describe("a gate's call profile", () => {
  const patch = (gateId: string, body: Request<'updateGateProfile'>['body']) =>
    gates.updateGateProfile(asked({ params: { gateId }, body }))

  it('is read and changed by its members, with one entry for a change', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    const before = callProfile({ mode: 'unverified' })
    const profile = { ...before, mode: 'answer_hold', holdMs: 5_000 } as const
    const changed = await patch(id, { mode: 'answer_hold', holdMs: 5_000 })
    expect(changed).toEqual({ status: 200, body: { profile, calibration: 'declared' } })
    expect(await patch(id, {})).toEqual(changed)
    expect(await patch(id, { holdMs: 5_000 })).toEqual(changed)
    expect(await gates.getGateProfile(asked({ params: { gateId: id } }))).toEqual(changed)
    const entries = (await activity()).filter(({ action }) => action === 'gate.updated')
    expect(entries.map(({ actor, details }) => [actor, JSON.parse(details)])).toEqual([
      [
        'api:Desk',
        { deviceName: 'Front', changes: { callProfile: { from: before, to: profile } }, ...idsOf({ id }) },
      ],
    ])
  })

  it('says how much is known: nothing for a new gate, then what somebody has set or measured', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    const seen = [await gates.getGateProfile(asked({ params: { gateId: id } }))]
    for (const body of [
      { learned: true },
      { mode: 'answer_release', learned: false },
      { learned: true },
    ] as const)
      seen.push(await patch(id, body))
    expect(seen.map(answer => 'body' in answer && answer.body.calibration)).toEqual([
      'none',
      'none',
      'declared',
      'measured',
    ])
  })

  it('forgets its measurer with another mode, and with no other change', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    await patch(id, { mode: 'reject', learned: true })
    const measured = { learnedFrom: '{}', driftedAt: '2026-01-01T00:00:00.000Z' }
    await database.knex('gates').where({ id }).update(measured)
    const origin = () => database.knex('gates').where({ id }).first('learnedFrom', 'driftedAt')
    await patch(id, { coolDownMs: 7_000 })
    expect(await origin()).toEqual(measured)
    await patch(id, { mode: 'answer_hold' })
    expect(await origin()).toEqual({ learnedFrom: null, driftedAt: null })
  })

  it('is refused when its times contradict each other, and hidden from other Spaces', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    expect(await patch(id, { reactMinMs: 21_000 })).toMatchObject({
      problem: 'validation_error',
      message: 'reactMinMs must be at most reactMaxMs, which is 20000',
    })
    const delayed = { mode: 'reject_delayed', ringTimeMs: 40_000 } as const
    expect(await patch(id, delayed)).toMatchObject({ problem: 'validation_error' })
    expect(await patch(id, { ...delayed, maxRingMs: 45_000 })).toMatchObject({ status: 200 })
    principal = await newPrincipal({ database, world }, 'Other')
    expect(await patch(id, { mode: 'ring' })).toMatchObject({ problem: 'not_found' })
    const foreign = await gates.getGateProfile(asked({ params: { gateId: id } }))
    expect(foreign).toEqual(await gates.getGateProfile(asked({ params: { gateId: 'nothing' } })))
  })
})
