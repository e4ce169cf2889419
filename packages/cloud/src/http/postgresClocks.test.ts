// One Idempotency-Key at two clouds on one Postgres, where the clock of one machine, or of the database, is wrong.

import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../database/database.ts'
import { migratedPostgres, settableClock } from '../database/postgres.kit.ts'
import { openPostgres } from '../database/postgres.ts'
import { storedLimits } from '../limit/storedLimits.ts'
import type { Seal } from '../secrets/sealing.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { newSeal, newSpace } from '../space/space.kit.ts'
import { gate, json, listen, type Sent, sendTo } from './server.kit.ts'

const hourMs = 60 * 60 * 1000

let setDatabaseClock: (aheadMs: number) => Promise<void>
let url = ''
let seal: Seal
let key = ''
/** The database as an operator opens it, who serves nothing. */
let database: Database
const closing: (() => unknown)[] = []
beforeEach(async () => {
  url = await migratedPostgres()
  setDatabaseClock = await settableClock(url)
  database = await openPostgres({ url })
  closing.push(() => database.close())
  const world = fakeWorld(1)
  seal = newSeal(world)
  const spaceId = await newSpace({ database, world })
  const given = { name: 'Desk', scopes: ['gates:write'], expiresAt: null, actor: 'operator' } as const
  const made = await createApiKey({ database, world }, { spaceId, ...given })
  key = made?.key ?? ''
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A cloud with its own connections and machine, whose wall clock is this far ahead of the true time. */
async function cloud(aheadMs: number) {
  const world = fakeWorld(closing.length)
  const { rows } = await database.knex.raw(
    'select extract(epoch from pg_catalog.clock_timestamp()) as "nowS"',
  )
  world.jumpWallClock(Number(rows[0].nowS) * 1_000 + aheadMs - world.nowMs())
  const own = await openPostgres({ url, serverTime: world })
  const limits = storedLimits({ database: own, world })
  const server = await listen({ world, database: own, seal, limits }, {})
  closing.push(
    () => own.close(),
    () => limits.stop(),
    () => server.close(),
  )
  return {
    create: (once: string) =>
      sendTo(server.base, key, 'POST', '/api/v1/gates', json(gate, { 'Idempotency-Key': once })),
  }
}

/** Adds time of service to the database. */
const served = (ms: number) => database.knex('servedTime').increment('servedMs', ms)

const isReplayed = ({ headers }: Sent) => headers.get('idempotency-replayed') === 'true'
const gates = async () => (await database.knex('gates')).length

describe.each([25, -26])('two clouds, one of which has a wall clock that is off by %i h', hours => {
  it('execute a request with one key once, whichever gets it first', async () => {
    const clouds = [await cloud(0), await cloud(hours * hourMs)] as const
    for (const [place, first] of clouds.entries()) {
      const other = clouds[1 - place] ?? first
      const made = await first.create(`key-${place}`)
      expect([made.status, isReplayed(made)]).toEqual([201, false])
      await served(10_000)
      for (const one of [other, first]) {
        const again = await one.create(`key-${place}`)
        expect([again.status, again.text, isReplayed(again)]).toEqual([201, made.text, true])
      }
      expect(await gates()).toBe(place + 1)
    }
  })

  it('use the clock of the database, and forget a key when that and the time of service allow it', async () => {
    const wrong = await cloud(hours * hourMs)
    await wrong.create('a')
    await served(25 * hourMs)
    await setDatabaseClock(23 * hourMs)
    const again = await wrong.create('a')
    expect([again.status, isReplayed(again)]).toEqual([201, true])
    await setDatabaseClock(24 * hourMs)
    const late = await wrong.create('a')
    expect([late.status, isReplayed(late)]).toEqual([201, false])
    expect(await gates()).toBe(2)
  })
})

it.each([25, -26])(
  'execute a request with one key once where the clock of the database is set by %i h',
  async hours => {
    const clouds = [await cloud(0), await cloud(0)] as const
    const made = await clouds[0].create('a')
    for (const aheadMs of [hours * hourMs, 0]) {
      await setDatabaseClock(aheadMs)
      await served(10_000)
      for (const one of clouds) {
        const again = await one.create('a')
        expect([again.status, again.text, isReplayed(again)]).toEqual([201, made.text, true])
      }
    }
    expect(await gates()).toBe(1)
  },
)
