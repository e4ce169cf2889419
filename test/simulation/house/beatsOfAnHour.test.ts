// Compares the largest number of beats that a daemon can send in an hour with the cloud's limit for one gateway.

import { mostPerHour } from '@callgate/cloud/heartbeat/gatewayLimits'
import { daemonRig } from '@callgate/gateway/daemon.kit'
import { expect, it } from 'vitest'

it('a daemon whose modem and connection change all the time stays below the limit of the cloud', async () => {
  const home = await daemonRig()
  home.start()
  for (let second = 0; second < 3_600; second++) {
    // It connects again a second after each loss.
    if (second % 2 === 0) home.disconnect()
    else home.connect()
    for (let tenth = 0; tenth < 10; tenth++) {
      home.modem.set({ signalDbm: -60 - tenth })
      await home.world.advance(100)
    }
  }
  const flapping = home.ofType('beat').length
  home.connect()
  for (let tenth = 0; tenth < 36_000; tenth++) {
    home.modem.set({ signalDbm: -60 - (tenth % 10) })
    await home.world.advance(100)
  }
  const changing = home.ofType('beat').length - flapping
  await home.world.advance(3_600_000)
  const quiet = home.ofType('beat').length - flapping - changing
  expect([flapping, changing]).toEqual([3_601, 3_601])
  expect(quiet).toBeGreaterThan(360)
  expect(quiet).toBeLessThan(450)
  expect(2 * flapping).toBeLessThan(mostPerHour.beats)
})
