import type { LockDown } from '@callgate/contract/app/lockDown'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { adminRequest, bodyOf } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig, type Guest, said } from '../opening/exchange.kit.ts'
import { newUser } from '../user/user.kit.ts'
import { lockDownHandlers } from './lockDown.ts'

let rig: ExchangeRig
let guest: Guest
let userId: string
let handlers: ReturnType<typeof lockDownHandlers>
beforeEach(async () => {
  rig = await exchangeRig()
  const { database, exchange, spaceId, world } = rig
  guest = await rig.addGuest(await rig.addGate())
  userId = (await newUser({ world, database }, { email: 'ada@example.com', spaceId })).userId
  handlers = lockDownHandlers({ world, endWaiting: exchange.endWaiting })
})
afterEach(() => rig.close())

function request(): never {
  const asked = adminRequest<'lockDown'>(rig.database, rig.spaceId)
  const identity = { kind: 'user', userId, sessionId: newId(rig.world, 'session') }
  return { ...asked, principal: { ...asked.principal, identity } } as never
}
const lock = async () =>
  (await bodyOf<{ lockDown: LockDown }>(handlers.lockDown(request()) as never)).lockDown
const unlock = () => handlers.endLockDown(request())
const denied = { status: 'failed', reason: 'locked_down', opened: 'no', lockedNumber: null }
const entries = () =>
  rig.database
    .knex('activity')
    .where('action', 'like', 'space.lock%')
    .orderBy('id')
    .select('action', 'details')

it('P3: ends the presses that wait, with those that have joined them, and denies each later one', async () => {
  const waits = await rig.press(guest)
  const joins = await rig.press(guest)
  await lock()
  for (const openingId of [waits, joins]) expect(await rig.opening(openingId)).toMatchObject(denied)
  expect(await rig.claim(waits)).toEqual({ granted: false, reason: 'expired' })
  expect(await rig.opening(await rig.press(guest))).toMatchObject(denied)
})

it('P3: leaves no number locked and no press behind that rings after its end', async () => {
  const waits = await rig.press(guest)
  await lock()
  expect(await unlock()).toEqual({ status: 204 })
  expect(await rig.claim(waits)).toEqual({ granted: false, reason: 'expired' })
  const later = await rig.press(guest)
  expect(await rig.claim(later)).toMatchObject({ granted: true })
})

it('leaves a call that runs alone, with the presses that have joined it', async () => {
  const runs = await rig.press(guest)
  await rig.claim(runs)
  const joins = await rig.press(guest)
  await lock()
  await rig.report(runs, said.completed)
  for (const openingId of [runs, joins])
    expect(await rig.opening(openingId)).toMatchObject({ status: 'completed' })
})

it('ends no press of another Space', async () => {
  const waits = await rig.press(guest)
  await rig.database.write(tx => rig.exchange.endWaiting(tx, 'space_other'))
  expect(await rig.claim(waits)).toMatchObject({ granted: true })
})

it('tells since when and by whom, stays as it is when it is asked again, and is recorded once', async () => {
  await rig.press(guest)
  await rig.press(guest)
  const first = await lock()
  expect(first).toEqual({ since: '2026-01-05T08:00:00.000Z', by: expect.any(String) })
  await rig.world.advance(60_000)
  expect(await lock()).toEqual(first)
  await unlock()
  await unlock()
  const recorded = (await entries()).map(({ action, details }) => [action, JSON.parse(details)])
  expect(recorded).toMatchObject([
    ['space.locked_down', { ended: 2, actorId: userId }],
    ['space.lock_down_ended', { since: first.since }],
  ])
})
