import { expect, it } from 'vitest'
import { createEventFeed } from '../event/eventFeed.ts'
import { SharedReplica } from '../replica/replica.ts'
import { exchangeRig, playedBeat } from './exchange.kit.ts'
import { createExchange } from './exchange.ts'
import { playedBoot } from './gatewayDoor.kit.ts'

it('a cloud that was cut off from the broker does not say that a gateway has come online which others have heard', async () => {
  const rig = await exchangeRig()
  const { database, door, gatewayId, world } = rig
  const clouds = [0, 1].map(() => {
    const broker = { isHeard: true }
    const replica = new SharedReplica({ world, database, isListening: () => broker.isHeard })
    const several = { replica, feed: createEventFeed({ world, database }) }
    return { broker, replica, exchange: createExchange({ world, database, door, several }) }
  })
  let seq = 0
  const body = JSON.stringify({ online: true, modem: {}, connectionId: 'c' })
  /** So many times ten seconds, each with a beat. */
  async function pass(beats: number): Promise<void> {
    const until = seq + beats
    while (seq < until) {
      for (let second = 0; second < 10; second++) {
        await world.advance(1_000)
        for (const { replica } of clouds) await replica.renew()
      }
      seq += 1
      const beat = { ...playedBeat, gatewayId, bootId: playedBoot, seq, isOnline: true, body }
      for (const { broker, exchange } of clouds) if (broker.isHeard) await exchange.beat(beat)
    }
  }
  for (const { replica } of [...clouds, ...clouds]) await replica.renew()
  await pass(3)
  const minder = clouds.find(({ replica }) => replica.minds(gatewayId))
  if (minder) minder.broker.isHeard = false
  await pass(6)
  if (minder) minder.broker.isHeard = true
  await pass(3)
  expect(minder?.replica.minds(gatewayId)).toBe(true)
  expect(await database.knex('events').where('kind', 'like', 'gateway.%').pluck('kind')).toEqual([
    'gateway.online',
  ])
  for (const { exchange } of clouds) exchange.stop()
  await rig.close()
})
