import type { Report } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { playedBoot } from '../opening/gatewayEndpoint.kit.ts'
import { keepBothNumbers } from './numberLocks.ts'

let rig: ExchangeRig
let one: Tenant
let other: Tenant
beforeEach(async () => {
  rig = await exchangeRig()
  one = await addTenant()
  other = await addTenant()
})
afterEach(() => rig.close())

type Tenant = Awaited<ReturnType<typeof addTenant>>

/** A Space with a key, a gateway of its own, and a gate with the number that all these Spaces share. */
async function addTenant() {
  const { database, exchange, gatewayId, spaceId, world } = rig
  const { knex } = database
  const ids = { space: newId(world, 'space'), gateway: newId(world, 'gw'), apiKeyId: newId(world, 'key') }
  const [space] = await knex('spaces').where({ id: spaceId })
  await knex('spaces').insert({ ...space, id: ids.space, plan: 'pro' })
  const [gateway] = await knex('gateways').where({ id: gatewayId })
  await knex('gateways').insert({ ...gateway, id: ids.gateway, spaceId: ids.space })
  const scopes = JSON.stringify(['gates:open'])
  const key = { name: 'door', keyHash: ids.apiKeyId, shownPrefix: 'svc', scopes, createdAt: space?.createdAt }
  await knex('apiKeys').insert({ ...key, id: ids.apiKeyId, spaceId: ids.space })
  const gateId = await rig.addGate()
  await knex('gates').where({ id: gateId }).update({ spaceId: ids.space, phoneNumber: '+40722999999' })
  rig.online.push(ids.gateway)
  const actor = {
    actorType: 'owner',
    actorName: 'api:door',
    actorEmail: null,
    apiKeyId: ids.apiKeyId,
  } as const
  let reports = 0
  return {
    spaceId: ids.space,
    gateId,
    async press(): Promise<string> {
      const pressed = await exchange.press({ spaceId: ids.space, gateId, actor, since: moment(world) })
      return pressed?.openingId ?? ''
    },
    claim: (openingId: string) =>
      exchange.claim({
        gatewayId: ids.gateway,
        bootId: playedBoot,
        openingId,
        nonce: 'N'.repeat(22),
        sinceBootMs: world.sinceBootMs(),
      }),
    report(openingId: string, report: Report) {
      reports += 1
      const sent = { seq: reports, body: JSON.stringify(report), signature: 's' }
      return exchange.report({ gatewayId: ids.gateway, bootId: playedBoot, openingId, report, ...sent })
    },
  }
}

const inUse = {
  status: 'failed',
  reason: 'number_in_use',
  opened: 'no',
  confidence: 'certain',
  gatewayId: null,
  lockedNumber: null,
}

it('grants one of two Spaces at a time, and ends the press of the other as safe to retry', async () => {
  const [first, second] = [await one.press(), await other.press()]
  expect(await one.claim(first)).toMatchObject({ granted: true })
  expect(await other.claim(second)).toEqual({ granted: false, reason: 'refused' })
  const ended = await rig.opening(second)
  expect({ ...ended, safeToRetry: Boolean(ended.safeToRetry) }).toMatchObject({ ...inUse, safeToRetry: true })
})

it('grants the other Space when the call is over and the gate has come to rest', async () => {
  const first = await one.press()
  await one.claim(first)
  await rig.world.advance(3_000)
  await one.report(first, said.completed)
  const early = await other.press()
  expect(await other.claim(early)).toMatchObject({ granted: false })
  await rig.world.advance(5_000)
  const late = await other.press()
  expect(await other.claim(late)).toMatchObject({ granted: true })
})

it('takes no number at the press', async () => {
  await one.press()
  const second = await other.press()
  expect(await other.claim(second)).toMatchObject({ granted: true })
})

it('delays a press by a hostile Space for at most a minute, and informs the operator', async () => {
  await one.claim(await one.press())
  const beganMs = rig.world.monotonicMs()
  let grantedMs: number | undefined
  while (grantedMs === undefined && rig.world.monotonicMs() - beganMs < 300_000) {
    const openingId = await other.press()
    const grant = await other.claim(openingId)
    if (grant && 'granted' in grant && grant.granted) grantedMs = rig.world.monotonicMs() - beganMs
    // The hostile gateway ends its call and begins the next one at once.
    await one.claim(await one.press())
    await rig.world.advance(1_000)
  }
  expect(Math.round(grantedMs ?? 0)).toBe(60_000)
  expect(rig.world.lines.filter(({ level }) => level === 'warn')).toMatchObject([
    { fields: { spaceId: other.spaceId, heldBy: one.spaceId } },
  ])
})

it('keeps both numbers of a gate whose number changes in its call, for every Space', async () => {
  const { database, world } = rig
  const { knex } = database
  const [from, to] = ['+40722999999', '+40722999990']
  const called = await one.press()
  await one.claim(called)
  await knex('gates').where({ id: one.gateId }).update({ phoneNumber: to })
  await knex('gates').where({ id: other.gateId }).update({ phoneNumber: to })
  await database.write(tx => keepBothNumbers(tx, { spaceId: one.spaceId, from, to }, world.nowMs()), {
    spaceId: one.spaceId,
  })
  const refused = async () => {
    for (const tenant of [one, other]) {
      const openingId = await tenant.press()
      expect(await tenant.claim(openingId)).toMatchObject({ granted: false })
      expect(await rig.opening(openingId)).toMatchObject(inUse)
    }
  }
  await refused()
  await world.advance(3_000)
  await one.report(called, said.completed)
  await refused()
  await world.advance(5_000)
  expect(await one.claim(await one.press())).toMatchObject({ granted: true })
})

it('grants one of two Spaces at a time where the other one called the number more than an hour ago', async () => {
  const first = await one.press()
  await one.claim(first)
  await one.report(first, said.completed)
  await rig.world.advance(3_700_000)
  expect(await other.claim(await other.press())).toMatchObject({ granted: true })
  expect(await one.claim(await one.press())).toMatchObject({ granted: false })
})

it('deletes the rows of numbers that nobody has called for an hour', async () => {
  const { knex } = rig.database
  await one.claim(await one.press())
  await rig.world.advance(3_700_000)
  await knex('gates').where({ id: other.gateId }).update({ phoneNumber: '+40722999998' })
  const openingId = await other.press()
  await other.claim(openingId)
  expect(await knex('numberLocks').select('phoneNumber', 'openingId')).toEqual([
    { phoneNumber: '+40722999998', openingId },
  ])
})
