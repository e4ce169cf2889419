import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { onPostgres, testDatabase } from '../database/postgres.kit.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { passwordHandlers } from './passwordHandlers.ts'
import { newUser } from './user.kit.ts'

const email = 'olga@example.com'

let world: FakeWorld
let database: Database
let spaceId: string
let ask: (email: string) => Promise<unknown>
beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  spaceId = await newSpace({ database, world })
  await newUser({ database, world }, { email, spaceId })
  const { requestPasswordReset } = passwordHandlers({ world, database, seal: newSeal(world) } as never)
  ask = address => requestPasswordReset({ body: { email: address } } as never)
})
afterEach(() => database.close())

const links = () => database.knex('passwordResets').pluck('id')
const mails = () => database.knex('outbox').where({ kind: 'password_reset' }).pluck('linkId')

it('sends at most three links, also for many requests at once', async () => {
  await Promise.all(Array.from({ length: 8 }, () => ask(email)))
  await expect.poll(links).toHaveLength(3)
  // A later request is handled after all earlier ones.
  await database.write(async () => {})
  expect((await links()).sort()).toEqual((await mails()).sort())
  expect(await links()).toHaveLength(3)
})

it('writes nothing when a stranger asks for an account that does not exist', async () => {
  let writes = 0
  const { write } = database
  Object.assign(database, {
    write: (...given: Parameters<typeof write>) => {
      writes += 1
      return write(...given)
    },
  })
  await ask('nobody@example.com')
  await ask(email)
  await expect.poll(links).toHaveLength(1)
  expect(writes).toBe(1)
})

it('waits for no write of a Space, and delays no other write', async ({ skip }) => {
  skip(!onPostgres, '`pnpm test:postgres` runs it: SQLite has one writer')
  let end = () => {}
  const long = new Promise<void>(resolve => {
    end = resolve
  })
  const writing = database.write(() => long, { spaceId })
  await ask(email)
  await expect.poll(links).toHaveLength(1)
  end()
  await writing
})
