import type { OwnOperationId } from '@callgate/contract/app/appOperations'
import type { GatewayHistory } from '@callgate/contract/app/gateway'
import type { GatewayView } from '@callgate/contract/rest/gatewayView'
import { signingKey } from '@callgate/contract/wire/signature'
import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { onPostgres } from '../database/postgres.kit.ts'
import { plansOf } from '../database/queryPlan.kit.ts'
import type { AppRequest } from '../http/handler.ts'
import { adminRequest, bodyOf, outdated } from '../http/requests.kit.ts'
import { type ExchangeRig, exchangeRig, playedBeat, said } from '../opening/exchange.kit.ts'
import { newSpace } from '../space/space.kit.ts'
import { gatewayHandlers, gatewayReadHandlers } from './gatewayHandlers.ts'
import { callsOf } from './gatewayHistory.ts'
import { checkLogin, openPassword, passwordKeeper, revokeGateway, shutOutGateways } from './gateways.ts'

let rig: ExchangeRig
let seq = 0
beforeEach(async () => {
  rig = await exchangeRig()
})
afterEach(() => rig.close())

const login = () => ({ mqttUrl: 'mqtts://gates.example.com:8883', cloudKeys: ['k1'], hasOwnBroker: false })
const handlers = () => ({ ...gatewayReadHandlers(rig), ...gatewayHandlers({ ...rig, login }) })
function request<Id extends OwnOperationId>(
  given: object = {},
  spaceId: string = rig.spaceId,
): AppRequest<Id> {
  return adminRequest<Id>(rig.database, spaceId, given)
}
const params = () => ({ gatewayId: rig.gatewayId })
const newKey = () => signingKey(rig.world.randomBytes(32)).publicKey

const modem = {
  state: 'ready',
  model: 'SIM800C',
  operator: 'Orange RO',
  registration: 'home',
  signalDbm: -71,
  voltageMv: 4_020,
  trouble: 'brownout',
  firmware: '1418B06SIM800C24',
  lacks: ['call_causes'],
}

async function beat(more: { isOnline?: boolean; supplyMv?: number; registration?: string } = {}) {
  const { isOnline = true, registration = 'home', supplyMv = 4_020 } = more
  const body = {
    online: isOnline,
    modem,
    toReport: ['open_a'],
    version: '9.0.0',
    uptimeS: 60,
    queueLength: 1,
  }
  seq += 1
  const figures = { signalDbm: -71, supplyMv, registration }
  const of = { ...playedBeat, gatewayId: rig.gatewayId, bootId: 'A'.repeat(22), seq, isOnline, figures }
  expect(await rig.exchange.heartbeat.beat({ ...of, body: JSON.stringify(body) })).toMatchObject({
    kind: 'current',
  })
}
const view = async (): Promise<GatewayView> => {
  const { gateway } = await bodyOf<{ gateway: GatewayView }>(
    handlers().getGateway(request({ params: params() }) as never) as never,
  )
  return gateway
}
const history = (range: string): Promise<GatewayHistory> =>
  bodyOf(handlers().getGatewayHistory(request({ params: params(), query: { range } })) as never)

it('is new, then online, then offline since its last beat, as its beats say', async () => {
  expect((await view()).now).toMatchObject({ state: 'new', since: null, modem: null, uptimeS: null })
  await beat()
  const sinceOnline = isoTime(rig.world.nowMs())
  await rig.world.advance(10_000)
  await beat()
  const lastHeardAt = isoTime(rig.world.nowMs())
  await rig.world.advance(29_000)
  expect((await view()).now).toMatchObject({
    state: 'online',
    since: sinceOnline,
    lastHeardAt,
    version: '9.0.0',
    queueLength: 1,
    toReport: 1,
    modem: {
      model: 'SIM800C',
      firmware: '1418B06SIM800C24',
      lacks: [{ word: 'call_causes', says: 'It does not say why a call ended.' }],
      supplyMv: 4_020,
      trouble: { word: 'brownout' },
    },
  })
  await rig.world.advance(1_000)
  expect((await view()).now).toMatchObject({ state: 'offline', since: lastHeardAt })
  await beat()
  expect((await view()).now).toMatchObject({ state: 'online', since: isoTime(rig.world.nowMs()) })
  await beat({ isOnline: false })
  expect((await view()).now).toMatchObject({ state: 'offline' })
})

it('is shown as cut off or revoked', async () => {
  await beat()
  const cutOffUntil = isoTime(rig.world.nowMs() + 60_000)
  await rig.database.write(tx => tx('gateways').update({ cutOffUntil }))
  expect((await view()).now).toMatchObject({ state: 'cut_off', cutOffUntil })
  await handlers().revokeGateway(request({ params: params() }))
  await handlers().revokeGateway(request({ params: params() }))
  expect(await view()).toMatchObject({
    revokedAt: expect.any(String),
    now: { state: 'revoked', cutOffUntil: null },
  })
  expect(await rig.database.knex('activity').select('action', 'actor', 'targetLabel')).toEqual([
    { action: 'gateway.revoked', actor: 'user:ada@example.com', targetLabel: 'Pi' },
  ])
})

it('shows what was heard on one axis, the worst of each minute, and nothing where it was silent', async () => {
  await rig.world.advance(60_000 - (rig.world.nowMs() % 60_000))
  for (let count = 0; count < 6; count++) {
    await beat({ supplyMv: count === 3 ? 3_430 : 4_020, registration: count === 4 ? 'searching' : 'home' })
    await rig.world.advance(10_000)
  }
  await rig.world.advance(120_000)
  await beat()
  const { from, onlineS, registration, signalDbm, stepS, supplyMv, to } = await history('6h')
  expect(onlineS).toHaveLength(360)
  expect(Date.parse(to) - Date.parse(from)).toBe(359 * stepS * 1000)
  expect(onlineS.slice(-4)).toEqual([50, null, null, 0])
  expect(supplyMv.slice(-4)).toEqual([3_430, null, null, 4_020])
  expect(signalDbm.slice(-4)).toEqual([-71, null, null, -71])
  expect(registration.slice(-4)).toEqual(['searching', null, null, 'home'])
  expect(await history('30d')).toMatchObject({ stepS: 3_600, onlineTotalS: 50 })
})

it('lists its calls with their classes, by an index', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite')
  const gateId = await rig.addGate()
  const guest = await rig.addGuest(gateId)
  await beat()
  await rig.run(guest, said.completed)
  expect(await history('24h')).toMatchObject({
    calls: [{ gateId, gateName: 'North', class: 'opened' }],
    hasMoreCalls: false,
  })
  const of = { spaceId: rig.spaceId, gatewayId: rig.gatewayId, from: '2026', rows: 501 }
  expect(await plansOf(rig.database, db => callsOf(db, of))).toEqual([
    [expect.stringMatching(/^SEARCH openings USING INDEX openings_of_gateway /)],
  ])
})

it('finds the gateways that are shut out by an index of their own', async ({ skip }) => {
  skip(onPostgres, 'it reads plans of SQLite')
  await revokeGateway(rig, { gatewayId: rig.gatewayId, actor: 'operator' })
  const asked = (): Promise<unknown> => shutOutGateways(rig.database, rig.world.nowMs())
  expect(await plansOf(rig.database, asked)).toEqual([
    [expect.stringMatching(/^SCAN gateways USING COVERING INDEX gateways_shut_out/)],
  ])
  expect([...(await shutOutGateways(rig.database, rig.world.nowMs()))]).toEqual([rig.gatewayId])
})

it('keeps a limited number of minutes, quarters and hours of a gateway', async () => {
  const startsAt = isoTime(rig.world.nowMs() - 100 * 86_400_000)
  const old = { gatewayId: rig.gatewayId, startsAt, onlineMs: 1 }
  await rig.database.write(async tx => {
    for (const stepS of [60, 900, 3_600]) await tx('beatFigures').insert({ ...old, stepS })
  })
  await beat()
  const kept = await rig.database.knex('beatFigures').select('stepS', 'startsAt').orderBy('stepS')
  expect(kept.map(({ stepS }) => stepS)).toEqual([60, 900, 3_600])
  expect(kept.map(row => row.startsAt)).not.toContain(startsAt)
})

it('is added by its key, which is unique in the world, and gets its settings', async () => {
  const publicKey = newKey()
  const added = await handlers().addGateway(request({ body: { name: 'Attic', publicKey } }))
  expect(added).toMatchObject({
    status: 201,
    body: {
      gateway: { name: 'Attic', publicKey, callerNumber: null, now: { state: 'new' } },
      login: { mqttUrl: 'mqtts://gates.example.com:8883', cloudKeys: ['k1'], hasOwnBroker: false },
    },
  })
  const again = { body: { name: 'Yard', publicKey } }
  const whose = (spaceId?: string) => handlers().addGateway(request(again, spaceId))
  expect(await whose()).toMatchObject({ problem: 'conflict', message: expect.stringContaining('Attic') })
  const [row] = await rig.database.knex('gateways').where({ publicKey })
  await revokeGateway(rig, { gatewayId: row.id, actor: 'operator' })
  expect(await whose()).toMatchObject({ problem: 'conflict', message: expect.stringContaining('revoked') })
  const neighbour = await newSpace(rig)
  const told = await whose(neighbour)
  expect(told).toMatchObject({ problem: 'conflict' })
  expect(JSON.stringify(told)).not.toMatch(/Attic|revoked/)
  const bad = { name: 'Yard', publicKey: `${'_'.repeat(42)}_` }
  expect(await handlers().addGateway(request({ body: bad }))).toMatchObject({ problem: 'validation_error' })
})

it('gets another name and a caller number, read as people write it', async () => {
  const change = (body: object, more: object = {}) =>
    handlers().updateGateway(request({ params: params(), body, ...more }))
  expect(await change({ callerNumber: '0740 000 111' })).toMatchObject({
    body: { gateway: { name: 'Pi', callerNumber: '+40740000111' } },
  })
  expect(await change({ name: 'Pi' })).toMatchObject({ status: 200 })
  expect(await change({ callerNumber: '12' })).toMatchObject({
    problem: 'validation_error',
    message: expect.stringMatching(/^callerNumber /),
  })
  // A SIM card for machines has a number of no country.
  expect(await change({ callerNumber: '+883130000123456', name: 'Attic' })).toMatchObject({ status: 200 })
  expect(await change({ callerNumber: null })).toMatchObject({ body: { gateway: { callerNumber: null } } })
  expect(await change({ name: 'Yard' }, { stale: () => outdated })).toEqual(outdated)
  const entries = await rig.database.knex('activity').where({ action: 'gateway.updated' }).orderBy('id')
  expect(entries.map(({ details }) => JSON.parse(details).changes)).toEqual([
    { callerNumber: { from: null, to: '+40740000111' } },
    {
      name: { from: 'Pi', to: 'Attic' },
      callerNumber: { from: '+40740000111', to: '+883130000123456' },
    },
    { callerNumber: { from: '+883130000123456', to: null } },
  ])
})

it('of another Space is answered like an unknown one', async () => {
  const neighbour = await newSpace(rig)
  const asked = () => request({ params: params(), query: { range: '6h' }, body: { name: 'Mine' } }, neighbour)
  const { getGateway, getGatewayHistory, listGateways, revokeGateway: revoke, updateGateway } = handlers()
  for (const answer of [getGateway, getGatewayHistory, updateGateway, revoke])
    expect(await answer(asked() as never)).toMatchObject({ problem: 'not_found' })
  expect(await listGateways(request({}, neighbour) as never)).toMatchObject({ body: { gateways: [] } })
})

it('gets a new password, shown once: the former one is refused, and the activity names who changed it', async () => {
  const { gatewayId, world } = rig
  const change = async () =>
    bodyOf<{ mqttPassword: string }>(handlers().changeGatewayPassword(request({ params: params() })) as never)
  const { mqttPassword: former } = await change()
  const { mqttPassword, ...more } = await change()
  expect([mqttPassword, more]).toEqual([expect.stringMatching(/^[\w-]{43}$/), { hasOwnBroker: false }])
  const checked = (given: string) => checkLogin(rig.database, gatewayId, Buffer.from(given), world.nowMs())
  expect([await checked(mqttPassword), await checked(former)]).toEqual(['admitted', 'refused'])
  const kept = await rig.database.knex('gateways').where({ id: gatewayId }).first()
  expect(kept.passwordSealed).toBeNull()
  const entries = await rig.database.knex('activity').where({ action: 'gateway.password_changed' })
  const told = entries.map(({ actor, details }) => [actor, JSON.parse(details).targetId])
  expect(told).toEqual(Array(2).fill([expect.stringMatching(/^user:/), gatewayId]))
  expect(JSON.stringify([kept, entries])).not.toContain(mqttPassword)
})

it('has its new password sealed where the cloud maintains the accounts at the broker', async () => {
  const keeping = () => ({ ...login(), keepPassword: passwordKeeper(rig.seal) })
  const { changeGatewayPassword } = gatewayHandlers({ ...rig, login: keeping })
  const made = await bodyOf<{ mqttPassword: string }>(
    changeGatewayPassword(request({ params: params() })) as never,
  )
  const { passwordSealed } = await rig.database.knex('gateways').where({ id: rig.gatewayId }).first()
  expect(openPassword(rig.seal, rig.gatewayId, passwordSealed)).toBe(made.mqttPassword)
})

it('gets no new password in another Space, or once it is shut out', async () => {
  const change = (spaceId?: string) =>
    handlers().changeGatewayPassword(request({ params: params() }, spaceId))
  expect(await change(await newSpace(rig))).toMatchObject({ problem: 'not_found' })
  await revokeGateway(rig, { gatewayId: rig.gatewayId, actor: 'operator' })
  expect(await change()).toMatchObject({ problem: 'conflict', refusals: [{ name: 'gateway_shut_out' }] })
})
