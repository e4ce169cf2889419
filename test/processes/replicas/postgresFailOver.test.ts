// Two clouds as processes while their Postgres fails over: to a standby that lacks the last commits, and to one that has them all.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { startPair } from '../../postgres/replicatedPair.ts'
import { startClouds } from './clouds.ts'
import { press } from './press.ts'
import { newTenant } from './tenants.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Two clouds and a gateway on a pair of servers, after a first press. */
async function served(isSynchronous: boolean) {
  const pair = await startPair(isSynchronous)
  ends.push(() => pair.stop())
  const clouds = await startClouds(2, pair.url)
  ends.push(() => clouds.close())
  const tenant = await newTenant(clouds.database, { keys: 1, coolDownMs: 1_000 })
  await clouds.connect([tenant.gatewayId])
  const [key = ''] = tenant.keys
  const given = { gateId: tenant.gateId, key }
  expect(await press(clouds, { ...given, at: 0 })).toMatchObject({ status: 200 })
  // The cool-down of its gate is over.
  await pause(1_500)
  const once = randomUUID()
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': once }
  /** Sends the press with its key to a cloud, once. Undefined: there is no answer. */
  const pressOnce = async (at: number) => {
    const sent = fetch(`${clouds.baseUrls[at]}/api/v1/gates/${tenant.gateId}/open`, {
      method: 'POST',
      headers,
    })
    return sent.catch(() => undefined)
  }
  return { pair, clouds, given, once, pressOnce }
}

it('calls no gate again for a press whose grant and key were lost, whichever cloud gets the retry', async () => {
  const { clouds, pair, pressOnce } = await served(false)
  const { granted } = clouds
  const before = granted.size
  await pair.cutOff()
  const first = pressOnce(0)
  while (granted.size === before) await pause(10)
  await pair.failOver()
  const [one, other] = [1, 0]
  const refused = new Set<number>()
  for (let tries = 0; refused.size < 2; tries++) {
    const at = tries % 2 === 0 ? one : other
    const answer = await pressOnce(at)
    if (answer) expect([500, 503]).toContain(answer.status)
    if (Number(answer?.headers.get('retry-after')) > 100) refused.add(at)
    await pause(100)
  }
  await first
  expect(granted.size).toBe(before + 1)
}, 180_000)

it('answers a press over a failover to a synchronous standby, and calls its gate once', async () => {
  const { clouds, given, once, pair } = await served(true)
  const before = clouds.granted.size
  const pressed = press(clouds, { ...given, at: 0, once })
  while (clouds.granted.size === before) await pause(10)
  await pair.failOver()
  const { openingId, status } = await pressed
  expect(status).toBe(200)
  expect(await press(clouds, { ...given, at: 1, once })).toMatchObject({ status: 200, openingId })
  expect(clouds.granted.size).toBe(before + 1)
  expect(await clouds.database.knex('restores')).toEqual([])
}, 180_000)
