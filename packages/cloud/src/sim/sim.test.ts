// The SIM card of a gateway: an admin's settings and view, and the daily query of its balance.

import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import type { SimView } from '@callgate/contract/app/sim'
import { settle } from '@callgate/world/fake'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AppRequest } from '../http/handler.ts'
import { adminRequest, outdated } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig } from '../opening/exchange.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { endTask, openTaskOf } from '../task/taskRows.ts'
import { simHandlers } from './simHandlers.ts'
import { listDueSims } from './simRows.ts'
import { askDaily, simAppliers } from './simTasks.ts'

let rig: ExchangeRig
beforeEach(async () => {
  rig = await exchangeRig()
  await sayCan(['ussd'])
})
afterEach(() => rig.close())

const sayCan = (can: readonly string[]) =>
  rig.database
    .knex('gateways')
    .where({ id: rig.gatewayId })
    .update({ lastBeat: JSON.stringify({ can }) })
const place = () => ({ spaceId: rig.spaceId, gatewayId: rig.gatewayId })
function request<Id extends OwnOperationId>(
  given: object = {},
  spaceId: string = rig.spaceId,
): AppRequest<Id> {
  return adminRequest<Id>(rig.database, spaceId, { params: { gatewayId: rig.gatewayId }, ...given })
}
const simIn = async (answer: Promise<unknown>) => {
  const given = (await answer) as { readonly body?: { readonly sim: SimView } }
  if (!given.body) throw new Error(JSON.stringify(given))
  return given.body.sim
}
const read = () => simIn(simHandlers(rig).getSim(request()))
const change = (body: object, more: object = {}) => simHandlers(rig).updateSim(request({ body, ...more }))
const ask = (more: object = {}) => simHandlers(rig).askSim(request(more))
const owner = { who: { role: 'owner', isConfirmed: true } }

/** Simulates the gateway's report of the network's answer. */
async function answered(text: string) {
  const row = await openTaskOf(rig.database.knex, place())
  if (!row) throw new Error('nothing is asked')
  const told = { taskId: row.id, kind: 'ussd', state: 'done', answer: { text, isMenu: false } } as const
  await rig.database.write(async tx => {
    await endTask(tx, rig.world, row, told)
    await simAppliers(rig.world).ussd?.(tx, row, told)
  })
}
const dayMs = 86_400_000

it('shows nothing at first, then the settings, with their activity entries', async () => {
  expect(await read()).toEqual({
    code: null,
    warnBelow: null,
    expiresOn: null,
    now: { canAsk: true, asked: null, answer: null, spent: null, warnings: [] },
  })
  const set = { code: '*100#', warnBelow: 500, expiresOn: isoTime(rig.world.nowMs()).slice(0, 10) }
  expect(await simIn(change(set))).toMatchObject({ ...set, now: { warnings: ['expires_soon'] } })
  await change(set)
  const [entry, ...more] = await rig.database.knex('activity').where({ action: 'gateway.updated' })
  expect(JSON.parse(entry.details)).toMatchObject({
    changes: {
      simCode: { from: null, to: '*100#' },
      simWarnBelow: { from: null, to: 500 },
      simExpiresOn: { from: null, to: set.expiresOn },
    },
  })
  expect(more).toEqual([])
  expect(await simIn(change({ code: null }))).toMatchObject({ code: null, warnBelow: 500 })
})

it('accepts a code with a group only from an owner who has just confirmed', async () => {
  const bodies = [{ code: '*100*1*2#' }, { code: '*123*1#', warnBelow: 100 }]
  for (const body of bodies) {
    expect(await change(body)).toMatchObject({ problem: 'insufficient_role' })
    expect(await change(body, { who: { role: 'admin', isConfirmed: true } })).toMatchObject({
      problem: 'insufficient_role',
    })
    expect(await change(body, { who: { role: 'owner', isConfirmed: false } })).toMatchObject({
      problem: 'confirmation_required',
    })
    expect(await read()).toMatchObject({ code: null, warnBelow: null })
  }
  expect(await simIn(change({ code: '*100*1*2#' }, owner))).toMatchObject({ code: '*100*1*2#' })
  // An admin may send it unchanged together with another field, and may remove it.
  expect(await simIn(change({ code: '*100*1*2#', warnBelow: 200 }))).toMatchObject({ warnBelow: 200 })
  expect(await change({ code: '*100*1*3#' })).toMatchObject({ problem: 'insufficient_role' })
  expect(await simIn(change({ code: '*100#' }))).toMatchObject({ code: '*100#' })
})

it('queries by a code with a group only for an owner who has just confirmed', async () => {
  await change({ code: '*100*1*2#' }, owner)
  expect(await ask()).toMatchObject({ problem: 'insufficient_role' })
  expect(await ask({ who: { role: 'owner', isConfirmed: false } })).toMatchObject({
    problem: 'confirmation_required',
  })
  expect(await openTaskOf(rig.database.knex, place())).toBeUndefined()
  expect(await simIn(ask(owner))).toMatchObject({ now: { asked: { state: 'asking' } } })
})

it('records who queried by which code', async () => {
  await change({ code: '*100#' })
  await ask()
  expect(await ask()).toMatchObject({ problem: 'conflict' })
  const entries = await rig.database.knex('activity').where({ action: 'gateway.sim_asked' })
  expect(entries).toMatchObject([{ actor: 'user:ada@example.com', targetType: 'gateway' }])
  expect(JSON.parse(entries[0].details)).toMatchObject({ code: '*100#', targetId: rig.gatewayId })
})

it("does not overwrite another person's change", async () => {
  expect(await change({ code: '*100#' }, { stale: () => outdated })).toMatchObject({
    problem: 'precondition_failed',
  })
})

it('belongs to its own Space only', async () => {
  const spaceId = await newSpace(rig)
  const handlers = simHandlers(rig)
  for (const answer of [
    handlers.getSim(request({}, spaceId)),
    handlers.updateSim(request({ body: { code: '*100#' } }, spaceId)),
    handlers.askSim(request({}, spaceId)),
  ])
    expect(await answer).toMatchObject({ problem: 'not_found' })
})

it('of a revoked gateway is shown, but neither changed nor queried', async () => {
  await change({ code: '*100#' })
  await rig.database
    .knex('gateways')
    .where({ id: place().gatewayId })
    .update({ revokedAt: isoTime(rig.world.nowMs()) })
  expect(await read()).toMatchObject({ code: '*100#', now: { canAsk: false } })
  expect(await change({ code: null })).toMatchObject({ problem: 'not_found' })
  expect(await ask()).toMatchObject({ problem: 'not_found' })
})

it('queries the network, and shows the answer with its balance and the amount spent', async () => {
  await change({ code: '*100#', warnBelow: 450 })
  expect(await simIn(ask())).toMatchObject({ now: { asked: { state: 'asking' } } })
  expect(JSON.parse((await openTaskOf(rig.database.knex, place()))?.details ?? '')).toEqual({ code: '*100#' })
  await answered('Credit 5.00 EUR')
  expect((await read()).now).toMatchObject({
    asked: { state: 'done', reason: null, says: null },
    answer: { text: 'Credit 5.00 EUR', balance: { hundredths: 500, currency: 'EUR' } },
    spent: null,
    warnings: [],
  })
  await rig.world.advance(60_000)
  await ask()
  await answered('Credit 4.20 EUR')
  expect((await read()).now).toMatchObject({
    spent: { hundredths: 80, currency: 'EUR' },
    warnings: ['credit_low'],
  })
  await rig.world.advance(60_000)
  await ask()
  await answered('Your bundle ends soon')
  expect((await read()).now).toMatchObject({ answer: { balance: null }, warnings: [] })
})

it('says why it cannot be queried', async () => {
  expect(await ask()).toMatchObject({ problem: 'conflict', message: expect.stringContaining('no code') })
  await change({ code: '*100#' })
  await sayCan([])
  expect(await ask()).toMatchObject({ message: expect.stringContaining('version cannot do that') })
  await sayCan(['ussd'])
  await ask()
  expect(await ask()).toMatchObject({ message: expect.stringContaining('asked already') })
  await answered('5 EUR')
  expect(await ask()).toMatchObject({ message: expect.stringContaining('less than a minute') })
})

it('says why the query failed, also by a reason of a newer gateway', async () => {
  await change({ code: '*100#' })
  for (const [reason, says] of [
    ['no_network', 'The modem had no network. (+CME ERROR: 30)'],
    ['newer_word', 'newer_word (+CME ERROR: 30)'],
  ] as const) {
    await ask()
    const row = await openTaskOf(rig.database.knex, place())
    if (!row) throw new Error('nothing is asked')
    const told = { taskId: row.id, state: 'not_done', reason, detail: '+CME ERROR: 30' } as const
    await rig.database.write(tx => endTask(tx, rig.world, row, told))
    expect((await read()).now).toMatchObject({ asked: { state: 'not_done', reason, says }, answer: null })
    await rig.world.advance(60_000)
  }
})

it('reads the due cards page by page', async () => {
  await change({ code: '*100#' })
  const dueAfter = async (afterId: string) => {
    const page = { afterId, before: isoTime(rig.world.nowMs()), limit: 1 }
    return (await listDueSims(rig.database.knex, page)).map(({ gatewayId }) => gatewayId)
  }
  expect(await dueAfter('')).toEqual([rig.gatewayId])
  expect(await dueAfter(rig.gatewayId)).toEqual([])
})

it('is queried once a day where it has a code, the gateway is online, and this cloud owns it', async () => {
  await change({ code: '*100#' })
  const gateway = { isThere: false, isOwned: true }
  const stop = askDaily({
    ...rig,
    replica: { owns: () => gateway.isOwned, nowMs: rig.world.nowMs },
    endpoint: { currentBoot: () => (gateway.isThere ? { bootId: 'b', seq: 1, can: ['ussd'] } : undefined) },
  })
  const count = async () => (await rig.database.knex('tasks')).length
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= 600_000) {
      await rig.world.advance(Math.min(600_000, left))
      await settle()
    }
  }
  await pass(600_000)
  expect(await count()).toBe(0)
  gateway.isThere = true
  gateway.isOwned = false
  await pass(600_000)
  expect(await count()).toBe(0)
  gateway.isOwned = true
  await pass(600_000)
  expect(await count()).toBe(1)
  await answered('5 EUR')
  await pass(dayMs - 1_200_000)
  expect(await count()).toBe(1)
  await pass(1_800_000)
  expect(await count()).toBe(2)
  await stop()
})
