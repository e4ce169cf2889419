// A modem that falls asleep over an ATD and carries it out when it wakes: no end is told before.

import { afterEach, expect, it } from 'vitest'
import { check } from './checks.ts'
import { createHouse, type House } from './house.ts'
import { truthOf } from './truth.ts'

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const nothingNoted = { presses: 1, accepted: [], forbidden: [], caps: [], away: [], clockSetMs: [] }

it.each([5_000, 25_000, 45_000])('tells the end after the ATD has been read, %i ms late', async sleepMs => {
  house = await createHouse(4, [{ farEnd: 'reject_busy', profile: { mode: 'reject' } }])
  const { gateways, world } = house
  const [gateway] = gateways
  gateway?.sufferChip('sleeps')
  await house.press(0)
  await world.until(() => gateway?.chip.dials[0] !== undefined)
  await world.advance(sleepMs)
  expect(gateway?.simulator.state().calls).toEqual([])
  gateway?.sufferChip(undefined)
  await world.advance(90_000)
  const truth = truthOf(house, nothingNoted)
  const [call] = truth.calls
  expect((call?.readMs ?? 0) - (call?.atMs ?? 0)).toBeGreaterThanOrEqual(sleepMs)
  expect(truth.said.map(({ phase }) => phase)).toContain('ended')
  expect(check(truth)).toEqual([])
})

it('knows nothing of a call whose hang-up the modem has slept over', async () => {
  house = await createHouse(5, [{ farEnd: 'reject_busy', profile: { mode: 'reject', learned: true } }])
  const { gateways, world } = house
  const [gateway] = gateways
  gateway?.sufferChip('sleeps')
  const openingId = await house.press(0)
  await world.until(() => gateway?.chip.dials[0] !== undefined)
  gateway?.restart()
  await world.advance(100_000)
  gateway?.sufferChip(undefined)
  await world.advance(90_000)
  const row = truthOf(house, nothingNoted).rows.find(({ id }) => id === openingId)
  expect(row).toMatchObject({ opened: 'unknown' })
})
