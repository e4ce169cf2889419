import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { queueSecurityMail } from '../mail/outbox.ts'
import { AlertHouse } from './alertHouse.kit.ts'
import { findMute, muteAlerts, unmuteAlerts } from './mutes.ts'

const minuteMs = 60_000

let house: AlertHouse
let spaceId: string
beforeEach(async () => {
  house = await AlertHouse.open()
  spaceId = await house.addSpace()
})
afterEach(() => house.close())

const kinds = async () => (await house.mails()).map(({ kind }) => kind)
const states = async () => (await house.incidents()).map(({ closedAt, kind }) => [kind, closedAt === null])
const mute = (minutes: number) => muteAlerts(house, { forMs: minutes * minuteMs, why: 'a new server' })

/** A cloud with gateways that were heard. */
async function served(count = 1) {
  for (let place = 0; place < count; place++) await house.addGateway(spaceId)
  house.startCloud()
  await house.pass(minuteMs)
  return house.gateways
}

it('tells nobody while it holds, and at its end at once what is still wrong', async () => {
  const [gateway] = await served()
  await mute(30)
  if (gateway) gateway.isUp = false
  await house.pass(29 * minuteMs)
  expect([await states(), await kinds()]).toEqual([[['gateway_offline', true]], []])
  expect(house.told).toEqual([])
  await house.pass(1.5 * minuteMs)
  expect(await kinds()).toEqual(['opened'])
  expect(house.told).toEqual([[spaceId, 'opened', 1]])
  if (gateway) gateway.isUp = true
  await house.pass(3 * minuteMs)
  expect(await kinds()).toEqual(['opened', 'closed'])
})

it('never tells of what began and ended while it held', async () => {
  const [gateway] = await served()
  await mute(30)
  if (gateway) gateway.isUp = false
  await house.pass(10 * minuteMs)
  if (gateway) gateway.isUp = true
  await house.pass(40 * minuteMs)
  expect([await states(), await kinds()]).toEqual([[['gateway_offline', false]], []])
})

it('tells afterwards of the end of what it had told before', async () => {
  const [gateway] = await served()
  if (gateway) gateway.isUp = false
  await house.pass(7 * minuteMs)
  expect(await kinds()).toEqual(['opened'])
  await mute(20)
  if (gateway) gateway.isUp = true
  await house.pass(15 * minuteMs)
  expect(await kinds()).toEqual(['opened'])
  await house.pass(6 * minuteMs)
  expect(await kinds()).toEqual(['opened', 'closed'])
})

it('ends before its time where the operator says so, and tells of many things in one mail', async () => {
  const gateways = await served(5)
  await mute(60)
  for (const gateway of gateways) gateway.isUp = false
  await house.pass(10 * minuteMs)
  expect(await unmuteAlerts(house)).toMatchObject({ why: 'a new server' })
  expect(await unmuteAlerts(house)).toBeUndefined()
  await house.pass(minuteMs)
  expect(await kinds()).toEqual(['digest'])
})

it('holds back no mail about security', async () => {
  await mute(60)
  const [userId = ''] = await house.database.knex('users').pluck('id')
  const mail = { kind: 'password_changed', userId } as const
  await house.database.write(tx => queueSecurityMail(tx, house.world, mail))
  house.startCloud()
  await house.pass(10 * minuteMs)
  const due = house.database.knex('outbox').where('nextAttemptAt', '<=', isoTime(house.world.nowMs()))
  expect(await due.whereNull('sentAt').whereNull('givenUpAt').pluck('kind')).toEqual(['password_changed'])
})

it('is said once in the log at its beginning, and once at its end', async () => {
  await served()
  await mute(5)
  await house.pass(10 * minuteMs)
  const said = house.world.lines.filter(({ message }) => message.startsWith('alerts are'))
  expect(said.map(({ message }) => message)).toEqual(['alerts are muted', 'alerts are told again'])
})

it('is one row, whose time counts on where it is muted again', async () => {
  await mute(30)
  await house.pass(20 * minuteMs)
  expect(await mute(41)).toMatchObject({ ok: false, leftMs: 40 * minuteMs })
  expect(await mute(40)).toMatchObject({ ok: true })
  expect(await house.database.knex('alertMutes').pluck('id')).toEqual([1])
  await house.pass(39 * minuteMs)
  expect(await findMute(house)).toBeDefined()
  await house.pass(2 * minuteMs)
  expect(await findMute(house)).toBeUndefined()
})

it('does not begin again by itself after a clock that was ahead is set right', async () => {
  await served()
  house.world.jumpWallClock(120 * minuteMs)
  await mute(60)
  house.world.jumpWallClock(-120 * minuteMs)
  await house.pass(minuteMs)
  expect(await house.database.knex('alertMutes').pluck('id')).toEqual([])
})

it('ends after an hour of service, also where the clock is set back meanwhile', async () => {
  const [gateway] = await served()
  await mute(60)
  await house.pass(50 * minuteMs)
  if (gateway) gateway.isUp = false
  house.world.jumpWallClock(-45 * minuteMs)
  await house.pass(9 * minuteMs)
  expect(await kinds()).toEqual([])
  await house.pass(5 * minuteMs)
  expect(await kinds()).toEqual(['opened'])
})
