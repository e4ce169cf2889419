import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, type Guest, said } from './exchange.kit.ts'
import { createExchange } from './exchange.ts'

let rig: ExchangeRig
let guest: Guest

beforeEach(async () => {
  rig = await exchangeRig()
  guest = await rig.addGuest(await rig.addGate())
})
afterEach(() => rig.close())

/** Presses a second after a call has ended. */
async function pressHastily() {
  await rig.world.advance(1_000)
  return rig.opening(await rig.press(guest))
}

describe('when the wall clock of the cloud is moved, a press within the cool-down places no call', () => {
  it('forward', async () => {
    const call = await rig.run(guest, said.completed)
    rig.world.jumpWallClock(120_000)
    expect(await pressHastily()).toMatchObject({ status: 'completed', joinedOpeningId: call })
  })

  it('back, so that an older call seems to be the last', async () => {
    await rig.run(guest, said.completed)
    await rig.world.advance(30_000)
    rig.world.jumpWallClock(-3_600_000)
    await rig.world.advance(60_000)
    const call = await rig.run(guest, said.completed)
    expect(await pressHastily()).toMatchObject({ status: 'completed', joinedOpeningId: call })
    await rig.world.advance(5_000)
    expect(await pressHastily()).toMatchObject({ status: 'initiated', joinedOpeningId: null })
  })
})

it('an opening ends 5 s after a restart at which the wall clock is found set back', async () => {
  const openingId = await rig.press(guest)
  await rig.claim(openingId)
  await rig.world.advance(80_000)
  rig.exchange.stop()
  rig.world.jumpWallClock(-3_600_000)
  const exchange = createExchange(rig)
  await exchange.start()
  await rig.world.advance(4_900)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'initiated' })
  await rig.world.advance(100)
  expect(await rig.opening(openingId)).toMatchObject({ status: 'timeout', reason: 'no_report' })
  exchange.stop()
})
