import { isoTime } from '@callgate/world/world'
import { afterEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { type Counted, countRoundTrips } from '../database/roundTrips.kit.ts'
import { createEventFeed } from '../event/eventFeed.ts'
import { readQueue } from '../history/queues.ts'
import { json, listen, sendTo } from '../http/server.kit.ts'
import { storedLimits } from '../limit/storedLimits.ts'
import { SharedReplica } from '../replica/replica.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { exchangeRig, playedGateway, said } from './exchange.kit.ts'
import { createExchange } from './exchange.ts'
import { openingHandlers } from './openings.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** A cloud with a gate, a gateway and an API key. A cloud that shares its database has a lease and counts in the database. */
async function cloud(isShared: boolean) {
  const rig = await exchangeRig()
  closing.push(rig.close)
  const { database, endpoint, gatewayId, seal, spaceId, world } = rig
  const { knex } = database
  const gateId = await rig.addGate()
  await knex('spaces').update({ plan: 'business' })
  const given = { spaceId, name: 'Desk', scopes: ['gates:open'], expiresAt: null, actor: 'operator' } as const
  const key = (await createApiKey({ database, world }, given))?.key ?? ''
  // The use of a key is written once a minute, after an answer.
  await knex('apiKeys').update({ lastUsedAt: isoTime(world.nowMs()) })
  const replica = new SharedReplica({ world, database, isListening: () => true })
  if (isShared) await replica.renew()
  const feed = createEventFeed({ world, database })
  const several = { replica, feed }
  const exchange = createExchange({ noteDrift, world, database, endpoint, ...(isShared && { several }) })
  closing.push(() => exchange.stop())
  const limits = storedLimits({ database, world })
  closing.push(() => limits.stop())
  const handlers = openingHandlers({ world, database, exchange, readQueue })
  const { base, close } = await listen({ world, database, seal, ...(isShared && { limits }) }, handlers)
  closing.push(close)
  const gateway = playedGateway(exchange, world, gatewayId)
  const press = (headers: Record<string, string> = {}) =>
    sendTo(base, key, 'POST', `/api/v1/gates/${gateId}/open`, json({}, headers))
  /** The gate comes to rest, so that the next press leads a call. */
  async function rest() {
    await world.advance(20_000)
    if (isShared) await replica.renew()
  }
  const { requests } = exchange
  return { ...rig, requests, gateway, press, rest, counts: countRoundTrips(database) }
}

/** One opening from the request to its answer, and what each part of it costs: [statements, round trips]. */
async function counted(
  { counts, gateway, hints, press, requests, rest }: Awaited<ReturnType<typeof cloud>>,
  headers?: Record<string, string>,
) {
  await rest()
  const costs: Record<string, Counted> = {}
  counts.take()
  hints.splice(0)
  const answer = press(headers)
  // The hint comes before the commit, and the request waits for the gateway after it.
  await expect.poll(() => requests.waiting(), { interval: 1 }).toBe(1)
  const [openingId = ''] = hints
  costs['press'] = counts.take()
  await gateway.claim(openingId)
  costs['claim'] = counts.take()
  await gateway.report(openingId, { phase: 'ringing', sinceClaimMs: 50 })
  costs['ringing'] = counts.take()
  await gateway.report(openingId, said.completed)
  expect((await answer).json).toMatchObject({ opened: true, openingId })
  costs['end'] = counts.take()
  const pairs = Object.entries(costs).map(([of, cost]) => [of, [cost.statements, cost.roundTrips]] as const)
  const sum = (place: 0 | 1) => pairs.reduce((sum, [, pair]) => sum + (pair[place] ?? 0), 0)
  return { ...Object.fromEntries(pairs), opening: [sum(0), sum(1)] }
}

describe('an opening on Postgres', () => {
  it('takes few round trips in a cloud alone', async () => {
    const served = await cloud(false)
    await counted(served)
    expect(await counted(served)).toEqual({
      press: [8, 3],
      claim: [12, 4],
      ringing: [10, 2],
      end: [11, 2],
      opening: [41, 11],
    })
  })

  it('takes few more with an Idempotency-Key', async () => {
    const served = await cloud(false)
    await counted(served, { 'Idempotency-Key': 'one' })
    const { opening } = await counted(served, { 'Idempotency-Key': 'two' })
    expect(opening).toEqual([48, 14])
  })

  it('takes few more in one of several clouds', async () => {
    const served = await cloud(true)
    await counted(served)
    expect(await counted(served)).toEqual({
      press: [10, 4],
      claim: [13, 4],
      ringing: [10, 2],
      end: [11, 2],
      opening: [44, 12],
    })
  })
})
