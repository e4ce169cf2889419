// Signing in by a password while the account changes.

import { fakeWorld } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import type { AppRequest } from '../http/handler.ts'
import type { Visitor } from '../http/visitor.ts'
import { limitsInMemory } from '../limit/limits.ts'
import { createSeal } from '../secrets/sealing.ts'
import { createDeviceMarks } from './deviceMarks.ts'
import { sessionHandlers } from './sessionHandlers.ts'
import { createSignInLimits } from './signInLimits.ts'
import { createSigningIn } from './signingIn.ts'
import { createTickets } from './tickets.ts'
import { newUser } from './user.kit.ts'

const world = fakeWorld(3)
let database: Database
beforeEach(async () => {
  database = await testDatabase(world)
})
afterEach(() => database.close())

/** Signs in with the right password; `meanwhile` runs while it is compared. */
async function signIn(meanwhile: (userId: string) => Promise<unknown>) {
  const { email, userId } = await newUser({ database, world }, { email: 'ada@example.com' })
  const users = database.knex('users').where({ id: userId })
  await users.clone().update({ passwordHash: 'hash' })
  await database.knex('sessions').delete()
  const given: string[] = []
  const visitor: Visitor = {
    ...{ addressGroup: '192.0.2.1', userAgent: '', sessionToken: undefined, deviceMark: undefined },
    keepSession: () => void given.push('session'),
    dropSession: () => undefined,
    keepDevice: () => void given.push('mark'),
  }
  const seal = createSeal(world, new Map([[1, new Uint8Array(32)]]))
  const limits = limitsInMemory(world)
  const marks = createDeviceMarks({ seal, world })
  const hashes = {
    async matches() {
      await meanwhile(userId)
      return true
    },
  }
  const { signIn: handle } = sessionHandlers({
    ...{ database, marks, seal, world, hashes: hashes as never },
    limits: createSignInLimits(limits),
    tickets: createTickets({ limits, seal, world }),
    signingIn: createSigningIn({ database, marks, world }),
  })
  const body = { email, password: 'right' }
  const request = { body, visitor, write: database.write } as unknown as AppRequest<'signIn'>
  const answer = await handle(request)
  return { answer, given, sessions: await database.knex('sessions') }
}

it('signs in where nothing changes meanwhile', async () => {
  const { answer, given, sessions } = await signIn(async () => undefined)
  expect([answer, sessions.length]).toMatchObject([{ status: 200 }, 1])
  expect(given).toEqual(['session', 'mark'])
})

it.each([
  ['codes of an app are enabled', { totpSealed: 'sealed', totpEnabledAt: isoTime(world.nowMs()) }],
  ['the password is changed', { passwordHash: 'another' }],
  ['the account is deactivated', { deactivatedAt: isoTime(world.nowMs()) }],
])('begins no session and gives no mark when %s while the password is compared', async (_, columns) => {
  const { answer, given, sessions } = await signIn(userId =>
    database.knex('users').where({ id: userId }).update(columns),
  )
  expect(answer).toMatchObject({ problem: 'unauthorized' })
  expect([given, sessions]).toEqual([[], []])
})
