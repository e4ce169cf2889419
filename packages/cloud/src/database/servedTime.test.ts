import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from './database.ts'
import { testDatabase } from './postgres.kit.ts'
import { startServedTime } from './servedTime.ts'

const hourMs = 60 * 60 * 1000
let world = fakeWorld(1)
let database: Database
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
})
afterEach(() => database.close())

const start = () => startServedTime({ database, world, ends: [] })
const servedMs = async () =>
  Number(
    await database
      .knex('servedTime')
      .first('servedMs')
      .then(row => row.servedMs),
  )

it('counts the time of service, over restarts and whatever the wall clock shows', async () => {
  const first = await start()
  await world.advance(10 * 60_000)
  world.jumpWallClock(25 * hourMs)
  await world.advance(30_000)
  await first.stop()
  expect(await servedMs()).toBe(10 * 60_000 + 30_000)
  await world.advance(hourMs)
  world.jumpWallClock(-90 * hourMs)
  const second = await start()
  await world.advance(60_001)
  expect(await servedMs()).toBe(11 * 60_000 + 30_000)
  await second.stop()
})

it('loses at most a minute where the cloud is killed, and is never ahead', async () => {
  const killed = await start()
  await world.advance(119_000)
  expect(await servedMs()).toBe(60_000)
  await killed.stop()
})

it('is the longest count where several clouds serve, and not the sum', async () => {
  const one = await start()
  await world.advance(90_000)
  const other = await start()
  await world.advance(10 * 60_000)
  expect(await servedMs()).toBeGreaterThanOrEqual(11 * 60_000)
  await one.stop()
  await other.stop()
  expect(await servedMs()).toBe(11 * 60_000 + 30_000)
})
