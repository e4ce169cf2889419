import type { Knex } from 'knex'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { markRestored } from '../backup/markRestored.ts'
import { type ExchangeRig, exchangeRig, playedGateway, said } from '../opening/exchange.kit.ts'
import { openingsAfterLoss } from '../opening/openingsAfterLoss.ts'
import {
  confirmRestore,
  createRestoreLockout,
  markWentBack,
  mostStrayReports,
  numbersHeldMs,
} from './restores.ts'

let rig: ExchangeRig
let gateId = ''
beforeEach(async () => {
  rig = await exchangeRig()
  gateId = await rig.addGate()
})
afterEach(() => rig.close())

const takenAt = '2026-01-01T00:00:00.000Z'
const mark = () => rig.database.write(tx => markRestored(tx, rig.world, takenAt))
const wentBack = (tx: Knex.Transaction) =>
  markWentBack(tx, rig.world, takenAt, openingsAfterLoss({ ...rig, ends: { afterEnd: () => {} } }))
const strays = () => rig.database.knex('strayReports')

it('the lockout is off where nothing was restored', async () => {
  expect(await createRestoreLockout(rig).shut()).toBeUndefined()
})

it('the lockout stays on until the restore is confirmed and no earlier call can hold a number any more', async () => {
  await mark()
  const { advance } = rig.world
  await advance(10 * numbersHeldMs)
  const former = createRestoreLockout(rig)
  await advance(numbersHeldMs - 1)
  expect(await former.shut()).toEqual({ why: 'unconfirmed', againInS: 60 })
  // A restart: the waiting time begins again.
  const lockout = createRestoreLockout(rig)
  expect(await confirmRestore(rig.database, rig.world)).toEqual({ takenAt, strayReports: 0 })
  expect(await confirmRestore(rig.database, rig.world)).toBeUndefined()
  const held = (againInS: number) => ({ why: 'numbers_held', againInS })
  expect(await lockout.shut()).toEqual(held(numbersHeldMs / 1000))
  await advance(numbersHeldMs - 1)
  expect(await lockout.shut()).toEqual(held(1))
  await advance(1)
  expect(await lockout.shut()).toBeUndefined()
  // After that, a restart does not start the lockout again.
  expect(await createRestoreLockout(rig).shut()).toBeUndefined()
})

it('never grants an opening that ran at the time of the backup, and lets its gateway correct one that was granted', async () => {
  const guest = await rig.addGuest(gateId)
  const granted = await rig.press(guest)
  await rig.claim(granted)
  const other = await rig.addGuest(await rig.addGate())
  const waiting = await rig.press(other)
  expect(await mark()).toMatchObject({ endedOpenings: 2 })
  const ended = { status: 'timeout', reason: 'outcome_unknown', opened: 'unknown' }
  expect([await rig.opening(granted), await rig.opening(waiting)]).toMatchObject([ended, ended])
  expect([await rig.claim(granted), await rig.claim(waiting)]).toMatchObject([
    { granted: false },
    { granted: false },
  ])
  expect(await rig.report(granted, said.completed)).toEqual({ result: 'applied' })
  expect(await rig.opening(granted)).toMatchObject({ status: 'completed', isSettled: 1 })
  // The other opening may have been granted after the backup, so the report of its gateway is kept.
  expect(await rig.report(waiting, said.completed)).toEqual({ result: 'applied' })
  expect(await rig.opening(waiting)).toMatchObject(ended)
  expect(await strays()).toMatchObject([{ openingId: waiting, body: JSON.stringify(said.completed) }])
})

it('keeps reports of calls on unknown openings, up to a limit, and other reports only after a restore', async () => {
  const refused = { result: 'refused', reason: 'unknown_opening' }
  expect(await rig.report('open_unknown', said.notDialled)).toEqual(refused)
  expect(await strays()).toEqual([])
  await mark()
  expect(await rig.report('open_unknown', said.notDialled)).toEqual({ result: 'applied' })
  const place = { gatewayId: rig.gatewayId, bootId: 'A'.repeat(22), receivedAt: takenAt }
  const filler = Array.from({ length: mostStrayReports - 1 }, (_, seq) => ({
    ...place,
    seq: 1_000 + seq,
    openingId: 'open_x',
    body: '{}',
    signature: 's',
  }))
  for (let from = 0; from < filler.length; from += 100)
    await rig.database.knex('strayReports').insert(filler.slice(from, from + 100))
  expect(await rig.report('open_unknown', said.busy)).toEqual(refused)
  await expect(strays().delete()).rejects.toThrow('append-only')
})

it('answers a report on an opening of another Space like one on an opening that does not exist', async () => {
  const granted = await rig.press(await rig.addGuest(gateId))
  const { knex } = rig.database
  const space = await knex('spaces').where({ id: rig.spaceId }).first()
  await knex('spaces').insert({ ...space, id: 'space_other' })
  const gateway = await knex('gateways').first()
  await knex('gateways').insert({ ...gateway, id: 'gw_other', spaceId: 'space_other' })
  const { report } = playedGateway(rig.exchange, rig.world, 'gw_other')
  const before = await rig.opening(granted)
  for (const openingId of [granted, 'open_unknown']) {
    expect(await report(openingId, said.notDialled)).toEqual({ result: 'refused', reason: 'unknown_opening' })
    expect(await report(openingId, said.completed)).toEqual({ result: 'applied' })
  }
  expect(await strays()).toMatchObject([{ gatewayId: 'gw_other' }, { gatewayId: 'gw_other' }])
  expect(await rig.opening(granted)).toEqual(before)
})

it('no longer claims to know the outcome of an opening whose gateway reports a call without a grant, and logs it', async () => {
  const guest = await rig.addGuest(gateId)
  const openingId = await rig.press(guest)
  const joiner = await rig.press(await rig.addGuest(gateId))
  rig.online.length = 0
  await rig.world.advance(12_000)
  const [offline, unknown] = [{ reason: 'gateway_offline' }, { reason: 'outcome_unknown' }]
  const certain = { status: 'failed', opened: 'no', confidence: 'certain', safeToRetry: 1 }
  expect(await rig.opening(openingId)).toMatchObject({ ...offline, ...certain })
  expect(await rig.report(openingId, said.notDialled)).toMatchObject({ result: 'duplicate' })
  expect(await rig.opening(openingId)).toMatchObject({ ...offline, ...certain })
  expect(await rig.report(openingId, said.completed)).toEqual({ result: 'applied' })
  for (const id of [openingId, joiner])
    expect(await rig.opening(id)).toMatchObject({
      ...unknown,
      status: 'failed',
      opened: 'unknown',
      confidence: 'unknown',
      safeToRetry: 0,
    })
  expect(rig.world.lines).toContainEqual(
    expect.objectContaining({ level: 'warn', fields: { gatewayId: rig.gatewayId, openingId } }),
  )
})

it('ends an opening that waits for a grant when its gateway reports a call, and holds its number', async () => {
  const openingId = await rig.press(await rig.addGuest(gateId))
  expect(await rig.report(openingId, said.completed)).toEqual({ result: 'applied' })
  const ended = { status: 'timeout', reason: 'outcome_unknown', safeToRetry: 0 }
  expect(await rig.opening(openingId)).toMatchObject({ ...ended, lockedNumber: expect.any(String) })
  expect(await rig.claim(openingId)).toMatchObject({ granted: false })
})

it('starts the lockout again when the data goes back, without a confirmation', async () => {
  const lockout = createRestoreLockout(rig)
  expect(await lockout.shut()).toBeUndefined()
  await rig.database.write(tx => wentBack(tx))
  lockout.shutAgain()
  expect(await lockout.shut()).toEqual({ why: 'numbers_held', againInS: numbersHeldMs / 1000 })
})

it('keeps a restore unconfirmed when the data goes back meanwhile', async () => {
  await mark()
  await rig.database.write(tx => wentBack(tx))
  expect(await createRestoreLockout(rig).shut()).toMatchObject({ why: 'unconfirmed' })
})

it('takes a stray report once, and none from a revoked gateway', async () => {
  await mark()
  const { database, gatewayId } = rig
  const sent = { gatewayId, bootId: 'B'.repeat(22), seq: 1, openingId: 'open_y', report: said.completed }
  const verified = { ...sent, body: '{}', signature: 's' }
  for (const _ of [1, 2]) expect(await rig.exchange.report(verified)).toEqual({ result: 'applied' })
  expect(await strays()).toHaveLength(1)
  await database.knex('gateways').update({ revokedAt: takenAt })
  expect(await rig.exchange.report({ ...verified, seq: 2 })).toMatchObject({ result: 'refused' })
})
