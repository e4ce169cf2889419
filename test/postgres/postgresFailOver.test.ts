// A failover of Postgres to its standby, with real streaming replication: the cloud's behaviour where commits are lost, and where
// none is.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { noteDrift } from '@callgate/cloud/calibration/profileDoubts'
import { readConfig } from '@callgate/cloud/config'
import type { Database } from '@callgate/cloud/database/database'
import { databaseTrouble } from '@callgate/cloud/database/database'
import { openPostgres } from '@callgate/cloud/database/postgres'
import { checkDatabase as lookAt } from '@callgate/cloud/doctor/dataChecks'
import { readNewestSeq } from '@callgate/cloud/event/eventRows'
import { createExchange, type Exchange } from '@callgate/cloud/opening/exchange'
import { exchangeRig, playedGateway } from '@callgate/cloud/opening/exchange.kit'
import { createRestoreLockout, numbersHeldMs } from '@callgate/cloud/restore/restores'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ReplicatedPair, startPair } from './replicatedPair.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'callgate-commits-'))
})
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  rmSync(folder, { recursive: true, force: true })
})

/** A cloud with one gateway, at the pair. */
async function rigAt(pair: ReplicatedPair) {
  const database = await openPostgres({ url: pair.url })
  const rig = await exchangeRig(database)
  const { endpoint, gatewayId, world } = rig
  const guest = await rig.addGuest(await rig.addGate())
  const lockout = createRestoreLockout({ world, database })
  const started: Exchange[] = []
  /** Another start of the cloud, on the same data folder. */
  async function start(on: Database = database) {
    const exchange = createExchange({ noteDrift, world, database: on, endpoint, watch: { folder, lockout } })
    started.push(exchange)
    await exchange.start()
    const { claim, report } = playedGateway(exchange, world, gatewayId)
    return { exchange, claim, report }
  }
  ends.push(
    () => rig.close(),
    () => started.map(exchange => exchange.stop()),
  )
  const { gateId, token: _, ...actor } = guest
  const press = async (exchange: Exchange) =>
    (await exchange.press({ spaceId: rig.spaceId, gateId, actor, since: moment(world) }))?.openingId ?? ''
  return { ...rig, lockout, start, press }
}

async function pairOf(isSynchronous: boolean): Promise<ReplicatedPair> {
  const pair = await startPair(isSynchronous)
  ends.push(() => pair.stop())
  return pair
}

/** The doctor's report about a database. */
function checkDatabase(databaseUrl: string) {
  const read = readConfig({ CALLGATE_DATA: folder, DATABASE_URL: databaseUrl })
  if (!read.ok) throw new Error(read.message)
  return lookAt(read.config)
}

/** Retries until the new server answers: connections to the former one fail first. */
async function troubleThere<T>(work: () => Promise<T>): Promise<string | T> {
  for (;;) {
    const answer = await work().catch((error: unknown) => databaseTrouble(error) ?? String(error))
    if (answer !== 'unreachable') return answer
  }
}

it('refuses the retry of a press that was granted and lost, until no earlier call can run', async () => {
  const pair = await pairOf(false)
  const { press, lockout, spaceId, start, world, ...rig } = await rigAt(pair)
  const { claim, exchange } = await start()
  const before = await readNewestSeq(rig.database.knex, spaceId)
  await pair.cutOff()
  const lost = await press(exchange)
  expect(await claim(lost)).toMatchObject({ granted: true })
  expect(await lockout.shut()).toBeUndefined()
  await pair.failOver()
  expect(await troubleThere(() => press(exchange))).toBe('busy')
  while ((await lockout.shut()) === undefined) await troubleThere(() => press(exchange))
  expect(await lockout.shut()).toEqual({ why: 'numbers_held', againInS: numbersHeldMs / 1000 })
  expect(await rig.database.knex('openings')).toEqual([])
  // Nobody gets a number of an event again that another one had.
  expect(await readNewestSeq(rig.database.knex, spaceId)).toBeGreaterThan(before + 100_000_000)
  expect(world.lines).toContainEqual(
    expect.objectContaining({ level: 'error', fields: expect.objectContaining({ spaceId }) }),
  )
  // A press that was accepted before, and has waited for a request with the same key since.
  expect(await troubleThere(() => press(exchange))).toBe('busy')
  await world.advance(numbersHeldMs)
  expect(await lockout.shut()).toBeUndefined()
  expect(await press(exchange)).toMatch(/^open_/)
}, 60_000)

it('ends an opening whose grant was lost as unknown, locks its number, and grants it to nobody', async () => {
  const pair = await pairOf(false)
  const { opening, press, start } = await rigAt(pair)
  const { claim, exchange } = await start()
  const openingId = await press(exchange)
  await pair.cutOff()
  expect(await claim(openingId)).toMatchObject({ granted: true })
  await pair.failOver()
  expect(await troubleThere(() => claim(openingId))).toBe('busy')
  let answer = await troubleThere(() => claim(openingId))
  while (answer === 'busy') answer = await troubleThere(() => claim(openingId))
  expect(answer).toMatchObject({ granted: false })
  expect(await opening(openingId)).toMatchObject({
    status: 'timeout',
    reason: 'outcome_unknown',
    opened: 'unknown',
    confidence: 'unknown',
    safeToRetry: 0,
    lockedNumber: expect.any(String),
  })
}, 60_000)

it('knows what was lost after a kill of the cloud as well, by its data folder', async () => {
  const pair = await pairOf(false)
  const { press, lockout, start } = await rigAt(pair)
  const { claim, exchange } = await start()
  await pair.cutOff()
  expect(await claim(await press(exchange))).toMatchObject({ granted: true })
  exchange.stop()
  await pair.failOver()
  const database = await openPostgres({ url: pair.url })
  ends.push(() => database.close())
  await start(database)
  expect(await lockout.shut()).toMatchObject({ why: 'numbers_held' })
}, 60_000)

it('refuses nothing after a failover to a synchronous standby, and asks for one where there is another', async () => {
  const asynchronous = await pairOf(false)
  expect(await checkDatabase(asynchronous.url)).toMatchObject({
    state: 'warning',
    says: expect.stringContaining('do not wait for a standby (1 here)'),
  })
  const pair = await pairOf(true)
  expect(await checkDatabase(pair.url)).toMatchObject({ state: 'ok' })
  const rig = await rigAt(pair)
  const { claim, exchange } = await rig.start()
  const openingId = await rig.press(exchange)
  await pair.failOver()
  expect(await troubleThere(() => claim(openingId))).toMatchObject({ granted: true })
  expect(await rig.lockout.shut()).toBeUndefined()
  expect(await rig.database.knex('restores')).toEqual([])
}, 60_000)
