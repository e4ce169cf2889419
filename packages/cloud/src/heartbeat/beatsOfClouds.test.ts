import { newId } from '@callgate/world/ids'
import { moment } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import { createEventFeed } from '../event/eventFeed.ts'
import { type ExchangeRig, exchangeRig, playedBeat } from '../opening/exchange.kit.ts'
import { createExchange } from '../opening/exchange.ts'
import { playedBoot } from '../opening/gatewayEndpoint.kit.ts'
import { SharedReplica } from '../replica/replica.ts'

let rig: ExchangeRig
let clouds: readonly Cloud[]
let seq: number
beforeEach(async () => {
  rig = await exchangeRig()
  clouds = [cloud(), cloud()]
  seq = 0
  // The first cloud learns of the second one by the next renewal of its lease.
  for (const { replica } of [...clouds, ...clouds]) await replica.renew()
})
afterEach(async () => {
  for (const { exchange } of clouds) exchange.stop()
  await rig.close()
})

type Cloud = ReturnType<typeof cloud>

function cloud() {
  const { database, endpoint, world } = rig
  const state = { isAlive: true, isHearing: true }
  const replica = new SharedReplica({ world, database, isListening: () => state.isHearing })
  const several = { replica, feed: createEventFeed({ world, database }) }
  return { state, replica, exchange: createExchange({ noteDrift, world, database, endpoint, several }) }
}

/** A beat to every cloud that hears the gateway. */
async function beat(more: object = {}): Promise<void> {
  seq += 1
  const said = { online: true, modem: {}, connectionId: 'c', ...more }
  const by = { gatewayId: rig.gatewayId, bootId: playedBoot, seq }
  const sent = { ...playedBeat, ...by, isOnline: said.online, body: JSON.stringify(said) }
  for (const { exchange, state } of clouds)
    if (state.isAlive && state.isHearing) await exchange.heartbeat.beat(sent)
}

/** Lets this many seconds pass, in which the living clouds renew their leases. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    await rig.world.advance(1_000)
    for (const { replica, state } of clouds) if (state.isAlive) await replica.renew()
  }
}

/** Repeats a beat every ten seconds. */
async function beats(count: number, more: object = {}): Promise<void> {
  for (let sent = 0; sent < count; sent++) {
    await pass(10)
    await beat(more)
  }
}

function owner(): Cloud {
  const found = clouds.find(({ replica, state }) => state.isAlive && replica.owns(rig.gatewayId))
  if (!found) throw new Error('no cloud owns the gateway')
  return found
}

/** Kills a cloud, which informs nobody. Its lease is valid for up to four seconds more. */
function kill({ exchange, state }: Cloud): void {
  state.isAlive = false
  exchange.stop()
}

const told = () => rig.database.knex('events').where('kind', 'like', 'gateway.%').orderBy('seq').pluck('kind')

it('a cloud that was cut off from the broker does not report a gateway as newly online that others have heard', async () => {
  await beats(3)
  const cutOff = owner()
  cutOff.state.isHearing = false
  await beats(6)
  cutOff.state.isHearing = true
  await beats(3)
  expect(owner()).toBe(cutOff)
  expect(await told()).toEqual(['gateway.online'])
})

it('a silent gateway is reported once, also where the cloud that owns it dies before its report', async () => {
  await beats(3)
  await pass(29)
  kill(owner())
  await pass(20)
  expect(await told()).toEqual(['gateway.online', 'gateway.offline'])
  await pass(60)
  expect(await told()).toHaveLength(2)
})

it('a silent gateway is reported once where two clouds believe that they own it', async () => {
  await beats(3)
  for (const { replica } of clouds) Object.assign(replica, { owns: () => true })
  await pass(40)
  expect(await told()).toEqual(['gateway.online', 'gateway.offline'])
})

it('a change of a gateway that no cloud owns is reported by its next owner', async () => {
  await beats(3)
  kill(owner())
  await beat({ modem: { state: 'no_network' } })
  expect(await told()).toEqual(['gateway.online'])
  await beats(2, { modem: { state: 'no_network' } })
  expect(await told()).toEqual(['gateway.online', 'gateway.changed'])
})

it('the goodbye of a gateway that no cloud owns is reported by its next owner', async () => {
  await beats(3)
  kill(owner())
  await beat({ online: false })
  expect(await told()).toEqual(['gateway.online'])
  await pass(20)
  expect(await told()).toEqual(['gateway.online', 'gateway.offline'])
  const row = await rig.database.knex('gateways').where({ id: rig.gatewayId }).first('onlineSince')
  expect(row.onlineSince).toBeNull()
  await beats(2)
  expect(await told()).toEqual(['gateway.online', 'gateway.offline', 'gateway.online'])
})

it('every cloud delays the presses of a Space whose gateway was granted a call that the data has lost', async () => {
  const guest = await rig.addGuest(await rig.addGate())
  const { gateId, token: _, ...actor } = guest
  const ends = async ({ exchange }: Cloud) => {
    const pressed = await exchange.press({ spaceId: rig.spaceId, gateId, actor, since: moment(rig.world) })
    return (await rig.opening(pressed?.openingId ?? '')).reason
  }
  await beats(2)
  const facts = { facts: seq + 1, trusts: { number: 0, keyIds: ['a'.repeat(16)] } }
  const lastGrant = { openingId: newId(rig.world, 'open'), sinceBootMs: 1_000 }
  await beat({ ...facts, sinceBootMs: 61_000, lastGrant })
  for (const cloud of clouds) expect(await ends(cloud)).toBe('interrupted')
  const alarms = rig.world.lines.filter(({ level }) => level === 'error')
  expect(alarms).toMatchObject([{ fields: { openingId: lastGrant.openingId, agoMs: 60_000 } }])
})
