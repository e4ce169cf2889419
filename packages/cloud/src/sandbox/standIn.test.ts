import { callProfile } from '@callgate/contract/call/callProfile'
import { type MagicName, magicEnds, magicNames, magicNumber } from '@callgate/contract/sandbox/magicNumbers'
import { type FakeWorld, fakeWorld } from '@callgate/world/fake'
import { newId } from '@callgate/world/ids'
import { isoTime, moment } from '@callgate/world/world'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { noteDrift } from '../calibration/profileDoubts.ts'
import type { OpeningRow } from '../core/opening.ts'
import type { Database } from '../database/database.ts'
import { testDatabase } from '../database/postgres.kit.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createExchange, type Exchange } from '../opening/exchange.ts'
import { playedEndpoint } from '../opening/gatewayEndpoint.kit.ts'
import { createApiKey } from '../space/apiKeys.ts'
import { createSandbox } from './sandboxes.ts'
import { StandIns } from './standIn.ts'

let world: FakeWorld
let database: Database
let exchange: Exchange
let standIns: StandIns
let spaceId: string
let apiKeyId: string
/** What was sent to real gateways. */
let sent: string[]

const given = { name: 'Tests', plan: 'business', country: 'RO', timezone: 'Europe/Bucharest' } as const

beforeEach(async () => {
  world = fakeWorld(1)
  database = await testDatabase(world)
  sent = []
  const wire = playedEndpoint(
    () => ['gw_real'],
    (to, openingId) => sent.push(`${to} ${openingId}`),
  )
  standIns = new StandIns({ world, database, wire })
  exchange = createExchange({ world, database, endpoint: standIns, noteDrift })
  standIns.start(exchange)
  spaceId = (await createSandbox({ world, database }, given)).spaceId
  const key = { spaceId, name: 'Desk', scopes: ['gates:open'], expiresAt: null, actor: 'operator' } as const
  apiKeyId = (await createApiKey({ world, database }, key))?.apiKeyId ?? ''
})
afterEach(async () => {
  standIns.stop()
  exchange.stop()
  await database.close()
})

async function addGate(phoneNumber: string): Promise<string> {
  const id = newId(world, 'gate')
  const row = { id, spaceId, phoneNumber, name: 'North', location: '', isActive: true }
  const profile = JSON.stringify(callProfile({ mode: 'unverified' }))
  await database.knex('gates').insert({ ...row, callProfile: profile, createdAt: isoTime(world.nowMs()) })
  return id
}

async function press(gateId: string): Promise<string> {
  const actor = { actorType: 'owner', actorName: 'api:Desk', actorEmail: null, apiKeyId } as const
  const pressed = await exchange.press({ spaceId, gateId, actor, since: moment(world) })
  if (!pressed) throw new Error('no such gate')
  return pressed.openingId
}

async function opening(id: string): Promise<OpeningRow> {
  const row: OpeningRow | undefined = await database.knex('openings').where({ id }).first()
  if (!row) throw new Error('no such opening')
  return row
}

/** Moves the clock second by second, as reports are written in between. */
async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second++) await world.advance(1_000)
}

const endOf = async (id: string) => {
  const { completedAt, reason } = await opening(id)
  return completedAt === null ? 'running' : reason
}

describe('a press in a sandbox', () => {
  it('ends as its number says, for every number', async () => {
    const opened = new Map<MagicName, string>()
    for (const name of magicNames) opened.set(name, await press(await addGate(magicNumber(name))))
    expect(await endOf(opened.get('gateway_offline') ?? '')).toBe('gateway_offline')
    await pass(140)
    const ends = Object.fromEntries(
      await Promise.all([...opened].map(async ([name, id]) => [name, await endOf(id)] as const)),
    )
    expect(ends).toEqual(Object.fromEntries(magicNames.map(name => [name, magicEnds[name].reason])))
    expect(sent).toEqual([])
  })

  it('is corrected by a late report, once the opening has ended by time', async () => {
    const id = await press(await addGate(magicNumber('late_report')))
    await pass(95)
    expect(await opening(id)).toMatchObject({ status: 'timeout', reason: 'no_report' })
    await pass(20)
    expect(await opening(id)).toMatchObject({ status: 'completed', reason: 'rejected_after_ring' })
  })

  it('is in none of the metrics of openings, neither its end by time nor its correction', async () => {
    const wire = { isConnected: () => true, onlineCount: () => 1 }
    const metrics = createMetrics({
      world,
      dataFolder: '.',
      database,
      exchange,
      wire,
      readiness: async () => ({ checks: {} }),
    })
    const told = async () => {
      const lines = (await metrics.read()).split('\n')
      return lines.filter(line => /^callgate_openings?_|^callgate_gateways_enrolled /.test(line))
    }
    const nothing = ['callgate_gateways_enrolled 0', 'callgate_openings_running 0']
    const id = await press(await addGate(magicNumber('late_report')))
    await pass(5)
    expect(await endOf(id)).toBe('running')
    expect((await told()).sort()).toEqual(nothing)
    await pass(115)
    expect(await endOf(id)).toBe('rejected_after_ring')
    expect((await told()).sort()).toEqual(nothing)
    metrics.stop()
  })

  it('joins the call that runs, and the one that has just been', async () => {
    const gateId = await addGate(magicNumber('rejected_after_ring'))
    const first = await press(gateId)
    await pass(3)
    expect(await opening(await press(gateId))).toMatchObject({ joinedOpeningId: first })
    await pass(8)
    expect(await opening(await press(gateId))).toMatchObject({ joinedOpeningId: first, status: 'completed' })
  })

  it('L2: locks no number for another sandbox', async () => {
    const phoneNumber = magicNumber('slow')
    await press(await addGate(phoneNumber))
    await pass(5)
    spaceId = (await createSandbox({ world, database }, given)).spaceId
    const key = { spaceId, name: 'Desk', scopes: ['gates:open'], expiresAt: null, actor: 'operator' } as const
    apiKeyId = (await createApiKey({ world, database }, key))?.apiKeyId ?? ''
    const other = await press(await addGate(phoneNumber))
    await pass(60)
    expect(await endOf(other)).toBe('rejected_after_ring')
  })

  it('is refused for a number that no sandbox takes, wherever it came from', async () => {
    expect(await endOf(await press(await addGate('+40722000001')))).toBe('number_not_allowed')
  })

  it('ends by time where the process stops in its call', async () => {
    const id = await press(await addGate(magicNumber('slow')))
    await pass(5)
    standIns.stop()
    await pass(90)
    expect(await endOf(id)).toBe('no_report')
  })
})

describe('a sandbox', () => {
  const row = { name: 'Pi', publicKey: 'k', passwordHash: 'p', createdAt: '2026-01-01T00:00:00.000Z' }

  it('can have no gateway but its stand-in, which is never admitted and which no live Space has', async () => {
    const { knex } = database
    await expect(knex('gateways').insert({ ...row, id: 'gw_1', spaceId })).rejects.toThrow('stand-in')
    const standIn = knex('gateways').where({ spaceId })
    await expect(standIn.clone().update({ revokedAt: null })).rejects.toThrow('never admitted')
    await expect(standIn.clone().update({ isStandIn: false })).rejects.toThrow('never admitted')
    await expect(knex('spaces').where({ id: spaceId }).update({ mode: 'live' })).rejects.toThrow(
      'never changes',
    )
    await knex('spaces').insert({ ...given, id: 'space_live', language: 'en', createdAt: row.createdAt })
    const ofLive = { ...row, id: 'gw_2', spaceId: 'space_live', isStandIn: true }
    await expect(knex('gateways').insert(ofLive)).rejects.toThrow('stand-in')
  })

  it('G2: gives its grants to its stand-in alone, and its stand-in gets those of no other Space', async () => {
    const id = await press(await addGate(magicNumber('slow')))
    const standIn = await database.knex('gateways').where({ spaceId }).first('id', 'bootId')
    const claim = { gatewayId: standIn.id, bootId: standIn.bootId, openingId: id, nonce: 'N'.repeat(22) }
    const fromOutside = await exchange.claim({ ...claim, sinceBootMs: world.sinceBootMs() })
    expect(fromOutside).toEqual({ granted: false, reason: 'superseded' })
    await pass(2)
    expect(await opening(id)).toMatchObject({ gatewayId: standIn.id })
  })

  it('hints gateways of live Spaces by the wire', async () => {
    standIns.hint('gw_real', 'open_1')
    expect(sent).toEqual(['gw_real open_1'])
    await standIns.know('space_live')
    expect(standIns.online('space_live')).toEqual(['gw_real'])
  })
})
