// The locks of numbers where two clouds on one Postgres grant at once, each for a Space of its own.

import { newId } from '@callgate/world/ids'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import type { Database } from '../database/database.ts'
import { migratedPostgres, processesOn } from '../database/postgres.kit.ts'
import { type ExchangeRig, exchangeRig, type Guest } from '../opening/exchange.kit.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { playedBoot, playedEndpoint } from '../opening/gatewayEndpoint.kit.ts'

let rig: ExchangeRig
let exchanges: readonly [Exchange, Exchange]
const closing: (() => unknown)[] = []
beforeEach(async () => {
  const { databases, letWait } = await processesOn(await migratedPostgres(), 2)
  const [first, second] = databases as [Database, Database]
  rig = await exchangeRig(first)
  const { online, world } = rig
  const endpoint = playedEndpoint(
    () => online,
    () => {},
  )
  const other = createExchange({ noteDrift, world, database: second, endpoint })
  exchanges = [rig.exchange, other]
  letWait(world)
  closing.push(
    () => second.close(),
    () => rig.close(),
    () => other.stop(),
  )
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

type Tenant = Awaited<ReturnType<typeof addTenant>>

/** A Space with a gateway and a guest of its own, which is served by one of the clouds. */
async function addTenant(at: 0 | 1) {
  const { database, spaceId, world } = rig
  const { knex } = database
  const ids = { space: newId(world, 'space'), gateway: newId(world, 'gw') }
  const [space] = await knex('spaces').where({ id: spaceId })
  await knex('spaces').insert({ ...space, id: ids.space })
  const [gateway] = await knex('gateways').where({ id: rig.gatewayId })
  await knex('gateways').insert({ ...gateway, id: ids.gateway, spaceId: ids.space })
  rig.online.push(ids.gateway)
  const exchange = exchanges[at]
  let nonces = 0
  /** Another gate of the Space, with its guest. */
  async function addGate(phoneNumber: string): Promise<Guest> {
    const guest = await rig.addGuest(await rig.addGate())
    const { accessId, gateId, memberId } = guest
    await knex('accesses').where({ id: accessId }).delete()
    await knex('members').where({ id: memberId }).update({ spaceId: ids.space })
    await knex('gates').where({ id: gateId }).update({ spaceId: ids.space, phoneNumber })
    const access = { schedules: '[{"type":"always","timezone":"Europe/Bucharest"}]', createdAt: '2026' }
    await knex('accesses').insert({ id: accessId, spaceId: ids.space, memberId, gateId, ...access })
    return guest
  }
  return {
    spaceId: ids.space,
    addGate,
    async press({ gateId, token: _, ...actor }: Guest): Promise<string> {
      const pressed = await exchange.press({ spaceId: ids.space, gateId, actor, since: moment(world) })
      return pressed?.openingId ?? ''
    },
    async isGranted(openingId: string): Promise<boolean> {
      nonces += 1
      const by = { gatewayId: ids.gateway, bootId: playedBoot, openingId, sinceBootMs: world.sinceBootMs() }
      const grant = await exchange.claim({ ...by, nonce: String(nonces).padStart(22, 'N') })
      return grant !== undefined && 'granted' in grant && grant.granted
    },
  }
}

const tenants = async (): Promise<[Tenant, Tenant]> => [await addTenant(0), await addTenant(1)]

it('P1: of two Spaces that claim one number at once, exactly one is granted', async () => {
  const [one, other] = await tenants()
  const granted = { one: 0, other: 0 }
  for (let round = 0; round < 40; round++) {
    const phoneNumber = `+407228${String(round).padStart(5, '0')}`
    const [first, second] = [await one.addGate(phoneNumber), await other.addGate(phoneNumber)]
    const ids = [await one.press(first), await other.press(second)] as const
    const claims = [() => one.isGranted(ids[0]), () => other.isGranted(ids[1])] as const
    // The claim that is sent first is often granted.
    const [ofFirst, ofSecond] =
      round % 2 === 0
        ? await Promise.all([claims[0](), claims[1]()])
        : (await Promise.all([claims[1](), claims[0]()])).reverse()
    expect([ofFirst, ofSecond].sort()).toEqual([false, true])
    granted[ofFirst ? 'one' : 'other'] += 1
    const refused = await rig.opening(ofFirst ? ids[1] : ids[0])
    expect(refused).toMatchObject({
      status: 'failed',
      reason: 'number_in_use',
      opened: 'no',
      gatewayId: null,
    })
    expect(await rig.opening(ofFirst ? ids[0] : ids[1])).toMatchObject({ status: 'initiated' })
  }
  expect(Math.min(granted.one, granted.other)).toBeGreaterThan(0)
})

it('P1: a hostile Space that claims at the same moment, each second, delays nobody for more than a minute', async () => {
  const [hostile, victim] = await tenants()
  const phoneNumber = '+40722899999'
  const [bait, gate] = [await hostile.addGate(phoneNumber), await victim.addGate(phoneNumber)]
  const { world } = rig
  expect(await hostile.isGranted(await hostile.press(bait))).toBe(true)
  const beganMs = world.monotonicMs()
  let isGranted = false
  while (!isGranted && world.monotonicMs() - beganMs < 120_000) {
    const attacked = hostile.press(bait).then(hostile.isGranted)
    isGranted = await victim.press(gate).then(victim.isGranted)
    await attacked
    if (!isGranted) await world.advance(1_000)
  }
  expect(isGranted).toBe(true)
  expect(Math.round(world.monotonicMs() - beganMs)).toBeLessThanOrEqual(60_000)
})
