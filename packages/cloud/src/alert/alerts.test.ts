import { isoTime } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AlertHouse } from './alertHouse.kit.ts'
import { readAlertAddressee } from './alertLetters.ts'
import { roundEveryMs, watchForIncidents } from './alerts.ts'

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

describe('a silent gateway', () => {
  it('causes one notification after five minutes, and one of its return', async () => {
    const gateway = await house.addGateway(spaceId)
    house.startCloud()
    await house.pass(2 * minuteMs)
    gateway.isUp = false
    await house.pass(5 * minuteMs - roundEveryMs)
    expect(await house.incidents()).toEqual([])
    await house.pass(minuteMs + roundEveryMs)
    expect(await states()).toEqual([['gateway_offline', true]])
    expect(await kinds()).toEqual(['opened'])
    await house.pass(60 * minuteMs)
    expect(await kinds()).toEqual(['opened'])
    gateway.isUp = true
    await house.pass(3 * minuteMs)
    expect(await states()).toEqual([['gateway_offline', false]])
    expect(await kinds()).toEqual(['opened', 'closed'])
    const events: string[] = await house.database.knex('events').orderBy('seq').pluck('kind')
    expect(events.filter(kind => kind.startsWith('incident.'))).toEqual([
      'incident.opened',
      'incident.closed',
    ])
  })

  it('is judged by the clock of the database where one of several clouds has a clock that is an hour ahead', async () => {
    const gateway = await house.addGateway(spaceId)
    const nowMs = () => house.world.nowMs() + 60 * minuteMs
    house.startCloud({ ...house.world, nowMs }, house.world)
    await house.pass(10 * minuteMs)
    expect(await house.incidents()).toEqual([])
    gateway.isUp = false
    await house.pass(7 * minuteMs)
    expect(await states()).toEqual([['gateway_offline', true]])
  })

  it('is judged by the cloud that owns the gateway, and by no other', async () => {
    const gateway = await house.addGateway(spaceId)
    let isOwner = false
    house.startCloud(house.world, { nowMs: () => house.world.nowMs(), owns: () => isOwner })
    await house.pass(minuteMs)
    gateway.isUp = false
    await house.pass(7 * minuteMs)
    expect(await states()).toEqual([])
    isOwner = true
    await house.pass(minuteMs)
    expect(await states()).toEqual([['gateway_offline', true]])
  })

  it('causes a notification after a restart of the cloud, and not again after another restart', async () => {
    const gateway = await house.addGateway(spaceId)
    house.startCloud()
    await house.pass(minuteMs)
    gateway.isUp = false
    await house.pass(3 * minuteMs)
    await house.stopCloud()
    await house.pass(minuteMs)
    house.startCloud()
    await house.pass(4 * minuteMs)
    expect(await kinds()).toEqual([])
    await house.pass(2 * minuteMs)
    expect(await kinds()).toEqual(['opened'])
    await house.stopCloud()
    house.startCloud()
    await house.pass(20 * minuteMs)
    expect(await kinds()).toEqual(['opened'])
  })

  it('causes no notification where the cloud could not hear it: the cloud was away, or its broker', async () => {
    for (let count = 0; count < 3; count++) await house.addGateway(spaceId)
    house.startCloud()
    await house.pass(minuteMs)
    await house.stopCloud()
    await house.pass(60 * minuteMs)
    house.startCloud()
    await house.pass(10 * minuteMs)
    house.isConnected = false
    await house.pass(60 * minuteMs)
    house.isConnected = true
    await house.pass(10 * minuteMs)
    expect(await house.incidents()).toEqual([])
  })

  it("is reported only in the operator's log where no gateway of any Space is heard", async () => {
    const other = await house.addSpace('Other')
    for (let count = 0; count < 6; count++) await house.addGateway(count < 3 ? spaceId : other)
    house.startCloud()
    await house.pass(minuteMs)
    for (const gateway of house.gateways) gateway.isUp = false
    await house.pass(30 * minuteMs)
    expect(await house.incidents()).toEqual([])
    const errors = house.world.lines.filter(({ level }) => level === 'error')
    expect(errors.map(({ message }) => message)).toEqual([
      'no gateway is heard: the broker or the network of the cloud may be down; nobody is told',
    ])
    // One of them stays away.
    for (const gateway of house.gateways.slice(1)) gateway.isUp = true
    await house.pass(7 * minuteMs)
    expect((await house.incidents()).map(({ targetId }) => targetId)).toEqual([house.gateways[0]?.id])
  })

  it('causes a notification also where a round takes longer than the limit for a stall', async () => {
    for (let count = 0; count < 201; count++) await house.addGateway(spaceId)
    const { world } = house
    house.startCloud({ ...world, turn: () => new Promise<void>(resolve => world.after(50_000, resolve)) })
    const [gateway] = house.gateways
    if (gateway) gateway.isUp = false
    await house.pass(12 * minuteMs)
    expect((await house.incidents()).map(({ targetId }) => targetId)).toEqual([gateway?.id])
    await Promise.all([house.stopCloud(), house.pass(5 * minuteMs)])
  })

  it('is forgotten without a notification when it is shut out', async () => {
    const gateway = await house.addGateway(spaceId)
    house.startCloud()
    gateway.isUp = false
    await house.pass(7 * minuteMs)
    const revoked = { revokedAt: isoTime(house.world.nowMs()) }
    await house.database.knex('gateways').where({ id: gateway.id }).update(revoked)
    await house.pass(minuteMs)
    expect(await states()).toEqual([['gateway_offline', false]])
    expect(await kinds()).toEqual(['opened'])
  })
})

it('notifies of the silence of a whole house in one mail, and of its return in one', async () => {
  for (let count = 0; count < 8; count++) await house.addGateway(spaceId, `Box ${count}`)
  house.startCloud()
  await house.pass(minuteMs)
  for (const gateway of house.gateways) gateway.isUp = false
  await house.pass(7 * minuteMs)
  for (const gateway of house.gateways) gateway.isUp = true
  await house.pass(3 * minuteMs)
  expect(await kinds()).toEqual(['digest', 'digest'])
  const [mail] = await house.mails()
  const { knex } = house.database
  const addressee = await readAlertAddressee({ knex, appUrl: 'https://gates.example' }, mail?.id ?? '')
  expect(addressee).toMatchObject({ ok: true, facts: { isDigest: true, spaceName: 'Lake view' } })
  expect(addressee.ok && addressee.facts.kind === 'alert' && addressee.facts.incidents).toHaveLength(8)
})

it('notifies of a signal and a supply that stay low, but not where they fluctuate', async () => {
  const gateway = await house.addGateway(spaceId)
  house.startCloud()
  for (let swing = 0; swing < 6; swing++) {
    Object.assign(
      gateway,
      swing % 2 === 0 ? { signalDbm: -99, voltageMv: 3_400 } : { signalDbm: -80, voltageMv: 4_000 },
    )
    await house.pass(4 * minuteMs)
  }
  expect(await house.incidents()).toEqual([])
  Object.assign(gateway, { signalDbm: -99, voltageMv: 3_400 })
  await house.pass(11 * minuteMs)
  const rows = await house.incidents()
  expect(new Map(rows.map(({ figure, kind }) => [kind, figure]))).toEqual(
    new Map([
      ['signal_low', -99],
      ['supply_low', 3_400],
    ]),
  )
  Object.assign(gateway, { signalDbm: -80, voltageMv: 4_000 })
  await house.pass(12 * minuteMs)
  expect((await states()).map(([, isOpen]) => isOpen)).toEqual([false, false])
  expect((await kinds()).sort()).toEqual(['closed', 'closed', 'opened', 'opened'])
})

it('notifies once although two clouds check at the same time', async () => {
  const gateway = await house.addGateway(spaceId)
  house.startCloud()
  const { database, heard, world } = house
  const stop = watchForIncidents({ database, world, heard, isConnected: () => true })
  await house.pass(minuteMs)
  gateway.isUp = false
  await house.pass(7 * minuteMs)
  gateway.isUp = true
  await house.pass(3 * minuteMs)
  await stop()
  expect(await house.incidents()).toHaveLength(1)
  expect(await kinds()).toEqual(['opened', 'closed'])
  const warnings = house.world.lines.filter(({ level }) => level === 'warn')
  expect(warnings).toEqual([])
})

describe('the addressee of a notification', () => {
  it('is nobody who has switched it off, is shut out, or has left; the incident still counts as notified', async () => {
    const { knex } = house.database
    const gateway = await house.addGateway(spaceId)
    await knex('userRoles').where({ spaceId }).update({ getsAlerts: false })
    house.startCloud()
    gateway.isUp = false
    await house.pass(7 * minuteMs)
    expect(await kinds()).toEqual([])
    await knex('userRoles').where({ spaceId }).update({ getsAlerts: true })
    await house.pass(minuteMs)
    expect(await kinds()).toEqual([])
    gateway.isUp = true
    await house.pass(3 * minuteMs)
    const [mail] = await house.mails()
    expect(mail?.kind).toBe('closed')
    await knex('users').update({ deactivatedAt: isoTime(house.world.nowMs()) })
    expect(await readAlertAddressee({ knex, appUrl: '' }, mail?.id ?? '')).toMatchObject({ ok: false })
    expect(await readAlertAddressee({ knex, appUrl: '' }, 'alert_none')).toMatchObject({ ok: false })
  })

  it('gets no late mail about what is over by then', async () => {
    const gateway = await house.addGateway(spaceId)
    house.startCloud()
    gateway.isUp = false
    await house.pass(7 * minuteMs)
    const [mail] = await house.mails()
    const read = () =>
      readAlertAddressee({ knex: house.database.knex, appUrl: 'https://g.example' }, mail?.id ?? '')
    expect(await read()).toMatchObject({
      ok: true,
      facts: { link: `https://g.example/spaces/${spaceId}/gateways/${gateway.id}` },
    })
    gateway.isUp = true
    await house.pass(3 * minuteMs)
    expect(await read()).toEqual({ ok: false, why: 'the incident is over' })
  })
})
