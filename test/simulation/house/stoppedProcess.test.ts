// The record of a call during which the gateway's process was stopped.

import { afterEach, expect, it } from 'vitest'
import { createHouse, type House } from './house.ts'

let house: House | undefined
afterEach(async () => {
  await house?.close()
  house = undefined
})

const learned = { learned: true, discriminating: true, reactMinMs: 500, reactMaxMs: 12_000 } as const

it.each([1, 2, 3])('reports an unknown outcome, although the gate opened meanwhile (seed %i)', async seed => {
  house = await createHouse(seed, [{ farEnd: 'reject_busy', profile: { mode: 'reject', ...learned } }])
  const { gateways, world } = house
  const [gateway] = gateways
  const openingId = await house.press(0)
  await world.until(() => gateway?.simulator.state().calls[0] !== undefined)
  await world.advance(1_500)
  gateway?.pause()
  await world.advance(28_000)
  gateway?.goOn()
  expect(await house.ended(openingId)).toMatchObject({ reason: 'outcome_unknown', opened: 'unknown' })
  expect(house.relayCount(0)).toBe(1)
})
