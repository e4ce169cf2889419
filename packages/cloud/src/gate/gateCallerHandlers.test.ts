// An admin's view and settings of the gateways of a gate.

import type { GateCallerView } from '@callgate/contract/app/appGateCallers'
import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { gatewayHandlers } from '../gateway/gatewayHandlers.ts'
import type { AppRequest } from '../http/handler.ts'
import { adminRequest, outdated, principalIn, requestOf } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig, said } from '../opening/exchange.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { gateCallerHandlers } from './gateCallerHandlers.ts'
import { gateHandlers } from './gates.ts'

let rig: ExchangeRig
let gateId: string
let other: string
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  other = newId(rig.world, 'gw')
  const row = await rig.database.knex('gateways').where({ id: rig.gatewayId }).first()
  const shed = {
    id: other,
    name: 'Shed',
    callerNumber: '+40740000111',
    createdAt: '2030-01-01T00:00:00.000Z',
  }
  await rig.database.knex('gateways').insert({ ...row, ...shed })
  rig.online.push(other)
})
afterEach(() => rig.close())

const handlers = () => gateCallerHandlers({ ...rig, seen: rig.exchange.gateways })
function request<Id extends OwnOperationId>(
  given: object = {},
  spaceId: string = rig.spaceId,
): AppRequest<Id> {
  return adminRequest<Id>(rig.database, spaceId, { params: { gateId }, ...given })
}
const callersIn = async (answer: Promise<unknown>) =>
  ((await answer) as { readonly body: { readonly callers: readonly GateCallerView[] } }).body.callers
const read = () => callersIn(handlers().getGateCallers(request()))
const change = (body: object, more: object = {}) =>
  handlers().updateGateCallers(request({ body: { gatewayId: other, ...body }, ...more }))
const turns = (callers: readonly GateCallerView[]) => callers.map(({ now }) => now.turn)

it('shows which gateway would call now, and the settings', async () => {
  expect(await read()).toMatchObject([
    { gatewayId: rig.gatewayId, name: 'Pi', callerNumber: null, mayCall: true, numberKnown: 'unknown' },
    { gatewayId: other, name: 'Shed', callerNumber: '+40740000111', mayCall: true, numberKnown: 'unknown' },
  ])
  expect(turns(await read())).toEqual([1, 2])
  expect(turns(await callersIn(change({ numberKnown: 'yes' })))).toEqual([2, 1])
  expect(turns(await callersIn(change({ mayCall: false })))).toEqual([1, null])
  rig.online.pop()
  expect((await read())[1]).toMatchObject({
    mayCall: false,
    numberKnown: 'yes',
    now: { isOnline: false, turn: null },
  })
})

it('shows the gateway whose last call failed by its own fault, and asks it last', async () => {
  await rig.run(await rig.addGuest(gateId), said.simError)
  const [failed, shed] = await read()
  expect([failed?.now, shed?.now]).toEqual([
    { isOnline: true, turn: 2, hasFailed: true },
    { isOnline: true, turn: 1, hasFailed: false },
  ])
})

it('A5: records each change once, with the gateway', async () => {
  await change({ numberKnown: 'no' })
  await change({ numberKnown: 'no' })
  const entries = await rig.database.knex('activity').where({ action: 'gate.updated' })
  expect(entries).toHaveLength(1)
  const named = { gatewayId: other, name: 'Shed', mayCall: true }
  expect(JSON.parse(entries[0]?.details)).toMatchObject({
    deviceName: 'North',
    changes: { caller: { from: { ...named, numberKnown: 'unknown' }, to: { ...named, numberKnown: 'no' } } },
  })
})

it('refuses a gateway that is unknown, of another Space, shut out, or changed meanwhile', async () => {
  const { knex } = rig.database
  expect(await change({ gatewayId: newId(rig.world, 'gw') })).toMatchObject({ problem: 'not_found' })
  expect(await change({}, { params: { gateId: newId(rig.world, 'gate') } })).toMatchObject({
    problem: 'not_found',
  })
  const spaceId = await newSpace(rig)
  expect(await handlers().getGateCallers(request({}, spaceId))).toMatchObject({ problem: 'not_found' })
  expect(await change({ mayCall: false }, { stale: () => outdated })).toBe(outdated)
  await knex('gateways').where({ id: other }).update({ revokedAt: '2030-01-01T00:00:00.000Z' })
  expect(await change({ mayCall: false })).toMatchObject({ problem: 'not_found' })
  expect((await read()).map(({ gatewayId }) => gatewayId)).toEqual([rig.gatewayId])
})

it('forgets whether a number is known when the gate or the gateway gets another one', async () => {
  const known = async () => (await read()).map(({ numberKnown }) => numberKnown)
  const login = () => ({ mqttUrl: '', cloudKeys: [], hasOwnBroker: false })
  const setNumber = (gatewayId: string, callerNumber: string) =>
    gatewayHandlers({ ...rig, login }).updateGateway(
      adminRequest<'updateGateway'>(rig.database, rig.spaceId, {
        params: { gatewayId },
        body: { callerNumber },
      }),
    )
  await change({ numberKnown: 'yes', mayCall: false })
  await change({ gatewayId: rig.gatewayId, numberKnown: 'yes' })
  // It is typed for the first time, so it is not another SIM card.
  await setNumber(rig.gatewayId, '0740 000 222')
  expect(await known()).toEqual(['yes', 'yes'])
  await setNumber(rig.gatewayId, '0740 000 333')
  expect(await known()).toEqual(['unknown', 'yes'])
  const body = { phoneNumber: '0722 999 888' }
  await gateHandlers(rig).updateGate(
    requestOf<'updateGate'>(rig.database, principalIn(rig.spaceId), { params: { gateId }, body }),
  )
  expect(await known()).toEqual(['unknown', 'unknown'])
  expect((await read())[1]).toMatchObject({ mayCall: false })
})
