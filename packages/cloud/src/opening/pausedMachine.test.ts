import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig } from './exchange.kit.ts'
import { playedBoot } from './gatewayEndpoint.kit.ts'

let rig: ExchangeRig
let openingId: string
beforeEach(async () => {
  rig = await exchangeRig()
  openingId = await rig.press(await rig.addGuest(await rig.addGate()))
})
afterEach(() => rig.close())

/** A claim of the gateway. Since the press, the gateway's clock has counted `aheadMs` more than the cloud's. */
const claim = (aheadMs: number, bootId = playedBoot) => {
  const sinceBootMs = rig.world.sinceBootMs() + aheadMs
  const by = { gatewayId: rig.gatewayId, bootId, nonce: 'N'.repeat(22), sinceBootMs }
  return rig.exchange.claim({ ...by, openingId })
}

it('does not grant an opening from before a pause of the cloud to a gateway whose clock went on', async () => {
  await rig.world.advance(1_000)
  expect(await claim(64_000)).toEqual({ granted: false, reason: 'expired' })
  await rig.world.advance(11_000)
  expect(await rig.opening(openingId)).toMatchObject({
    status: 'failed',
    reason: 'interrupted',
    safeToRetry: 1,
    lockedNumber: null,
  })
})

it.each([
  [11_999, true],
  [12_000, false],
])(
  'decides at an age of %i ms by the clock of the gateway alone that the claim is granted: %s',
  async (aheadMs, granted) => {
    expect(await claim(aheadMs)).toMatchObject({ granted })
  },
)

it('does not count an opening as younger after a pause of the gateway', async () => {
  await rig.world.advance(11_999)
  expect(await claim(-60_000)).toMatchObject({ granted: true })
})

it('rejects a boot without a beat from before the press', async () => {
  const bootId = 'B'.repeat(22)
  await rig.database.knex('gateways').update({ bootId })
  expect(await claim(0, bootId)).toEqual({ granted: false, reason: 'expired' })
})

/** A press that was read after `ageMs` in its socket; during `suspendedMs` of them only the boot clock ran. */
async function pressFromBefore(ageMs: number, suspendedMs = 0): Promise<string> {
  const guest = await rig.addGuest(await rig.addGate())
  const { monotonicMs, sinceBootMs } = moment(rig.world)
  const since = { monotonicMs: monotonicMs - ageMs + suspendedMs, sinceBootMs: sinceBootMs - ageMs }
  return rig.press(guest, { since })
}

it.each([
  [11_000, 0, true],
  [12_000, 0, false],
  [12_000, 12_000, false],
])(
  'decides for a press that was read %i ms after it was sent, %i ms of them suspended, that it is granted: %s',
  async (...given) => {
    const [ageMs, suspendedMs, granted] = given
    openingId = await pressFromBefore(ageMs, suspendedMs)
    const { calledAt, grantBefore } = await rig.opening(openingId)
    expect(rig.world.nowMs() - Date.parse(calledAt)).toBe(ageMs)
    expect(Date.parse(grantBefore) - Date.parse(calledAt)).toBe(12_000)
    expect(await claim(0)).toMatchObject({ granted })
  },
)

it('ends a press that was read too late to be granted as interrupted and safe to retry', async () => {
  openingId = await pressFromBefore(12_000)
  await rig.world.advance(0)
  expect(await rig.opening(openingId)).toMatchObject({
    status: 'failed',
    reason: 'interrupted',
    safeToRetry: 1,
    lockedNumber: null,
  })
})

it('gives a repeated claim the same answer, although its opening is too old by now', async () => {
  const first = await claim(0)
  await rig.world.advance(13_000)
  expect(await claim(60_000)).toEqual(first)
})
