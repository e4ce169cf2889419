import { fakeWorld } from '@callgate/world/fake'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { newUser, type SignedInBrowser } from '../user/user.kit.ts'
import { followOpenings, lookEveryMs } from './openingPushes.ts'
import { newSubscription } from './push.kit.ts'
import { addDevice, deviceIdOf } from './pushDevices.ts'
import type { PushSender } from './pushSender.ts'

let rig: ExchangeRig
let guest: Guest
let ana: SignedInBrowser
let told: { readonly message: object; readonly except: string | null | undefined }[] = []
const stops: (() => Promise<void>)[] = []
const sender: Pick<PushSender, 'tell'> = {
  async tell(message, except) {
    told.push({ message, except })
  },
}
beforeEach(async () => {
  told = []
  rig = await exchangeRig()
  const { database, spaceId, world } = rig
  guest = await rig.addGuest(await rig.addGate())
  ana = await newUser({ world, database }, { email: 'ana@example.com', spaceId })
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await rig.close()
})

/** A cloud that looks for openings. */
const begin = () => stops.push(followOpenings({ ...rig, sender: sender as PushSender }))
const look = () => rig.world.advance(lookEveryMs)

async function subscribe(switches: { readonly openings: boolean }): Promise<void> {
  const { endpoint } = newSubscription(fakeWorld(1))
  const row = { id: deviceIdOf(endpoint), userId: ana.userId, browser: 'Firefox', subscriptionSealed: 's' }
  await rig.database.write(tx => addDevice(tx, { ...row, ...switches, alerts: true, createdAt: '2026' }))
}

it('tells once of each gate that opened, also with several clouds', async () => {
  begin()
  begin()
  await subscribe({ openings: true })
  await rig.run(guest, said.completed)
  // Nothing from before the first look: it says where the news begin.
  await rig.world.advance(2 * 60_000)
  const openingId = await rig.run(guest, said.completed)
  await look()
  await look()
  expect(told).toEqual([{ message: { kind: 'opening', spaceId: rig.spaceId, id: openingId }, except: null }])
})

it('tells of no opening that failed, and of none that is old', async () => {
  begin()
  await subscribe({ openings: true })
  await look()
  await rig.run(guest, said.busy)
  await look()
  for (const stop of stops.splice(0)) await stop()
  await rig.world.advance(2 * 60_000)
  await rig.run(guest, said.completed)
  await rig.world.advance(6 * 60_000)
  begin()
  await look()
  expect(told).toEqual([])
})

it('writes nothing where nobody wants to know', async () => {
  begin()
  await subscribe({ openings: false })
  await rig.run(guest, said.completed)
  await look()
  expect(await rig.database.knex('pushCursors').select()).toEqual([])
  expect(told).toEqual([])
})
