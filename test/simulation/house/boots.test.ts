// Several boots of one gateway: of cloned SD cards the last start serves, and replayed messages have no effect.

import { markRestored } from '@callgate/cloud/backup/markRestored'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { GatewaySide } from './gatewaySide.ts'
import { createHouse, type House } from './house.ts'

let house: House

beforeEach(async () => {
  house = await createHouse(1, [{ farEnd: 'reject_busy', profile: { mode: 'unverified' } }])
})
afterEach(() => house.close())

/** Presses the gate. Returns the status, and the names of the gateways that dialled. */
async function serves(sides: Readonly<Record<string, GatewaySide>>): Promise<readonly string[]> {
  const before = Object.values(sides).map(({ chip }) => chip.dials.length)
  const { status } = await house.ended(await house.press(0))
  await house.world.advance(10_000)
  const who = Object.keys(sides).filter((name, place) => sides[name]?.chip.dials.length !== before[place])
  return [status, ...who]
}

const refusals = (side: GatewaySide) => side.refusals().map(({ why }) => why)

it('of two copies of a card, the one that started last serves, and the other stops permanently', async () => {
  const [gateway] = house.gateways
  if (!gateway) throw new Error('no gateway')
  const clone = house.clone(0)
  const sides = { gateway, clone }
  expect(await serves(sides)).toEqual(['completed', 'gateway'])
  for (const round of [1, 2, 3]) {
    clone.start('kept')
    await house.world.until(() => gateway.life().isDead() && clone.isReady())
    expect(await serves(sides)).toEqual(['completed', 'clone'])
    await house.world.advance(60_000)
    expect(gateway.life().isDead()).toBe(true)
    gateway.start(round === 2 ? 'wiped' : 'kept')
    await house.world.until(() => clone.life().isDead() && gateway.isReady())
    expect(await serves(sides)).toEqual(['completed', 'gateway'])
  }
  expect(refusals(gateway)).toEqual(['superseded', 'superseded', 'superseded'])
  expect(refusals(clone)).toEqual(['superseded', 'superseded', 'superseded'])
})

it('a copy whose boot the cloud has forgotten after many other boots stops permanently and disturbs nobody', async () => {
  const [gateway] = house.gateways
  if (!gateway) throw new Error('no gateway')
  const clone = house.clone(0)
  gateway.pause()
  clone.start('kept')
  await house.world.until(() => clone.isReady())
  await house.world.advance(10_000)
  // The state after more boots than the cloud remembers.
  house.cloud().database.change('delete from "supersededBoots"')
  gateway.goOn()
  await house.world.until(() => gateway.life().isDead())
  await house.world.advance(60_000)
  expect([refusals(gateway), refusals(clone)]).toEqual([['superseded'], []])
  expect(await serves({ gateway, clone })).toEqual(['completed', 'clone'])
})

it('a daemon that runs during a restore of the cloud ends once as forgotten, and its next start serves', async () => {
  const [gateway] = house.gateways
  if (!gateway) throw new Error('no gateway')
  const { database } = house.cloud()
  await database.write(tx => markRestored(tx, house.world, '2026-01-01T00:00:00.000Z'))
  await house.restartCloud()
  await house.world.until(() => gateway.life().isDead())
  gateway.start('kept')
  await house.world.until(() => gateway.isReady())
  await house.world.advance(60_000)
  expect(refusals(gateway)).toEqual(['forgotten'])
  expect(await serves({ gateway })).toEqual(['completed', 'gateway'])
})

it('a replay of all messages ever sent stops no gateway and grants nothing', async () => {
  const [gateway] = house.gateways
  if (!gateway) throw new Error('no gateway')
  for (const leftover of ['kept', 'wiped', 'kept'] as const) {
    gateway.start(leftover)
    await house.world.until(() => gateway.isReady())
    await house.world.advance(12_000)
  }
  house.sendAsUnknownBoot(0, 'a beat', undefined)
  house.sendAsUnknownBoot(0, 'a beat that answers', undefined)
  house.sendAsUnknownBoot(0, 'a claim', await house.press(0))
  await house.world.advance(30_000)
  const recorded = [...house.broker.published]
  for (const { payload, topic } of [...recorded, ...recorded.reverse()]) {
    house.broker.inject(topic, payload)
    await house.world.advance(50)
  }
  await house.restartCloud()
  for (const { payload, topic } of recorded) {
    house.broker.inject(topic, payload)
    await house.world.advance(50)
  }
  await house.world.advance(20_000)
  expect(refusals(gateway)).toEqual([])
  expect(await serves({ gateway })).toEqual(['completed', 'gateway'])
})
