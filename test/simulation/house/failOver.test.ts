// Two gateways for one gate: where the gateway that is asked first does not claim, the other one calls within 5 s of the press.

import { afterEach, describe, expect, it } from 'vitest'
import type { HouseGate } from './furnish.ts'
import type { GatewaySide } from './gatewaySide.ts'
import { createHouse, type House } from './house.ts'

const learned = { learned: true, discriminating: true, reactMinMs: 500, reactMaxMs: 12_000 } as const
const gates: readonly HouseGate[] = [{ farEnd: 'reject_busy', profile: { mode: 'reject', ...learned } }]

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

/** A house where the first gateway is asked first, because the gate knows its number. */
async function houseOfTwo(seed: number, asksTasks = false) {
  const built = await createHouse(seed, gates, { gateways: 2, asksTasks })
  house = built
  const [first, second] = built.gateways
  if (!first || !second) throw new Error('there are two gateways')
  setCallers(built, { [first.gatewayId]: { mayCall: true, numberKnown: 'yes' } })
  return { built, first, second }
}

function setCallers({ cloud, ids }: House, callers: object) {
  cloud().database.change(
    'update gates set callers = ? where id = ?',
    JSON.stringify(callers),
    ids.gateIds[0] ?? '',
  )
}

/** When each gateway has written an ATD, milliseconds since `sinceMs`. */
const dialledBy = (gateway: GatewaySide, sinceMs: number) =>
  gateway.chip.dials.map(({ atMs }) => atMs - sinceMs)

type Fault = (house: House, gateway: GatewaySide) => void

const faults: Readonly<Record<string, Fault>> = {
  killed: (_, gateway) => gateway.life().kill('killed', []),
  stopped: (_, gateway) => gateway.pause(),
  'cut off': ({ broker }, gateway) => broker.cutOff(gateway.life().name, true),
  'without its modem': (_, { simulator }) => simulator.unplug(),
  'slow to read its hints': (built, gateway) => {
    gateway.pause()
    built.world.after(3_500, () => gateway.goOn())
  },
}

describe('two gateways for one gate', () => {
  it('the one whose number is known calls', async () => {
    const { built, first, second } = await houseOfTwo(1)
    const sinceMs = built.world.monotonicMs()
    expect(await built.ended(await built.press(0))).toMatchObject({ status: 'completed' })
    expect(dialledBy(second, sinceMs)).toEqual([])
    expect(dialledBy(first, sinceMs)[0]).toBeLessThan(1_000)
  })

  describe.each(Object.keys(faults))('the first %s', how => {
    // Before the press by a long time, just before it, and at some moments after it.
    it.each([
      [1, -15_000],
      [2, -1],
      [3, 0],
      [4, 0],
    ])(
      'P1: the other one calls within 5 s, and nobody calls twice (seed %i, at %i ms)',
      async (seed, atMs) => {
        const { built, first, second } = await houseOfTwo(seed)
        faults[how]?.(built, first)
        if (atMs < 0) await built.world.advance(-atMs)
        const sinceMs = built.world.monotonicMs()
        expect(await built.ended(await built.press(0))).toMatchObject({
          status: 'completed',
          opened: 'likely',
        })
        await built.world.advance(30_000)
        const times = [first, second].map(gateway => dialledBy(gateway, sinceMs))
        expect(times.flat()).toHaveLength(1)
        expect(times.flat()[0]).toBeLessThan(5_000)
        expect(built.relayCount(0)).toBe(1)
      },
    )
  })

  it('P1: where the modem of the first has been silent for long, the other one calls within 5 s', async () => {
    const { built, first, second } = await houseOfTwo(5)
    first.setChipFault('loses replies')
    await built.world.advance(15_000)
    const sinceMs = built.world.monotonicMs()
    expect(await built.ended(await built.press(0))).toMatchObject({ status: 'completed' })
    expect(dialledBy(second, sinceMs)[0]).toBeLessThan(5_000)
    expect(first.chip.dials).toEqual([])
  })

  it('P1: where the first runs a task that its network does not answer, one of them calls within 5 s', async () => {
    const { built, first, second } = await houseOfTwo(8, true)
    const { cloud, ids, world } = built
    first.chip.card.setNetwork('ussd_silent')
    cloud().life.enter(() => void cloud().desk.askBalance(ids, 0))
    await world.until(() => world.lines.some(({ message }) => message === 'a task begins'))
    await world.advance(3_000)
    const sinceMs = world.monotonicMs()
    expect(await built.ended(await built.press(0))).toMatchObject({ status: 'completed' })
    const times = [first, second].flatMap(gateway => dialledBy(gateway, sinceMs))
    expect(times).toHaveLength(1)
    expect(times[0]).toBeLessThan(5_000)
    expect(world.lines.filter(({ message }) => message === 'a task has ended')).toHaveLength(1)
  })

  it('P1: where the first has no network, the other one calls at once; where both have none, the press ends with that reason', async () => {
    const { built, first, second } = await houseOfTwo(6)
    first.simulator.setFaults(['reg_denied'])
    await built.world.advance(60_000)
    const sinceMs = built.world.monotonicMs()
    expect(await built.ended(await built.press(0))).toMatchObject({ status: 'completed' })
    expect(dialledBy(second, sinceMs)[0]).toBeLessThan(1_500)
    second.simulator.setFaults(['reg_denied'])
    await built.world.advance(60_000)
    const againMs = built.world.monotonicMs()
    expect(await built.ended(await built.press(0))).toMatchObject({ status: 'failed', reason: 'no_network' })
    expect(built.world.monotonicMs() - againMs).toBeLessThan(5_000)
    expect(first.chip.dials).toEqual([])
  })

  it('where a call of the first failed for lack of credit, the other one serves the next press', async () => {
    const { built, first, second } = await houseOfTwo(9)
    first.chip.card.setCredit(true)
    const refused = { status: 'failed', reason: 'no_credit', opened: 'no', safeToRetry: 1 }
    expect(await built.ended(await built.press(0))).toMatchObject(refused)
    expect(second.chip.dials).toEqual([])
    expect(await built.ended(await built.press(0))).toMatchObject({ status: 'completed' })
    expect([first, second].map(({ chip }) => chip.dials.length)).toEqual([1, 1])
    expect(built.relayCount(0)).toBe(1)
  })

  it('where the operator bars the calls of the first, the other one serves the next press', async () => {
    const { built, first, second } = await houseOfTwo(11)
    for (const { phoneNumber } of first.simulator.state().gates)
      first.simulator.setPreset('barred_service', phoneNumber)
    const barred = { status: 'failed', reason: 'calls_barred', opened: 'no', safeToRetry: 1 }
    expect(await built.ended(await built.press(0))).toMatchObject(barred)
    expect(await built.ended(await built.press(0))).toMatchObject({ status: 'completed' })
    expect([first, second].map(({ chip }) => chip.dials.length)).toEqual([1, 1])
  })

  it('where neither has credit, only the first failure says that another press can help', async () => {
    const { built, first, second } = await houseOfTwo(10)
    for (const { chip } of [first, second]) chip.card.setCredit(true)
    const ends = [await built.ended(await built.press(0)), await built.ended(await built.press(0))]
    expect(ends).toMatchObject([{ safeToRetry: 1 }, { reason: 'no_credit', safeToRetry: 0 }])
    expect([first, second].map(({ chip }) => chip.dials.length)).toEqual([1, 1])
  })

  it('P1: where the first is cut off between its claim and the grant, neither calls, and the press can be repeated', async () => {
    const { built, first, second } = await houseOfTwo(7)
    const { broker, world } = built
    const openingId = await built.press(0)
    await world.until(() => broker.published.some(({ topic }) => topic.endsWith('/claim')))
    broker.cutOff(first.life().name, true)
    await world.advance(20_000)
    const [row] = await built.rows('select "gatewayId" from openings')
    expect(row).toMatchObject({ gatewayId: first.gatewayId })
    broker.cutOff(first.life().name, false)
    const ended = { status: 'failed', reason: 'not_dialled', opened: 'no', safeToRetry: 1 }
    expect(await built.ended(openingId)).toMatchObject(ended)
    expect([first, second].flatMap(({ chip }) => chip.dials)).toEqual([])
  })

  it('P1: after the grant to the first nobody else calls, whatever happens to the first', async () => {
    for (const seed of [1, 2, 3, 4]) {
      const { built, first, second } = await houseOfTwo(seed)
      const openingId = await built.press(0)
      const isGranted = () =>
        built
          .cloud()
          .database.times()
          .some(({ grantedMs, id }) => id === openingId && grantedMs !== null)
      await built.world.until(isGranted)
      first.life().kill('killed', [])
      expect(await built.ended(openingId)).not.toMatchObject({ status: 'completed' })
      await built.world.advance(30_000)
      expect(second.chip.dials).toEqual([])
      await built.close()
      house = undefined
    }
  })

  it('P3: a gateway that may not call is not asked, and is refused where it claims all the same', async () => {
    const { built, first, second } = await houseOfTwo(1)
    const openingId = await built.press(0)
    // The hint is on its way to the first.
    setCallers(built, { [first.gatewayId]: { mayCall: false, numberKnown: 'yes' } })
    const sinceMs = built.world.monotonicMs()
    expect(await built.ended(openingId)).toMatchObject({ status: 'completed' })
    expect(first.chip.dials).toEqual([])
    expect(dialledBy(second, sinceMs)[0]).toBeLessThan(5_000)
  })

  it('a press fails at once where no gateway that may call is online', async () => {
    const { built, first, second } = await houseOfTwo(1)
    setCallers(built, {
      [first.gatewayId]: { mayCall: false, numberKnown: 'yes' },
      [second.gatewayId]: { mayCall: true, numberKnown: 'no' },
    })
    const sinceMs = built.world.monotonicMs()
    const ended = await built.ended(await built.press(0))
    expect(ended).toMatchObject({ status: 'failed', reason: 'gateway_offline' })
    expect(built.world.monotonicMs() - sinceMs).toBeLessThan(100)
  })
})
