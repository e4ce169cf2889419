import { fakeWorld } from '@callgate/world/fake'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { emptyPostgres, processesOn } from '../database/postgres.kit.ts'
import { storedLimits } from '../limit/storedLimits.ts'
import { exchangeRig, playedGateway, said } from '../opening/exchange.kit.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { playedBoot, playedEndpoint } from '../opening/gatewayEndpoint.kit.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { json, listen, sendTo } from './server.kit.ts'

const atOnce = 1_000
const numbersTo = (count: number) => Array.from({ length: count }, (_, index) => index)

let databases: Database[]
/** Has the time of a world stand while one of the clouds works. */
let letWait: Awaited<ReturnType<typeof processesOn>>['letWait']
const closing: (() => unknown)[] = []

/** Each cloud has its own connections to one database, like a process of its own. */
async function openDatabases(count: number): Promise<void> {
  ;({ databases, letWait } = await processesOn(await emptyPostgres(), count))
  for (const one of databases.slice(0, 1)) await migrate(one)
}
beforeEach(() => {
  databases = []
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await Promise.all(databases.map(one => one.close()))
})

const at = <T>(all: readonly T[], place: number): T => {
  const one = all[place % all.length]
  if (one === undefined) throw new Error('none')
  return one
}
function countOf(words: readonly (string | number)[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const word of words) counts[word] = (counts[word] ?? 0) + 1
  return counts
}

/** The API as several clouds serve it, with a Space and keys. */
async function serve(clouds: number) {
  await openDatabases(clouds)
  const world = fakeWorld(1)
  const seal = newSeal(world)
  const database = at(databases, 0)
  const spaceId = await newSpace({ database, world })
  const served = await Promise.all(
    databases.map(one => {
      const limits = storedLimits({ database: one, world })
      closing.push(() => limits.stop())
      return listen({ world, database: one, seal, limits }, {})
    }),
  )
  for (const one of served) closing.push(() => one.close())
  const addKey = async () => {
    const given = {
      name: 'Desk',
      scopes: ['gates:read', 'gates:write'],
      expiresAt: null,
      actor: 'operator',
    } as const
    const made = await createApiKey({ database, world }, { spaceId, ...given })
    if (!made) throw new Error('no Space')
    return made.key
  }
  const send = (place: number, key: string, method: string, path: string, init?: RequestInit) =>
    sendTo(at(served, place).base, key, method, path, init)
  return { database, spaceId, addKey, send }
}

describe.each([2, 4])('over %i clouds on one Postgres', clouds => {
  it('L2: a key gets exactly its rate of 1,000 requests at once, and learns truly when the next is allowed', async () => {
    const { addKey, send } = await serve(clouds)
    const key = await addKey()
    const answers = await Promise.all(
      numbersTo(atOnce).map(place => send(place, key, 'GET', '/api/v1/gates')),
    )
    expect(countOf(answers.map(({ status }) => status))).toEqual({ 200: 120, 429: 880 })
    for (const { headers, status } of answers) {
      if (status !== 429) continue
      const afterS = Number(headers.get('retry-after'))
      expect(afterS).toBeGreaterThan(0)
      expect(afterS).toBeLessThanOrEqual(60)
    }
  })

  it('L3: of 1,000 gates that are requested at once, as many are created as the plan allows', async () => {
    const { addKey, database, send, spaceId } = await serve(clouds)
    const keys = await Promise.all(numbersTo(Math.ceil(atOnce / 30)).map(addKey))
    const answers = await Promise.all(
      numbersTo(atOnce).map(place => {
        const gate = { name: `Gate ${place}`, phoneNumber: `072212${String(place).padStart(4, '0')}` }
        return send(place, at(keys, Math.floor(place / 30)), 'POST', '/api/v1/gates', json(gate))
      }),
    )
    expect(countOf(answers.map(({ status }) => status))).toEqual({ 201: 25, 403: 975 })
    expect(await database.knex('gates').where({ spaceId })).toHaveLength(25)
  })

  it('L4: requests with one Idempotency-Key have one effect and equal answers', async () => {
    const { addKey, database, send, spaceId } = await serve(clouds)
    const key = await addKey()
    const init = json({ name: 'Front', phoneNumber: '0722123456' }, { 'Idempotency-Key': 'one' })
    const answers = await Promise.all(
      numbersTo(30).map(place => send(place, key, 'POST', '/api/v1/gates', init)),
    )
    expect(countOf(answers.map(({ status }) => status))).toEqual({ 201: 30 })
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(await database.knex('gates').where({ spaceId })).toHaveLength(1)
  })

  it('P5, L1: 1,000 presses at once lead to one call, and all calls together keep within the cap', async () => {
    await openDatabases(clouds)
    const rig = await exchangeRig(at(databases, 0))
    const { database, gatewayId, spaceId, world } = rig
    letWait(world)
    const others = databases.slice(1).map(one =>
      createExchange({
        noteDrift,
        world,
        database: one,
        endpoint: playedEndpoint(
          () => [gatewayId],
          () => {},
        ),
      }),
    )
    const exchanges: Exchange[] = [rig.exchange, ...others]
    for (const one of exchanges) closing.push(() => one.stop())
    const gateId = await rig.addGate()
    const { gateId: _, token: __, ...actor } = await rig.addGuest(gateId, { maxUsage: 3 })
    const press = async (place: number) => {
      const pressed = await at(exchanges, place).press({ spaceId, gateId, actor, since: moment(world) })
      return { place, openingId: pressed?.openingId ?? '' }
    }
    let calls = 0
    for (const round of numbersTo(5)) {
      const many = round === 0 ? atOnce : 20
      const pressed = await Promise.all(numbersTo(many).map(press))
      const ids = new Set(pressed.map(({ openingId }) => openingId))
      expect(ids.size).toBe(many)
      const leads: string[] = await database
        .knex('openings')
        .where({ spaceId, joinedOpeningId: null, completedAt: null })
        .pluck('id')
      expect(leads).toHaveLength(round < 3 ? 1 : 0)
      const lead = pressed.find(({ openingId }) => openingId === leads[0])
      if (!lead) continue
      const joined = await database.knex('openings').where({ joinedOpeningId: lead.openingId })
      expect(joined).toHaveLength(many - 1)
      const owner = at(exchanges, lead.place)
      const grant = await playedGateway(owner, world, gatewayId).claim(lead.openingId)
      if (grant?.granted) calls += 1
      await owner.report({
        gatewayId,
        bootId: playedBoot,
        seq: round + 1,
        signature: 's',
        openingId: lead.openingId,
        report: said.completed,
        body: JSON.stringify(said.completed),
      })
      await world.advance(120_000)
    }
    expect(calls).toBe(3)
    expect(await database.knex('accesses').pluck('usageCount')).toEqual([3])
  })
})
