// On Postgres, a user's sign-in and sign-out wait for the changes of the user's own Spaces, and for no other tenant's.

import { idPrefix } from '@callgate/contract/idPrefix'
import { isProblem } from '@callgate/contract/rest/problem'
import { newId } from '@callgate/world/ids'
import { realWorld } from '@callgate/world/real'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { type Write, writeUnlessProblem } from '../database/transaction.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { invitationHandlers } from './invitationHandlers.ts'
import { insertInvitation } from './invitations.ts'
import { tokenHashOf } from './mailedLinks.ts'
import { newUser } from './user.kit.ts'
import { writeOfUsers } from './userWrites.ts'

const world = realWorld({ logLevel: 'silent' })
let database: Database
const opened: (() => void)[] = []
beforeEach(async () => {
  database = await testDatabase()
})
afterEach(async () => {
  for (const open of opened.splice(0)) open()
  await database.write(async () => {})
  await database.close()
})

/** A change of this Space that holds its locks until it is released. */
async function held(spaceId: string): Promise<() => void> {
  let open = () => {}
  const isOpen = new Promise<void>(resolve => {
    open = resolve
  })
  opened.push(open)
  const hasBegun = new Promise<void>(begun => {
    void database.write(
      async () => {
        begun()
        await isOpen
      },
      { spaceId },
    )
  })
  await hasBegun
  return open
}

/** Whether `ending` waits until the locks are released. */
async function orderOf(ending: Promise<unknown>, letGo: () => void): Promise<readonly string[]> {
  const order: string[] = []
  const ended = ending.then(() => order.push('ended'))
  // As long as it would take without waiting.
  for (let count = 0; count < 50; count++) await database.knex.raw('select 1')
  order.push('let go')
  letGo()
  await ended
  return order
}

const write: Write = (work, reach) => writeUnlessProblem(database, work, reach)
const signOut = (userId: string) =>
  writeOfUsers(
    database,
    [userId],
    write,
  )(async tx => ({
    ended: await tx('sessions').where({ userId }).delete(),
  }))
const rename = (spaceId: string) =>
  database.write(tx => tx('spaces').where({ id: spaceId }).update({ name: 'Renamed' }), { spaceId })

it("waits for the user's tenants only, and delays no other tenant", async () => {
  const [own, slow, third] = [
    await newSpace({ database, world }),
    await newSpace({ database, world }),
    await newSpace({ database, world }),
  ]
  const { userId } = await newUser({ database, world }, { email: 'ada@example.com', spaceId: own })
  await held(slow)
  expect(await signOut(userId)).toEqual({ ended: 1 })
  expect(await rename(third)).toBe(1)
})

it('ends no session during a change of a Space in which its user has a role', async () => {
  const own = await newSpace({ database, world })
  const { userId } = await newUser({ database, world }, { email: 'ada@example.com', spaceId: own })
  const letGo = await held(own)
  expect(await orderOf(signOut(userId), letGo)).toEqual(['let go', 'ended'])
})

it('also takes the lock of a Space in which the user got a role while it waited', async () => {
  const [own, later] = [await newSpace({ database, world }), await newSpace({ database, world })]
  const given = { email: 'ada@example.com' }
  const { userId } = await newUser({ database, world }, { ...given, spaceId: own })
  const letGo = await held(own)
  let tries = 0
  const counted: Write = (work, reach) => {
    tries++
    return write(work, reach)
  }
  const ending = writeOfUsers(database, [userId], counted)(async () => ({ isDone: true }))
  // As by an operator's command, on a connection of its own.
  await database.knex('userRoles').insert({ userId, spaceId: later, role: 'admin', createdAt: '2026' })
  letGo()
  const answer = await ending
  expect(isProblem(answer)).toBe(false)
  expect([answer, tries]).toEqual([{ isDone: true }, 2])
})

it('makes the changes of one user one after the other, also when the user has no Space', async () => {
  const { userId } = await newUser({ database, world }, { email: 'ada@example.com' })
  const taken = async () =>
    writeOfUsers(
      database,
      [userId],
      write,
    )(async tx => {
      const { name } = await tx('users').where({ id: userId }).first('name')
      await tx('users')
        .where({ id: userId })
        .update({ name: `${name}+` })
      return { isDone: true }
    })
  await Promise.all(Array.from({ length: 10 }, taken))
  const { name } = await database.knex('users').where({ id: userId }).first('name')
  expect(name).toMatch(/[^+][+]{10}$/)
})

/** Accepts an invitation to the Space, as a person who is not signed in. */
async function accept(spaceId: string, email: string, given: object) {
  const token = `a secret of ${spaceId}`
  const madeById = newId(world, idPrefix.user)
  const createdAt = isoTime(world.nowMs())
  const told = { name: 'Ada', role: 'admin', language: 'en', invitedBy: 'Olga' } as const
  const invited = { spaceId, email, ...told, madeById }
  await database.write(
    async tx => {
      await tx('users').insert({ id: madeById, email: madeById, name: 'Olga', language: 'en', createdAt })
      await tx('userRoles').insert({ userId: madeById, spaceId, role: 'owner', createdAt, getsAlerts: true })
      const { id } = await insertInvitation(tx, { seal: newSeal(world), world }, invited)
      await tx('userInvitations')
        .where({ id })
        .update({ tokenHash: tokenHashOf(token) })
    },
    { spaceId },
  )
  const newPasswords = { hash: async () => 'hash' }
  const { acceptInvitation } = invitationHandlers({ world, database, newPasswords })
  const visitor = { userAgent: undefined, keepSession: () => {} }
  return () => acceptInvitation({ body: { token, ...given }, visitor, write } as never)
}
const asNew = { name: 'Ada', password: 'several words' }

it('accepts an invitation beside the changes of other tenants', async () => {
  const [own, other, slow] = [
    await newSpace({ database, world }),
    await newSpace({ database, world }),
    await newSpace({ database, world }),
  ]
  await held(slow)
  const first = await accept(own, 'ada@example.com', asNew)
  expect(await first()).toMatchObject({ status: 200, body: { session: { spaces: [{ id: own }] } } })
  const second = await accept(other, 'ada@example.com', {})
  expect(await second()).toMatchObject({ status: 200, body: { session: null } })
  expect(await database.knex('userRoles').pluck('spaceId')).toEqual(expect.arrayContaining([own, other]))
})

it('makes one account of a person who accepts two invitations at once', async () => {
  const spaces = [await newSpace({ database, world }), await newSpace({ database, world })]
  const asked = await Promise.all(spaces.map(spaceId => accept(spaceId, 'Ada@example.com', asNew)))
  const answers = await Promise.all(asked.map(ask => ask()))
  expect(answers.filter(answer => !isProblem(answer))).toHaveLength(1)
  expect(answers.filter(isProblem)).toMatchObject([{ problem: 'validation_error' }])
  expect(await database.knex('users').where({ name: 'Ada' }).pluck('email')).toEqual(['ada@example.com'])
})

it("waits for a change of the invitation's Space, and of each Space of the person", async () => {
  const [own, other] = [await newSpace({ database, world }), await newSpace({ database, world })]
  await newUser({ database, world }, { email: 'ada@example.com', spaceId: own })
  for (const spaceId of [own, other]) {
    const ask = await accept(other, 'ada@example.com', {})
    const letGo = await held(spaceId)
    expect(await orderOf(ask(), letGo)).toEqual(['let go', 'ended'])
  }
})
