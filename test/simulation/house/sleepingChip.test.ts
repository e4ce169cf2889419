// A modem that falls asleep at an ATD and carries it out when it wakes: the gateway reports no end before that.

import { afterEach, expect, it } from 'vitest'
import { check } from './checks.ts'
import { createHouse, type House } from './house.ts'
import { truthOf } from './truth.ts'

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const nothingNoted = {
  presses: 1,
  accepted: [],
  forbidden: [],
  prepared: [],
  caps: [],
  away: [],
  clockSetMs: [],
  databaseSetBackMs: [],
  drift: 0,
  databaseSlow: [],
  keyed: [],
}

it.each([5_000, 25_000, 45_000])(
  'reports the end after the modem has read the ATD %i ms late',
  async sleepMs => {
    house = await createHouse(4, [{ farEnd: 'reject_busy', profile: { mode: 'reject' } }])
    const { gateways, world } = house
    const [gateway] = gateways
    gateway?.setChipFault('sleeps')
    await house.press(0)
    await world.until(() => gateway?.chip.dials[0] !== undefined)
    await world.advance(sleepMs)
    expect(gateway?.simulator.state().calls).toEqual([])
    gateway?.setChipFault(undefined)
    await world.advance(90_000)
    const truth = await truthOf(house, nothingNoted)
    const [call] = truth.calls
    expect((call?.readMs ?? 0) - (call?.atMs ?? 0)).toBeGreaterThanOrEqual(sleepMs)
    expect(truth.sent.map(({ phase }) => phase)).toContain('ended')
    expect(check(truth)).toEqual([])
  },
)

it('reports an unknown outcome when the modem slept through the hang-up', async () => {
  house = await createHouse(5, [{ farEnd: 'reject_busy', profile: { mode: 'reject', learned: true } }])
  const { gateways, world } = house
  const [gateway] = gateways
  gateway?.setChipFault('sleeps')
  const openingId = await house.press(0)
  await world.until(() => gateway?.chip.dials[0] !== undefined)
  gateway?.restart()
  await world.advance(100_000)
  gateway?.setChipFault(undefined)
  await world.advance(90_000)
  const row = (await truthOf(house, nothingNoted)).rows.find(({ id }) => id === openingId)
  expect(row).toMatchObject({ opened: 'unknown' })
})
