import type { Beat } from '@callgate/contract/wire/messages'
import { fakeWorld } from '@callgate/world/fake'
import { moment } from '@callgate/world/world'
import { expect, it } from 'vitest'
import { createPresence } from './presence.ts'

const modem = { registration: 'home', model: null, operator: null, signalDbm: null, voltageMv: null }

it('names the gateways that could call: those that are online with a modem that is ready or in a call', async () => {
  const world = fakeWorld(1)
  const presence = createPresence(world)
  const ids = { connectionId: 'C'.repeat(22), journalId: 'J'.repeat(22) }
  const rest = { online: true, ...ids, toReport: [], version: '1.0.0', uptimeS: 1, queueLength: 0 }
  const states = ['ready', 'calling', 'no_network', 'sim_error', 'lost', 'starting', 'newer word']
  for (const state of states) {
    const beat: Beat = { ...rest, modem: { ...modem, state } }
    presence.beat({ gatewayId: state, spaceId: 'space', bootId: 'boot', seq: 1 }, beat, moment(world))
  }
  expect(presence.online('space').toSorted()).toEqual(states.toSorted())
  expect(presence.ableToCall('space')).toEqual(['ready', 'calling'])
  expect(presence.ableToCall('other')).toEqual([])
  await world.advance(30_000)
  expect(presence.ableToCall('space')).toEqual([])
})
