// Alerts about SIM cards whose credit or validity runs out.

import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AlertHouse } from './alertHouse.kit.ts'

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs

let house: AlertHouse
let gatewayId: string
let spaceId: string
beforeEach(async () => {
  house = await AlertHouse.open()
  spaceId = await house.addSpace()
  gatewayId = (await house.addGateway(spaceId)).id
  house.startCloud()
})
afterEach(() => house.close())

const sims = () => house.database.knex('sims')
const set = (columns: object) => sims().where({ id: gatewayId }).update(columns)
const states = async () => (await house.incidents()).map(({ closedAt, kind }) => [kind, closedAt === null])
const kinds = async () => (await house.mails()).map(({ kind }) => kind)

it('notifies that the credit is low, and that the card was topped up', async () => {
  await sims().insert({ id: gatewayId, spaceId, warnBelow: 500, answer: 'Credit 5.00 EUR' })
  await house.pass(2 * minuteMs)
  expect(await states()).toEqual([])
  await set({ answer: 'Credit 4.99 EUR' })
  await house.pass(2 * minuteMs)
  expect([await states(), await kinds()]).toEqual([[['sim_card', true]], ['opened']])
  await set({ answer: 'Credit 14.99 EUR' })
  await house.pass(2 * minuteMs)
  expect([await states(), await kinds()]).toEqual([[['sim_card', false]], ['opened', 'closed']])
})

it('notifies that the card ends soon, and not any more once the warning is switched off', async () => {
  const expiresOn = isoTime(house.world.nowMs() + 10 * dayMs).slice(0, 10)
  await sims().insert({ id: gatewayId, spaceId, expiresOn })
  await house.pass(2 * minuteMs)
  expect([await states(), await kinds()]).toEqual([[['sim_card', true]], ['opened']])
  await set({ expiresOn: null })
  await house.pass(2 * minuteMs)
  expect([await states(), await kinds()]).toEqual([[['sim_card', false]], ['opened']])
})

it('notifies of nothing more once the gateway is shut out', async () => {
  await sims().insert({ id: gatewayId, spaceId, warnBelow: 500, answer: 'Credit 4.99 EUR' })
  await house.pass(2 * minuteMs)
  const revokedAt = isoTime(house.world.nowMs())
  await house.database.knex('gateways').where({ id: gatewayId }).update({ revokedAt })
  await house.pass(2 * minuteMs)
  expect([await states(), await kinds()]).toEqual([[['sim_card', false]], ['opened']])
})
