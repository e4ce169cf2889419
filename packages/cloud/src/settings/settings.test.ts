import type { ApiKeyView } from '@callgate/contract/app/apiKey'
import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import type { SpaceView } from '@callgate/contract/app/space'
import { isProblem } from '@callgate/contract/rest/problem'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import type { AppRequest } from '../http/handler.ts'
import { adminRequest, bodyOf, outdated } from '../http/requests.kit.ts'
import { callerFinder } from '../space/apiKeys.ts'
import { createKeyUses, type KeyUses } from '../space/keyUses.ts'
import { newSpace } from '../space/space.kit.ts'
import { newUser } from '../user/user.kit.ts'
import { keySettings } from './keySettings.ts'
import { spaceSettings } from './spaceSettings.ts'

let world: FakeWorld
let database: Database
let spaceId: string
let userId: string
let uses: KeyUses
let find: ReturnType<typeof callerFinder>
let handlers: ReturnType<typeof keySettings> & ReturnType<typeof spaceSettings>

beforeEach(async () => {
  world = fakeWorld(1)
  // 23:30 in Bucharest.
  world.jumpWallClock(Date.parse('2026-03-20T21:30:00Z') - world.nowMs())
  database = await testDatabase(world)
  spaceId = await newSpace({ world, database })
  const parts = { world, database }
  find = callerFinder(parts)
  const user = await newUser(parts, { email: 'ada@example.com', spaceId })
  userId = user.userId
  uses = createKeyUses(parts)
  handlers = {
    ...keySettings({ ...parts, uses }),
    ...spaceSettings(parts),
  }
})
afterEach(() => database.close())

function request<Id extends OwnOperationId>(given: object = {}, of = spaceId): AppRequest<Id> {
  const asked = adminRequest<Id>(database, of, given) as AppRequest<Id> & { principal: object }
  return {
    ...asked,
    principal: { ...asked.principal, identity: { kind: 'user', userId, sessionId: 'session_a' } },
  }
}
const create = (body: object) => handlers.createApiKey(request({ body }))
async function created(body: object): Promise<{ key: ApiKeyView; secret: string }> {
  return bodyOf(create({ name: 'Desk', scopes: ['gates:read'], ...body }) as never)
}
async function keys(): Promise<ApiKeyView[]> {
  return (await bodyOf<{ keys: ApiKeyView[] }>(handlers.listApiKeys(request()) as never)).keys
}

describe('an API key', () => {
  it('is made with its secret once, and is listed without it', async () => {
    const { key, secret } = await created({ scopes: ['gates:read', 'gates:read', 'history:read'] })
    expect(await find(secret)).toMatchObject({
      scopes: ['gates:read', 'history:read'],
    })
    expect(secret.startsWith(key.shownPrefix)).toBe(true)
    const listed = await keys()
    expect(listed).toEqual([key])
    expect(JSON.stringify(listed)).not.toContain(secret)
    expect(
      await database
        .knex('activity')
        .where({ targetType: 'api_key' })
        .select('action', 'actor', 'targetLabel'),
    ).toEqual([{ action: 'api_key.created', actor: 'user:ada@example.com', targetLabel: 'Desk' }])
  })

  it('ends at a time in the future', async () => {
    expect(
      await create({ name: 'Desk', scopes: ['gates:read'], expiresAt: '2026-03-20T21:00:00Z' }),
    ).toMatchObject({
      message: expect.stringMatching(/^expiresAt /),
    })
    expect(
      await create({ name: 'Desk', scopes: ['gates:read'], expiresAt: '2026-02-30T21:00:00Z' }),
    ).toMatchObject({
      message: expect.stringMatching(/^expiresAt /),
    })
    expect((await created({ expiresAt: '2027-01-01T00:00:00+02:00' })).key).toMatchObject({
      expiresAt: '2026-12-31T22:00:00.000Z',
    })
  })

  it('is ended permanently, by its own Space only', async () => {
    const { key, secret } = await created({})
    const params = { apiKeyId: key.id }
    const neighbour = await newSpace({ world, database })
    expect(await handlers.revokeApiKey(request({ params }, neighbour))).toMatchObject({
      problem: 'not_found',
    })
    expect(await find(secret)).toBeDefined()
    for (let count = 0; count < 2; count++)
      expect(await handlers.revokeApiKey(request({ params }))).toEqual({ status: 204 })
    expect(await find(secret)).toBeUndefined()
    expect((await keys())[0]?.revokedAt).not.toBeNull()
    expect(await database.knex('activity').where({ action: 'api_key.revoked' })).toHaveLength(1)
  })

  it('adds up the uses of two clouds, also where the same one always writes the last use', async () => {
    const { key } = await created({})
    const parts = { world, database }
    const [one, other] = [createKeyUses(parts), createKeyUses(parts)]
    const apiKeyId = key.id
    expect([one.count(apiKeyId), other.count(apiKeyId)]).toEqual([false, false])
    await one.record(apiKeyId)
    await world.advance(60_000)
    expect([one.count(apiKeyId), other.count(apiKeyId)]).toEqual([false, true])
    await one.record(apiKeyId)
    await other.record(apiKeyId)
    expect(await database.knex('apiKeyUses').where({ apiKeyId }).pluck('uses')).toEqual([4])
  })

  it('counts its uses by the days of the Space, without a write for each', async () => {
    const { key } = await created({})
    const counted = async () => (await keys())[0]?.uses.slice(-3)
    const use = (times: number) => {
      for (let count = 0; count < times; count++) uses.count(key.id)
    }
    use(3)
    expect(await counted()).toEqual([0, 0, 3])
    await uses.record(key.id)
    use(2)
    expect(await counted()).toEqual([0, 0, 5])
    // Midnight in Bucharest, which is 22:00 UTC.
    await world.advance(31 * 60_000)
    await uses.record(key.id)
    expect(await counted()).toEqual([0, 3, 2])
    expect((await keys())[0]?.lastUsedAt).toBe('2026-03-20T22:01:00.000Z')
    await world.advance(100 * 86_400_000)
    await uses.record(key.id)
    expect(await database.knex('apiKeyUses').pluck('date')).toEqual(['2026-06-29'])
  })

  /** Uses of keys, with the number of their transactions. */
  function countedUses() {
    let writes = 0
    const counting: Database = {
      ...database,
      write(...given) {
        writes++
        return database.write(...given)
      },
    }
    return { counted: createKeyUses({ world, database: counting }), writes: () => writes }
  }

  it('writes its use once, however many requests find it due meanwhile', async () => {
    const { key } = await created({})
    const { counted, writes } = countedUses()
    const stored = () => database.knex('apiKeyUses').where({ apiKeyId: key.id }).pluck('uses')
    counted.count(key.id)
    const first = counted.record(key.id)
    counted.count(key.id)
    await Promise.all([first, counted.record(key.id), counted.record(key.id)])
    expect(writes()).toBe(1)
    const [uses] = await stored()
    expect(uses + counted.pending(key.id)).toBe(2)
    counted.count(key.id)
    await counted.record(key.id)
    expect([writes(), counted.pending(key.id), await stored()]).toEqual([2, 0, [3]])
  })

  it('writes the uses of keys that are due at once in few transactions', async () => {
    const ids: string[] = []
    for (let made = 0; made < 12; made++) ids.push((await created({ name: `Key ${made}` })).key.id)
    const { counted, writes } = countedUses()
    for (const id of ids) counted.count(id)
    await Promise.all(ids.map(id => counted.record(id)))
    expect(writes()).toBeLessThanOrEqual(2)
    expect(await database.knex('apiKeyUses').whereIn('apiKeyId', ids).pluck('uses')).toEqual(ids.map(() => 1))
    expect((await keys()).filter(({ lastUsedAt }) => lastUsedAt === null)).toEqual([])
    counted.count(ids[0] ?? '')
    await counted.record(ids[0] ?? '')
    expect(counted.pending(ids[0] ?? '')).toBe(0)
  })

  it('keeps its count when it could not be written', async () => {
    const { key } = await created({})
    uses.count(key.id)
    const fails = createKeyUses({
      world,
      database: { ...database, write: () => Promise.reject(new Error('full')) },
    })
    fails.count(key.id)
    await expect(fails.record(key.id)).rejects.toThrow('full')
    expect(fails.pending(key.id)).toBe(1)
  })
})

describe('the Space', () => {
  const change = (body: object, more: object = {}) => handlers.updateSpace(request({ body, ...more }))
  const space = async () => (await bodyOf<{ space: SpaceView }>(handlers.getSpace(request()) as never)).space

  it("shows its plan and the plan's use", async () => {
    expect(await space()).toMatchObject({
      id: spaceId,
      allowedCountries: null,
      now: {
        plan: 'pro',
        hasApi: true,
        gates: { used: 0, limit: 25 },
        gateways: { used: 0, limit: 100 },
        keys: { used: 0, limit: 200 },
        users: { used: 1, limit: 200 },
        webhooks: { used: 0, limit: 10 },
        invitations: { used: 0, limit: 500, resetsAt: '2026-03-31T21:00:00.000Z' },
      },
    })
  })

  it('is changed, with one activity entry that names the changes', async () => {
    const body = { timezone: 'Europe/Lisbon', language: 'ro', allowedCountries: ['DE'], name: 'Casa' }
    expect(await change(body)).toMatchObject({ status: 200, body: { space: body } })
    expect(await change(body)).toMatchObject({ status: 200 })
    expect(await change({ contactName: 'Ada', contactPhone: ' +40 21 555 0100 ' })).toMatchObject({
      body: { space: { contactPhone: '+40 21 555 0100' } },
    })
    expect(await change({ allowedCountries: null })).toMatchObject({ status: 200 })
    expect((await space()).allowedCountries).toBeNull()
    const entries = await database.knex('activity').where({ action: 'space.updated' }).orderBy('id')
    expect(entries.map(({ details }) => Object.keys(JSON.parse(details).changes))).toEqual([
      ['name', 'timezone', 'language', 'allowedCountries'],
      ['contactName', 'contactPhone'],
      ['allowedCountries'],
    ])
  })

  it('stores how long identities are kept', async () => {
    expect((await space()).keepIdentities).toBe('P12M')
    expect(await change({ keepIdentities: 'P90D' })).toMatchObject({
      body: { space: { keepIdentities: 'P90D' } },
    })
    expect(await database.knex('identityKeeping').pluck('keeping')).toEqual(['P90D'])
  })

  it('stays unchanged when a setting is invalid', async () => {
    const before = await space()
    const wrong = [
      [{ timezone: 'Europe/Atlantis' }, /^timezone /],
      [{ country: 'XX' }, /^country /],
      [{ allowedCountries: ['DE', 'XX'] }, /^allowedCountries\[1\] /],
      [{ contactName: 'Ada' }, /^contactPhone /],
      [{ contactPhone: '+40215550100' }, /^contactName /],
    ] as const
    for (const [body, message] of wrong) {
      const said = await change({ name: 'Casa', ...body })
      expect(isProblem(said) && said.message).toMatch(message)
    }
    expect(await change({ name: 'Casa' }, { stale: () => outdated })).toEqual(outdated)
    expect(await space()).toEqual(before)
  })
})
