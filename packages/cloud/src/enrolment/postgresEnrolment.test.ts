import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { emptyPostgres } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import { storedLimits } from '../limit/storedLimits.ts'
import { newSpace } from '../space/space.kit.ts'
import { playedGateway } from './enrolment.kit.ts'
import { enrolmentHouse, wordOf } from './enrolmentHouse.kit.ts'

const clouds = 3
let world: FakeWorld
let databases: Database[]
let houses: ReturnType<typeof enrolmentHouse>[]
const stops: (() => void)[] = []

/** Several clouds on one database, each with connections of its own. */
beforeEach(async () => {
  world = fakeWorld(1)
  const url = await emptyPostgres()
  databases = await Promise.all(Array.from({ length: clouds }, () => openPostgres({ url })))
  const [first] = databases as [Database]
  await migrate(first)
  const spaceId = await newSpace({ database: first, world })
  houses = databases.map(database => {
    const limits = storedLimits({ database, world })
    stops.push(() => limits.stop())
    return enrolmentHouse({ world, database, spaceId, limits })
  })
})
afterEach(async () => {
  for (const stop of stops.splice(0)) stop()
  await Promise.all(databases.map(database => database.close()))
})

const at = (place: number) => houses[place % clouds] as (typeof houses)[number]
const otherRest = (code: string) => `${code.slice(0, -3)}${code.endsWith('000') ? '111' : '000'}`

it('counts exactly five wrong tries of many at once, over all clouds', async () => {
  const { code, enrolment } = await at(0).start()
  const wrong = Array.from({ length: 18 }, (_, place) =>
    at(place).take(playedGateway(world), otherRest(code), `192.0.2.${place}`),
  )
  expect(new Set((await Promise.all(wrong)).map(wordOf))).toEqual(new Set(['wrong_code']))
  expect(await at(1).view(enrolment.id)).toMatchObject({ state: 'spent', wrongTries: 5 })
  expect(wordOf(await at(2).take(playedGateway(world), code))).toBe('code_spent')
})

it('limits the wrong codes of a network over all clouds', async () => {
  const tries = Array.from({ length: 30 }, (_, place) => at(place).take(playedGateway(world), 'Z'.repeat(18)))
  const words = (await Promise.all(tries)).map(wordOf)
  expect(words.filter(word => word === 'wrong_code')).toHaveLength(20)
  expect(words.filter(word => word === 'rate_limited')).toHaveLength(10)
})

it('gives each code to one of three gateways at three clouds, and admits each once', async () => {
  for (let round = 0; round < 20; round++) {
    const { code, enrolment } = await at(round).start()
    const racers = [0, 1, 2].map(() => playedGateway(world))
    const answers = await Promise.all(racers.map((racer, place) => at(place).take(racer, code)))
    expect(answers.map(wordOf).sort()).toEqual(['code_used', 'code_used', 'taken'])
    const winner = answers.findIndex(answer => wordOf(answer) === 'taken')
    const { body } = answers[winner] as {
      body: { enrolmentId: string; cloudNonce: string; cloudKeys: string[] }
    }
    const gateway = racers[winner] as (typeof racers)[number]
    // Two requests of one gateway at two clouds cause only one event.
    await Promise.all([at(0).ask(gateway, body), at(1).ask(gateway, body)])
    const fingerprint = gateway.fingerprint(body)
    const confirmed = await Promise.all(houses.map(house => house.confirm(enrolment.id, fingerprint)))
    expect(confirmed.map(wordOf).sort()).toEqual(['conflict', 'conflict', 'taken'])
    const [first, again] = await Promise.all([at(1).ask(gateway, body), at(2).ask(gateway, body)])
    expect(wordOf(first)).toBe('confirmed')
    expect(again).toEqual(first)
  }
  const [{ knex }] = databases as [Database]
  expect(await knex('gateways')).toHaveLength(20)
  for (const action of ['gateway.pending', 'gateway.enrolled'])
    expect(await knex('activity').where({ action })).toHaveLength(20)
})
