import { lockedAtMostMs } from '@callgate/contract/wire/timing'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, playedBeat, said } from './exchange.kit.ts'
import { playedBoot } from './gatewayEndpoint.kit.ts'

let rig: ExchangeRig
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

const unanswered = {
  ...said.unclear,
  verdict: { ...said.unclear.verdict, reason: 'dial_no_response' },
} as const

/** The number that the opening holds after the report of its gateway. */
const held = async (openingId: string) => (await rig.opening(openingId)).lockedNumber

/** Beats of the gateway. The report of a test is the first message of the boot. */
const beat = (state: string, { bootId = playedBoot, seq = 2 } = {}) => {
  const body = JSON.stringify({ online: true, modem: { state } })
  return rig.exchange.heartbeat.beat({
    ...playedBeat,
    gatewayId: rig.gatewayId,
    bootId,
    seq,
    isOnline: true,
    body,
  })
}

async function reported(report: typeof unanswered | typeof said.busy = unanswered): Promise<string> {
  const guest = await rig.addGuest(await rig.addGate())
  return rig.run(guest, report)
}

it('holds the number of a call until a beat says that the modem answers', async () => {
  const openingId = await reported()
  expect(await rig.opening(openingId)).toMatchObject({ status: 'failed', reason: 'dial_no_response' })
  for (const [place, state] of ['lost', 'starting', 'calling'].entries())
    await beat(state, { seq: 2 + place })
  await rig.world.advance(20_000)
  expect(await held(openingId)).not.toBeNull()
  await beat('ready', { seq: 5 })
  // The modem may have called until it answered, so the gate has its cool-down.
  await rig.world.advance(4_999)
  expect(await held(openingId)).not.toBeNull()
  await rig.world.advance(1)
  expect(await held(openingId)).toBeNull()
})

it('ignores a beat that was sent before the report', async () => {
  const openingId = await reported()
  await beat('ready', { seq: 1 })
  await rig.world.advance(20_000)
  expect(await held(openingId)).not.toBeNull()
})

it('holds the number for the longest time, counted from the report, where no beat says that the modem answers', async () => {
  const guest = await rig.addGuest(await rig.addGate())
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  await rig.world.advance(85_000)
  await rig.report(openingId, unanswered)
  await rig.world.advance(lockedAtMostMs - 1)
  expect(await held(openingId)).not.toBeNull()
  await rig.world.advance(1)
  expect(await held(openingId)).toBeNull()
})

it('frees the number of any other call with its report', async () => {
  expect(await held(await reported(said.busy))).toBeNull()
})
