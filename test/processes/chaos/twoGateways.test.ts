// Two real gateways that may call one gate: the second one calls in time while nothing is granted, and never afterwards.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { gatewayPoints } from './gatewayPoints.ts'
import { chaosBundles, type RealHouse, startRealHouse } from './realHouse.ts'
import { checkWhole, tryPoint } from './trial.ts'

/** Each with whether the second gateway calls. */
const short = [
  ['first-modem-silent-unpressed', true],
  ['first-stopped-before-hint', true],
  ['first-silenced-before-claim', true],
  ['first-killed-before-grant', false],
] as const

let house: RealHouse
beforeAll(async () => {
  const size = { kind: 'gateways', gates: short.length, actors: 2 } as const
  house = await startRealHouse(await chaosBundles(() => {}), size)
})
afterAll(() => house?.close())

it.each(short)('call once, and in time: %s', async (name, isSecond) => {
  const point = gatewayPoints.find(one => one.name === name)
  const gate = house.gates[short.findIndex(([one]) => one === name)]
  const [actor, other] = house.actors
  if (!point || !gate || !actor || !other) throw new Error('no such point, or the house is too small')
  const trial = await tryPoint(house, point, { gate, actors: [actor, other] })
  expect(trial).toMatchObject({ isHit: true, violations: [] })
  // A rule of the trial checks that it dialled within 5 s of the press.
  expect(trial.failOversMs).toHaveLength(isSecond ? 1 : 0)
})

it('do nothing after their trials', async () => {
  expect(await checkWhole(house)).toEqual([])
})
