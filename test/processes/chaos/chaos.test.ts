// A short set of trials with real processes: a house of each kind, and the points with the greatest risk of a loss or a
// repetition.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cloudPoints } from './cloudPoints.ts'
import { gatewayPoints } from './gatewayPoints.ts'
import type { HouseKind } from './layout.ts'
import { movesClock, points } from './points.ts'
import { chaosBundles, type RealHouse, startRealHouse } from './realHouse.ts'
import { checkWhole, tryPoint } from './trial.ts'
import { fakeTimeLibrary } from './wallClock.ts'

const short: readonly [HouseKind, readonly string[]][] = [
  [
    'plain',
    [
      'cloud-killed-before-grant',
      'cloud-killed-after-verdict',
      'unread-15-s',
      'gateway-killed-relay',
      'gateway-killed-after-grant',
      'gateway-killed-atd',
      'gateway-killed-before-ack',
      'simulator-killed-ringing',
      'renamed-ringing',
      'cut-before-grant',
      'pressed-by-two-accepted',
    ],
  ],
  [
    'apart',
    ['broker-killed-before-grant', 'cloud-cut-granted', 'clock-back-before-grant', 'clock-ahead-intent'],
  ],
]

/** On a busy machine a moment may be over before it is seen. So many trials of a house may then be made again, at fresh gates. */
const spareGates = 2

describe.each(short)('real processes, %s', (kind, names) => {
  let house: RealHouse
  let spares: RealHouse['gates'] = []
  beforeAll(async () => {
    house = await startRealHouse(await chaosBundles(() => {}), {
      kind,
      gates: names.length + spareGates,
      actors: 4,
    })
    spares = house.gates.slice(names.length)
  })
  afterAll(() => house?.close())

  it.for(names)('keep the promises: %s', async (name, { skip }) => {
    const point = points.find(one => one.name === name)
    const place = names.indexOf(name)
    const gate = house.gates[place]
    const actor = house.actors[place % house.actors.length]
    const other = house.actors[(place + 1) % house.actors.length]
    if (!point || !gate || !actor || !other) throw new Error('no such point, or the house is too small')
    skip(movesClock(point) && fakeTimeLibrary() === undefined, 'libfaketime is not installed')
    let trial = await tryPoint(house, point, { gate, actors: [actor, other] })
    while (!trial.isHit && trial.violations.length === 0) {
      const [spare, ...rest] = spares
      if (!spare) break
      spares = rest
      trial = await tryPoint(house, point, { gate: spare, actors: [actor, other] })
    }
    expect(trial).toMatchObject({ isHit: true, violations: [] })
  })

  it('do nothing after their trials', async () => {
    expect(await checkWhole(house)).toEqual([])
  })
})

describe('the points', () => {
  it('have one name each', () => {
    for (const all of [points, cloudPoints, gatewayPoints])
      expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
  })
})
