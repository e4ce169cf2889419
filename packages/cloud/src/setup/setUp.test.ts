// Set-up messages that an admin requests: which are refused, what is sent to the gateway, and that no password remains anywhere.

import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import type { SetUpSmsView } from '@callgate/contract/app/setUpSms'
import { signingKey } from '@callgate/contract/wire/signature'
import { aboutSms } from '@callgate/contract/wire/sms'
import type { TaskOf, TaskReport } from '@callgate/contract/wire/tasks'
import { newId } from '@callgate/world/ids'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { tablesWith } from '../database/tablesWith.kit.ts'
import type { AppRequest } from '../http/handler.ts'
import { adminRequest } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig } from '../opening/exchange.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { endTask, openTaskOf, taskOf } from '../task/taskRows.ts'
import { setUpHandlers } from './setUpHandlers.ts'

const key = signingKey(new Uint8Array(32).fill(2))
const callerNumber = '+40740000111'
let rig: ExchangeRig
let gateId: string
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
  await change({ lastBeat: JSON.stringify({ can: ['ussd', 'sms'] }), callerNumber, publicKey: key.publicKey })
})
afterEach(() => rig.close())

const change = (columns: object) => rig.database.knex('gateways').where({ id: rig.gatewayId }).update(columns)
const place = () => ({ spaceId: rig.spaceId, gatewayId: rig.gatewayId })
function request<Id extends OwnOperationId>(
  given: object = {},
  spaceId: string = rig.spaceId,
): AppRequest<Id> {
  return adminRequest<Id>(rig.database, spaceId, { params: { gateId }, ...given })
}
const usual = () => ({ gatewayId: rig.gatewayId, brand: 'rtu5024', place: '007', password: '8642' })
const send = (body: object = {}, spaceId?: string) =>
  setUpHandlers(rig).sendSetUpSms(request({ body: { ...usual(), ...body } }, spaceId))
const viewIn = async (answer: Promise<unknown>) => {
  const given = (await answer) as { readonly body?: SetUpSmsView }
  if (!given.body) throw new Error(JSON.stringify(given))
  return given.body
}
const read = () => viewIn(setUpHandlers(rig).getSetUpSms(request()))

type Outcome =
  | { readonly reason: 'refused'; readonly detail: string }
  | Pick<Extract<TaskReport, { kind: 'sms' }>, 'sent' | 'answer'>
async function ended(outcome: Outcome) {
  const row = await openTaskOf(rig.database.knex, place())
  if (!row) throw new Error('nothing is asked')
  const { id: taskId } = row
  const told: TaskReport =
    'reason' in outcome
      ? { taskId, state: 'not_done', ...outcome }
      : { taskId, kind: 'sms', state: 'done', ...outcome }
  await rig.database.write(tx => endTask(tx, rig.world, row, told))
}

it('sends the gateway a password that only the gateway can read, and records who sent which message where', async () => {
  const view = await viewIn(send())
  expect(view).toMatchObject({
    leftToday: 4,
    gateways: [{ callerNumber, canSend: true, last: { brand: 'rtu5024', state: 'sending', answer: null } }],
  })
  const row = await openTaskOf(rig.database.knex, place())
  const task = row && (taskOf(row) as TaskOf<'sms'>)
  expect(task).toMatchObject({ kind: 'sms', brand: 'rtu5024', callerNumber, place: '007' })
  const about = task ? aboutSms({ ...task, gatewayId: rig.gatewayId }) : ''
  expect(key.open(task?.sealedPassword ?? '', about)).toBe('8642')
  const [entry, ...more] = await rig.database.knex('activity').where({ action: 'gate.setup_sms_sent' })
  expect(JSON.parse(entry.details)).toMatchObject({
    deviceName: 'North',
    gatewayId: rig.gatewayId,
    gatewayName: 'Pi',
    brand: 'rtu5024',
  })
  expect(more).toEqual([])
})

it('leaves the password nowhere, neither while it is sent nor afterwards', async () => {
  const tables = (...texts: readonly string[]) => tablesWith(rig.database.knex, texts)
  // Proves that the search would find it.
  await rig.database.knex('gates').where({ id: gateId }).update({ description: 'canary97' })
  expect(await tables('Canary97')).toEqual(['gates'])
  await send({ brand: 'jablotron_gd04', place: null, password: 'Zq8642Xv' })
  expect(await tables('Zq8642Xv')).toEqual([])
  expect(await tables('sealedPassword')).toEqual(['tasks'])
  await ended({ sent: 'yes', answer: { text: 'PROGRAM OK', isWhole: true } })
  expect(await tables('Zq8642Xv', 'sealedPassword')).toEqual([])
})

it('shows the result, masked again', async () => {
  await send()
  await ended({ sent: 'yes', answer: { text: '8642#TEL0040740000111#007# OK', isWhole: true } })
  expect((await read()).gateways[0]?.last).toMatchObject({
    state: 'done',
    sent: 'yes',
    answer: { text: '****#TEL*****111#007# OK', isWhole: true },
  })
  await send()
  await ended({ reason: 'refused', detail: '+CMS ERROR: 38' })
  expect((await read()).gateways[0]?.last).toMatchObject({
    state: 'not_done',
    reason: 'refused',
    says: 'The network or the modem refused it. (+CMS ERROR: 38)',
  })
  // A message that was not sent does not count.
  expect((await read()).leftToday).toBe(4)
})

it.each([
  ['silent', 'The gateway did not tell how it ended.'],
  ['restarted', 'The gateway was restarted.'],
] as const)('says of a task that ended as %s that nobody knows whether it was sent', async (reason, says) => {
  await send()
  const row = await openTaskOf(rig.database.knex, place())
  if (!row) throw new Error('nothing is asked')
  await rig.database.write(tx => endTask(tx, rig.world, row, { state: 'not_done', reason }))
  const { gateways, leftToday } = await read()
  expect(gateways[0]?.last).toMatchObject({ state: 'done', sent: 'unknown', reason, says, answer: null })
  expect(leftToday).toBe(4)
})

it('is refused with a reason where something is missing or in the way', async () => {
  expect(await send({ password: '12345' })).toMatchObject({ problem: 'validation_error' })
  expect(await send({ place: null })).toMatchObject({ problem: 'validation_error' })
  expect(await send({ brand: 'tell_gate_control_20' })).toMatchObject({ problem: 'validation_error' })
  expect(await send({ gatewayId: newId(rig.world, 'gw') })).toMatchObject({ problem: 'not_found' })
  expect(await send({}, await newSpace(rig))).toMatchObject({ problem: 'not_found' })
  await change({ callerNumber: null })
  expect(await send()).toMatchObject({ problem: 'conflict', message: expect.stringContaining('number') })
  await change({ callerNumber, lastBeat: JSON.stringify({ can: ['ussd'] }) })
  expect(await send()).toMatchObject({ problem: 'conflict', message: expect.stringContaining('Update') })
  await change({ lastBeat: JSON.stringify({ can: ['sms'] }) })
  await rig.press(await rig.addGuest(gateId))
  expect(await send()).toMatchObject({ problem: 'conflict', message: expect.stringContaining('opened') })
  await rig.database.knex('openings').update({ status: 'completed', completedAt: '2030-01-01T00:00:00.000Z' })
  expect(await send()).toMatchObject({ status: 202 })
  expect(await send()).toMatchObject({ problem: 'conflict', message: expect.stringContaining('else') })
})

it('is sent at most five times in 24 hours to one number', async () => {
  for (let count = 0; count < 5; count++) {
    expect(await send()).toMatchObject({ status: 202 })
    await ended({ sent: 'unknown', answer: null })
  }
  expect(await send()).toMatchObject({
    problem: 'conflict',
    message: expect.stringContaining('five messages'),
  })
  await rig.world.advance(24 * 3_600_000)
  expect(await send()).toMatchObject({ status: 202 })
})
