import { callProfile } from '@callgate/contract/callProfile'
import type { Gate } from '@callgate/contract/gate'
import { isProblem } from '@callgate/contract/problem'
import { scopeNames } from '@callgate/contract/scope'
import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Caller } from './apiKeys.ts'
import { type Database, migrate, openDatabase } from './database.ts'
import { gateHandlers, setGateProfile } from './gates.ts'
import type { Request } from './http/mount.ts'
import { createSpace, setPlan } from './spaces.ts'

const world = fakeWorld(1)
let database: Database
let caller: Caller
let gates: ReturnType<typeof gateHandlers>

async function newCaller(name: string): Promise<Caller> {
  const given = { name, plan: 'pro', country: 'RO', timezone: 'Europe/Bucharest' } as const
  const { spaceId } = await createSpace({ database, world }, given)
  const rest = { keyName: 'Desk', actor: 'api:Desk', scopes: scopeNames, country: 'RO', plan: 'pro' }
  return { spaceId, apiKeyId: 'key', ...rest, hasApi: true, isUseDue: false }
}

beforeEach(async () => {
  database = await openDatabase({ url: ':memory:' })
  await migrate(database)
  gates = gateHandlers({ database, world })
  caller = await newCaller('Test')
})
afterEach(() => database.close())

const receivedAt = { monotonicMs: 0, sinceBootMs: 0 }
const asked = (gateId: string) => ({ caller, receivedAt, query: {}, params: { gateId } })

async function create(body: Request<'createGate'>['body']): Promise<Gate> {
  const answer = await gates.createGate({ caller, receivedAt, query: {}, params: {}, body })
  if (isProblem(answer)) throw new Error(answer.message)
  return answer.body.gate
}

async function update(gateId: string, body: Request<'updateGate'>['body']): Promise<Gate | string> {
  const answer = await gates.updateGate({ ...asked(gateId), body })
  return isProblem(answer) ? answer.problem : answer.body.gate
}

const activity = () =>
  database.knex('activity').orderBy('id').select('action', 'actor', 'targetLabel', 'details')
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
    const listed = await gates.listGates({ caller, receivedAt, query: {}, params: {}, body: undefined })
    expect(listed).toEqual({ status: 200, body: { gates: [front, back] } })
    expect((await activity())[0]).toMatchObject({
      action: 'gate.created',
      actor: 'api:Desk',
      targetLabel: 'Front',
    })
    expect((await profileOf(front.id)).mode).toBe('unverified')
  })

  it('of another Space are as if they were not there', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    caller = await newCaller('Other')
    const foreign = await gates.getGate({ ...asked(id), body: undefined })
    expect(foreign).toEqual(await gates.getGate({ ...asked('nothing'), body: undefined }))
    expect(await update(id, { name: 'Mine' })).toBe('not_found')
    expect(await gates.deactivateGate({ ...asked(id), body: undefined })).toMatchObject({
      problem: 'not_found',
    })
  })

  it('record what changed, and nothing when nothing did', async () => {
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
    expect((await profileOf(id)).mode).toBe('unverified')
    expect(await update(id, { phoneNumber: '112' })).toBe('validation_error')
  })

  it('are deactivated twice alike, and come back within the limit of the plan', async () => {
    const { id } = await create({ name: 'Front', phoneNumber: '0722123456' })
    for (const _ of [1, 2])
      expect(await gates.deactivateGate({ ...asked(id), body: undefined })).toEqual({ status: 204 })
    await setPlan({ database, world }, { spaceId: caller.spaceId, plan: 'free', actor: 'operator' })
    await create({ name: 'Only', phoneNumber: '0722123456' })
    expect(await update(id, { isActive: true })).toBe('plan_limit_reached')
    expect(await update(id, { name: 'Still there' })).toMatchObject({ isActive: false })
    await setPlan({ database, world }, { spaceId: caller.spaceId, plan: 'pro', actor: 'operator' })
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
    await setPlan({ database, world }, { spaceId: caller.spaceId, plan: 'free', actor: 'operator' })
    const body = { name: 'Front', phoneNumber: '0722123456' }
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => gates.createGate({ caller, receivedAt, query: {}, params: {}, body })),
    )
    expect(answers.filter(isProblem).map(({ problem }) => problem)).toEqual(
      Array(3).fill('plan_limit_reached'),
    )
    expect(answers.find(isProblem)?.message).toContain('allows 1 active gate, and 1 is in use')
  })
})
