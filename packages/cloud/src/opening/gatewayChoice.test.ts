// Which gateways are asked to call a gate, and which of them get a grant.

import type { GateCallers } from '@callgate/contract/call/gateCallers'
import type { Report } from '@callgate/contract/wire/messages'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { askedLastForMs } from '../gateway/failingGateways.ts'
import { toOpening } from '../history/openingReads.ts'
import { type ExchangeRig, exchangeRig, said } from './exchange.kit.ts'
import { playedBoot } from './gatewayEndpoint.kit.ts'

let rig: ExchangeRig
let gateId: string
/** A second gateway, which is asked after the first by default. */
let other: string
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  other = newId(rig.world, 'gw')
  const row = await rig.database.knex('gateways').where({ id: rig.gatewayId }).first()
  await rig.database.knex('gateways').insert({ ...row, id: other })
  rig.online.push(other)
})
afterEach(() => rig.close())

const barred = { mayCall: false, numberKnown: 'yes' } as const

const setCallers = (callers: GateCallers, id = gateId) =>
  rig.database
    .knex('gates')
    .where({ id })
    .update({ callers: JSON.stringify(callers) })
const callers = async () =>
  JSON.parse((await rig.database.knex('gates').where({ id: gateId }).first()).callers)
const press = async () => rig.press(await rig.addGuest(gateId))
const claimOfOther = (openingId: string) =>
  rig.exchange.claim({
    gatewayId: other,
    bootId: playedBoot,
    nonce: 'M'.repeat(22),
    openingId,
    sinceBootMs: rig.world.sinceBootMs(),
  })

describe('a gateway that may not call the gate', () => {
  it('is never hinted, and the others are hinted as before', async () => {
    await setCallers({ [rig.gatewayId]: barred })
    const openingId = await press()
    await rig.world.advance(10_000)
    expect(new Set(rig.hinted)).toEqual(new Set([`${other} ${openingId}`]))
  })

  it('P3: is refused when it claims, also where it lost the permission after the press', async () => {
    const openingId = await press()
    await setCallers({ [rig.gatewayId]: barred })
    expect(await rig.claim(openingId)).toEqual({ granted: false, reason: 'refused' })
    expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated', gatewayId: null, usageHeld: 0 })
    expect(await claimOfOther(openingId)).toMatchObject({ granted: true })
  })

  it('does not count as online, nor as a gateway that could still claim', async () => {
    await setCallers({ [rig.gatewayId]: { mayCall: true, numberKnown: 'no' } })
    const declined = await press()
    const sent = { gatewayId: other, bootId: playedBoot, seq: 1, body: '{}', signature: 's' }
    const report = { phase: 'declined', reason: 'no_network' } as const
    await rig.exchange.report({ ...sent, openingId: declined, report })
    expect(await rig.opening(declined)).toMatchObject({ status: 'failed', reason: 'no_network' })
    rig.online.pop()
    const openingId = await press()
    expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'gateway_offline' })
  })
})

it('a gateway whose number is known at the gate is hinted first, the next one 2 s later', async () => {
  await setCallers({ [other]: { mayCall: true, numberKnown: 'yes' } })
  const openingId = await press()
  expect(rig.hinted).toEqual([`${other} ${openingId}`])
  await rig.world.advance(2_000)
  expect(rig.hinted.slice(1)).toEqual([`${other} ${openingId}`, `${rig.gatewayId} ${openingId}`])
})

it('after a decline the next gateway is asked at once', async () => {
  const openingId = await press()
  const sent = { gatewayId: rig.gatewayId, bootId: playedBoot, seq: 1, body: '{}', signature: 's' }
  await rig.exchange.report({ ...sent, openingId, report: { phase: 'declined', reason: 'no_network' } })
  expect(rig.hinted).toEqual([`${rig.gatewayId} ${openingId}`, `${other} ${openingId}`])
})

describe('a gateway whose call failed by its own SIM card', () => {
  const firstAsked = async (at = gateId) => {
    const before = rig.hinted.length
    await rig.press(await rig.addGuest(at))
    const [gatewayId] = rig.hinted[before]?.split(' ') ?? []
    await rig.world.advance(15_000)
    return gatewayId
  }
  const fail = async () => rig.run(await rig.addGuest(gateId), said.simError)
  beforeEach(() => setCallers({ [rig.gatewayId]: { mayCall: true, numberKnown: 'yes' } }))

  it('is asked last for 15 minutes, although its number is known at the gate', async () => {
    expect(await firstAsked()).toBe(rig.gatewayId)
    await fail()
    expect(await firstAsked()).toBe(other)
    await rig.world.advance(askedLastForMs - 20_000)
    expect(await firstAsked()).toBe(other)
    await rig.world.advance(10_000)
    expect(await firstAsked()).toBe(rig.gatewayId)
  })

  it('is asked first again after a later call of its own has opened the gate', async () => {
    await fail()
    await rig.run(await rig.addGuest(gateId), said.completed)
    await rig.world.advance(10_000)
    expect(await firstAsked()).toBe(rig.gatewayId)
  })

  it('stays last after a call that proves nothing about its SIM card, and does not go last for a fault of the gate', async () => {
    await rig.run(await rig.addGuest(gateId), said.busy)
    expect(await firstAsked()).toBe(rig.gatewayId)
    await fail()
    await rig.run(await rig.addGuest(gateId), said.busy)
    expect(await firstAsked()).toBe(other)
  })

  it('stays first at another gate that knows its number, and comes after other gateways that are known there', async () => {
    const back = await rig.addGate()
    await setCallers({ [rig.gatewayId]: { mayCall: true, numberKnown: 'yes' } }, back)
    await fail()
    expect(await firstAsked()).toBe(other)
    expect(await firstAsked(back)).toBe(rig.gatewayId)
    await setCallers({}, back)
    expect(await firstAsked(back)).toBe(other)
  })

  it('goes last at each gate where it failed', async () => {
    const back = await rig.addGate()
    await setCallers({ [rig.gatewayId]: { mayCall: true, numberKnown: 'yes' } }, back)
    await fail()
    await rig.run(await rig.addGuest(back), said.simError)
    expect(await firstAsked()).toBe(other)
    expect(await firstAsked(back)).toBe(other)
  })
})

describe('another press after a call that failed by its gateway', () => {
  const run = async (what: Report) => rig.opening(await rig.run(await rig.addGuest(gateId), what))
  const isSafe = async (what: Report) => Boolean((await run(what)).safeToRetry)

  it.each(['simError', 'refused'] as const)(
    'A3: is safe to retry while another gateway would be asked (%s)',
    async what => {
      expect(await run(said[what])).toMatchObject({ opened: 'no', safeToRetry: 1 })
      const openingId = await press()
      expect(rig.hinted.at(-1)).toBe(`${other} ${openingId}`)
      // The second gateway fails as well: no other is left.
      await claimOfOther(openingId)
      const sent = { gatewayId: other, bootId: playedBoot, seq: 9, body: '{}', signature: 's' }
      await rig.exchange.report({ ...sent, openingId, report: said[what] })
      expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', safeToRetry: 0 })
      await rig.world.advance(askedLastForMs)
      expect(await isSafe(said[what])).toBe(true)
    },
  )

  it('A3: is not safe where the other one is offline, has no working modem, or may not call the gate', async () => {
    rig.online.pop()
    expect(await isSafe(said.simError)).toBe(false)
    rig.online.push(other)
    rig.unready.add(other)
    expect(await isSafe(said.simError)).toBe(false)
    rig.unready.clear()
    await setCallers({ [other]: barred })
    expect(await isSafe(said.simError)).toBe(false)
    await setCallers({ [other]: { mayCall: true, numberKnown: 'no' } })
    expect(await isSafe(said.simError)).toBe(false)
    await setCallers({})
    expect(await isSafe(said.simError)).toBe(true)
  })

  it('A3: is not safe where the call may have moved the gate, or the gate is at fault', async () => {
    const { verdict } = said.refused
    for (const opened of ['unknown', 'likely'] as const) {
      expect(await isSafe({ ...said.refused, verdict: { ...verdict, opened } })).toBe(false)
      await rig.world.advance(6_000)
    }
    for (const reason of ['modem_lost_after_ring', 'dial_no_response', 'unreachable'] as const)
      expect(await isSafe({ ...said.refused, verdict: { ...verdict, reason } })).toBe(false)
  })

  it('has the same outcome and message for those who joined the call, also after a correction', async () => {
    const leader = await press()
    await rig.claim(leader)
    const joined = await press()
    await rig.report(leader, said.refused)
    const ends = [await rig.opening(leader), await rig.opening(joined)]
    const message =
      'The network refused the call; credit or barring of the SIM card may be the cause. Try again: another gateway is asked first now.'
    for (const end of ends) expect(toOpening(end).errorMessage).toBe(message)
    await rig.world.advance(askedLastForMs)
    const late = await press()
    await rig.claim(late)
    await rig.world.advance(90_000)
    expect(await rig.opening(late)).toMatchObject({ reason: 'no_report', safeToRetry: 0 })
    await rig.report(late, said.refused)
    expect(await rig.opening(late)).toMatchObject({ reason: 'network_rejected', safeToRetry: 1 })
  })
})

it('hints an opening that takes over by the settings of its own gate', async () => {
  const leader = await press()
  const second = await rig.addGate()
  const { phoneNumber } = await rig.opening(leader)
  await rig.database.knex('gates').where({ id: second }).update({ phoneNumber })
  await setCallers({ [rig.gatewayId]: barred }, second)
  const joined = await rig.press(await rig.addGuest(second))
  await rig.claim(leader)
  await rig.report(leader, said.notDialled)
  await rig.world.until(() => rig.hinted.at(-1)?.endsWith(joined) ?? false)
  expect(rig.hinted.filter(hint => hint.endsWith(joined))).toEqual([`${other} ${joined}`])
})

describe('a call that opened the gate', () => {
  it('proves that the number is known there', async () => {
    const guest = await rig.addGuest(gateId)
    await rig.run(guest, said.completed)
    expect(await callers()).toEqual({ [rig.gatewayId]: { mayCall: true, numberKnown: 'yes' } })
  })

  it('proves nothing where the opening is only assumed, or the call failed', async () => {
    await rig.run(await rig.addGuest(gateId), said.assumed)
    await rig.world.advance(6_000)
    await rig.run(await rig.addGuest(gateId), said.busy)
    expect(await callers()).toEqual({})
  })
})
