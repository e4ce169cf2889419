import type { Report } from '@callgate/contract/wire/messages'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { shutOutGateways } from '../gateway/gateways.ts'
import { mostPerHour } from '../heartbeat/gatewayLimits.ts'
import { type ExchangeRig, exchangeRig, said } from './exchange.kit.ts'
import { mostKept } from './reportRecord.ts'

let rig: ExchangeRig
let seq = 0
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

const ringing: Report = { phase: 'ringing', sinceClaimMs: 1 }
const declined: Report = { phase: 'declined', reason: 'no_network' }

function report(openingId: string, what: Report, bootId = 'A'.repeat(22), bytes = 0) {
  seq += 1
  const sent = { seq, body: JSON.stringify(what) + ' '.repeat(bytes), signature: 's' }
  return rig.exchange.report({ gatewayId: rig.gatewayId, bootId, ...sent, openingId, report: what })
}
async function granted(): Promise<string> {
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  await rig.claim(openingId)
  return openingId
}
const kept = async (): Promise<string[]> => rig.database.knex('openingReports').pluck('phase')
const entries = () => rig.database.knex('activity').where({ action: 'gateway.cut_off' })

it('A3: acknowledges a phase that was reported before without storing it again, and always stores the end', async () => {
  const openingId = await granted()
  expect(await report(openingId, ringing)).toEqual({ result: 'applied' })
  expect(await report(openingId, { phase: 'answered', sinceClaimMs: 2 })).toEqual({ result: 'applied' })
  for (let time = 0; time < 100; time++) {
    expect(await report(openingId, ringing)).toEqual({ result: 'duplicate' })
    expect(await report(openingId, { phase: 'answered', sinceClaimMs: 2 })).toEqual({ result: 'duplicate' })
  }
  expect(await report(openingId, said.completed)).toEqual({ result: 'applied' })
  expect(await report(openingId, said.completed)).toEqual({ result: 'duplicate' })
  expect(await kept()).toEqual(['ringing', 'answered', 'ended'])
})

it('keeps a limited number of reports on one opening, from any number of boots, plus its end', async () => {
  const openingId = await granted()
  for (let boot = 0; boot < 100; boot++) await report(openingId, ringing, `${boot}`.padStart(22, 'x'))
  expect(await kept()).toHaveLength(mostKept)
  await rig.world.advance(90_000)
  expect(await report(openingId, said.completed)).toEqual({ result: 'applied' })
  expect(await rig.opening(openingId)).toMatchObject({ status: 'completed' })
  expect(await kept()).toHaveLength(mostKept + 1)
})

it('A3: applies no report twice, whatever the second copy says', async () => {
  const openingId = await granted()
  expect(await report(openingId, ringing)).toEqual({ result: 'applied' })
  seq -= 1
  await expect(report(openingId, said.completed)).resolves.toEqual({ result: 'duplicate' })
  expect(await kept()).toEqual(['ringing'])
})

it('stores no further report on an opening that ended without a grant', async () => {
  const openingId = await rig.press(await rig.addGuest(await rig.addGate()))
  await report(openingId, declined)
  expect(await kept()).toEqual(['declined'])
  expect(await report(openingId, declined, 'B'.repeat(22))).toEqual({ result: 'duplicate' })
  expect(await report(openingId, said.notDialled)).toEqual({ result: 'duplicate' })
  expect(await kept()).toEqual(['declined'])
})

it.each([
  ['reports', 0, mostPerHour.reports],
  ['bytes', 32_000, Math.floor(mostPerHour.bytes / 32_300)],
])(
  'cuts off a gateway that sends too many %s in an hour, records it once, and lets it in again after the hour',
  async (_, bytes, most) => {
    let last = await granted()
    for (let time = 0; time < most + 20; time++) {
      if (bytes > 0 && time % mostKept === 0) {
        await report(last, said.completed)
        last = await granted()
        await report(last, ringing)
      }
      if (rig.exchange.heartbeat.limits.isCutOff(rig.gatewayId)) break
      await report(last, ringing, `${time}`.padStart(22, 'x'), bytes)
    }
    const { database, gatewayId, world } = rig
    const shutOut = async () => [...(await shutOutGateways(database, world.nowMs()))]
    expect(rig.exchange.heartbeat.limits.isCutOff(gatewayId)).toBe(true)
    expect(await shutOut()).toEqual([gatewayId])
    expect(await entries()).toMatchObject([{ actor: 'system', targetType: 'gateway', targetLabel: 'Pi' }])
    expect(world.lines.filter(({ message }) => message.startsWith('a gateway is cut off'))).toHaveLength(1)
    await world.advance(3_600_000)
    expect(rig.exchange.heartbeat.limits.isCutOff(gatewayId)).toBe(false)
    expect(await shutOut()).toEqual([])
    expect(await report(await granted(), ringing)).toEqual({ result: 'applied' })
    expect(await entries()).toHaveLength(1)
  },
  60_000,
)

it('never cuts off a gateway for the backlog of an outage', async () => {
  const openings: string[] = []
  for (let count = 0; count < 200; count++) {
    openings.push(await granted())
    await rig.world.advance(100_000)
  }
  const large = { ...said.completed }
  for (const openingId of openings) {
    await report(openingId, ringing)
    await report(openingId, { phase: 'answered', sinceClaimMs: 2 })
    expect(await report(openingId, large, undefined, 16_000)).toEqual({ result: 'applied' })
  }
  expect(rig.exchange.heartbeat.limits.isCutOff(rig.gatewayId)).toBe(false)
})
