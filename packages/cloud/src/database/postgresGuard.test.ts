import { fakeWorld } from '@callgate/world/fake'
import { beforeEach, expect, it } from 'vitest'
import { type Db, databaseTrouble } from './database.ts'
import { GuardedSessions, type ServerFacts } from './postgresGuard.ts'
import type { Session } from './postgresSession.ts'

const world = fakeWorld(1)
const tx = {} as Db
const session = () => ({}) as Session
let isWhole = true
let looks = 0
let marks = 0
let noticed = 0
let guarded: GuardedSessions
beforeEach(() => {
  isWhole = true
  looks = marks = noticed = 0
  guarded = new GuardedSessions()
  guarded.guard = {
    world,
    settleMs: 1_500,
    committed: () => {},
    isWhole: async () => {
      looks += 1
      return isWhole
    },
    mark: async () => {
      marks += 1
    },
    marked: () => {
      noticed += 1
    },
  }
})

/** Begins a transaction; returns its trouble, or `begun` where there is none. */
const begin = (
  of: Session,
  more: Partial<ServerFacts> = {},
  how: { isUrgent?: boolean; isMark?: boolean } = {},
) =>
  guarded
    .whenSettled(() =>
      guarded.before(
        tx,
        of,
        { server: 'a', restores: 0, ...more },
        { isMark: false, isUrgent: false, ...how },
      ),
    )
    .then(() => 'begun', databaseTrouble)

it('checks each connection once, and again where another server is behind it', async () => {
  const mine = session()
  for (const of of [mine, mine, session()]) expect(await begin(of)).toBe('begun')
  expect(looks).toBe(2)
  expect(await begin(mine, { server: 'b' }, { isUrgent: true })).toBe('begun')
  expect(looks).toBe(3)
})

it('refuses a standby, and checks it once it is promoted', async () => {
  const mine = session()
  expect(await begin(mine, { server: null })).toBe('not_writable')
  isWhole = false
  expect(await begin(mine)).toBe('busy')
  expect(marks).toBe(1)
})

it('refuses every connection until the data is marked, and lets the mark through', async () => {
  isWhole = false
  const mine = session()
  expect([await begin(mine), await begin(session())]).toEqual(['busy', 'busy'])
  expect(await begin(mine, {}, { isMark: true })).toBe('begun')
  isWhole = true
  expect(await begin(mine)).toBe('begun')
})

it('refuses one transaction when it sees the mark of another cloud, and reports it', async () => {
  const mine = session()
  expect(await begin(mine)).toBe('begun')
  expect(await begin(mine, { restores: 1 })).toBe('busy')
  expect(noticed).toBe(1)
  expect(await begin(mine, { restores: 1 })).toBe('begun')
})

it('waits on a new server until the other clouds have checked it, except for a lease', async () => {
  const mine = session()
  await begin(mine)
  let begun: unknown
  void begin(mine, { server: 'b' }).then(how => {
    begun = how
  })
  expect(await begin(mine, { server: 'b' }, { isUrgent: true })).toBe('begun')
  await world.advance(1_499)
  expect(begun).toBeUndefined()
  await world.advance(1)
  expect(begun).toBe('begun')
})
