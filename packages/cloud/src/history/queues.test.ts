import { afterEach, beforeEach, expect, it } from 'vitest'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { readQueue } from './queues.ts'

let rig: ExchangeRig
let [north, south, east]: Guest[] = []

beforeEach(async () => {
  rig = await exchangeRig()
  const guests = [await rig.addGate(), await rig.addGate(), await rig.addGate()].map(id => rig.addGuest(id))
  ;[north, south, east] = await Promise.all(guests)
})
afterEach(() => rig.close())

const press = (guest: Guest | undefined) => rig.press(guest as Guest)

async function queue(openingId: string) {
  const asked = { nowMs: rig.world.nowMs(), online: await rig.exchange.gateways.online(rig.spaceId) }
  return readQueue(rig.database.knex, await rig.opening(openingId), asked)
}

it('says how many calls of other gates come first, and about how long they take', async () => {
  const first = await press(north)
  expect(await queue(first)).toBeUndefined()
  await rig.claim(first)
  expect(await queue(first)).toBeUndefined()
  await rig.world.advance(5_000)
  const second = await press(south)
  expect(await queue(second)).toEqual({ ahead: 1, aboutS: 7, inTime: true })
  await rig.world.advance(1_000)
  const third = await press(east)
  expect(await queue(third)).toEqual({ ahead: 2, aboutS: 18, inTime: false })
  // A press of a waiting gate waits equally long.
  expect(await queue(await press(south))).toEqual({ ahead: 1, aboutS: 6, inTime: true })
  await rig.report(first, said.completed)
  expect(await queue(second)).toBeUndefined()
  expect(await queue(third)).toEqual({ ahead: 1, aboutS: 12, inTime: false })
})

it('is undefined where another gateway is free, or where the running call is that of the gate', async () => {
  const first = await press(north)
  await rig.claim(first)
  expect(await queue(await press(north))).toBeUndefined()
  const second = await press(south)
  expect(await queue(second)).toMatchObject({ ahead: 1 })
  rig.online.push('gw_other')
  expect(await queue(second)).toBeUndefined()
  await rig.database
    .knex('gates')
    .where({ id: (south as Guest).gateId })
    .update({
      callers: JSON.stringify({ gw_other: { mayCall: false, numberKnown: 'unknown' } }),
    })
  expect(await queue(second)).toMatchObject({ ahead: 1 })
})

it('takes as long as earlier calls of the gate that is being called', async () => {
  for (let call = 0; call < 5; call++) {
    const openingId = await press(north)
    await rig.claim(openingId)
    await rig.world.advance(6_000)
    await rig.report(openingId, said.completed)
    await rig.world.advance(60_000)
  }
  await rig.claim(await press(north))
  expect((await queue(await press(south)))?.aboutS).toBeLessThan(12)
})
