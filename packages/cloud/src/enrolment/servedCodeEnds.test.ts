import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { startServedTime } from '../database/servedTime.ts'
import { newSpace } from '../space/space.kit.ts'
import { insertEnrolment } from './enrolmentRows.ts'
import { endEnrolmentCodes } from './servedCodeEnds.ts'

const hourMs = 60 * 60 * 1000
let world = fakeWorld(1)
let database: Database
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
})
afterEach(() => database.close())

it('ends codes that a wall clock which was set back would keep valid, and none that was confirmed', async () => {
  const spaceId = await newSpace({ world, database })
  const by = { actor: 'operator', actorId: null } as const
  const code = (name: string, isForCard: boolean) =>
    database.write(
      tx => insertEnrolment(tx, world, { spaceId, name, replaces: null, isForCard, cloudKey: 'k' }, by),
      { spaceId },
    )
  await code('typed', false)
  await code('card', true)
  const { row } = await code('confirmed', false)
  const ended = { endedAt: row.createdAt, endedAs: 'confirmed' }
  await database.write(tx => tx('enrolments').where({ id: row.id, spaceId }).update(ended), { spaceId })
  const { row: taken } = await code('taken', false)
  await database.write(
    tx => tx('enrolments').where({ id: taken.id, spaceId }).update({ takenAt: row.createdAt }),
    { spaceId },
  )
  world.jumpWallClock(-60 * 24 * hourMs)
  const { stop } = await startServedTime({ database, world, ends: [endEnrolmentCodes] })
  const left = () => database.knex('enrolments').orderBy('name').pluck('name')
  const all = ['card', 'confirmed', 'taken', 'typed']
  for (const [atMs, names] of [
    [hourMs / 6, all],
    [hourMs / 6 + 4 * 60_000, all.slice(0, 3)],
    [hourMs * (7 / 6), all.slice(0, 3)],
    [hourMs * (7 / 6) + 4 * 60_000, all.slice(0, 2)],
    [24 * hourMs, all.slice(0, 2)],
    [24 * hourMs + 4 * 60_000, ['confirmed']],
  ] as const) {
    await world.advance(atMs - Math.floor(world.monotonicMs()))
    expect([atMs, await left()]).toEqual([atMs, names])
  }
  await stop()
})
