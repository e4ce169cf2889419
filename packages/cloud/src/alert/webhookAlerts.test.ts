// Alerts about webhooks that were switched off by themselves.

import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { AlertHouse } from './alertHouse.kit.ts'

const minuteMs = 60_000
const id = 'hook_00000000000000000000000001'

let house: AlertHouse
beforeEach(async () => {
  house = await AlertHouse.open()
  const spaceId = await house.addSpace()
  const createdAt = isoTime(house.world.nowMs())
  const webhook = { id, spaceId, url: 'https://desk.example.com/hook?token=a', secretSealed: 's', createdAt }
  await house.database.knex('webhooks').insert(webhook)
  house.startCloud()
})
afterEach(() => house.close())

const set = (columns: object) => house.database.knex('webhooks').where({ id }).update(columns)
const stop = (stoppedWhy: string) => set({ stoppedAt: isoTime(house.world.nowMs()), stoppedWhy })
const seen = async () => [
  (await house.incidents()).map(({ closedAt, kind }) => [kind, closedAt === null]),
  (await house.mails()).map(({ kind }) => kind),
]

it.each(['gone', 'failing'])('notifies that a webhook is off as %s, and that it goes on', async why => {
  await stop(why)
  await house.pass(2 * minuteMs)
  expect(await seen()).toEqual([[['webhook_stopped', true]], ['opened']])
  await set({ stoppedAt: null, stoppedWhy: null })
  await house.pass(2 * minuteMs)
  expect(await seen()).toEqual([[['webhook_stopped', false]], ['opened', 'closed']])
})

it('notifies of nothing where a person has switched it off, or has removed it', async () => {
  await stop('switched_off')
  await house.pass(2 * minuteMs)
  expect(await seen()).toEqual([[], []])
  await stop('gone')
  await house.pass(2 * minuteMs)
  await house.database.knex('webhooks').where({ id }).delete()
  await house.pass(2 * minuteMs)
  expect(await seen()).toEqual([[['webhook_stopped', false]], ['opened']])
})
