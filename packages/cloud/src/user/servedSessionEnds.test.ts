import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { servedNow, startServedTime } from '../database/servedTime.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { insertInvitation } from './invitations.ts'
import { endUserPermits } from './servedSessionEnds.ts'
import { newUser } from './user.kit.ts'

const hourMs = 60 * 60 * 1000
let world = fakeWorld(1)
let database: Database
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
})
afterEach(() => database.close())

it('ends sessions, invitations and links to a password that would go on after the wall clock was set back', async () => {
  const seal = newSeal(world)
  const parts = { world, database, seal }
  const spaceId = await newSpace(parts)
  const { userId } = await newUser(parts, { email: 'olga@example.com', spaceId })
  const given = {
    spaceId,
    email: 'ion@example.com',
    name: 'Ion',
    language: 'en',
    invitedBy: 'olga@example.com',
    madeById: userId,
  } as const
  await database.write(tx => insertInvitation(tx, parts, { ...given, role: 'admin' }), { spaceId })
  const { expiresAt } = await database.knex('userInvitations').first('expiresAt')
  await database.knex('passwordResets').insert({
    id: 'reset_1',
    userId,
    tokenHash: 'hash',
    tokenSealed: 'sealed',
    createdAt: expiresAt,
    expiresAt,
    servedMs: servedNow(database.knex),
  })
  // As an earlier version of the program made it.
  const { id, ...session } = await database.knex('sessions').first()
  await database.knex('sessions').insert({ ...session, id: `${id}2`, tokenHash: 'other', servedMs: null })
  world.jumpWallClock(-60 * 24 * hourMs)
  const { stop } = await startServedTime({ database, world, ends: [endUserPermits] })
  const left = async () =>
    Promise.all(
      ['passwordResets', 'userInvitations', 'sessions'].map(table => database.knex(table).pluck('id')),
    ).then(lists => lists.map(list => list.length))
  for (const [atMs, lengths] of [
    [hourMs, [1, 1, 2]],
    [hourMs + 4 * 60_000, [0, 1, 2]],
    [72 * hourMs, [0, 1, 2]],
    [72 * hourMs + 4 * 60_000, [0, 0, 2]],
    [7 * 24 * hourMs, [0, 0, 2]],
    [7 * 24 * hourMs + 4 * 60_000, [0, 0, 1]],
  ] as const) {
    await world.advance(atMs - Math.floor(world.monotonicMs()))
    expect([atMs, await left()]).toEqual([atMs, lengths])
  }
  await stop()
})
